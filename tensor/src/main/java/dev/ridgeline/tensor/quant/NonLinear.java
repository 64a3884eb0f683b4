package dev.ridgeline.tensor.quant;

/** IQ4_NL: a scale and 32 digits that stand for the numbers of a table. */
final class NonLinear implements Block {
  private static final int SIZE = 32;

  private final int[] digits = new int[SIZE];

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes);
    Digits.read(4, bytes + 2, digits);
    for (int i = 0; i < SIZE; i++) {
      Raw.f32(numbers + 4 * i, scale * NibbleTable.NON_LINEAR.value(digits[i]));
    }
  }
}
