package dev.ridgeline.train.net;

import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;

/** Forward and backward through a Llama. */
final class LlamaPass extends LayeredPass<LlamaPass.Own> {
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
    final Tensor gateUp;
    final Tensor gate;
    final Tensor up;
    final Tensor gated;

    Own(Workspace workspace, int rows, DecoderShape shape) {
      super(workspace, rows);
      int width = shape.width();
      int queries = shape.heads() * shape.headWidth();
      int keys = shape.kvHeads() * shape.headWidth();
      normed = part("attention › norm", width);
      qkv = part("attention › qkv", queries + 2 * keys);
      q = qkv.columns(0, queries);
      k = qkv.columns(queries, queries + keys);
      v = qkv.columns(queries + keys, queries + 2 * keys);
      mixed = part("attention › heads", queries);
      middle = part("attention › output", width);
      middleNormed = part("ffn › norm", width);
      gateUp = part("ffn › gate and up", 2 * shape.hidden());
      gate = gateUp.columns(0, shape.hidden());
      up = gateUp.columns(shape.hidden(), 2 * shape.hidden());
      gated = part("ffn › swiglu", shape.hidden());
    }
  }

  private final LlamaNet net;
  private final DecoderShape shape;
  private final Tensor angles;

  // Gradients of activations.
  private final Tensor dQkv;
  private final Tensor dq;
  private final Tensor dk;
  private final Tensor dv;
  private final Tensor dMixed;
  private final Tensor dGated;

  LlamaPass(LlamaNet net, Device device, int texts, int length, Kept kept) {
    DecoderShape sizes = net.shape();
    super(
        net.parameters(), net.output(), device, texts, length, sizes.layers(), sizes.width(), kept);
    this.net = net;
    this.shape = sizes;
    int rows = head.rows();
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
    plan(() -> new Own(workspace, rows, shape));
    dQkv = workspace.numbers(rows, queries + 2 * keys);
    dq = dQkv.columns(0, queries);
    dk = dQkv.columns(queries, queries + keys);
    dv = dQkv.columns(queries + keys, queries + 2 * keys);
    dMixed = workspace.numbers(rows, queries);
    dGated = workspace.numbers(rows, shape.hidden());
  }

  @Override
  void embed(Tensor out) {
    ops.rows(out, net.tokens().weight(), head.ids);
  }

  @Override
  void layer(int index, Tensor in, Own a) {
    LlamaNet.Layer layer = net.layer(index);
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

  @Override
  Tensor middle(Own a) {
    return a.middle;
  }

  @Override
  void norm(Tensor out, Tensor in) {
    ops.rmsNorm(out, in, net.norm().weight(), shape.epsilon());
  }

  @Override
  void normBackward(Tensor in, Gradients to) {
    norm(net.norm(), in, false, to);
  }

  @Override
  void layerBackward(int index, Tensor in, Own a, Gradients to) {
    LlamaNet.Layer layer = net.layer(index);
    try (var _ = Profiler.scope(FFN)) {
      linear(layer.down(), dGated, dx, a.gated, to);
      grad.swiglu(a.gate, a.up, dGated, a.gate, a.up);
      linear(layer.gateUp(), dy, a.gateUp, a.middleNormed, to);
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
          shape.kvHeads(),
          shape.scale(),
          ANY,
          0,
          gradientScores);
      grad.rope(dq, shape.heads(), head.texts.positions(), angles, Pairing.NEIGHBOURS);
      grad.rope(dk, shape.kvHeads(), head.texts.positions(), angles, Pairing.NEIGHBOURS);
      linear(layer.qkv(), dy, dQkv, a.normed, to);
      norm(layer.attentionNorm(), in, true, to);
    }
  }

  @Override
  void embedBackward(Gradients to) {
    table(net.tokens(), head.ids, to);
  }

  private void linear(Parameter matrix, Tensor dIn, Tensor dOut, Tensor in, Gradients to) {
    grad.matmul(to.of(matrix), null, dOut, in);
    ops.matmul(dIn, dOut, matrix.backward(), null);
  }

  /** The gradient through a norm, alone or added to what went around it. */
  private void norm(Parameter norm, Tensor in, boolean add, Gradients to) {
    grad.rmsNorm(dx, to.of(norm), dy, in, norm.weight(), shape.epsilon(), add, stats);
  }
}
