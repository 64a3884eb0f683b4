package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;

/**
 * Root-mean-square normalisation of rows, with weight.
 *
 * <p>Work per element: squares 2, normalisation 1, weight 1 FLOPs (the few per row are not
 * counted); rows read once and written once, the weight read once.
 */
final class RmsNorm implements Kernel {
  private static final float EPSILON = 1e-5f;

  private final String name;
  private final float[][] x;
  private final float[][] y;
  private final float[] weight;

  RmsNorm(int rows, int columns, long seed) {
    this.name = "rmsnorm " + rows;
    Data data = new Data(name, seed);
    this.x = data.rows(rows, columns, 3);
    this.y = new float[rows][columns];
    this.weight = data.row(columns, 1);
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
    return new Work(8 * elements + 4L * weight.length, 4 * elements);
  }

  @Override
  public void run() {
    for (int i = 0; i < x.length; i++) {
      float square = Rows.squares(x[i], 0) / weight.length;
      normalise(x[i], (float) (1 / Math.sqrt(square + EPSILON)), weight, y[i]);
    }
  }

  private static void normalise(float[] x, float scale, float[] weight, float[] y) {
    for (int j = 0; j < y.length; j++) y[j] = x[j] * scale * weight[j];
  }

  @Override
  public float[][] output() {
    return y;
  }

  @Override
  public Reference reference(int row, int column) {
    double square = 0;
    for (float v : x[row]) square += (double) v * v;
    double value = x[row][column] / Math.sqrt(square / weight.length + EPSILON) * weight[column];
    return new Reference(value, 1e-5 * Math.abs(value) + 1e-12);
  }
}
