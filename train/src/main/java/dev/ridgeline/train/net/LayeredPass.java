package dev.ridgeline.train.net;

import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.Attended;
import dev.ridgeline.tensor.grad.AttentionBackward;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.train.net.Net.Layer;
import dev.ridgeline.train.net.Net.Weights;
import java.util.ArrayList;
import java.util.List;

/**
 * Forward and backward passes through layers of attention and feed-forward, each of which adds to
 * its input. Subclasses have what differs between models: embedding, norm, rotation and activation
 * function. What is kept of a layer between the two passes is one of {@link Kept}.
 */
abstract class LayeredPass implements Net.Pass {
  private static final Scope ATTENTION = Scope.of("attention");
  private static final Scope FFN = Scope.of("ffn");

  private static final Scope FORWARD = Scope.of("forward");
  private static final Scope BACKWARD = Scope.of("backward");
  private static final Scope EMBEDDING = Scope.of("embedding");
  private static final Scope.Numbered LAYER = Scope.numbered("layer");
  private static final Scope OUTPUT = Scope.of("output");
  private static final Scope LOSS = Scope.of("loss");
  private static final String OWNER = "workspace";

  final Net net;
  final Ops ops;
  final Grad grad;
  final Workspace workspace;
  final Heads heads;
  final int rows;
  final Sequences texts;
  final Tensor ids;

  /** What a layer adds to its input, one part after the other. */
  final Tensor y;

  /** The gradient of a layer's output, then of its input. */
  final Tensor dx;

  /** The gradient of a norm's output. */
  final Tensor dy;

  /** Of the rows of a norm. */
  final Tensor stats;

  /** The gradient of the activation function's output. */
  final Tensor dActivated;

  private final PackedQkv dQkv;
  private final Tensor dMixed;
  private final Weights output;
  private final Kept kept;
  private final int layers;
  private final Tensor targets;
  private final Tensor logits;
  private final Tensor losses;

  /** Room for attention. */
  private final Tensor scores;

  private final AttentionBackward attentionBackward;

  /** The input of each layer, and the output of the last. */
  private final Tensor[] x;

  private final List<Activations> activations = new ArrayList<>();

  /** The input of each layer and its activations, in bf16; empty unless they are kept so. */
  private final Tensor[][] halves;

  private final Tensor normed;

  /**
   * @param arguments how many the activation function has
   */
  LayeredPass(
      Net net, HeadSizes sizes, int arguments, Device device, int count, int length, Kept kept) {
    this.net = net;
    this.output = new Weights(net.output, null);
    this.heads = sizes.heads();
    this.kept = kept;
    this.layers = net.shape().layers();
    this.rows = Math.multiplyExact(count, length);
    this.ops = new Ops(device);
    this.grad = new Grad(device);
    this.workspace = Workspace.ofSteps(device);
    this.texts = new Sequences(device, OWNER, count, rows);
    for (int i = 0; i < count; i++) texts.add(length);
    ids = workspace.keep(device.allocate(OWNER, TensorType.I32, rows, 1));
    targets = workspace.keep(device.allocate(OWNER, TensorType.I32, rows, 1));
    logits = workspace.numbers(rows, net.output.rows());
    losses = workspace.numbers(rows, 1);
    scores = workspace.attention(length);
    Tensor gradientScores = workspace.keep(grad.attentionWorkspace(OWNER, length));
    attentionBackward = new AttentionBackward(texts, heads, gradientScores);
    int width = net.tokens.columns();
    int hidden = net.layers.getFirst().down().weight().columns();
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
    dQkv = PackedQkv.of(workspace.numbers(rows, sizes.queries() + 2 * sizes.keys()), sizes);
    dMixed = workspace.numbers(rows, sizes.queries());
    dActivated = workspace.numbers(rows, hidden);
    for (int i = 0; i < layers; i++) {
      boolean shared = kept != Kept.ALL && i > 0;
      activations.add(
          shared
              ? activations.getFirst()
              : new Activations(workspace, rows, width, sizes, arguments, hidden));
    }
    for (int i = 0; i < halves.length; i++) {
      halves[i] = new Tensor[1 + activations.get(i).parts().size()];
      for (int k = 0; k < halves[i].length; k++) {
        Tensor like = kept(i, k);
        halves[i][k] =
            workspace.keep(
                device.allocate(OWNER, TensorType.BF16, like.capacity(), like.columns()));
      }
    }
  }

