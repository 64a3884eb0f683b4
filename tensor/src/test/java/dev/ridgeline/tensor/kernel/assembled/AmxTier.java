package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.TensorType;

/**
 * The tests of products by tiles as a program, for a machine with AMX that has no more than a Java
 * runtime and the class path of the tests: {@code java --add-modules jdk.incubator.vector
 * --enable-native-access=ALL-UNNAMED -cp … dev.ridgeline.tensor.kernel.assembled.AmxTier}.
 */
final class AmxTier {
  private AmxTier() {}

  public static void main(String[] args) {
    if (Tier.here() != Tier.AMX)
      throw new IllegalStateException("needs AMX, this is " + Tier.here());
    var test = new Bf16TilesTest();
    for (TensorType type : new TensorType[] {TensorType.F16, TensorType.BF16}) {
      test.panelsOfPairsHaveEveryNumberAndZerosAfterThem(type);
      test.productsByTilesAreNearTheProductOfTheNumbers(type);
      test.productsByTilesHaveTheBitsOfPlainJava(type);
      test.aRowHasTheSameBitsAmongAnyOthers(type);
      test.whatIsNotANumberStaysInItsRow(type);
      test.productsWithoutTilesHaveTheBitsOfVectorsInEveryTier(type);
      System.out.println(type + " tiles passed");
    }
    for (TensorType type : new TensorType[] {TensorType.F32, TensorType.F16}) {
      test.rowsAreRoundedToTheNearest(type);
    }
    var bytes = new ByteTilesTest();
    for (PanelForm form : PanelForm.values()) {
      bytes.tilesChangeNoBit(form);
      System.out.println(form + " tiles passed");
    }
    System.out.println("passed");
  }
}
