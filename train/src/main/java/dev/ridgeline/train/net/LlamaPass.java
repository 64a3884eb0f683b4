package dev.ridgeline.train.net;

import dev.ridgeline.model.Workspace;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.Grad;

/** Forward and backward through a Llama, each layer's activations kept or computed again. */
final class LlamaPass implements Net.Pass {
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
    final Tensor gateUp;
    final Tensor gate;
    final Tensor up;
    final Tensor gated;

    Activations(Workspace workspace, int rows) {
      int width = shape.width();
      int queries = shape.heads() * shape.headWidth();
      int keys = shape.kvHeads() * shape.headWidth();
      normed = workspace.numbers(rows, width);
      qkv = workspace.numbers(rows, queries + 2 * keys);
      q = qkv.columns(0, queries);
      k = qkv.columns(queries, queries + keys);
      v = qkv.columns(queries + keys, queries + 2 * keys);
      mixed = workspace.numbers(rows, queries);
      middle = workspace.numbers(rows, width);
      middleNormed = workspace.numbers(rows, width);
      gateUp = workspace.numbers(rows, 2 * shape.hidden());
      gate = gateUp.columns(0, shape.hidden());
      up = gateUp.columns(shape.hidden(), 2 * shape.hidden());
      gated = workspace.numbers(rows, shape.hidden());
    }

    /** The first of them that is broken, or empty. */
    String origin() {
      if (head.broken(normed)) return "attention › norm";
      if (head.broken(qkv)) return "attention › qkv";
      if (head.broken(mixed)) return "attention › heads";
      if (head.broken(middle)) return "attention › output";
      if (head.broken(middleNormed)) return "ffn › norm";
      if (head.broken(gateUp)) return "ffn › gate and up";
      if (head.broken(gated)) return "ffn › swiglu";
      return "";
    }
  }

  private final LlamaNet net;
  private final DecoderShape shape;
  private final Head head;
  private final Ops ops;
  private final Grad grad;
  private final boolean recompute;
  private final Tensor angles;
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
  private final Tensor dGated;
  private final Tensor stats;

  LlamaPass(LlamaNet net, Device device, int texts, int length, boolean recompute) {
    this.net = net;
    this.shape = net.shape();
    this.recompute = recompute;
    this.head = new Head(device, net.output(), texts, length);
    this.ops = head.ops;
    this.grad = head.grad;
    Workspace workspace = head.workspace;
    int rows = head.rows();
    int width = shape.width();
    int queries = shape.heads() * shape.headWidth();
    int keys = shape.kvHeads() * shape.headWidth();
    angles =
        workspace.keep(
            Angles.of(
                device,
                "angles",
                length,
                shape.rope().width(),
                shape.rope().base(),
                shape.rope().scale(),
                shape.rope().factors(null)));
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
    dQkv = workspace.numbers(rows, queries + 2 * keys);
    dq = dQkv.columns(0, queries);
    dk = dQkv.columns(queries, queries + keys);
    dv = dQkv.columns(queries + keys, queries + 2 * keys);
    dMixed = workspace.numbers(rows, queries);
    dGated = workspace.numbers(rows, shape.hidden());
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
    }
    for (int i = 0; i < kept.length; i++) {
      try (var _ = Profiler.scope(LAYER.at(i))) {
        layer(net.layer(i), x[i], kept[i]);
        ops.add(x[i + 1], kept[i].middle, y);
      }
    }
    ops.rmsNorm(normed, x[kept.length], net.norm().weight(), shape.epsilon());
  }

  /** All of a layer but the last sum: what is to be added to the middle is left in y. */
  private void layer(LlamaNet.Layer layer, Tensor in, Activations a) {
    try (var _ = Profiler.scope(ATTENTION)) {
      ops.rmsNorm(a.normed, in, layer.attentionNorm().weight(), shape.epsilon());
      ops.matmul(a.qkv, a.normed, layer.qkv().forward(), null);
      ops.rope(a.q, shape.heads(), head.texts.positions(), angles, Pairing.NEIGHBOURS);
      ops.rope(a.k, shape.kvHeads(), head.texts.positions(), angles, Pairing.NEIGHBOURS);
      ops.attention(
          a.mixed,
          a.q,
          a.k,
          a.v,
          head.texts,
          shape.heads(),
          shape.kvHeads(),
          shape.scale(),
          ANY,
          0,
          scores);
      ops.matmul(y, a.mixed, layer.output().forward(), null);
      ops.add(a.middle, in, y);
    }
    try (var _ = Profiler.scope(FFN)) {
      ops.rmsNorm(a.middleNormed, a.middle, layer.ffnNorm().weight(), shape.epsilon());
      ops.matmul(a.gateUp, a.middleNormed, layer.gateUp().forward(), null);
      ops.swiglu(a.gated, a.gate, a.up);
      ops.matmul(y, a.gated, layer.down().forward(), null);
    }
  }

  private void backward(Gradients to) {
    Tensor last = x[kept.length];
    head.backward(dy, normed, to);
    grad.rmsNorm(
        dx, to.of(net.norm()), dy, last, net.norm().weight(), shape.epsilon(), false, stats);
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
    }
  }

  /** From the gradient of what a layer gave to that of what it was given, both in dx. */
  private void backward(LlamaNet.Layer layer, Tensor in, Activations a, Gradients to) {
    try (var _ = Profiler.scope(FFN)) {
      grad.matmul(to.of(layer.down()), null, dx, a.gated);
      ops.matmul(dGated, dx, layer.down().backward(), null);
      grad.swiglu(a.gate, a.up, dGated, a.gate, a.up);
      grad.matmul(to.of(layer.gateUp()), null, a.gateUp, a.middleNormed);
      ops.matmul(dy, a.gateUp, layer.gateUp().backward(), null);
      norm(layer.ffnNorm(), a.middle, to);
    }
    try (var _ = Profiler.scope(ATTENTION)) {
      grad.matmul(to.of(layer.output()), null, dx, a.mixed);
      ops.matmul(dMixed, dx, layer.output().backward(), null);
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
          shape.kvHeads(),
          shape.scale(),
          ANY,
          0,
          gradientScores);
      grad.rope(dq, shape.heads(), head.texts.positions(), angles, Pairing.NEIGHBOURS);
      grad.rope(dk, shape.kvHeads(), head.texts.positions(), angles, Pairing.NEIGHBOURS);
      grad.matmul(to.of(layer.qkv()), null, dQkv, a.normed);
      ops.matmul(dy, dQkv, layer.qkv().backward(), null);
      norm(layer.attentionNorm(), in, to);
    }
  }

  /** Adds what comes through a norm to what went around it. */
  private void norm(Parameter norm, Tensor in, Gradients to) {
    grad.rmsNorm(dx, to.of(norm), dy, in, norm.weight(), shape.epsilon(), true, stats);
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
