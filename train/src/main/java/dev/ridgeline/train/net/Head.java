package dev.ridgeline.train.net;

import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.Grad;

/** What passes of all models have: ids, texts of one length, the last product and its loss. */
final class Head implements AutoCloseable {
  private static final Scope OUTPUT = Scope.of("output");
  private static final Scope LOSS = Scope.of("loss");
  private static final String OWNER = "workspace";

  final Ops ops;
  final Grad grad;
  final Workspace workspace;
  final Sequences texts;
  final Tensor ids;
  private final Tensor targets;
  private final Tensor logits;
  private final Tensor losses;
  private final int[] buffer;
  private final Parameter matrix;

  Head(Device device, Parameter matrix, int count, int length) {
    this.ops = new Ops(device);
    this.grad = new Grad(device);
    this.workspace = Workspace.ofSteps(device);
    this.matrix = matrix;
    int rows = Math.multiplyExact(count, length);
    this.buffer = new int[rows];
    this.texts = new Sequences(device, OWNER, count, rows);
    for (int i = 0; i < count; i++) texts.add(length);
    this.ids = workspace.keep(device.allocate(OWNER, TensorType.I32, rows, 1));
    this.targets = workspace.keep(device.allocate(OWNER, TensorType.I32, rows, 1));
    this.logits = workspace.numbers(rows, matrix.rows());
    this.losses = workspace.numbers(rows, 1);
  }

  int rows() {
    return buffer.length;
  }

  void read(int[] inputs, int[] answers, int offset) {
    grad.device().write(ids, inputs, offset);
    grad.device().write(targets, answers, offset);
  }

  /** The sum of losses behind the last norm; logits become their gradient times a factor. */
  double loss(Tensor normed, float factor) {
    try (var _ = Profiler.scope(OUTPUT)) {
      ops.matmul(logits, normed, matrix.forward(), null);
    }
    try (var _ = Profiler.scope(LOSS)) {
      grad.crossEntropy(losses, logits, targets, factor);
      return grad.sum(losses);
    }
  }

  /** The gradients of the last matrix and, into dNormed, of what it was given. */
  void backward(Tensor dNormed, Tensor normed, Gradients to) {
    try (var _ = Profiler.scope(OUTPUT)) {
      grad.matmul(to.of(matrix), null, logits, normed);
      ops.matmul(dNormed, logits, matrix.backward(), null);
    }
  }

  /** Whether it is the last matrix. */
  boolean ends(Parameter parameter) {
    return matrix == parameter;
  }

  /** Whether something in it is not a number. */
  boolean broken(Tensor tensor) {
    return !Double.isFinite(grad.sum(tensor));
  }

  /** The last product or the loss, if one of them is the first that is broken; else empty. */
  String origin(Tensor normed) {
    ops.matmul(logits, normed, matrix.forward(), null);
    if (broken(logits)) return "output";
    grad.crossEntropy(losses, logits, targets, 1);
    return broken(losses) ? "loss" : "";
  }

  /** The first broken gradient in the order of the backward pass, or empty. */
  String origin(Gradients to, Parameters parameters) {
    for (Parameter each : parameters.all().reversed()) {
      if (broken(to.of(each))) return "the gradient of " + each.name();
    }
    return "";
  }

  @Override
  public void close() {
    workspace.close();
    texts.close();
  }
}
