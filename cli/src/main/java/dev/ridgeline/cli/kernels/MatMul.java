package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.Arrays;

/**
 * A matrix product {@code C = A·B}.
 *
 * <p>Work: {@code 2·m·n·k} FLOPs; every operand read once and the result written once, {@code
 * 4·(m·k + k·n + m·n)} bytes.
 */
final class MatMul implements Kernel {
  /** Rows of B that stay in the first-level cache while all rows of A pass over them. */
  private static final int PANEL = 64;

  private static final Scope.Numbered PANELS = Scope.numbered("k panel");

  private final String name;
  private final float[][] a;
  private final float[][] b;
  private final float[][] c;
  private final boolean fine;

  /**
   * @param fine whether each panel of B has a scope of its own
   */
  MatMul(String name, int m, int k, int n, long seed, boolean fine) {
    Data data = new Data(name, seed);
    this.name = name;
    this.a = data.rows(m, k, 1);
    this.b = data.rows(k, n, 1);
    this.c = new float[m][n];
    this.fine = fine;
  }

  static MatMul square(int size, long seed, boolean fine) {
    return new MatMul("matmul " + size, size, size, size, seed, fine);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String shape() {
    return a.length + "×" + b.length + " @ " + b.length + "×" + b[0].length;
  }

  @Override
  public Work work() {
    return work(a.length, b.length, b[0].length);
  }

  static Work work(long m, long k, long n) {
    return new Work(4 * (m * k + k * n + m * n), 2 * m * n * k);
  }

  @Override
  public void run() {
    if (fine) inPanels();
    else multiply(a, b, c, 0, a.length);
  }

  private void inPanels() {
    for (float[] row : c) Arrays.fill(row, 0);
    for (int from = 0; from < b.length; from += PANEL) {
      int to = Math.min(b.length, from + PANEL);
      try (var scope = Profiler.scope(PANELS.at(from / PANEL))) {
        panel(a, b, c, 0, a.length, from, to);
        Work work = work(a.length, to - from, b[0].length);
        scope.work(work.bytes(), work.flops());
      }
    }
  }

  /** Rows {@code first} to {@code last} of {@code c = a·b}. */
  static void multiply(float[][] a, float[][] b, float[][] c, int first, int last) {
    for (int i = first; i < last; i++) Arrays.fill(c[i], 0);
    for (int from = 0; from < b.length; from += PANEL) {
      panel(a, b, c, first, last, from, Math.min(b.length, from + PANEL));
    }
  }

  private static void panel(
      float[][] a, float[][] b, float[][] c, int first, int last, int from, int to) {
    for (int i = first; i < last; i++) {
      int p = from;
      for (; p + 4 <= to; p += 4) addFour(a[i], p, b[p], b[p + 1], b[p + 2], b[p + 3], c[i]);
      for (; p < to; p++) addOne(a[i][p], b[p], c[i]);
    }
  }

  /** Four rows of B at a time: one load and store of C for four multiplications and additions. */
  private static void addFour(
      float[] a, int p, float[] b0, float[] b1, float[] b2, float[] b3, float[] c) {
    float a0 = a[p];
    float a1 = a[p + 1];
    float a2 = a[p + 2];
    float a3 = a[p + 3];
    for (int j = 0; j < c.length; j++) {
      c[j] += (a0 * b0[j] + a1 * b1[j]) + (a2 * b2[j] + a3 * b3[j]);
    }
  }

  private static void addOne(float a, float[] b, float[] c) {
    for (int j = 0; j < c.length; j++) c[j] += a * b[j];
  }

  @Override
  public float[][] output() {
    return c;
  }

  @Override
  public Reference reference(int row, int column) {
    return reference(a, b, row, column);
  }

  /** The tolerance is relative to Σ|a·b|: sums that cancel are no reason for alarm. */
  static Reference reference(float[][] a, float[][] b, int row, int column) {
    double sum = 0;
    double magnitude = 0;
    for (int p = 0; p < b.length; p++) {
      double product = (double) a[row][p] * b[p][column];
      sum += product;
      magnitude += Math.abs(product);
    }
    return new Reference(sum, 1e-6 * magnitude + 1e-12);
  }
}
