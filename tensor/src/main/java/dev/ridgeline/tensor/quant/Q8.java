package dev.ridgeline.tensor.quant;

/** Q8_0: a scale and 32 signed bytes. */
final class Q8 implements Block {
  private static final int SIZE = 32;

  @Override
  public void pack(long numbers, long bytes) {
    float largest = 0;
    for (int i = 0; i < SIZE; i++) {
      float magnitude = Math.abs(Raw.f32(numbers + 4 * i));
      if (magnitude > largest) largest = magnitude;
    }
    float scale = largest / 127;
    // Multiplied by the inverse, not divided by the scale: the last bit differs.
    float inverse = Raw.inverse(scale);
    Raw.f16(bytes, scale);
    for (int i = 0; i < SIZE; i++) {
      Raw.i8(bytes + 2 + i, Raw.rounded(Raw.f32(numbers + 4 * i) * inverse));
    }
  }

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes);
    for (int i = 0; i < SIZE; i++) Raw.f32(numbers + 4 * i, Raw.i8(bytes + 2 + i) * scale);
  }
}
