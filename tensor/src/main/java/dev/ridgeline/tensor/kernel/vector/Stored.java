package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;

import java.lang.foreign.ValueLayout;

/** Reads the parts of quantized blocks as files have them: what a number is made of. */
final class Stored {
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;

  private Stored() {}

  static int unsigned(long address) {
    return ALL.get(Lanes.BYTE, address) & 0xff;
  }

  static byte signed(long address) {
    return ALL.get(Lanes.BYTE, address);
  }

  static short bits(long address) {
    return ALL.get(SHORT, address);
  }

  static int word(long address) {
    return ALL.get(INT, address);
  }

  /** The scale of a sub-block of Q4_K or Q5_K; eight scales and minima are packed in 12 bytes. */
  static int subScale(long scales, int sub) {
    return sub < 4
        ? unsigned(scales + sub) & 63
        : unsigned(scales + sub + 4) & 15 | unsigned(scales + sub - 4) >> 6 << 4;
  }

  static int subMinimum(long scales, int sub) {
    return sub < 4
        ? unsigned(scales + sub + 4) & 63
        : unsigned(scales + sub + 4) >> 4 | unsigned(scales + sub) >> 6 << 4;
  }

  /** The four low bits of number k in a sub-block of 32 of Q4_K or Q5_K. */
  static int subNibble(long levels, int sub, int k) {
    return unsigned(levels + (sub >> 1) * 32 + k) >> 4 * (sub & 1) & 15;
  }

  /** The six bits of number k in a block of Q6_K. */
  static int sixBits(long block, int k) {
    int half = k >> 7;
    int quarter = k >> 5 & 3;
    int low =
        unsigned(block + half * 64 + (quarter & 1) * 32 + (k & 31)) >> 4 * (quarter >> 1) & 15;
    int high = unsigned(block + 128 + half * 32 + (k & 31)) >> 2 * quarter & 3;
    return low | high << 4;
  }

  /** Two bits of number k in a block of Q2_K or Q3_K. */
  static int twoBits(long levels, int k) {
    return unsigned(levels + (k >> 7) * 32 + (k & 31)) >> 2 * (k >> 5 & 3) & 3;
  }

  /** The signed scale of a sub-block of IQ4_XS. */
  static int nonLinearScale(long block, int sub) {
    int low = unsigned(block + 4 + (sub >> 1)) >> 4 * (sub & 1) & 15;
    int high = unsigned(block + 2 + (sub >> 2)) >> 2 * (sub & 3) & 3;
    return (low | high << 4) - 32;
  }
}
