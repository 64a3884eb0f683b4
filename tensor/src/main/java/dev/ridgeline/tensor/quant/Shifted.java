package dev.ridgeline.tensor.quant;

/** Q4_1 and Q5_1: a scale, a minimum and 32 digits above it. */
final class Shifted implements Block {
  private static final int SIZE = 32;

  private final int bits;
  private final int[] digits = new int[SIZE];

  Shifted(int bits) {
    this.bits = bits;
  }

  @Override
  public void pack(long numbers, long bytes) {
    float min = Float.MAX_VALUE;
    float max = -Float.MAX_VALUE;
    for (int i = 0; i < SIZE; i++) {
      float number = Raw.f32(numbers + 4 * i);
      if (number < min) min = number;
      if (number > max) max = number;
    }
    int most = (1 << bits) - 1;
    float scale = (max - min) / most;
    float inverse = Raw.inverse(scale);
    Raw.f16(bytes, scale);
    Raw.f16(bytes + 2, min);
    for (int i = 0; i < SIZE; i++) {
      int digit = (byte) Raw.truncated((Raw.f32(numbers + 4 * i) - min) * inverse + 0.5f);
      digits[i] = Math.min(most, digit);
    }
    Digits.write(bits, digits, bytes + 4);
  }

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes);
    float min = Raw.f16(bytes + 2);
    Digits.read(bits, bytes + 4, digits);
    for (int i = 0; i < SIZE; i++) Raw.f32(numbers + 4 * i, digits[i] * scale + min);
  }
}
