package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;

/**
 * The gradients of a matrix product {@code C = A·B}: {@code dA = dC·Bᵀ} and {@code dB = Aᵀ·dC}.
 *
 * <p>Work: {@code 4·m·n·k} FLOPs; A, B and dC read once, dA and dB written once. One variant makes
 * new arrays for its results on every call, the other writes into the same ones.
 */
final class MatMulBackward implements Kernel {
  private static final Scope D_A = Scope.of("dA");
  private static final Scope D_B = Scope.of("dB");

  private final Memory memory;
  private final float[][] a;
  private final float[][] b;
  private final float[][] dc;
  private float[][] da;
  private float[][] db;

  MatMulBackward(int m, int k, int n, long seed, Memory memory) {
    this.memory = memory;
    Data data = new Data("matmul backward", seed);
    this.a = data.rows(m, k, 1);
    this.b = data.rows(k, n, 1);
    this.dc = data.rows(m, n, 1);
    this.da = new float[m][k];
    this.db = new float[k][n];
  }

  @Override
  public String name() {
    return "matmul backward, " + memory.label();
  }

  @Override
  public String shape() {
    return a.length + "×" + b.length + " @ " + b.length + "×" + b[0].length;
  }

  @Override
  public Work work() {
    return new Work(4 * (2 * elements(a) + 2 * elements(b) + elements(dc)), 4 * macs());
  }

  /** Bytes of the results, which the allocating variant makes anew on every call. */
  long resultBytes() {
    return 4 * (elements(a) + elements(b));
  }

  private long macs() {
    return (long) a.length * b.length * b[0].length;
  }

  private static long elements(float[][] x) {
    return (long) x.length * x[0].length;
  }

  @Override
  public void run() {
    da = memory.rows(da);
    db = memory.rows(db);
    try (var scope = Profiler.scope(D_A)) {
      Gradients.byTransposed(dc, b, da);
      scope.work(4 * (elements(dc) + elements(b) + elements(a)), 2 * macs());
    }
    try (var scope = Profiler.scope(D_B)) {
      Gradients.transposedBy(a, dc, db);
      scope.work(4 * (elements(dc) + elements(b) + elements(a)), 2 * macs());
    }
  }

  /** dA above dB. */
  @Override
  public float[][] output() {
    float[][] both = new float[da.length + db.length][];
    System.arraycopy(da, 0, both, 0, da.length);
    System.arraycopy(db, 0, both, da.length, db.length);
    return both;
  }

  @Override
  public Reference reference(int row, int column) {
    double sum = 0;
    double magnitude = 0;
    boolean inA = row < a.length;
    int count = inA ? dc[0].length : a.length;
    for (int p = 0; p < count; p++) {
      double product =
          inA ? (double) dc[row][p] * b[column][p] : (double) a[p][row - a.length] * dc[p][column];
      sum += product;
      magnitude += Math.abs(product);
    }
    return new Reference(sum, 1e-6 * magnitude + 1e-12);
  }
}
