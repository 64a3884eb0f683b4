package dev.ridgeline.tensor.grad;

import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;

/**
 * The operations that training is written in: the gradients of {@link Ops}, loss and optimizer.
 *
 * <p>As there, each checks its shapes once, opens the scope of its name, states bytes and
 * arithmetic, and hands the work to the device. A tensor {@code dx} is the gradient of the loss by
 * {@code x}. Gradients are written over what was there, unless said otherwise; those of weights are
 * sums over rows, in the order of the rows.
 */
public final class Grad {
  private static final Scope PACK = Scope.of("pack");
  private static final Scope MATMUL = Scope.of("matmul backward");
  private static final Scope RMS_NORM = Scope.of("rmsnorm backward");
  private static final Scope LAYER_NORM = Scope.of("layernorm backward");
  private static final Scope GELU = Scope.of("gelu backward");
  private static final Scope SWIGLU = Scope.of("swiglu backward");
  private static final Scope ROPE = Scope.of("rope backward");
  private static final Scope ROWS = Scope.of("rows backward");
  private static final Scope HEADS = Scope.of("heads backward");
  private static final Scope CROSS_ENTROPY = Scope.of("cross entropy");
  private static final Scope SQUARES = Scope.of("sum of squares");
  private static final Scope SUM = Scope.of("sum");
  private static final Scope ADAM_W = Scope.of("adamw");
  private static final Scope ADD = Scope.of("add gradients");
  private static final Scope ZERO = Scope.of("zero");
  private static final Scope ROUND = Scope.of("round");
  private static final Scope WIDEN = Scope.of("widen");

  // Operations per number, what is computed again of the forward included.

  private static final int RMS_NORM_FLOPS = 12;
  private static final int LAYER_NORM_FLOPS = 19;
  private static final int GELU_FLOPS = 28;
  private static final int SWIGLU_FLOPS = 22;
  private static final int ADAM_W_FLOPS = 14;

  /** Of a probability between its product and what it adds to gradients. */
  private static final int SOFTMAX_FLOPS = Ops.SOFTMAX_FLOPS + 5;

  private final Device device;
  private final GradDevice grad;

  /** An {@link IllegalArgumentException} says that the device cannot train. */
  public Grad(Device device) {
    this.device = device;
    this.grad = GradDevice.of(device);
  }

  public Device device() {
    return device;
  }

  /**
   * Room that {@link #attention} needs besides its results.
   *
   * @param longest tokens of the longest text there can be
   */
  public Tensor attentionWorkspace(String owner, int longest) {
    return grad.attentionWorkspace(owner, longest);
  }

  /** Packs a matrix from its rows, one per output, for {@link Ops#matmul}. */
  public void pack(Tensor matrix, Tensor rows) {
    matrix("pack", matrix, rows, rows.rows(), rows.columns());
    try (var scope = Profiler.scope(PACK)) {
      scope.work(8 * numbers(rows), 0);
      grad.pack(matrix, rows);
    }
  }

  /** The same from rows, one per input: the matrix that gradients of x are products with. */
  public void packTransposed(Tensor matrix, Tensor rows) {
    matrix("pack transposed", matrix, rows, rows.columns(), rows.rows());
    try (var scope = Profiler.scope(PACK)) {
      scope.work(8 * numbers(rows), 0);
      grad.packTransposed(matrix, rows);
    }
  }

  private void matrix(String op, Tensor matrix, Tensor rows, int outputs, int inputs) {
    usable(op, "matrix", matrix, Layout.MATRIX);
    operand(op, "rows", rows);
    if (matrix.type() != TensorType.F32) throw wrong(op, "matrix is not f32", matrix);
    if (matrix.rows() != outputs || matrix.columns() != inputs) {
      throw wrong(op, "shapes differ", matrix, rows);
    }
  }

