package dev.ridgeline.tensor.quant;

/** MXFP4: a power of two and 32 floats of four bits. */
final class MicroFloat implements Block {
  private static final int SIZE = 32;

  private final int[] digits = new int[SIZE];

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = scale(Raw.u8(bytes));
    Digits.read(4, bytes + 1, digits);
    for (int i = 0; i < SIZE; i++) {
      Raw.f32(numbers + 4 * i, NibbleTable.FLOAT.value(digits[i]) * scale);
    }
  }

  /**
   * Half of 2^(e − 127), since the table has twice the floats; for 0 and 1 it is subnormal. The
   * specification's NaN, 255, is one more power of two, as in llama.cpp.
   */
  static float scale(int e) {
    return Float.intBitsToFloat(e < 2 ? 0x200000 << e : e - 1 << 23);
  }
}
