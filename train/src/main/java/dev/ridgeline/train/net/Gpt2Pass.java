package dev.ridgeline.train.net;

import dev.ridgeline.model.Workspace;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.Grad;
import dev.ridgeline.train.net.Gpt2Net.Pair;

/** Forward and backward through a GPT-2, each layer's activations kept or computed again. */
final class Gpt2Pass implements Net.Pass {
  private static final Scope FORWARD = Scope.of("forward");
  private static final Scope BACKWARD = Scope.of("backward");
  private static final Scope EMBEDDING = Scope.of("embedding");
  private static final Scope.Numbered LAYER = Scope.numbered("layer");
  private static final Scope ATTENTION = Scope.of("attention");
  private static final Scope FFN = Scope.of("ffn");

  private static final int ANY = Integer.MAX_VALUE;

  /** What the backward of a layer needs of its forward. */
  private final class Activations {
    final Tensor normed;
    final Tensor qkv;
    final Tensor q;
    final Tensor k;
    final Tensor v;
    final Tensor mixed;
    final Tensor middle;
    final Tensor middleNormed;
    final Tensor up;
    final Tensor bent;

    Activations(Workspace workspace, int rows) {
      int width = shape.width();
      normed = workspace.numbers(rows, width);
      qkv = workspace.numbers(rows, 3 * width);
      q = qkv.columns(0, width);
      k = qkv.columns(width, 2 * width);
      v = qkv.columns(2 * width, 3 * width);
      mixed = workspace.numbers(rows, width);
      middle = workspace.numbers(rows, width);
      middleNormed = workspace.numbers(rows, width);
      up = workspace.numbers(rows, shape.hidden());
      bent = workspace.numbers(rows, shape.hidden());
    }

    /** The first of them that is broken, or empty. */
    String origin() {
      if (head.broken(normed)) return "attention › norm";
      if (head.broken(qkv)) return "attention › qkv";
      if (head.broken(mixed)) return "attention › heads";
      if (head.broken(middle)) return "attention › output";
      if (head.broken(middleNormed)) return "ffn › norm";
      if (head.broken(up)) return "ffn › up";
      if (head.broken(bent)) return "ffn › gelu";
      return "";
    }
  }

  private final Gpt2Net net;
  private final Gpt2Shape shape;
  private final Head head;
  private final Ops ops;
  private final Grad grad;
  private final boolean recompute;
  private final float scale;
  private final Tensor scores;
  private final Tensor gradientScores;

  /** What goes into each layer, and what comes out of the last. */
  private final Tensor[] x;

  private final Activations[] kept;
  private final Tensor y;
  private final Tensor normed;

  // Gradients of activations.
  private final Tensor dx;
  private final Tensor dy;
  private final Tensor dQkv;
  private final Tensor dq;
  private final Tensor dk;
  private final Tensor dv;
  private final Tensor dMixed;
  private final Tensor dUp;
  private final Tensor stats;

  Gpt2Pass(Gpt2Net net, Device device, int texts, int length, boolean recompute) {
    this.net = net;
    this.shape = net.shape();
    this.recompute = recompute;
    this.scale = (float) (1 / Math.sqrt(shape.headWidth()));
    this.head = new Head(device, net.output(), texts, length);
    this.ops = head.ops;
    this.grad = head.grad;
    Workspace workspace = head.workspace;
    int rows = head.rows();
    int width = shape.width();
    scores = workspace.attention(length);
    gradientScores = workspace.keep(grad.attentionWorkspace("workspace", length));
    x = new Tensor[shape.layers() + 1];
    kept = new Activations[shape.layers()];
    for (int i = 0; i < x.length; i++) x[i] = workspace.numbers(rows, width);
    for (int i = 0; i < kept.length; i++) {
      kept[i] = recompute && i > 0 ? kept[0] : new Activations(workspace, rows);
    }
    y = workspace.numbers(rows, width);
    normed = workspace.numbers(rows, width);
    dx = workspace.numbers(rows, width);
    dy = workspace.numbers(rows, width);
    dQkv = workspace.numbers(rows, 3 * width);
    dq = dQkv.columns(0, width);
    dk = dQkv.columns(width, 2 * width);
    dv = dQkv.columns(2 * width, 3 * width);
    dMixed = workspace.numbers(rows, width);
    dUp = workspace.numbers(rows, shape.hidden());
    stats = workspace.numbers(rows, 2);
  }

  @Override
  public double losses(int[] inputs, int[] targets, int offset) {
    head.read(inputs, targets, offset);
    try (var _ = Profiler.scope(FORWARD)) {
      forward();
    }
    return head.loss(normed, 1);
  }

  @Override
  public double learn(int[] inputs, int[] targets, int offset, float factor, Gradients to) {
    head.read(inputs, targets, offset);
    try (var _ = Profiler.scope(FORWARD)) {
      forward();
    }
    double loss = head.loss(normed, factor);
    try (var _ = Profiler.scope(BACKWARD)) {
      backward(to);
    }
    return loss;
  }

