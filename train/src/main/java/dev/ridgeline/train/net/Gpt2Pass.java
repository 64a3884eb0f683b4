package dev.ridgeline.train.net;

import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.train.net.Gpt2Net.Pair;

/** Forward and backward through a GPT-2. */
final class Gpt2Pass extends LayeredPass<Gpt2Pass.Own> {
  /** What a layer leaves. */
  static final class Own extends Activations {
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

    Own(Workspace workspace, int rows, Gpt2Shape shape) {
      super(workspace, rows);
      int width = shape.width();
      normed = part("attention › norm", width);
      qkv = part("attention › qkv", 3 * width);
      q = qkv.columns(0, width);
      k = qkv.columns(width, 2 * width);
      v = qkv.columns(2 * width, 3 * width);
      mixed = part("attention › heads", width);
      middle = part("attention › output", width);
      middleNormed = part("ffn › norm", width);
      up = part("ffn › up", shape.hidden());
      bent = part("ffn › gelu", shape.hidden());
    }
  }

  private final Gpt2Net net;
  private final Gpt2Shape shape;
  private final float scale;

  // Gradients of activations.
  private final Tensor dQkv;
  private final Tensor dq;
  private final Tensor dk;
  private final Tensor dv;
  private final Tensor dMixed;
  private final Tensor dUp;

  Gpt2Pass(Gpt2Net net, Device device, int texts, int length, Kept kept) {
    Gpt2Shape sizes = net.shape();
    super(
        net.parameters(), net.output(), device, texts, length, sizes.layers(), sizes.width(), kept);
    this.net = net;
    this.shape = sizes;
    this.scale = (float) (1 / Math.sqrt(shape.headWidth()));
    int rows = head.rows();
    int width = shape.width();
    plan(() -> new Own(workspace, rows, shape));
    dQkv = workspace.numbers(rows, 3 * width);
    dq = dQkv.columns(0, width);
    dk = dQkv.columns(width, 2 * width);
    dv = dQkv.columns(2 * width, 3 * width);
    dMixed = workspace.numbers(rows, width);
    dUp = workspace.numbers(rows, shape.hidden());
  }

  @Override
  void embed(Tensor out) {
    ops.rows(out, net.tokens().weight(), head.ids);
    ops.rows(y, net.positions().weight(), head.texts.positions());
    ops.add(out, out, y);
  }

  @Override
  void layer(int index, Tensor in, Own a) {
    Gpt2Net.Layer layer = net.layer(index);
    try (var _ = Profiler.scope(ATTENTION)) {
      norm(a.normed, in, layer.attentionNorm());
      linear(a.qkv, a.normed, layer.qkv());
      ops.attention(
          a.mixed, a.q, a.k, a.v, head.texts, shape.heads(), shape.heads(), scale, ANY, 0, scores);
      linear(y, a.mixed, layer.output());
      ops.add(a.middle, in, y);
    }
    try (var _ = Profiler.scope(FFN)) {
      norm(a.middleNormed, a.middle, layer.ffnNorm());
      linear(a.up, a.middleNormed, layer.up());
      ops.geluTanh(a.bent, a.up);
      linear(y, a.bent, layer.down());
    }
  }

  @Override
  Tensor middle(Own a) {
    return a.middle;
  }

  @Override
  void norm(Tensor out, Tensor in) {
    norm(out, in, net.norm());
  }

  private void norm(Tensor out, Tensor in, Pair norm) {
    ops.layerNorm(out, in, norm.weight().weight(), norm.bias().weight(), shape.epsilon());
  }

  private void linear(Tensor out, Tensor in, Pair linear) {
    ops.matmul(out, in, linear.weight().forward(), linear.bias().weight());
  }

  @Override
  void normBackward(Tensor in, Gradients to) {
    norm(net.norm(), in, false, to);
  }

  @Override
  void layerBackward(int index, Tensor in, Own a, Gradients to) {
    Gpt2Net.Layer layer = net.layer(index);
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

  @Override
  void embedBackward(Gradients to) {
    table(net.tokens(), head.ids, to);
    table(net.positions(), head.texts.positions(), to);
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
}
