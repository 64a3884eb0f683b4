package dev.ridgeline.tensor.quant;

/**
 * Q2_K: 256 numbers in sixteen groups, each with a scale and a minimum of four bits that share two
 * f16.
 *
 * <p>Bytes: scale and minimum of each group, digits (of each half of the numbers in turn: four
 * numbers 32 apart in a byte), scale of scales, scale of minima.
 */
final class TwoBitSuper implements Block {
  private static final int SIZE = 256;
  private static final int GROUP = 16;
  private static final int DIGITS = 16;
  private static final int SCALE = 80;
  private static final int MINIMUM_SCALE = 82;

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes + SCALE);
    float minimumScale = Raw.f16(bytes + MINIMUM_SCALE);
    for (int from = 0; from < SIZE; from += GROUP) {
      int both = Raw.u8(bytes + from / GROUP);
      float d = scale * (both & 15);
      float min = minimumScale * (both >> 4);
      for (int i = from; i < from + GROUP; i++) {
        Raw.f32(numbers + 4 * i, d * digit(bytes + DIGITS, i) - min);
      }
    }
  }

  /** The two bits of number i, here and in Q3_K. */
  static int digit(long digits, int i) {
    return Raw.u8(digits + i / 128 * 32 + i % 32) >> 2 * (i / 32 % 4) & 3;
  }
}
