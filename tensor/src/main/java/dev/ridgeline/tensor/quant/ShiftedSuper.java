package dev.ridgeline.tensor.quant;

/**
 * Q4_K and Q5_K: 256 numbers in eight groups, each with a scale and a minimum of six bits that
 * share two f16.
 *
 * <p>Bytes: scale of scales, scale of minima, twelve bytes of both, fifth bits (of byte i: those of
 * number i of each group), nibbles (groups in pairs, the first in the lower halves).
 */
final class ShiftedSuper implements Block {
  private static final int SIZE = 256;
  private static final int GROUPS = 8;
  private static final int GROUP = 32;
  private static final int MOST_SCALE = 63;

  private final int bits;
  private final int most;
  private final float firstTrial;
  private final int trials;
  private final ScaleSearch search = new ScaleSearch(GROUP);
  private final float[] x = new float[SIZE];
  private final int[] digits = new int[SIZE];
  private final float[] scales = new float[GROUPS];
  private final float[] minima = new float[GROUPS];
  private final int[] scaleDigits = new int[GROUPS];
  private final int[] minimumDigits = new int[GROUPS];

  ShiftedSuper(int bits) {
    this.bits = bits;
    this.most = (1 << bits) - 1;
    this.firstTrial = bits == 4 ? -1 : -0.5f;
    this.trials = bits == 4 ? 20 : 15;
  }

  @Override
  public void pack(long numbers, long bytes) {
    Raw.numbers(numbers, x);
    float maxScale = 0;
    float maxMinimum = 0;
    for (int g = 0; g < GROUPS; g++) {
      scales[g] = search.shifted(x, g * GROUP, most, firstTrial, trials, digits);
      minima[g] = search.lowered();
      if (scales[g] > maxScale) maxScale = scales[g];
      if (minima[g] > maxMinimum) maxMinimum = minima[g];
    }
    float inverseScale = maxScale > 0 ? MOST_SCALE / maxScale : 0;
    float inverseMinimum = maxMinimum > 0 ? MOST_SCALE / maxMinimum : 0;
    for (int g = 0; g < GROUPS; g++) {
      scaleDigits[g] = Math.min(MOST_SCALE, Raw.nearest(inverseScale * scales[g]) & 0xff);
      minimumDigits[g] = Math.min(MOST_SCALE, Raw.nearest(inverseMinimum * minima[g]) & 0xff);
    }
    Raw.f16(bytes, maxScale / MOST_SCALE);
    Raw.f16(bytes + 2, maxMinimum / MOST_SCALE);
    writeScales(bytes + 4);
    roundAgain(Raw.f16(bytes), Raw.f16(bytes + 2));
    writeDigits(bytes + 16);
  }

  /** With the scales as they will be read. */
  private void roundAgain(float scale, float minimumScale) {
    for (int g = 0; g < GROUPS; g++) {
      float d = scale * scaleDigits[g];
      if (d == 0) continue;
      float min = minimumScale * minimumDigits[g];
      for (int i = g * GROUP; i < (g + 1) * GROUP; i++) {
        digits[i] = ScaleSearch.clamp(Raw.nearest((x[i] + min) / d), 0, most);
      }
    }
  }

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes);
    float minimumScale = Raw.f16(bytes + 2);
    readScales(bytes + 4);
    readDigits(bytes + 16);
    for (int g = 0; g < GROUPS; g++) {
      float d = scale * scaleDigits[g];
      float min = minimumScale * minimumDigits[g];
      for (int i = g * GROUP; i < (g + 1) * GROUP; i++) {
        Raw.f32(numbers + 4 * i, d * digits[i] - min);
      }
    }
  }

  /** Six bits each: the upper four groups' highest two bits lie above those of the lower four. */
  private void writeScales(long bytes) {
    for (int g = 0; g < 4; g++) {
      int scale = scaleDigits[g + 4];
      int minimum = minimumDigits[g + 4];
      Raw.i8(bytes + g, scaleDigits[g] | scale >> 4 << 6);
      Raw.i8(bytes + 4 + g, minimumDigits[g] | minimum >> 4 << 6);
      Raw.i8(bytes + 8 + g, scale & 15 | (minimum & 15) << 4);
    }
  }

  private void readScales(long bytes) {
    for (int g = 0; g < 4; g++) {
      int first = Raw.u8(bytes + g);
      int second = Raw.u8(bytes + 4 + g);
      int third = Raw.u8(bytes + 8 + g);
      scaleDigits[g] = first & 63;
      minimumDigits[g] = second & 63;
      scaleDigits[g + 4] = third & 15 | first >> 6 << 4;
      minimumDigits[g + 4] = third >> 4 | second >> 6 << 4;
    }
  }

  private void writeDigits(long bytes) {
    long nibbles = bytes;
    if (bits == 5) {
      for (int i = 0; i < GROUP; i++) {
        int fifth = 0;
        for (int g = 0; g < GROUPS; g++) fifth |= digits[g * GROUP + i] >> 4 << g;
        Raw.i8(bytes + i, fifth);
      }
      nibbles += GROUP;
    }
    for (int g = 0; g < GROUPS; g += 2) {
      for (int i = 0; i < GROUP; i++) {
        int low = digits[g * GROUP + i] & 15;
        int high = digits[(g + 1) * GROUP + i] & 15;
        Raw.i8(nibbles + g / 2 * GROUP + i, low | high << 4);
      }
    }
  }

  private void readDigits(long bytes) {
    long nibbles = bits == 5 ? bytes + GROUP : bytes;
    for (int i = 0; i < GROUP; i++) {
      int fifth = bits == 5 ? Raw.u8(bytes + i) : 0;
      for (int g = 0; g < GROUPS; g += 2) {
        int pair = Raw.u8(nibbles + g / 2 * GROUP + i);
        digits[g * GROUP + i] = pair & 15 | (fifth >> g & 1) << 4;
        digits[(g + 1) * GROUP + i] = pair >> 4 | (fifth >> g + 1 & 1) << 4;
      }
    }
  }
}