  /**
   * Of {@link Ops#matmul} by its matrix and its bias. That by x is a product itself: {@link
   * Ops#matmul} of dy with {@link #packTransposed the transpose}.
   *
   * @param dMatrix a row per output
   */
  public void matmul(Tensor dMatrix, Tensor dBiasOrNull, Tensor dy, Tensor x) {
    String op = "matmul backward";
    operand(op, "dMatrix", dMatrix);
    operand(op, "dy", dy);
    operand(op, "x", x);
    if (dMatrix.rows() != dy.columns() || dMatrix.columns() != x.columns()) {
      throw wrong(
          op, "dMatrix has not a row per column of dy and as many columns as x", dMatrix, dy, x);
    }
    if (dy.rows() != x.rows()) throw wrong(op, "rows differ", dy, x);
    if (dBiasOrNull != null) vector(op, "dBias", dBiasOrNull, dy);
    try (var scope = Profiler.scope(MATMUL)) {
      long bias = dBiasOrNull == null ? 0 : numbers(dy);
      scope.work(
          4 * (numbers(dMatrix) + numbers(dy) + numbers(x)), 2 * numbers(x) * dy.columns() + bias);
      grad.matmul(dMatrix, dBiasOrNull, dy, x);
    }
  }

  /** Of {@link Ops#rmsNorm}. */
  public void rmsNorm(
      Tensor dx, Tensor dWeight, Tensor dy, Tensor x, Tensor weight, NormBackward how) {
    String op = "rmsnorm backward";
    norm(op, dx, dWeight, dy, x, weight, how);
    try (var scope = Profiler.scope(RMS_NORM)) {
      scope.work(
          4 * ((how.add() ? 4 : 3) * numbers(x) + 2L * x.columns()), RMS_NORM_FLOPS * numbers(x));
      grad.norm(dx, dWeight, null, dy, x, weight, how);
    }
  }

  /** Of {@link Ops#layerNorm}. */
  public void layerNorm(
      Tensor dx,
      Tensor dWeight,
      Tensor dBias,
      Tensor dy,
      Tensor x,
      Tensor weight,
      NormBackward how) {
    String op = "layernorm backward";
    vector(op, "dBias", dBias, x);
    norm(op, dx, dWeight, dy, x, weight, how);
    try (var scope = Profiler.scope(LAYER_NORM)) {
      scope.work(
          4 * ((how.add() ? 4 : 3) * numbers(x) + 3L * x.columns()), LAYER_NORM_FLOPS * numbers(x));
      grad.norm(dx, dWeight, dBias, dy, x, weight, how);
    }
  }

  private void norm(
      String op, Tensor dx, Tensor dWeight, Tensor dy, Tensor x, Tensor weight, NormBackward how) {
    Tensor stats = how.stats();
    same(op, "dy", dy, x);
    operand(op, "dx", dx);
    vector(op, "dWeight", dWeight, x);
    vector(op, "weight", weight, x);
    operand(op, "stats", stats);
    if (dx.columns() != x.columns()) throw wrong(op, "columns differ", dx, x);
    if (dx == x || dx == dy) throw wrong(op, "dx may be no operand", dx);
    if (stats.columns() != 2) throw wrong(op, "stats are not two numbers a row", stats, x);
    if (how.add() && dx.rows() != x.rows()) throw wrong(op, "rows differ", dx, x);
    fit(op, stats, x);
    fit(op, dx, x);
  }

  /** Of {@link Ops#gelu}; dx may be dy. */
  public void gelu(Tensor dx, Tensor dy, Tensor x) {
    bend("gelu backward", dx, dy, x);
    try (var scope = Profiler.scope(GELU)) {
      scope.work(12 * numbers(x), GELU_FLOPS * numbers(x));
      grad.gelu(dx, dy, x);
    }
  }

  /** Of {@link Ops#geluTanh}; dx may be dy. */
  public void geluTanh(Tensor dx, Tensor dy, Tensor x) {
    bend("gelu by tanh backward", dx, dy, x);
    try (var scope = Profiler.scope(GELU)) {
      scope.work(12 * numbers(x), GELU_FLOPS * numbers(x));
      grad.geluTanh(dx, dy, x);
    }
  }

  private void bend(String op, Tensor dx, Tensor dy, Tensor x) {
    same(op, "dy", dy, x);
    operand(op, "dx", dx);
    if (dx.columns() != x.columns()) throw wrong(op, "columns differ", dx, x);
    fit(op, dx, x);
  }

