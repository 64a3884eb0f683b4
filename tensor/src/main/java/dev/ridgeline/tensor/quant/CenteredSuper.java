package dev.ridgeline.tensor.quant;

/**
 * Q6_K: 256 numbers in sixteen groups, each with a scale of eight bits; the scales share an f16.
 *
 * <p>Bytes: lower four bits, upper two bits (both of each half of the numbers in turn), scales, the
 * scale of scales.
 */
final class CenteredSuper implements Block {
  private static final int SIZE = 256;
  private static final int GROUPS = 16;
  private static final int GROUP = 16;
  private static final int MIDDLE = 32;
  private static final int UPPER = 128;
  private static final int SCALES = 192;
  private static final int SCALE = 208;
  private static final int BYTES = 210;

  private final ScaleSearch search = new ScaleSearch(GROUP);
  private final float[] x = new float[SIZE];
  private final int[] digits = new int[SIZE];
  private final float[] scales = new float[GROUPS];

  @Override
  public void pack(long numbers, long bytes) {
    Raw.numbers(numbers, x);
    float furthest = 0;
    for (int g = 0; g < GROUPS; g++) {
      scales[g] = search.centered(x, g * GROUP, MIDDLE, digits);
      if (Math.abs(scales[g]) > Math.abs(furthest)) furthest = scales[g];
    }
    if (Math.abs(furthest) < ScaleSearch.NOTHING) {
      for (int i = 0; i < BYTES; i++) Raw.i8(bytes + i, 0);
      return;
    }
    float inverse = -128 / furthest;
    Raw.f16(bytes + SCALE, 1 / inverse);
    for (int g = 0; g < GROUPS; g++) {
      Raw.i8(bytes + SCALES + g, Math.min(127, Raw.nearest(inverse * scales[g])));
    }
    roundAgain(bytes);
    writeDigits(bytes);
  }

  /** With the scales as they will be read. */
  private void roundAgain(long bytes) {
    float scale = Raw.f16(bytes + SCALE);
    for (int g = 0; g < GROUPS; g++) {
      float d = scale * Raw.i8(bytes + SCALES + g);
      if (d == 0) continue;
      for (int i = g * GROUP; i < (g + 1) * GROUP; i++) {
        digits[i] = MIDDLE + ScaleSearch.clamp(Raw.nearest(x[i] / d), -MIDDLE, MIDDLE - 1);
      }
    }
  }

  @Override
  public void unpack(long bytes, long numbers) {
    readDigits(bytes);
    float scale = Raw.f16(bytes + SCALE);
    for (int i = 0; i < SIZE; i++) {
      float d = scale * Raw.i8(bytes + SCALES + i / GROUP);
      Raw.f32(numbers + 4 * i, d * (digits[i] - MIDDLE));
    }
  }

  /**
   * Of each half: number i with i + 64 in a byte of lower bits, four numbers 32 apart in one of
   * upper bits.
   */
  private void writeDigits(long bytes) {
    for (int half = 0; half < 2; half++) {
      int from = half * 128;
      for (int i = 0; i < 64; i++) {
        int pair = digits[from + i] & 15 | (digits[from + i + 64] & 15) << 4;
        Raw.i8(bytes + half * 64 + i, pair);
      }
      for (int i = 0; i < 32; i++) {
        int upper = 0;
        for (int q = 0; q < 4; q++) upper |= digits[from + q * 32 + i] >> 4 << 2 * q;
        Raw.i8(bytes + UPPER + half * 32 + i, upper);
      }
    }
  }

  private void readDigits(long bytes) {
    for (int half = 0; half < 2; half++) {
      for (int i = 0; i < 128; i++) {
        int pair = Raw.u8(bytes + half * 64 + i % 64);
        int lower = i < 64 ? pair & 15 : pair >> 4;
        int upper = Raw.u8(bytes + UPPER + half * 32 + i % 32) >> 2 * (i / 32) & 3;
        digits[half * 128 + i] = lower | upper << 4;
      }
    }
  }
}
