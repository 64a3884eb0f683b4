package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import java.lang.foreign.ValueLayout;

/**
 * Puts the rows of 32 outputs side by side: what a file has per row, here lies per number of 32
 * rows, in the same bits and (but for the K-quants' sub-scales, a byte each) in as many of them.
 *
 * <pre>
 * f32, f16, bf16  per input            32 numbers
 * q8_0            per 32 inputs        32 scales · 32 × 32 levels
 * q4_0, q5_0      per 32 inputs        32 scales · [32 high-bit words] · 16 × 32 pairs of levels
 * q4_1, q5_1      per 32 inputs        32 scales · 32 offsets · [high-bit words] · pairs
 * q4_k, q5_k      per 256 inputs       32 scales · 32 minima · 8 × (32 sub-scales · 32 sub-minima ·
 *                                      [high-bit words] · pairs)
 * q6_k            per 256 inputs       32 scales · 16 × (32 sub-scales · 4 × 32 bytes of 4 × 2 high
 *                                      bits · 8 × 32 pairs)
 * q2_k            per 256 inputs       32 scales · 32 minima · 16 × (32 bytes of sub-scale and
 *                                      sub-minimum · 4 × 32 bytes of four levels)
 * q3_k            per 256 inputs       32 scales · 12 × 32 bytes of sub-scales, as in the file ·
 *                                      16 × (32 words of 16 high bits · 4 × 32 bytes of four levels)
 * iq4_nl          per 32 inputs        32 scales · 16 × 32 pairs of digits
 * iq4_xs          per 256 inputs       32 scales · 8 × (32 sub-scales · 16 × 32 pairs of digits)
 * mxfp4           per 32 inputs        32 exponents · 16 × 32 pairs of digits
 * </pre>
 *
 * Scales are f16, exponents a byte. A pair holds the levels of inputs j and j + 16 (q6_k: j + 8) of
 * a sub-block, a byte of four levels those of inputs j, j + 4, j + 8 and j + 12. High bits of q6_k
 * are of inputs 0, 2, 4 and 6, then of 1, 3, 5 and 7, and the same from 8 on: so two rows of pairs
 * find theirs side by side at the same bits, see {@link Decoding}.
 */
final class Packing {
  /** A vector of four bytes is read as eight. */
  private static final int MARGIN = 64;

  private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;

  private Packing() {}

  static long bytes(TensorType type, int outputs, int inputs) {
    long panels = (outputs + PANEL - 1L) / PANEL;
    return Math.addExact(Math.multiplyExact(panels, panelBytes(type, inputs)), MARGIN);
  }

  static long panelBytes(TensorType type, int inputs) {
    type.bytes(inputs);
    return (long) (inputs / type.blockSize()) * blockBytes(type);
  }

  /** Bytes of 32 blocks side by side, a multiple of 32. */
  static int blockBytes(TensorType type) {
    return switch (type) {
      case Q4_K -> 128 + 8 * (64 + 512);
      case Q5_K -> 128 + 8 * (64 + 128 + 512);
      case IQ4_XS -> 64 + 8 * (32 + 512);
      case I32 -> throw new IllegalArgumentException("i32 is not a type of weights");
      default -> PANEL * type.blockBytes();
    };
  }

  static void pack(
      TensorType type, long rows, int outputs, int inputs, long packed, int from, int to) {
    long rowBytes = type.bytes(inputs);
    long panelBytes = panelBytes(type, inputs);
    int blocks = inputs / type.blockSize();
    for (int panel = from; panel < to; panel++) {
      long start = packed + panel * panelBytes;
      // No slice to fill: that would be an object for each panel.
      for (long at = start; at < start + panelBytes; at += 8) ALL.set(ValueLayout.JAVA_LONG, at, 0);
      int count = Math.min(Kernels.PANEL, outputs - panel * Kernels.PANEL);
      for (int o = 0; o < count; o++) {
        long row = rows + (long) (panel * Kernels.PANEL + o) * rowBytes;
        for (int b = 0; b < blocks; b++) {
          packBlock(
              type, row + (long) b * type.blockBytes(), start + (long) b * blockBytes(type), o);
        }
      }
    }
  }

