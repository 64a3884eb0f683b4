package dev.ridgeline.tensor.grad;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Operation;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pairing;
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
  private static final Operation PACK = Operation.of("pack");
  private static final Operation PACK_TRANSPOSED = Operation.of("pack transposed", "pack");
  private static final Operation MATMUL = Operation.of("matmul backward");
  private static final Operation RMS_NORM = Operation.of("rmsnorm backward");
  private static final Operation LAYER_NORM = Operation.of("layernorm backward");
  private static final Operation[] ACTIVATIONS = Activation.operations(false, " backward");
  private static final Operation[] GATES = Activation.operations(true, " backward");
  private static final Operation ROPE = Operation.of("rope backward");
  private static final Operation ROWS = Operation.of("rows backward");
  private static final Operation ATTENTION = Operation.of("attention backward", "heads backward");
  private static final Operation CROSS_ENTROPY = Operation.of("cross entropy");
  private static final Operation SQUARES = Operation.of("sum of squares");
  private static final Operation SUM = Operation.of("sum");
  private static final Operation ADAM_W = Operation.of("adamw");
  private static final Operation ADD = Operation.of("add gradients");
  private static final Operation ZERO = Operation.of("zero");
  private static final Operation ROUND = Operation.of("round");
  private static final Operation WIDEN = Operation.of("widen");

  // Operations per number, what is computed again of the forward included.

  private static final int RMS_NORM_FLOPS = 12;
  private static final int LAYER_NORM_FLOPS = 19;

  /** Besides the activation itself. */
  private static final int SLOPE_FLOPS = 8;

  private static final int GATED_SLOPE_FLOPS = 6;
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
    matrix(PACK, matrix, rows, rows.rows(), rows.columns());
    try (var _ = PACK.begin(8 * rows.numbers(), 0)) {
      grad.pack(matrix, rows);
    }
  }

  /** The same from rows, one per input: the matrix that gradients of x are products with. */
  public void packTransposed(Tensor matrix, Tensor rows) {
    matrix(PACK_TRANSPOSED, matrix, rows, rows.columns(), rows.rows());
    try (var _ = PACK_TRANSPOSED.begin(8 * rows.numbers(), 0)) {
      grad.packTransposed(matrix, rows);
    }
  }

  private void matrix(Operation op, Tensor matrix, Tensor rows, int outputs, int inputs) {
    op.usable(device, "matrix", matrix, Layout.MATRIX);
    op.operand(device, "rows", rows);
    if (matrix.type() != TensorType.F32) throw op.wrong("matrix is not f32", matrix);
    if (matrix.rows() != outputs || matrix.columns() != inputs) {
      throw op.wrong("shapes differ", matrix, rows);
    }
  }

  /**
   * Of {@link Ops#matmul} by its matrix and its bias. That by x is a product itself: {@link
   * Ops#matmul} of dy with {@link #packTransposed the transpose}.
   *
   * @param dMatrix a row per output
   */
  public void matmul(Tensor dMatrix, Tensor dBiasOrNull, Tensor dy, Tensor x) {
    MATMUL.operand(device, "dMatrix", dMatrix);
    MATMUL.operand(device, "dy", dy);
    MATMUL.operand(device, "x", x);
    if (dMatrix.rows() != dy.columns() || dMatrix.columns() != x.columns()) {
      String what = "dMatrix needs a row per column of dy and as many columns as x";
      throw MATMUL.wrong(what, dMatrix, dy, x);
    }
    if (dy.rows() != x.rows()) throw MATMUL.wrong("rows differ", dy, x);
    if (dBiasOrNull != null) vector(MATMUL, "dBias", dBiasOrNull, dy);
    long bias = dBiasOrNull == null ? 0 : dy.numbers();
    long bytes = 4 * (dMatrix.numbers() + dy.numbers() + x.numbers());
    try (var _ = MATMUL.begin(bytes, 2 * x.numbers() * dy.columns() + bias)) {
      grad.matmul(dMatrix, dBiasOrNull, dy, x);
    }
  }

  /** Of {@link Ops#rmsNorm}. */
  public void rmsNorm(
      Tensor dx, Tensor dWeight, Tensor dy, Tensor x, Tensor weight, NormBackward how) {
    norm(RMS_NORM, dx, dy, x, how);
    vector(RMS_NORM, "dWeight", dWeight, x);
    vector(RMS_NORM, "weight", weight, x);
    long bytes = 4 * ((how.add() ? 4 : 3) * x.numbers() + 2L * x.columns());
    try (var _ = RMS_NORM.begin(bytes, RMS_NORM_FLOPS * x.numbers())) {
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
    norm(LAYER_NORM, dx, dy, x, how);
    vector(LAYER_NORM, "dWeight", dWeight, x);
    vector(LAYER_NORM, "dBias", dBias, x);
    vector(LAYER_NORM, "weight", weight, x);
    long bytes = 4 * ((how.add() ? 4 : 3) * x.numbers() + 3L * x.columns());
    try (var _ = LAYER_NORM.begin(bytes, LAYER_NORM_FLOPS * x.numbers())) {
      grad.norm(dx, dWeight, dBias, dy, x, weight, how);
    }
  }

  private void norm(Operation op, Tensor dx, Tensor dy, Tensor x, NormBackward how) {
    Tensor stats = how.stats();
    op.same(device, "dy", dy, x);
    op.operand(device, "stats", stats);
    if (dx == x || dx == dy) throw op.wrong("dx may not be an operand", dx);
    if (stats.columns() != 2) throw op.wrong("stats are not two numbers per row", stats, x);
    if (how.add() && dx.rows() != x.rows()) throw op.wrong("rows differ", dx, x);
    op.fit(stats, x.rows(), x);
    op.result(device, "dx", dx, x);
  }

  /** Of {@link Ops#apply(Activation, Tensor, Tensor)}; dx may be dy. */
  public void apply(Activation activation, Tensor dx, Tensor dy, Tensor x) {
    Operation op = ACTIVATIONS[activation.ordinal()];
    op.same(device, "dy", dy, x);
    op.result(device, "dx", dx, x);
    try (var _ = op.begin(12 * x.numbers(), (activation.flops() + SLOPE_FLOPS) * x.numbers())) {
      grad.apply(activation, dx, null, dy, x, null);
    }
  }

  /** Of {@link Ops#apply(Activation, Tensor, Tensor, Tensor)}; dGate may be gate, dUp may be up. */
  public void apply(
      Activation activation, Tensor dGate, Tensor dUp, Tensor dy, Tensor gate, Tensor up) {
    Operation op = GATES[activation.ordinal()];
    op.same(device, "dy", dy, gate);
    op.same(device, "up", up, gate);
    if (dGate == dUp) throw op.wrong("dGate may not be dUp", dGate);
    op.result(device, "dGate", dGate, gate);
    op.result(device, "dUp", dUp, gate);
    long flops = (activation.flops() + GATED_SLOPE_FLOPS) * gate.numbers();
    try (var _ = op.begin(20 * gate.numbers(), flops)) {
      grad.apply(activation, dGate, dUp, dy, gate, up);
    }
  }

  /** Of {@link Ops#rope}: turns each head's pairs back, in place. */
  public void rope(Tensor dx, int heads, Tensor positions, Tensor angles, Pairing pairing) {
    try (var _ = ROPE.turn(device, dx, heads, positions, angles)) {
      grad.rope(dx, heads, positions, angles, pairing);
    }
  }

  /** Of {@link Ops#rows}: adds each row of dy to that row of dTable that it was looked up in. */
  public void rows(Tensor dTable, Tensor dy, Tensor ids) {
    ROWS.operand(device, "dTable", dTable);
    ROWS.operand(device, "dy", dy);
    ROWS.integers(device, "ids", ids);
    if (dTable.columns() != dy.columns()) throw ROWS.wrong("columns differ", dTable, dy);
    if (ids.rows() != dy.rows()) throw ROWS.wrong("one id per row is needed", dy, ids);
    try (var _ = ROWS.begin(12 * dy.numbers() + 4L * ids.rows(), dy.numbers())) {
      grad.rows(dTable, dy, ids);
    }
  }

  /** Of {@link Ops#attention}, whose probabilities are computed again. */
  public void attention(
      Tensor dq, Tensor dk, Tensor dv, Tensor dOut, Attended of, AttentionBackward how) {
    Heads heads = how.heads();
    Tensor q = of.q();
    Tensor k = of.k();
    Tensor v = of.v();
    ATTENTION.operand(device, "dOut", dOut);
    ATTENTION.whole(device, q, k, v, how.texts(), heads, how.workspace());
    int keyWidth = k.columns() / heads.keyHeads();
    int valueWidth = v.columns() / heads.keyHeads();
    if ((long) valueWidth * heads.count() != dOut.columns()) {
      throw ATTENTION.wrong("dOut needs a column per number of v's heads", dOut, v);
    }
    ATTENTION.rows(how.texts(), dOut);
    gradient("dq", dq, q, of, dOut);
    gradient("dk", dk, k, of, dOut);
    gradient("dv", dv, v, of, dOut);
    if (dq == dk || dq == dv || dk == dv)
      throw ATTENTION.wrong("gradients share memory", dq, dk, dv);
    long bytes = 4 * (2 * (q.numbers() + k.numbers() + v.numbers()) + dOut.numbers());
    long each = 6L * keyWidth + 4L * valueWidth + SOFTMAX_FLOPS;
    try (var _ = ATTENTION.begin(bytes, heads.count() * heads.pairs(how.texts()) * each)) {
      grad.attention(dq, dk, dv, dOut, of, how);
    }
  }

  /** A gradient takes the shape of what it is of, and is neither that nor any other operand. */
  private void gradient(String role, Tensor d, Tensor x, Attended of, Tensor dOut) {
    if (d == of.q() || d == of.k() || d == of.v() || d == dOut) {
      throw ATTENTION.wrong(role + " may not be an operand", d);
    }
    ATTENTION.result(device, role, d, x);
  }

  /**
   * The loss of each row, {@code −log softmax(logits)[target]}; logits become their own gradient,
   * {@code (softmax − onehot) · factor}.
   *
   * @param targets an id per row; −1 where a row counts for nothing: loss and gradient are 0
   * @param factor 1 over the rows that count, for the mean
   */
  public void crossEntropy(Tensor losses, Tensor logits, Tensor targets, float factor) {
    CROSS_ENTROPY.operand(device, "losses", losses);
    CROSS_ENTROPY.operand(device, "logits", logits);
    CROSS_ENTROPY.integers(device, "targets", targets);
    if (losses.columns() != 1)
      throw CROSS_ENTROPY.wrong("losses are not one per row", losses, logits);
    if (targets.rows() != logits.rows()) {
      throw CROSS_ENTROPY.wrong("one target per row is needed", logits, targets);
    }
    CROSS_ENTROPY.fit(losses, logits.rows(), logits);
    long bytes = 8 * logits.numbers() + 8L * logits.rows();
    try (var _ = CROSS_ENTROPY.begin(bytes, Ops.SOFTMAX_FLOPS * logits.numbers())) {
      grad.crossEntropy(losses, logits, targets, factor);
    }
  }

  /** Σ x², for the norm of gradients. */
  public double sumOfSquares(Tensor x) {
    parameter(SQUARES, "x", x);
    try (var _ = SQUARES.begin(4 * x.numbers(), 2 * x.numbers())) {
      return grad.sumOfSquares(x);
    }
  }

  /** Σ x, for losses. */
  public double sum(Tensor x) {
    parameter(SUM, "x", x);
    try (var _ = SUM.begin(4 * x.numbers(), x.numbers())) {
      return grad.sum(x);
    }
  }

  /** A step of AdamW: changes the weight and the means of its gradients (m) and their squares. */
  public void adamW(Tensor weight, Tensor gradient, Tensor m, Tensor v, AdamStep step) {
    alike(ADAM_W, "gradient", gradient, weight);
    alike(ADAM_W, "m", m, weight);
    alike(ADAM_W, "v", v, weight);
    if (m == v || m == gradient || v == gradient) {
      throw ADAM_W.wrong("gradient, m and v are not distinct", gradient, m, v);
    }
    try (var _ = ADAM_W.begin(28 * weight.numbers(), ADAM_W_FLOPS * weight.numbers())) {
      grad.adamW(weight, gradient, m, v, step);
    }
  }

  /**
   * {@code sum = ((sum + more₀) + more₁) + …}: gradients of one part of a batch after the other.
   */
  public void add(Tensor sum, Tensor[] more) {
    for (Tensor each : more) alike(ADD, "more", each, sum);
    try (var _ = ADD.begin((8 + 4L * more.length) * sum.numbers(), more.length * sum.numbers())) {
      grad.add(sum, more);
    }
  }

  /** Keeps numbers as bf16: half of the memory, 8 of their 24 bits. */
  public void round(Tensor halves, Tensor x) {
    ROUND.operand(device, "x", x);
    halves(ROUND, halves, x);
    ROUND.fit(halves, x.rows(), x);
    try (var _ = ROUND.begin(6 * x.numbers(), 0)) {
      grad.round(halves, x);
    }
  }

  /** Makes f32 of what was kept by {@link #round}. */
  public void widen(Tensor x, Tensor halves) {
    WIDEN.operand(device, "x", x);
    halves(WIDEN, halves, x);
    WIDEN.fit(x, halves.rows(), halves);
    try (var _ = WIDEN.begin(6 * x.numbers(), 0)) {
      grad.widen(x, halves);
    }
  }

  private void halves(Operation op, Tensor halves, Tensor x) {
    op.usable(device, "halves", halves, Layout.ROWS);
    if (halves.type() != TensorType.BF16) throw op.wrong("halves is not bf16", halves);
    if (halves.columns() != x.columns()) throw op.wrong("halves has another shape", halves, x);
  }

  /** All rows in use become 0. */
  public void zero(Tensor x) {
    parameter(ZERO, "x", x);
    try (var _ = ZERO.begin(4 * x.numbers(), 0)) {
      grad.zero(x);
    }
  }

  /** One row, which may lie as a vector. */
  private void vector(Operation op, String role, Tensor vector, Tensor of) {
    parameter(op, role, vector);
    if (vector.rows() != 1 || vector.columns() != of.columns()) {
      throw op.wrong(role + " is not one row as long as those of x", vector, of);
    }
  }

  private void alike(Operation op, String role, Tensor tensor, Tensor weight) {
    parameter(op, "weight", weight);
    parameter(op, role, tensor);
    if (tensor.columns() != weight.columns() || tensor.rows() != weight.rows()) {
      throw op.wrong(role + " has another shape", tensor, weight);
    }
    if (tensor == weight) throw op.wrong(role + " may not be what changes", tensor);
  }

  /** Numbers that lie row after row, or as a vector. */
  private void parameter(Operation op, String role, Tensor tensor) {
    if (tensor.layout() == Layout.VECTOR) op.usable(device, role, tensor, Layout.VECTOR);
    else op.operand(device, role, tensor);
  }
}