  private void forward() {
    try (var _ = Profiler.scope(EMBEDDING)) {
      ops.rows(x[0], net.tokens().weight(), head.ids);
      ops.rows(y, net.positions().weight(), head.texts.positions());
      ops.add(x[0], x[0], y);
    }
    for (int i = 0; i < kept.length; i++) {
      try (var _ = Profiler.scope(LAYER.at(i))) {
        layer(net.layer(i), x[i], kept[i]);
        ops.add(x[i + 1], kept[i].middle, y);
      }
    }
    normed(normed, x[kept.length], net.norm());
  }

  private void normed(Tensor out, Tensor in, Pair norm) {
    ops.layerNorm(out, in, norm.weight().weight(), norm.bias().weight(), shape.epsilon());
  }

  private void linear(Tensor out, Tensor in, Pair linear) {
    ops.matmul(out, in, linear.weight().forward(), linear.bias().weight());
  }

  /** All of a layer but the last sum: what is to be added to the middle is left in y. */
  private void layer(Gpt2Net.Layer layer, Tensor in, Activations a) {
    try (var _ = Profiler.scope(ATTENTION)) {
      normed(a.normed, in, layer.attentionNorm());
      linear(a.qkv, a.normed, layer.qkv());
      ops.attention(
          a.mixed, a.q, a.k, a.v, head.texts, shape.heads(), shape.heads(), scale, ANY, 0, scores);
      linear(y, a.mixed, layer.output());
      ops.add(a.middle, in, y);
    }
    try (var _ = Profiler.scope(FFN)) {
      normed(a.middleNormed, a.middle, layer.ffnNorm());
      linear(a.up, a.middleNormed, layer.up());
      ops.geluTanh(a.bent, a.up);
      linear(y, a.bent, layer.down());
    }
  }

  private void backward(Gradients to) {
    head.backward(dy, normed, to);
    norm(net.norm(), x[kept.length], false, to);
    for (int i = kept.length - 1; i >= 0; i--) {
      try (var _ = Profiler.scope(LAYER.at(i))) {
        // The last layer's are still there.
        if (recompute && i < kept.length - 1) layer(net.layer(i), x[i], kept[i]);
        backward(net.layer(i), x[i], kept[i], to);
      }
    }
    try (var _ = Profiler.scope(EMBEDDING)) {
      Tensor dTokens = to.of(net.tokens());
      // Where it is the last matrix, too, that part is there already.
      if (!shape.tied()) grad.zero(dTokens);
      grad.rows(dTokens, dx, head.ids);
      Tensor dPositions = to.of(net.positions());
      grad.zero(dPositions);
      grad.rows(dPositions, dx, head.texts.positions());
    }
  }

  /** From the gradient of what a layer gave to that of what it was given, both in dx. */
  private void backward(Gpt2Net.Layer layer, Tensor in, Activations a, Gradients to) {
    try (var _ = Profiler.scope(FFN)) {
      linear(layer.down(), dUp, dx, a.bent, to);
      grad.geluTanh(dUp, dUp, a.up);
      linear(layer.up(), dy, dUp, a.middleNormed, to);
      norm(layer.ffnNorm(), a.middle, true, to);
    }
    try (var _ = Profiler.scope(ATTENTION)) {
      linear(layer.output(), dMixed, dx, a.mixed, to);
      grad.attention(
          dq,
          dk,
          dv,
          dMixed,
          a.q,
          a.k,
          a.v,
          head.texts,
          shape.heads(),
          shape.heads(),
          scale,
          ANY,
          0,
          gradientScores);
      linear(layer.qkv(), dy, dQkv, a.normed, to);
      norm(layer.attentionNorm(), in, true, to);
    }
  }

  private void linear(Pair linear, Tensor dIn, Tensor dOut, Tensor in, Gradients to) {
    grad.matmul(to.of(linear.weight()), to.of(linear.bias()), dOut, in);
    ops.matmul(dIn, dOut, linear.weight().backward(), null);
  }

  /** The gradient through a norm, alone or added to what went around it. */
  private void norm(Pair norm, Tensor in, boolean add, Gradients to) {
    grad.layerNorm(
        dx,
        to.of(norm.weight()),
        to.of(norm.bias()),
        dy,
        in,
        norm.weight().weight(),
        shape.epsilon(),
        add,
        stats);
  }

  @Override
  public String origin(int[] inputs, int[] targets, int offset, Gradients to) {
    head.read(inputs, targets, offset);
    forward();
    for (int i = 0; i < kept.length; i++) {
      if (head.broken(x[i])) return i == 0 ? "embedding" : "layer %d › sum".formatted(i - 1);
      layer(net.layer(i), x[i], kept[i]);
      String where = kept[i].origin();
      if (!where.isEmpty()) return "layer %d › %s".formatted(i, where);
    }
    if (head.broken(x[kept.length])) return "layer %d › sum".formatted(kept.length - 1);
    if (head.broken(normed)) return "norm";
    String last = head.origin(normed);
    if (!last.isEmpty()) return last;
    learn(inputs, targets, offset, 1f / head.rows(), to);
    return head.origin(to, net.parameters());
  }

  @Override
  public void close() {
    head.close();
  }
}
