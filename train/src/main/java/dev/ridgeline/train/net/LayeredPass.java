package dev.ridgeline.train.net;

import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.Grad;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Forward and backward through layers that add to what they are given. What is kept of a layer in
 * between is one of {@link Kept}.
 *
 * @param <A> what a layer leaves for its backward
 */
abstract class LayeredPass<A extends Activations> implements Net.Pass {
  static final Scope ATTENTION = Scope.of("attention");
  static final Scope FFN = Scope.of("ffn");

  /** Tokens that a token may look back. */
  static final int ANY = Integer.MAX_VALUE;

  private static final Scope FORWARD = Scope.of("forward");
  private static final Scope BACKWARD = Scope.of("backward");
  private static final Scope EMBEDDING = Scope.of("embedding");
  private static final Scope.Numbered LAYER = Scope.numbered("layer");

  final Head head;
  final Ops ops;
  final Grad grad;
  final Workspace workspace;

  /** Room for attention and for its gradient. */
  final Tensor scores;

  final Tensor gradientScores;

  /** What a layer adds to what it was given, a part after the other. */
  final Tensor y;

  /** The gradient of what a layer gave, then of what it was given. */
  final Tensor dx;

  /** The gradient of what a norm gave. */
  final Tensor dy;

  /** Of the rows of a norm. */
  final Tensor stats;

  private final Parameters parameters;
  private final Kept kept;
  private final int layers;

  /** What goes into each layer, and what comes out of the last. */
  private final Tensor[] x;

  private final List<A> activations = new ArrayList<>();

  /** What goes into each layer and its activations, in bf16; empty unless they are kept so. */
  private final Tensor[][] halves;

  private final Tensor normed;

  /**
   * @param output the last matrix
   */
  LayeredPass(
      Parameters parameters,
      Parameter output,
      Device device,
      int texts,
      int length,
      int layers,
      int width,
      Kept kept) {
    this.parameters = parameters;
    this.kept = kept;
    this.layers = layers;
    this.head = new Head(device, output, texts, length);
    this.ops = head.ops;
    this.grad = head.grad;
    this.workspace = head.workspace;
    int rows = head.rows();
    scores = workspace.attention(length);
    gradientScores = workspace.keep(grad.attentionWorkspace("workspace", length));
    x = new Tensor[layers + 1];
    for (int i = 0; i < x.length; i++) {
      boolean shared = kept == Kept.HALVES && i > 0 && i < layers;
      x[i] = shared ? x[0] : workspace.numbers(rows, width);
    }
    halves = new Tensor[kept == Kept.HALVES ? layers - 1 : 0][];
    y = workspace.numbers(rows, width);
    normed = workspace.numbers(rows, width);
    dx = workspace.numbers(rows, width);
    dy = workspace.numbers(rows, width);
    stats = workspace.numbers(rows, 2);
  }

  /** Plans what layers leave; to be called once, by the constructor of what extends this. */
  final void plan(Supplier<A> one) {
    for (int i = 0; i < layers; i++) {
      boolean shared = kept != Kept.ALL && i > 0;
      activations.add(shared ? activations.getFirst() : one.get());
    }
    for (int i = 0; i < halves.length; i++) {
      A a = activations.get(i);
      halves[i] = new Tensor[1 + a.count()];
      for (int k = 0; k < halves[i].length; k++) halves[i][k] = half(number(i, k));
    }
  }

  private Tensor half(Tensor like) {
    Device device = grad.device();
    return workspace.keep(
        device.allocate("workspace", TensorType.BF16, like.capacity(), like.columns()));
  }

  /** What goes into a layer, and behind it its activations. */
  private Tensor number(int layer, int index) {
    return index == 0 ? x[layer] : activations.get(layer).part(index - 1);
  }

  /** The rows that go into the first layer. */
  abstract void embed(Tensor out);

  /** All of a layer but the last sum: what is to be added to the middle is left in y. */
  abstract void layer(int index, Tensor in, A a);

  /** What y is added to. */
  abstract Tensor middle(A a);

  /** The last norm. */
  abstract void norm(Tensor out, Tensor in);

  /** Its gradient, from dy to dx. */
  abstract void normBackward(Tensor in, Gradients to);

  /** From the gradient of what a layer gave to that of what it was given, both in dx. */
  abstract void layerBackward(int index, Tensor in, A a, Gradients to);

  /** The gradients of what {@link #embed} took. */
  abstract void embedBackward(Gradients to);

  @Override
  public final double losses(int[] inputs, int[] targets, int offset) {
    head.read(inputs, targets, offset);
    forward(false);
    return head.loss(normed, 1);
  }

  @Override
  public final double learn(int[] inputs, int[] targets, int offset, float factor, Gradients to) {
    head.read(inputs, targets, offset);
    forward(true);
    double loss = head.loss(normed, factor);
    try (var _ = Profiler.scope(BACKWARD)) {
      backward(to);
    }
    return loss;
  }

  /**
   * @param keeps whether a backward comes behind it
   */
  private void forward(boolean keeps) {
    try (var _ = Profiler.scope(FORWARD)) {
      try (var _ = Profiler.scope(EMBEDDING)) {
        embed(x[0]);
      }
      for (int i = 0; i < layers; i++) {
        try (var _ = Profiler.scope(LAYER.at(i))) {
          A a = activations.get(i);
          layer(i, x[i], a);
          if (keeps && i < halves.length) {
            for (int k = 0; k < halves[i].length; k++) grad.round(halves[i][k], number(i, k));
          }
          ops.add(x[i + 1], middle(a), y);
        }
      }
      norm(normed, x[layers]);
    }
  }

  private void backward(Gradients to) {
    head.backward(dy, normed, to);
    normBackward(x[layers], to);
    for (int i = layers - 1; i >= 0; i--) {
      try (var _ = Profiler.scope(LAYER.at(i))) {
        A a = activations.get(i);
        // The last layer's are still there.
        if (i < layers - 1) bringBack(i, a);
        layerBackward(i, x[i], a, to);
      }
    }
    try (var _ = Profiler.scope(EMBEDDING)) {
      embedBackward(to);
    }
  }

  private void bringBack(int layer, A a) {
    switch (kept) {
      case ALL -> {}
      case INPUTS -> layer(layer, x[layer], a);
      case HALVES -> {
        for (int k = 0; k < halves[layer].length; k++) {
          grad.widen(number(layer, k), halves[layer][k]);
        }
      }
    }
  }

  /** The gradient of a table of rows that were looked up. */
  final void table(Parameter table, Tensor ids, Gradients to) {
    Tensor d = to.of(table);
    // Where it is the last matrix, too, that part is there already.
    if (!head.ends(table)) grad.zero(d);
    grad.rows(d, dx, ids);
  }

  @Override
  public final String origin(int[] inputs, int[] targets, int offset, Gradients to) {
    head.read(inputs, targets, offset);
    embed(x[0]);
    if (head.broken(x[0])) return "embedding";
    for (int i = 0; i < layers; i++) {
      A a = activations.get(i);
      layer(i, x[i], a);
      String where = a.origin(head);
      if (!where.isEmpty()) return "layer %d › %s".formatted(i, where);
      ops.add(x[i + 1], middle(a), y);
      if (head.broken(x[i + 1])) return "layer %d › sum".formatted(i);
    }
    norm(normed, x[layers]);
    if (head.broken(normed)) return "norm";
    String last = head.origin(normed);
    if (!last.isEmpty()) return last;
    learn(inputs, targets, offset, 1f / head.rows(), to);
    return head.origin(to, parameters);
  }

  @Override
  public final void close() {
    head.close();
  }
}
