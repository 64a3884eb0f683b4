package dev.ridgeline.tensor.quant;

/**
 * IQ4_XS: 256 numbers in eight groups like those of {@link NonLinear}, each with a signed scale of
 * six bits; the scales share an f16.
 *
 * <p>Bytes: scale of scales, upper two bits of the scales, lower four bits, digits of each group in
 * turn.
 */
final class NonLinearSuper implements Block {
  private static final int GROUPS = 8;
  private static final int GROUP = 32;
  private static final int SCALE_MIDDLE = 32;
  private static final int UPPER = 2;
  private static final int LOWER = 4;
  private static final int DIGITS = 8;

  private final int[] digits = new int[GROUP];

  @Override
  public void unpack(long bytes, long numbers) {
    float scale = Raw.f16(bytes);
    for (int g = 0; g < GROUPS; g++) {
      int lower = Raw.u8(bytes + LOWER + g / 2) >> 4 * (g % 2) & 15;
      int upper = Raw.u8(bytes + UPPER + g / 4) >> 2 * (g % 4) & 3;
      float d = scale * ((lower | upper << 4) - SCALE_MIDDLE);
      Digits.read(4, bytes + DIGITS + g * GROUP / 2, digits);
      for (int i = 0; i < GROUP; i++) {
        float number = d * NibbleTable.NON_LINEAR.value(digits[i]);
        Raw.f32(numbers + 4 * (g * GROUP + i), number);
      }
    }
  }
}
