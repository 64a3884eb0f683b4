package dev.ridgeline.tensor.quant;

/**
 * Q3_K: 256 numbers in sixteen groups, each with a signed scale of six bits; the scales share an
 * f16.
 *
 * <p>Bytes: upper bits (of byte i: those of numbers i, i + 32 and so on), lower two bits as in
 * {@link TwoBitSuper}, twelve bytes of scales, the scale of scales.
 */
final class ThreeBitSuper implements Block {
  private static final int SIZE = 256;
  private static final int GROUP = 16;
  private static final int MIDDLE = 4;
  private static final int SCALE_MIDDLE = 32;
  private static final int LOWER = 32;
  private static final int SCALES = 96;
  private static final int SCALE = 108;

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes + SCALE);
    for (int from = 0; from < SIZE; from += GROUP) {
      float d = scale * (scaleDigit(bytes + SCALES, from / GROUP) - SCALE_MIDDLE);
      for (int i = from; i < from + GROUP; i++) {
        int upper = Raw.u8(bytes + i % 32) >> i / 32 & 1;
        int digit = TwoBitSuper.digit(bytes + LOWER, i) | upper << 2;
        Raw.f32(numbers + 4 * i, d * (digit - MIDDLE));
      }
    }
  }

  /** Eight bytes with the lower four bits of two groups each, then four with two bits of four. */
  private static int scaleDigit(long scales, int group) {
    int lower = Raw.u8(scales + group % 8) >> 4 * (group / 8) & 15;
    int upper = Raw.u8(scales + 8 + group % 4) >> 2 * (group / 4) & 3;
    return lower | upper << 4;
  }
}