  /** Of {@link Ops#swiglu}; dGate may be gate, dUp may be up. */
  public void swiglu(Tensor dGate, Tensor dUp, Tensor dy, Tensor gate, Tensor up) {
    String op = "swiglu backward";
    same(op, "dy", dy, gate);
    same(op, "up", up, gate);
    operand(op, "dGate", dGate);
    operand(op, "dUp", dUp);
    if (dGate.columns() != gate.columns() || dUp.columns() != gate.columns()) {
      throw wrong(op, "columns differ", dGate, dUp, gate);
    }
    if (dGate == dUp) throw wrong(op, "dGate may not be dUp", dGate);
    fit(op, dGate, gate);
    fit(op, dUp, gate);
    try (var scope = Profiler.scope(SWIGLU)) {
      scope.work(20 * numbers(gate), SWIGLU_FLOPS * numbers(gate));
      grad.swiglu(dGate, dUp, dy, gate, up);
    }
  }

  /** Of {@link Ops#rope}: turns each head's pairs back, in place. */
  public void rope(Tensor dx, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    String op = "rope backward";
    operand(op, "dx", dx);
    heads(op, dx, heads);
    integers(op, "positions", positions);
    operand(op, "angles", angles);
    if (positions.rows() != dx.rows()) throw wrong(op, "not a position per row", dx, positions);
    if ((long) angles.columns() * heads > dx.columns() || angles.columns() % 2 != 0) {
      throw wrong(op, heads + " heads are not as wide as the angles", dx, angles);
    }
    try (var scope = Profiler.scope(ROPE)) {
      long turned = (long) dx.rows() * heads * angles.columns();
      scope.work(8 * turned + 4L * dx.rows() * (angles.columns() + 1), 3 * turned);
      grad.rope(dx, heads, positions, angles, pairing);
    }
  }

  /** Of {@link Ops#rows}: adds each row of dy to that row of dTable that it was looked up in. */
  public void rows(Tensor dTable, Tensor dy, Tensor ids) {
    String op = "rows backward";
    operand(op, "dTable", dTable);
    operand(op, "dy", dy);
    integers(op, "ids", ids);
    if (dTable.columns() != dy.columns()) throw wrong(op, "columns differ", dTable, dy);
    if (ids.rows() != dy.rows()) throw wrong(op, "not an id per row", dy, ids);
    try (var scope = Profiler.scope(ROWS)) {
      scope.work(12 * numbers(dy) + 4L * ids.rows(), numbers(dy));
      grad.rows(dTable, dy, ids);
    }
  }

  /** Of {@link Ops#attention}, whose probabilities are computed again. */
  public void attention(
      Tensor dq, Tensor dk, Tensor dv, Tensor dOut, Qkv of, AttentionBackward how) {
    String op = "attention backward";
    Heads heads = how.heads();
    Sequences texts = how.texts();
    Tensor q = of.q();
    Tensor k = of.k();
    Tensor v = of.v();
    operand(op, "q", q);
    operand(op, "k", k);
    operand(op, "v", v);
    operand(op, "dOut", dOut);
    operand(op, "workspace", how.workspace());
    heads(op, q, heads.count());
    heads(op, k, heads.keyHeads());
    heads(op, v, heads.keyHeads());
    if (heads.count() % heads.keyHeads() != 0) {
      String what = "%d heads do not share %d key heads";
      throw wrong(op, what.formatted(heads.count(), heads.keyHeads()), q, k);
    }
    int keyWidth = k.columns() / heads.keyHeads();
    int valueWidth = v.columns() / heads.keyHeads();
    if (q.columns() / heads.count() != keyWidth) throw wrong(op, "widths differ", q, k);
    if ((long) valueWidth * heads.count() != dOut.columns()) {
      throw wrong(op, "dOut has not a column per number of v's heads", dOut, v);
    }
    if (heads.before() < 0 || heads.after() < 0) throw wrong(op, "a window below 0", q);
    int rows = texts.rows();
    if (q.rows() != rows || k.rows() != rows || v.rows() != rows || dOut.rows() != rows) {
      throw wrong(op, "rows are not the %d of the texts".formatted(rows), q, k, v, dOut);
    }
    for (int i = 0; i < texts.count(); i++) {
      if (texts.past(i) != 0) throw wrong(op, "text %d has tokens in a cache".formatted(i), q);
    }
    gradient(op, "dq", dq, q, k, v, dOut);
    gradient(op, "dk", dk, k, q, v, dOut);
    gradient(op, "dv", dv, v, q, k, dOut);
    if (dq == dk || dq == dv || dk == dv) {
      throw wrong(op, "gradients are one", dq, dk, dv);
    }
    fit(op, dq, q);
    fit(op, dk, k);
    fit(op, dv, v);
    try (var scope = Profiler.scope(HEADS)) {
      scope.work(
          4 * (2 * (numbers(q) + numbers(k) + numbers(v)) + numbers(dOut)),
          heads.count() * heads.pairs(texts) * (6L * keyWidth + 4L * valueWidth + SOFTMAX_FLOPS));
      grad.attention(dq, dk, dv, dOut, of, how);
    }
  }

