package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.quant.NibbleTable;

/**
 * The weights of a matrix as a file has them, read by plain loops: a weight is its whole number
 * times the scale of its block, and the minimum of the block.
 *
 * @param block numbers that share a scale
 */
record PlainLevels(int inputs, int block, int[] numbers, float[] scales, float[] minima) {
  static PlainLevels of(TensorType type, long stored, int outputs, int inputs) {
    PanelForm form = PanelForm.of(type);
    int count = outputs * inputs;
    var levels =
        new PlainLevels(
            inputs,
            form.block,
            new int[count],
            new float[count / form.block],
            new float[count / form.block]);
    for (int i = 0; i < count / type.blockSize(); i++) {
      levels.read(type, stored + (long) i * type.blockBytes(), i * type.blockSize());
    }
    return levels;
  }

  private static int u8(long at) {
    return ALL.get(JAVA_BYTE, at) & 0xFF;
  }

  private static float half(long at) {
    return Float.float16ToFloat(ALL.get(JAVA_SHORT_UNALIGNED, at));
  }

  private void read(TensorType type, long at, int first) {
    int b = first / block;
    switch (type) {
      case Q8_0 -> {
        scales[b] = half(at);
        for (int i = 0; i < 32; i++) numbers[first + i] = (byte) u8(at + 2 + i);
      }
      case Q4_0 -> small(at, first, 2, -1, 8, false);
      case Q4_1 -> small(at, first, 4, -1, 0, true);
      case Q5_0 -> small(at, first, 6, 2, 16, false);
      case Q5_1 -> small(at, first, 8, 4, 0, true);
      case IQ4_NL -> {
        small(at, first, 2, -1, 0, false);
        look(NibbleTable.NON_LINEAR, first, 32);
      }
      case MXFP4 -> {
        small(at, first, 1, -1, 0, false);
        look(NibbleTable.FLOAT, first, 32);
        scales[b] = Math.scalb(1f, u8(at) - 128);
      }
      case Q4_K, Q5_K -> {
        boolean five = type == TensorType.Q5_K;
        for (int g = 0; g < 8; g++) {
          int h = g % 4;
          int low = u8(at + 4 + h);
          int middle = u8(at + 8 + h);
          int high = u8(at + 12 + h);
          int scale = g < 4 ? low & 63 : high & 15 | low >> 6 << 4;
          int minimum = g < 4 ? middle & 63 : high >> 4 | middle >> 6 << 4;
          scales[b + g] = half(at) * scale;
          minima[b + g] = -(half(at + 2) * minimum);
          for (int i = 0; i < 32; i++) {
            int pair = u8(at + (five ? 48 : 16) + g / 2 * 32 + i);
            int fifth = five ? u8(at + 16 + i) >> g & 1 : 0;
            numbers[first + 32 * g + i] = (g % 2 == 0 ? pair & 15 : pair >> 4) | fifth << 4;
          }
        }
      }
      case Q6_K -> {
        for (int i = 0; i < 256; i++) {
          int in = i % 128;
          int pair = u8(at + i / 128 * 64 + in % 64);
          int upper = u8(at + 128 + i / 128 * 32 + in % 32) >> in / 32 * 2 & 3;
          numbers[first + i] = (in < 64 ? pair & 15 : pair >> 4 | 0) + (upper << 4) - 32;
          scales[b + i / 16] = half(at + 208) * (byte) u8(at + 192 + i / 16);
        }
      }
      case Q2_K -> {
        for (int i = 0; i < 256; i++) {
          int in = i % 128;
          numbers[first + i] = u8(at + 16 + i / 128 * 32 + in % 32) >> in / 32 * 2 & 3;
          scales[b + i / 16] = half(at + 80) * (u8(at + i / 16) & 15);
          minima[b + i / 16] = -(half(at + 82) * (u8(at + i / 16) >> 4));
        }
      }
      case Q3_K -> {
        for (int i = 0; i < 256; i++) {
          int in = i % 128;
          int low = u8(at + 32 + i / 128 * 32 + in % 32) >> in / 32 * 2 & 3;
          int third = u8(at + in % 32) >> i / 32 & 1;
          numbers[first + i] = low + 4 * third - 4;
          int s = i / 16;
          int four = s < 8 ? u8(at + 96 + s) & 15 : u8(at + 96 + s - 8) >> 4;
          int two = u8(at + 104 + s % 4) >> s / 4 * 2 & 3;
          scales[b + s] = half(at + 108) * ((four | two << 4) - 32);
        }
      }
      case IQ4_XS -> {
        for (int g = 0; g < 8; g++) {
          int four = u8(at + 4 + g / 2) >> g % 2 * 4 & 15;
          int two = (ALL.get(JAVA_SHORT_UNALIGNED, at + 2) & 0xFFFF) >> 2 * g & 3;
          scales[b + g] = half(at) * ((four | two << 4) - 32);
          for (int i = 0; i < 16; i++) {
            int pair = u8(at + 8 + 16 * g + i);
            numbers[first + 32 * g + i] = pair & 15;
            numbers[first + 32 * g + 16 + i] = pair >> 4;
          }
        }
        look(NibbleTable.NON_LINEAR, first, 256);
      }
      default -> throw new IllegalArgumentException(type.word());
    }
  }

  private void small(long at, int first, int nibbles, int fifth, int zero, boolean minimum) {
    scales[first / block] = half(at);
    if (minimum) minima[first / block] = half(at + 2);
    int high = fifth < 0 ? 0 : ALL.get(JAVA_INT_UNALIGNED, at + fifth);
    for (int i = 0; i < 32; i++) {
      int pair = u8(at + nibbles + i % 16);
      int level = (i < 16 ? pair & 15 : pair >> 4) | (high >>> i & 1) << 4;
      numbers[first + i] = level - zero;
    }
  }

  private void look(NibbleTable table, int first, int count) {
    for (int i = first; i < first + count; i++) numbers[i] = table.value(numbers[i]);
  }

  double number(int output, int input) {
    int at = output * inputs + input;
    return numbers[at] * (double) scales[at / block] + minima[at / block];
  }

  /** The product with a row of bytes, operation by operation. */
  float dot(int output, PlainBytes row, float base) {
    int[] quants = row.quants();
    int first = output * inputs;
    float sum = 0;
    for (int b = 0; b < inputs / block; b++) {
      int exact = 0;
      int all = 0;
      for (int i = block * b; i < block * (b + 1); i++) {
        exact += numbers[first + i] * quants[i];
        all += quants[i];
      }
      float scale = scales[first / block + b];
      float step = row.steps()[b];
      if (scale != 0) sum = Math.fma(exact, scale * step, sum);
      float minimum = minima[first / block + b];
      if (minimum != 0) sum = Math.fma(minimum, all * step, sum);
    }
    return Math.fma(sum, row.scale(), base);
  }
}
