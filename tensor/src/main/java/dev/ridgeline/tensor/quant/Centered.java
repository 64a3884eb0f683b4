package dev.ridgeline.tensor.quant;

/** Q4_0 and Q5_0: a scale and 32 digits around a middle. */
final class Centered implements Block {
  private static final int SIZE = 32;

  private final int bits;
  private final int middle;
  private final int[] digits = new int[SIZE];

  Centered(int bits) {
    this.bits = bits;
    this.middle = 1 << bits - 1;
  }

  @Override
  public void pack(long numbers, long bytes) {
    float furthest = 0;
    for (int i = 0; i < SIZE; i++) {
      float number = Raw.f32(numbers + 4 * i);
      if (Math.abs(number) > Math.abs(furthest)) furthest = number;
    }
    // There is one digit more below the middle than above: the furthest number gets it.
    float scale = furthest / -middle;
    float inverse = Raw.inverse(scale);
    Raw.f16(bytes, scale);
    for (int i = 0; i < SIZE; i++) {
      int digit = (byte) Raw.truncated(Raw.f32(numbers + 4 * i) * inverse + (middle + 0.5f));
      digits[i] = Math.min(2 * middle - 1, digit);
    }
    Digits.write(bits, digits, bytes + 2);
  }

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes);
    Digits.read(bits, bytes + 2, digits);
    for (int i = 0; i < SIZE; i++) Raw.f32(numbers + 4 * i, (digits[i] - middle) * scale);
  }
}