  /** The input of a layer, and after it its activations. */
  private Tensor kept(int layer, int index) {
    return index == 0 ? x[layer] : activations.get(layer).parts().get(index - 1);
  }

  /** Computes the rows that go into the first layer. */
  abstract void embed(Tensor out);

  /** The gradients of the tables that {@link #embed} reads. */
  abstract void embedBackward(Gradients to);

  abstract void norm(Tensor out, Tensor in, Weights norm);

  /** The gradient through a norm from dy to dx, alone or added to what is there. */
  abstract void normBackward(Weights norm, Tensor in, boolean add, Gradients to);

  /** Rotates queries and keys by their positions. */
  void rotate(Attended qkv) {}

  void rotateBackward(Attended gradient) {}

  /** The activation function, from up to activated. */
  abstract void activate(Activations a);

  /** The gradient of up, from dActivated. */
  abstract Tensor activateBackward(Activations a);

  /** All of a layer but the last sum: what to add to the middle is left in y. */
  private void layer(int index, Tensor in, Activations a) {
    Layer layer = net.layers.get(index);
    try (var _ = Profiler.scope(ATTENTION)) {
      norm(a.normed, in, layer.attentionNorm());
      linear(a.qkv.all(), a.normed, layer.qkv());
      Attended qkv = a.qkv.parts();
      rotate(qkv);
      ops.attention(a.mixed, qkv.q(), qkv.k(), qkv.v(), texts, heads, scores);
      linear(y, a.mixed, layer.output());
      ops.add(a.middle, in, y);
    }
    try (var _ = Profiler.scope(FFN)) {
      norm(a.middleNormed, a.middle, layer.ffnNorm());
      linear(a.up, a.middleNormed, layer.up());
      activate(a);
      linear(y, a.activated, layer.down());
    }
  }

  /** From the gradient of a layer's output to that of its input, both in dx. */
  private void layerBackward(int index, Tensor in, Activations a, Gradients to) {
    Layer layer = net.layers.get(index);
    try (var _ = Profiler.scope(FFN)) {
      linearBackward(layer.down(), dActivated, dx, a.activated, to);
      linearBackward(layer.up(), dy, activateBackward(a), a.middleNormed, to);
      normBackward(layer.ffnNorm(), a.middle, true, to);
    }
    try (var _ = Profiler.scope(ATTENTION)) {
      linearBackward(layer.output(), dMixed, dx, a.mixed, to);
      Attended d = dQkv.parts();
      grad.attention(d.q(), d.k(), d.v(), dMixed, a.qkv.parts(), attentionBackward);
      rotateBackward(d);
      linearBackward(layer.qkv(), dy, dQkv.all(), a.normed, to);
      normBackward(layer.attentionNorm(), in, true, to);
    }
  }

  private void linear(Tensor out, Tensor in, Weights linear) {
    Parameter bias = linear.bias();
    ops.matmul(out, in, linear.weight().forward(), bias == null ? null : bias.weight());
  }

  /** The gradients of a matrix and its bias from that of its output, and that of its input. */
  private void linearBackward(Weights linear, Tensor dIn, Tensor dOut, Tensor in, Gradients to) {
    Parameter bias = linear.bias();
    grad.matmul(to.of(linear.weight()), bias == null ? null : to.of(bias), dOut, in);
    ops.matmul(dIn, dOut, linear.weight().backward(), null);
  }

  /** The gradient of a table of rows that were looked up. */
  final void table(Parameter table, Tensor ids, Gradients to) {
    Tensor d = to.of(table);
    // If the table is the last matrix, too, that part is there already.
    if (table != net.output) grad.zero(d);
    grad.rows(d, dx, ids);
  }

