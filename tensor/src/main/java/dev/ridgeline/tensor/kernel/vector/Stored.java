package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;

import dev.ridgeline.tensor.TensorType;
import java.lang.foreign.ValueLayout;

/**
 * Quantized blocks as files have them. A number is {@code level · scale + offset}; the product is
 * exact in f32 for every type, so there is one right answer.
 */
final class Stored {
  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT_UNALIGNED;
  private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
  private static final ValueLayout.OfFloat FLOAT = ValueLayout.JAVA_FLOAT_UNALIGNED;

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

  static float half(long address) {
    return Float.float16ToFloat(bits(address));
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

  /** Numbers of a row as f32. */
  static void dequantize(TensorType type, long row, int count, long out) {
    switch (type) {
      case F32 -> {
        for (int i = 0; i < count; i++) Lanes.set(out + 4L * i, ALL.get(FLOAT, row + 4L * i));
      }
      case F16 -> {
        for (int i = 0; i < count; i++) Lanes.set(out + 4L * i, half(row + 2L * i));
      }
      case BF16 -> {
        for (int i = 0; i < count; i++) {
          Lanes.set(out + 4L * i, Float.intBitsToFloat(bits(row + 2L * i) << 16));
        }
      }
      case I32 -> throw new IllegalArgumentException("i32 is not a type of weights");
      default -> {
        int blocks = count / type.blockSize();
        for (int b = 0; b < blocks; b++) {
          long block = row + (long) b * type.blockBytes();
          dequantizeBlock(type, block, out + 4L * b * type.blockSize());
        }
      }
    }
  }

  private static void dequantizeBlock(TensorType type, long block, long out) {
    switch (type) {
      case Q8_0 -> {
        float d = half(block);
        for (int k = 0; k < 32; k++) Lanes.set(out + 4L * k, d * signed(block + 2 + k));
      }
      case Q4_0 -> nibbles(block + 2, 0, half(block), -8 * half(block), out);
      case Q4_1 -> nibbles(block + 4, 0, half(block), half(block + 2), out);
      case Q5_0 -> nibbles(block + 6, word(block + 2), half(block), -16 * half(block), out);
      case Q5_1 -> nibbles(block + 8, word(block + 4), half(block), half(block + 2), out);
      case Q4_K -> {
        for (int sub = 0; sub < 8; sub++) {
          float scale = half(block) * subScale(block + 4, sub);
          float offset = -half(block + 2) * subMinimum(block + 4, sub);
          for (int k = 0; k < 32; k++) {
            int level = subNibble(block + 16, sub, k);
            Lanes.set(out + 4L * (32 * sub + k), Math.fma(level, scale, offset));
          }
        }
      }
      case Q5_K -> {
        for (int sub = 0; sub < 8; sub++) {
          float scale = half(block) * subScale(block + 4, sub);
          float offset = -half(block + 2) * subMinimum(block + 4, sub);
          for (int k = 0; k < 32; k++) {
            int high = unsigned(block + 16 + k) >> sub & 1;
            int level = subNibble(block + 48, sub, k) | high << 4;
            Lanes.set(out + 4L * (32 * sub + k), Math.fma(level, scale, offset));
          }
        }
      }
      case Q6_K -> {
        float d = half(block + 208);
        for (int k = 0; k < 256; k++) {
          float scale = d * signed(block + 192 + (k >> 4));
          Lanes.set(out + 4L * k, scale * (sixBits(block, k) - 32));
        }
      }
      default -> throw new IllegalArgumentException(type.word() + " has no blocks");
    }
  }

  private static void nibbles(long levels, int high, float scale, float offset, long out) {
    for (int k = 0; k < 16; k++) {
      int pair = unsigned(levels + k);
      int low = pair & 15 | (high >>> k & 1) << 4;
      int top = pair >> 4 | (high >>> k + 16 & 1) << 4;
      Lanes.set(out + 4L * k, Math.fma(low, scale, offset));
      Lanes.set(out + 4L * (k + 16), Math.fma(top, scale, offset));
    }
  }
}
