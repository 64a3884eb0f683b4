package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;

/**
 * Softmax over rows of {@value #COLUMNS} values, as attention does it: subtract the row's maximum,
 * raise to e, divide by the sum.
 *
 * <p>Work per element: maximum 1, subtraction 1, exponential {@value Exponential#FLOPS} (what it
 * really does), sum 1, scaling 1 FLOPs; 4 bytes read and 4 written. The passes also declare what
 * each of them moves, which is more: the rows pass through the cache three times.
 */
final class Softmax implements Kernel {
  static final int COLUMNS = 256;

  /** Rows per pass: 128 kB in and out, which stay in the second-level cache between passes. */
  private static final int BLOCK = 64;

  private static final Scope MAX = Scope.of("max");
  private static final Scope EXP_SUM = Scope.of("exp-sum");
  private static final Scope SCALE = Scope.of("scale");

  private final String name;
  private final float[][] x;
  private final float[][] y;
  private final float[] row = new float[BLOCK];
  private final boolean fine;

  /**
   * @param fine whether each pass over a block of rows has a scope of its own
   */
  Softmax(int rows, int columns, long seed, boolean fine) {
    this.name = "softmax " + rows;
    this.x = new Data(name, seed).rows(rows, columns, 8);
    this.y = new float[rows][columns];
    this.fine = fine;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String shape() {
    return x.length + " rows of " + x[0].length;
  }

  @Override
  public Work work() {
    long elements = elements(0, x.length);
    return new Work(8 * elements, (4 + Exponential.FLOPS) * elements);
  }

  private long elements(int first, int last) {
    return (long) (last - first) * x[0].length;
  }

  @Override
  public void run() {
    for (int first = 0; first < x.length; first += BLOCK) {
      int last = Math.min(x.length, first + BLOCK);
      if (fine) {
        finely(first, last);
      } else {
        max(first, last);
        expSum(first, last);
        scale(first, last);
      }
    }
  }

  private void finely(int first, int last) {
    long elements = elements(first, last);
    try (var scope = Profiler.scope(MAX)) {
      max(first, last);
      scope.work(4 * elements, elements);
    }
    try (var scope = Profiler.scope(EXP_SUM)) {
      expSum(first, last);
      scope.work(12 * elements, (2 + Exponential.FLOPS) * elements);
    }
    try (var scope = Profiler.scope(SCALE)) {
      scale(first, last);
      scope.work(8 * elements, elements);
    }
  }

  private void max(int first, int last) {
    for (int i = first; i < last; i++) row[i - first] = Rows.max(x[i]);
  }

  private void expSum(int first, int last) {
    for (int i = first; i < last; i++) {
      exp(x[i], row[i - first], y[i]);
      row[i - first] = Rows.sum(y[i]);
    }
  }

  private static void exp(float[] x, float max, float[] y) {
    for (int j = 0; j < y.length; j++) y[j] = Exponential.of(x[j] - max);
  }

  private void scale(int first, int last) {
    for (int i = first; i < last; i++) Rows.scale(y[i], 1 / row[i - first]);
  }

  @Override
  public float[][] output() {
    return y;
  }

  @Override
  public Reference reference(int i, int column) {
    double max = Double.NEGATIVE_INFINITY;
    for (float value : x[i]) max = Math.max(max, value);
    double sum = 0;
    for (float value : x[i]) sum += Math.exp(value - max);
    double value = Math.exp(x[i][column] - max) / sum;
    return new Reference(value, 3 * Exponential.ERROR * value);
  }
}
