package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;

/**
 * Layer normalisation of rows, with weight and bias.
 *
 * <p>Work per element: mean 1, variance 3, normalisation 2, weight and bias 2 FLOPs (the few per
 * row are not counted); rows read once and written once, weight and bias read once.
 */
final class LayerNorm implements Kernel {
  private static final float EPSILON = 1e-5f;
  private static final int BLOCK = 64;
  private static final Scope STATISTICS = Scope.of("statistics");
  private static final Scope NORMALISE = Scope.of("normalise");

  private final String name;
  private final float[][] x;
  private final float[][] y;
  private final float[] weight;
  private final float[] bias;
  private final float[] mean = new float[BLOCK];
  private final float[] scale = new float[BLOCK];
  private final boolean fine;

  /**
   * @param fine whether each pass over a block of rows has a scope of its own
   */
  LayerNorm(int rows, int columns, long seed, boolean fine) {
    this.name = "layernorm " + rows;
    Data data = new Data(name, seed);
    this.x = data.rows(rows, columns, 3);
    this.y = new float[rows][columns];
    this.weight = data.row(columns, 1);
    this.bias = data.row(columns, 1);
    this.fine = fine;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String shape() {
    return x.length + " rows of " + weight.length;
  }

  @Override
  public Work work() {
    long elements = (long) x.length * weight.length;
    return new Work(8 * elements + 8L * weight.length, 8 * elements);
  }

  @Override
  public void run() {
    for (int first = 0; first < x.length; first += BLOCK) {
      int last = Math.min(x.length, first + BLOCK);
      if (fine) {
        finely(first, last);
      } else {
        statistics(first, last);
        normalise(first, last);
      }
    }
  }

  private void finely(int first, int last) {
    long elements = (long) (last - first) * weight.length;
    try (var scope = Profiler.scope(STATISTICS)) {
      statistics(first, last);
      scope.work(8 * elements, 4 * elements);
    }
    try (var scope = Profiler.scope(NORMALISE)) {
      normalise(first, last);
      scope.work(8 * elements + 8L * weight.length, 4 * elements);
    }
  }

  private void statistics(int first, int last) {
    for (int i = first; i < last; i++) {
      float average = Rows.sum(x[i]) / weight.length;
      float variance = Rows.squares(x[i], average) / weight.length;
      mean[i - first] = average;
      scale[i - first] = (float) (1 / Math.sqrt(variance + EPSILON));
    }
  }

  private void normalise(int first, int last) {
    for (int i = first; i < last; i++) {
      normalise(x[i], mean[i - first], scale[i - first], weight, bias, y[i]);
    }
  }

  private static void normalise(
      float[] x, float mean, float scale, float[] weight, float[] bias, float[] y) {
    for (int j = 0; j < y.length; j++) y[j] = (x[j] - mean) * scale * weight[j] + bias[j];
  }

  @Override
  public float[][] output() {
    return y;
  }

  @Override
  public Reference reference(int row, int column) {
    double average = 0;
    for (float v : x[row]) average += v;
    average /= weight.length;
    double variance = 0;
    for (float v : x[row]) variance += (v - average) * (v - average);
    double normal = (x[row][column] - average) / Math.sqrt(variance / weight.length + EPSILON);
    // A row of one value has no variance: what is left of the mean's rounding is scaled by 316.
    return new Reference(normal * weight[column] + bias[column], 1e-4);
  }
}