  /** A gradient of the shape of what it is of, and neither that nor any other operand. */
  private void gradient(String op, String role, Tensor d, Tensor of, Tensor a, Tensor b, Tensor c) {
    operand(op, role, d);
    if (d.columns() != of.columns()) throw wrong(op, role + " has other columns", d, of);
    if (d == of || d == a || d == b || d == c) throw wrong(op, role + " may be no operand", d);
  }

  /**
   * The loss of each row, {@code −log softmax(logits)[target]}; logits become their own gradient,
   * {@code (softmax − onehot) · factor}.
   *
   * @param targets an id per row; −1 where a row counts for nothing: loss and gradient are 0
   * @param factor 1 over the rows that count, for the mean
   */
  public void crossEntropy(Tensor losses, Tensor logits, Tensor targets, float factor) {
    String op = "cross entropy";
    operand(op, "losses", losses);
    operand(op, "logits", logits);
    integers(op, "targets", targets);
    if (losses.columns() != 1) throw wrong(op, "losses are not one a row", losses, logits);
    if (targets.rows() != logits.rows()) throw wrong(op, "not a target per row", logits, targets);
    fit(op, losses, logits);
    try (var scope = Profiler.scope(CROSS_ENTROPY)) {
      scope.work(8 * numbers(logits) + 8L * logits.rows(), Ops.SOFTMAX_FLOPS * numbers(logits));
      grad.crossEntropy(losses, logits, targets, factor);
    }
  }

  /** Σ x², for the norm of gradients. */
  public double sumOfSquares(Tensor x) {
    parameter("sum of squares", "x", x);
    try (var scope = Profiler.scope(SQUARES)) {
      scope.work(4 * numbers(x), 2 * numbers(x));
      return grad.sumOfSquares(x);
    }
  }

  /** Σ x, for losses. */
  public double sum(Tensor x) {
    parameter("sum", "x", x);
    try (var scope = Profiler.scope(SUM)) {
      scope.work(4 * numbers(x), numbers(x));
      return grad.sum(x);
    }
  }

  /** A step of AdamW: changes the weight and the means of its gradients (m) and their squares. */
  public void adamW(Tensor weight, Tensor gradient, Tensor m, Tensor v, AdamStep step) {
    String op = "adamw";
    alike(op, "gradient", gradient, weight);
    alike(op, "m", m, weight);
    alike(op, "v", v, weight);
    if (m == v || m == gradient || v == gradient) {
      throw wrong(op, "gradient, m and v are not three", gradient, m, v);
    }
    try (var scope = Profiler.scope(ADAM_W)) {
      scope.work(28 * numbers(weight), ADAM_W_FLOPS * numbers(weight));
      grad.adamW(weight, gradient, m, v, step);
    }
  }

  /**
   * {@code sum = ((sum + more₀) + more₁) + …}: gradients of one part of a batch after the other.
   */
  public void add(Tensor sum, Tensor[] more) {
    for (Tensor each : more) alike("add gradients", "more", each, sum);
    try (var scope = Profiler.scope(ADD)) {
      scope.work((8 + 4L * more.length) * numbers(sum), more.length * numbers(sum));
      grad.add(sum, more);
    }
  }

  /** Keeps numbers as bf16: half of the memory, 8 of their 24 bits. */
  public void round(Tensor halves, Tensor x) {
    String op = "round";
    operand(op, "x", x);
    halves(op, halves, x);
    fit(op, halves, x);
    try (var scope = Profiler.scope(ROUND)) {
      scope.work(6 * numbers(x), 0);
      grad.round(halves, x);
    }
  }

