package dev.ridgeline.tensor.quant;

/**
 * The 32 small whole numbers of a block of 4 or 5 bits: fifth bits, if any, in one int; then
 * nibbles, number i in the lower half of byte i, number i + 16 in the upper.
 */
final class Digits {
  private static final int HALF = 16;

  private Digits() {}

  static void write(int bits, int[] digits, long bytes) {
    long nibbles = bytes;
    if (bits == 5) {
      int fifth = 0;
      for (int i = 0; i < 2 * HALF; i++) fifth |= (digits[i] >> 4 & 1) << i;
      Raw.i32(bytes, fifth);
      nibbles += 4;
    }
    for (int i = 0; i < HALF; i++) {
      Raw.i8(nibbles + i, digits[i] & 15 | (digits[i + HALF] & 15) << 4);
    }
  }

  static void read(int bits, long bytes, int[] digits) {
    int fifth = bits == 5 ? Raw.i32(bytes) : 0;
    long nibbles = bits == 5 ? bytes + 4 : bytes;
    for (int i = 0; i < HALF; i++) {
      int pair = Raw.u8(nibbles + i);
      digits[i] = pair & 15 | (fifth >>> i & 1) << 4;
      digits[i + HALF] = pair >> 4 | (fifth >>> i + HALF & 1) << 4;
    }
  }
}
