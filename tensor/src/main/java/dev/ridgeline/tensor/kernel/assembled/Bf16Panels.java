package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.kernel.assembled.Transposer.Kind;

/**
 * Rows of bf16 or f16 as a file has them, turned into panels of bf16 for tiles: {@code [pairs of
 * inputs][32 outputs][2 inputs]}, with zeros up to a multiple of 32 inputs.
 */
final class Bf16Panels {
  /** Bytes of a pair of inputs. */
  private static final int LINE = 4 * PANEL;

  /** Pairs in a call at most: some 50 µs, and safepoints wait. */
  private static final int CALL = 4096;

  private final FloatKind kind;
  private final Function transposer;

  /** Rounds rows of f16. */
  private final Function rounder;

  Bf16Panels(FloatKind kind) {
    this.kind = kind;
    String word = Registers.word(512);
    transposer =
        Code.function("pack-" + Kind.WORDS.word() + "-" + word, new Transposer(Kind.WORDS, 512));
    rounder = kind == FloatKind.F16 ? rounder(kind) : null;
  }

  static Function rounder(FloatKind kind) {
    return Code.function(kind.word() + "-to-bf16", new Bf16Rounder(kind));
  }

  long bytes(int inputs) {
    return (long) LINE * Bf16Rounder.padded(inputs) / 2;
  }

  /** Outputs that a panel has too many become zeros. */
  void pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    long rowBytes = kind.type.bytes(inputs);
    int pairs = Bf16Rounder.padded(inputs) / 2;
    // An odd number of cache lines, so that rows do not share sets of the first cache.
    long stride = 4L * pairs | 64;
    for (int panel = panelFrom; panel < panelTo; panel++) {
      int count = Math.min(PANEL, outputs - panel * PANEL);
      long at = CopiedRows.own().of(rows + panel * PANEL * rowBytes, count, rowBytes, stride);
      for (int row = 0; rounder != null && row < count; row++) {
        rounder.call(at + row * stride, stride, at + row * stride, stride, 1, inputs);
      }
      long to = packed + panel * bytes(inputs);
      for (int pair = 0; pair < pairs; pair += CALL) {
        int some = Math.min(CALL, pairs - pair);
        transposer.call(at + 4L * pair, stride, some, to + (long) LINE * pair, 0, PANEL);
      }
    }
  }
}