  /** Makes f32 of what was kept by {@link #round}. */
  public void widen(Tensor x, Tensor halves) {
    String op = "widen";
    operand(op, "x", x);
    halves(op, halves, x);
    fit(op, x, halves);
    try (var scope = Profiler.scope(WIDEN)) {
      scope.work(6 * numbers(x), 0);
      grad.widen(x, halves);
    }
  }

  private void halves(String op, Tensor halves, Tensor x) {
    usable(op, "halves", halves, Layout.ROWS);
    if (halves.type() != TensorType.BF16) throw wrong(op, "halves is not bf16", halves);
    if (halves.columns() != x.columns()) throw wrong(op, "halves has another shape", halves, x);
  }

  /** All rows in use become 0. */
  public void zero(Tensor x) {
    parameter("zero", "x", x);
    try (var scope = Profiler.scope(ZERO)) {
      scope.work(4 * numbers(x), 0);
      grad.zero(x);
    }
  }

  // Shapes.

  private static long numbers(Tensor tensor) {
    return (long) tensor.rows() * tensor.columns();
  }

  /** An operand of the shape of x. */
  private void same(String op, String role, Tensor tensor, Tensor x) {
    operand(op, "x", x);
    operand(op, role, tensor);
    if (tensor.columns() != x.columns() || tensor.rows() != x.rows()) {
      throw wrong(op, role + " has another shape", tensor, x);
    }
  }

  private static void fit(String op, Tensor out, Tensor x) {
    if (x.rows() > out.capacity()) {
      throw wrong(op, "a result has room for %d rows".formatted(out.capacity()), out, x);
    }
    out.rows(x.rows());
  }

  /** One row, which may lie as a vector. */
  private void vector(String op, String role, Tensor vector, Tensor of) {
    parameter(op, role, vector);
    if (vector.rows() != 1 || vector.columns() != of.columns()) {
      throw wrong(op, role + " is not one row as long as those of x", vector, of);
    }
  }

  private void alike(String op, String role, Tensor tensor, Tensor weight) {
    parameter(op, "weight", weight);
    parameter(op, role, tensor);
    if (tensor.columns() != weight.columns() || tensor.rows() != weight.rows()) {
      throw wrong(op, role + " has another shape", tensor, weight);
    }
    if (tensor == weight) throw wrong(op, role + " may not be what changes", tensor);
  }

  private static void heads(String op, Tensor x, int heads) {
    if (heads < 1 || x.columns() % heads != 0) {
      throw wrong(op, "columns are not those of %d heads".formatted(heads), x);
    }
  }

  /** Numbers that lie row after row, or as a vector. */
  private void parameter(String op, String role, Tensor tensor) {
    if (tensor.layout() == Layout.VECTOR) usable(op, role, tensor, Layout.VECTOR);
    else operand(op, role, tensor);
  }

  private void operand(String op, String role, Tensor tensor) {
    usable(op, role, tensor, Layout.ROWS);
    if (tensor.type() != TensorType.F32) throw wrong(op, role + " is not f32", tensor);
  }

  private void integers(String op, String role, Tensor tensor) {
    usable(op, role, tensor, Layout.ROWS);
    if (tensor.type() != TensorType.I32 || tensor.columns() != 1) {
      throw wrong(op, role + " is not one i32 a row", tensor);
    }
  }

  private void usable(String op, String role, Tensor tensor, Layout layout) {
    if (tensor.layout() != layout) {
      throw wrong(op, "%s lies as %s, not as %s".formatted(role, tensor.layout(), layout), tensor);
    }
    if (!tensor.open()) {
      throw new IllegalStateException("%s: %s (%s) is closed".formatted(op, role, tensor));
    }
    if (!device.reaches(tensor)) {
      throw wrong(op, "%s is on another device than %s".formatted(role, device.name()), tensor);
    }
  }

  private static IllegalArgumentException wrong(String op, String what, Tensor... tensors) {
    StringBuilder message = new StringBuilder(op).append(": ").append(what);
    for (int i = 0; i < tensors.length; i++) {
      message.append(i == 0 ? "; " : ", ").append(tensors[i]);
    }
    return new IllegalArgumentException(message.toString());
  }
}
