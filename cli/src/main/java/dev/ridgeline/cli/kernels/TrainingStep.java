package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;

/**
 * What a training step does with memory, in small: two dense layers forward, a squared loss, their
 * gradients, and weights one step further.
 *
 * <p>{@code h = x·W1}, {@code g = max(0, h)}, {@code y = g·W2}, {@code dy = 2(y − t)/n}. Each call
 * steps from the same weights, so every call has the same result. Work: five products of {@code
 * 2·batch·hidden²} FLOPs (what is done per element is not counted); weights read, gradients and new
 * weights written once. One variant makes new arrays for every intermediate, the other keeps them.
 */
final class TrainingStep implements Kernel {
  private static final Scope FORWARD = Scope.of("forward");
  private static final Scope LOSS = Scope.of("loss");
  private static final Scope BACKWARD = Scope.of("backward");
  private static final Scope UPDATE = Scope.of("update");
  private static final float RATE = 0.01f;

  private final Memory memory;
  private final int batch;
  private final int hidden;
  private final float[][] x;
  private final float[][] target;
  private final float[][] w1;
  private final float[][] w2;
  private float[][] h;
  private float[][] g;
  private float[][] y;
  private float[][] dy;
  private float[][] dh;
  private float[][] dw1;
  private float[][] dw2;
  private float[][] next1;
  private float[][] next2;

  TrainingStep(int batch, int hidden, long seed, Memory memory) {
    this.memory = memory;
    this.batch = batch;
    this.hidden = hidden;
    Data data = new Data("training step", seed);
    this.x = data.rows(batch, hidden, 1);
    this.target = data.rows(batch, hidden, 1);
    this.w1 = data.rows(hidden, hidden, 1 / Math.sqrt(hidden));
    this.w2 = data.rows(hidden, hidden, 1 / Math.sqrt(hidden));
    this.h = new float[batch][hidden];
    this.g = new float[batch][hidden];
    this.y = new float[batch][hidden];
    this.dy = new float[batch][hidden];
    this.dh = new float[batch][hidden];
    this.dw1 = new float[hidden][hidden];
    this.dw2 = new float[hidden][hidden];
    this.next1 = new float[hidden][hidden];
    this.next2 = new float[hidden][hidden];
  }

  @Override
  public String name() {
    return "training step, " + memory.label();
  }

  @Override
  public String shape() {
    return "batch " + batch + ", hidden " + hidden;
  }

  @Override
  public Work work() {
    long weights = (long) hidden * hidden;
    return new Work(4 * (6 * weights + 7L * batch * hidden), 10 * batch * weights);
  }

  /** Bytes of the five activations and four matrices that the allocating variant makes anew. */
  long resultBytes() {
    return 4L * (5L * batch * hidden + 4L * hidden * hidden);
  }

  @Override
  public void run() {
    long product = 2L * batch * hidden * hidden;
    try (var scope = Profiler.scope(FORWARD)) {
      forward();
      scope.work(4L * (2L * hidden * hidden + 4L * batch * hidden), 2 * product);
    }
    try (var scope = Profiler.scope(LOSS)) {
      loss();
      scope.work(12L * batch * hidden, 3L * batch * hidden);
    }
    try (var scope = Profiler.scope(BACKWARD)) {
      backward();
      scope.work(4L * (3L * hidden * hidden + 4L * batch * hidden), 3 * product);
    }
    try (var scope = Profiler.scope(UPDATE)) {
      update();
      scope.work(24L * hidden * hidden, 4L * hidden * hidden);
    }
  }

  private void forward() {
    h = memory.rows(h);
    g = memory.rows(g);
    y = memory.rows(y);
    MatMul.multiply(x, w1, h, 0, batch);
    for (int i = 0; i < batch; i++) positive(h[i], g[i]);
    MatMul.multiply(g, w2, y, 0, batch);
  }

  private void loss() {
    dy = memory.rows(dy);
    float scale = 2f / (batch * hidden);
    for (int i = 0; i < batch; i++) difference(y[i], target[i], scale, dy[i]);
  }

  private void backward() {
    dw2 = memory.rows(dw2);
    dh = memory.rows(dh);
    dw1 = memory.rows(dw1);
    Gradients.transposedBy(g, dy, dw2);
    Gradients.byTransposed(dy, w2, dh);
    for (int i = 0; i < batch; i++) {
      for (int j = 0; j < hidden; j++) if (h[i][j] <= 0) dh[i][j] = 0;
    }
    Gradients.transposedBy(x, dh, dw1);
  }

  private void update() {
    next1 = memory.rows(next1);
    next2 = memory.rows(next2);
    for (int i = 0; i < hidden; i++) {
      step(w1[i], dw1[i], next1[i]);
      step(w2[i], dw2[i], next2[i]);
    }
  }

  private static void positive(float[] x, float[] y) {
    for (int j = 0; j < y.length; j++) y[j] = Math.max(0, x[j]);
  }

  private static void difference(float[] y, float[] target, float scale, float[] d) {
    for (int j = 0; j < d.length; j++) d[j] = (y[j] - target[j]) * scale;
  }

  private static void step(float[] w, float[] d, float[] next) {
    for (int j = 0; j < next.length; j++) next[j] = w[j] - RATE * d[j];
  }

  /** The gradient of W1 above that of W2: in the new weights a wrong one would hardly show. */
  @Override
  public float[][] output() {
    float[][] both = new float[2 * hidden][];
    System.arraycopy(dw1, 0, both, 0, hidden);
    System.arraycopy(dw2, 0, both, hidden, hidden);
    return both;
  }

  @Override
  public Reference reference(int row, int column) {
    double sum = 0;
    double magnitude = 0;
    for (int i = 0; i < batch; i++) {
      double product =
          row < hidden
              ? x[i][row] * (hidden(i, column) > 0 ? backwardHidden(i, column) : 0)
              : Math.max(0, hidden(i, row - hidden)) * lossGradient(i, column);
      sum += product;
      magnitude += Math.abs(product);
    }
    return new Reference(sum, 1e-5 * magnitude + 1e-9);
  }

  private double hidden(int i, int j) {
    double sum = 0;
    for (int p = 0; p < hidden; p++) sum += (double) x[i][p] * w1[p][j];
    return sum;
  }

  private double lossGradient(int i, int j) {
    double out = 0;
    for (int p = 0; p < hidden; p++) out += Math.max(0, hidden(i, p)) * w2[p][j];
    return 2 * (out - target[i][j]) / (batch * hidden);
  }

  private double backwardHidden(int i, int j) {
    double[] g = new double[hidden];
    for (int p = 0; p < hidden; p++) g[p] = Math.max(0, hidden(i, p));
    double sum = 0;
    for (int q = 0; q < hidden; q++) {
      double out = 0;
      for (int p = 0; p < hidden; p++) out += g[p] * w2[p][q];
      sum += 2 * (out - target[i][q]) / (batch * hidden) * w2[j][q];
    }
    return sum;
  }
}