  private static void packBlock(TensorType type, long block, long to, int o) {
    switch (type) {
      case F32 -> word(to, o, Stored.word(block));
      case F16, BF16 -> half(to, o, Stored.bits(block));
      case Q8_0 -> {
        half(to, o, Stored.bits(block));
        bytes(block + 2, 32, to + 64, o);
      }
      case Q4_0, IQ4_NL -> {
        half(to, o, Stored.bits(block));
        bytes(block + 2, 16, to + 64, o);
      }
      case Q4_1 -> {
        half(to, o, Stored.bits(block));
        half(to + 64, o, Stored.bits(block + 2));
        bytes(block + 4, 16, to + 128, o);
      }
      case Q5_0 -> {
        half(to, o, Stored.bits(block));
        word(to + 64, o, Stored.word(block + 2));
        bytes(block + 6, 16, to + 192, o);
      }
      case Q5_1 -> {
        half(to, o, Stored.bits(block));
        half(to + 64, o, Stored.bits(block + 2));
        word(to + 128, o, Stored.word(block + 4));
        bytes(block + 8, 16, to + 256, o);
      }
      case Q4_K, Q5_K -> packShifted(block, to, o, type == TensorType.Q5_K);
      case Q6_K -> packSix(block, to, o);
      case Q2_K -> packTwo(block, to, o);
      case Q3_K -> packThree(block, to, o);
      case IQ4_XS -> packNonLinear(block, to, o);
      case MXFP4 -> bytes(block, 17, to, o);
      case I32 -> throw new IllegalArgumentException("i32 is not a type of weights");
    }
  }

  /** Q4_K, or Q5_K with its fifth bits. */
  private static void packShifted(long block, long to, int o, boolean five) {
    half(to, o, Stored.bits(block));
    half(to + 64, o, Stored.bits(block + 2));
    for (int sub = 0; sub < 8; sub++) {
      long at = to + 128 + sub * (five ? 704L : 576L);
      level(at, o, Stored.subScale(block + 4, sub));
      level(at + 32, o, Stored.subMinimum(block + 4, sub));
      int high = 0;
      for (int k = 0; five && k < 32; k++) {
        high |= (Stored.unsigned(block + 16 + k) >> sub & 1) << k;
      }
      if (five) word(at + 64, o, high);
      subPairs(block + (five ? 48 : 16), sub, at + (five ? 192 : 64), o);
    }
  }

  private static void packSix(long block, long to, int o) {
    half(to, o, Stored.bits(block + 208));
    for (int sub = 0; sub < 16; sub++) {
      long at = to + 64 + sub * 416L;
      level(at, o, Stored.signed(block + 192 + sub));
      for (int i = 0; i < 4; i++) {
        int first = 16 * sub + 8 * (i / 2) + i % 2;
        int high = 0;
        for (int k = 0; k < 4; k++) high |= Stored.sixBits(block, first + 2 * k) >> 4 << 2 * k;
        level(at + 32 + 32L * i, o, high);
      }
      for (int j = 0; j < 8; j++) {
        int low = Stored.sixBits(block, 16 * sub + j) & 15;
        int top = Stored.sixBits(block, 16 * sub + j + 8) & 15;
        level(at + 160 + 32L * j, o, low | top << 4);
      }
    }
  }

  private static void packTwo(long block, long to, int o) {
    half(to, o, Stored.bits(block + 80));
    half(to + 64, o, Stored.bits(block + 82));
    for (int sub = 0; sub < 16; sub++) {
      long at = to + 128 + sub * 160L;
      level(at, o, Stored.signed(block + sub));
      subFours(block + 16, sub, at + 32, o);
    }
  }

  private static void packThree(long block, long to, int o) {
    half(to, o, Stored.bits(block + 108));
    bytes(block + 96, 12, to + 64, o);
    for (int sub = 0; sub < 16; sub++) {
      long at = to + 448 + sub * 192L;
      int high = 0;
      for (int i = 0; i < 16; i++) {
        int k = 16 * sub + i;
        high |= (Stored.unsigned(block + (k & 31)) >> (k >> 5) & 1) << i;
      }
      half(at, o, (short) high);
      subFours(block + 32, sub, at + 64, o);
    }
  }

  private static void packNonLinear(long block, long to, int o) {
    half(to, o, Stored.bits(block));
    for (int sub = 0; sub < 8; sub++) {
      long at = to + 64 + sub * 544L;
      level(at, o, Stored.nonLinearScale(block, sub));
      bytes(block + 8 + 16 * sub, 16, at + 32, o);
    }
  }

  private static void subFours(long levels, int sub, long to, int o) {
    for (int j = 0; j < 4; j++) {
      int four = 0;
      for (int i = 0; i < 4; i++) {
        four |= Stored.twoBits(levels, 16 * sub + j + 4 * i) << 2 * i;
      }
      level(to + 32L * j, o, four);
    }
  }

  private static void subPairs(long levels, int sub, long to, int o) {
    for (int j = 0; j < 16; j++) {
      int low = Stored.subNibble(levels, sub, j);
      int top = Stored.subNibble(levels, sub, j + 16);
      level(to + 32L * j, o, low | top << 4);
    }
  }

  private static void bytes(long from, int count, long to, int o) {
    for (int j = 0; j < count; j++) level(to + 32L * j, o, Stored.signed(from + j));
  }

  private static void level(long to, int o, int value) {
    ALL.set(Lanes.BYTE, to + o, (byte) value);
  }

  private static void half(long to, int o, short value) {
    ALL.set(SHORT, to + 2L * o, value);
  }

  private static void word(long to, int o, int value) {
    ALL.set(Lanes.INT, to + 4L * o, value);
  }
}
