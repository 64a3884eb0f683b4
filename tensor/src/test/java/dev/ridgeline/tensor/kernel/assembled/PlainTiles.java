package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.quant.Bf16Float;

/**
 * Products by tiles of bf16 in plain Java, operation by operation: {@code TDPBF16PS} as the Intel
 * 64 and IA-32 Architectures Software Developer's Manual specifies it. Numbers are rounded to the
 * nearest, ties to even; those too small to be normal are zero, before and after each operation.
 */
final class PlainTiles {
  /** Inputs of a tile. */
  private static final int INPUTS = 32;

  private PlainTiles() {}

  /** The nearest bf16; zero where that is not normal. */
  static float rounded(float number) {
    return flushed(Bf16Float.toFloat(Bf16Float.of(flushed(number))));
  }

  static float flushed(float number) {
    return Math.abs(number) < Float.MIN_NORMAL ? Math.copySign(0, number) : number;
  }

  /** {@code begin + Σ x · w} of numbers that are rounded to bf16 first. */
  static float dot(float begin, float[] x, float[] w) {
    float sum = begin;
    for (int first = 0; first < x.length; first += INPUTS) {
      float[] parts = {0, 0};
      for (int i = first; i < Math.min(x.length, first + INPUTS); i++) {
        parts[i % 2] = flushed(Math.fma(rounded(x[i]), rounded(w[i]), parts[i % 2]));
      }
      sum = flushed(flushed(sum) + flushed(parts[0] + parts[1]));
    }
    return sum;
  }
}
