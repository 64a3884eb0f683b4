package dev.ridgeline.cli.kernels;

/** Products with a transposed matrix that never build the transpose. */
final class Gradients {
  private Gradients() {}

  /** Adds {@code x·wᵀ} to {@code y}. */
  static void byTransposed(float[][] x, float[][] w, float[][] y) {
    for (int i = 0; i < x.length; i++) {
      for (int p = 0; p < w.length; p++) y[i][p] += dot(x[i], w[p]);
    }
  }

  /** Adds {@code xᵀ·d} to {@code y}. */
  static void transposedBy(float[][] x, float[][] d, float[][] y) {
    for (int i = 0; i < x.length; i++) {
      for (int p = 0; p < y.length; p++) add(x[i][p], d[i], y[p]);
    }
  }

  private static float dot(float[] x, float[] w) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int j = 0;
    for (; j + 4 <= x.length; j += 4) {
      a += x[j] * w[j];
      b += x[j + 1] * w[j + 1];
      c += x[j + 2] * w[j + 2];
      d += x[j + 3] * w[j + 3];
    }
    for (; j < x.length; j++) a += x[j] * w[j];
    return (a + b) + (c + d);
  }

  private static void add(float factor, float[] x, float[] y) {
    for (int j = 0; j < y.length; j++) y[j] += factor * x[j];
  }
}
