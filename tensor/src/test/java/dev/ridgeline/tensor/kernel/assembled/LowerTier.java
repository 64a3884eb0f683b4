package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;

/** The tests of products as a program. */
final class LowerTier {
  private LowerTier() {}

  public static void main(String[] args) {
    System.out.println(new AssembledKernels(new VectorKernels()).description());
    ProductsTest.assemble();
    var test = new ProductsTest();
    for (TensorType type : new TensorType[] {TensorType.F32, TensorType.F16}) {
      test.productsOfFloatsHaveTheBitsOfTheVectorKernels(type);
      test.rangesOfRowsAndPanelsDoNotChangeABit(type);
    }
    ProductsTest.matricesOfBytes()
        .map(org.junit.jupiter.params.provider.Arguments::get)
        .forEach(
            each ->
                test.productsOfBytesHaveTheBitsOfPlainJava(
                    (TensorType) each[0], (dev.ridgeline.tensor.Layout) each[1]));
    test.memoryIsNotTouchedBeforeItsBegin();
    test.whatIsNotANumberStaysInItsRow();
    test.rowsThatWouldCrowdTheCacheAreSpread();
    var across = new AcrossTest();
    across.sumsAreThoseOfDoubleAndOfVectors();
    across.largeResultsHaveTheSameBits();
    across.aPackedTransposeMultipliesLikeTheMatrixTurned();
    System.out.println("passed");
  }
}