  @Override
  public final double losses(int[] inputs, int[] answers, int offset) {
    read(inputs, answers, offset);
    forward(false);
    return loss(1);
  }

  @Override
  public final double learn(int[] inputs, int[] answers, int offset, float factor, Gradients to) {
    read(inputs, answers, offset);
    forward(true);
    double loss = loss(factor);
    try (var _ = Profiler.scope(BACKWARD)) {
      backward(to);
    }
    return loss;
  }

  private void read(int[] inputs, int[] answers, int offset) {
    grad.device().write(ids, inputs, offset);
    grad.device().write(targets, answers, offset);
  }

  /**
   * @param keeps whether a backward pass follows
   */
  private void forward(boolean keeps) {
    try (var _ = Profiler.scope(FORWARD)) {
      try (var _ = Profiler.scope(EMBEDDING)) {
        embed(x[0]);
      }
      for (int i = 0; i < layers; i++) {
        try (var _ = Profiler.scope(LAYER.at(i))) {
          Activations a = activations.get(i);
          layer(i, x[i], a);
          if (keeps && i < halves.length) {
            for (int k = 0; k < halves[i].length; k++) grad.round(halves[i][k], kept(i, k));
          }
          ops.add(x[i + 1], a.middle, y);
        }
      }
      norm(normed, x[layers], net.norm);
    }
  }

  /** The sum of losses after the last norm; logits become their gradient times a factor. */
  private double loss(float factor) {
    try (var _ = Profiler.scope(OUTPUT)) {
      linear(logits, normed, output);
    }
    try (var _ = Profiler.scope(LOSS)) {
      grad.crossEntropy(losses, logits, targets, factor);
      return grad.sum(losses);
    }
  }

  private void backward(Gradients to) {
    try (var _ = Profiler.scope(OUTPUT)) {
      linearBackward(output, dy, logits, normed, to);
    }
    normBackward(net.norm, x[layers], false, to);
    for (int i = layers - 1; i >= 0; i--) {
      try (var _ = Profiler.scope(LAYER.at(i))) {
        Activations a = activations.get(i);
        // Those of the last layer are still there.
        if (i < layers - 1) restore(i, a);
        layerBackward(i, x[i], a, to);
      }
    }
    try (var _ = Profiler.scope(EMBEDDING)) {
      embedBackward(to);
    }
  }

  private void restore(int layer, Activations a) {
    switch (kept) {
      case ALL -> {}
      case INPUTS -> layer(layer, x[layer], a);
      case HALVES -> {
        for (int k = 0; k < halves[layer].length; k++) grad.widen(kept(layer, k), halves[layer][k]);
      }
    }
  }

  @Override
  public final String origin(int[] inputs, int[] answers, int offset, Gradients to) {
    read(inputs, answers, offset);
    embed(x[0]);
    if (broken(x[0])) return "embedding";
    for (int i = 0; i < layers; i++) {
      Activations a = activations.get(i);
      layer(i, x[i], a);
      for (int k = 0; k < a.parts().size(); k++) {
        if (broken(a.parts().get(k))) return "layer %d › %s".formatted(i, a.name(k));
      }
      ops.add(x[i + 1], a.middle, y);
      if (broken(x[i + 1])) return "layer %d › sum".formatted(i);
    }
    norm(normed, x[layers], net.norm);
    if (broken(normed)) return "norm";
    linear(logits, normed, output);
    if (broken(logits)) return "output";
    grad.crossEntropy(losses, logits, targets, 1);
    if (broken(losses)) return "loss";
    learn(inputs, answers, offset, 1f / rows, to);
    for (Parameter each : net.parameters().all().reversed()) {
      if (broken(to.of(each))) return "the gradient of " + each.name();
    }
    return "";
  }

  /** Whether some number in it is NaN or infinite. */
  private boolean broken(Tensor tensor) {
    return !Double.isFinite(grad.sum(tensor));
  }

  @Override
  public final void close() {
    workspace.close();
    texts.close();
  }
}
