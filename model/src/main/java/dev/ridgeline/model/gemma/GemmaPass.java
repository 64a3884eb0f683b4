package dev.ridgeline.model.gemma;

import dev.ridgeline.model.gemma.GemmaWeights.Layer;
import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.GemmaShape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The forward pass of an EmbeddingGemma over texts that are packed without padding. */
final class GemmaPass implements Encoder.Pass {
  private static final Scope EMBEDDING = Scope.of("embedding");
  private static final Scope.Numbered LAYER = Scope.numbered("layer");
  private static final Scope ATTENTION = Scope.of("attention");
  private static final Scope QKV = Scope.of("qkv");
  private static final Scope OUTPUT = Scope.of("output");
  private static final Scope NORM = Scope.of("norm");
  private static final Scope FFN = Scope.of("ffn");
  private static final Scope UP = Scope.of("up");
  private static final Scope DOWN = Scope.of("down");
  private static final Scope POOLING = Scope.of("pooling");
  private static final Scope HEADS = Scope.of("heads");

  private static final int ANY = Integer.MAX_VALUE;

  private final GemmaShape shape;
  private final GemmaWeights weights;
  private final Tensor angles;
  private final Tensor localAngles;
  private final Ops ops;
  private final Workspace workspace;
  private final float scale;

  private final Tensor x;
  private final Tensor y;
  private final Tensor query;
  private final Tensor key;
  private final Tensor value;
  private final Tensor mixed;
  private final Tensor gate;
  private final Tensor up;
  private final Tensor scores;
  private final Tensor pooled;

  // Of each layer, all of y.

  private final List<Projection[]> qkv = new ArrayList<>();
  private final List<Projection[]> gateAndUp = new ArrayList<>();

  /** What each dense head makes of what comes before it. */
  private final Tensor[] heads;

  GemmaPass(
      GemmaShape shape,
      GemmaWeights weights,
      Tensor angles,
      Tensor localAngles,
      Device device,
      int tokens,
      int texts) {
    this.shape = shape;
    this.weights = weights;
    this.angles = angles;
    this.localAngles = localAngles;
    this.ops = new Ops(device);
    this.workspace = new Workspace(device);
    this.scale = (float) (1 / Math.sqrt(shape.headWidth()));
    int queries = shape.heads() * shape.headWidth();
    int keys = shape.kvHeads() * shape.headWidth();
    x = workspace.numbers(tokens, shape.width());
    y = workspace.numbers(tokens, shape.width());
    query = workspace.numbers(tokens, queries);
    key = workspace.numbers(tokens, keys);
    value = workspace.numbers(tokens, keys);
    mixed = workspace.numbers(tokens, queries);
    gate = workspace.numbers(tokens, shape.hidden());
    up = workspace.numbers(tokens, shape.hidden());
    scores = workspace.attention(Math.min(tokens, shape.context()));
    pooled = workspace.numbers(texts, shape.width());
    for (Layer layer : weights.layers()) {
      qkv.add(
          new Projection[] {
            new Projection(query, layer.query(), null),
            new Projection(key, layer.key(), null),
            new Projection(value, layer.value(), null)
          });
      gateAndUp.add(
          new Projection[] {
            new Projection(gate, layer.gate(), null), new Projection(up, layer.up(), null)
          });
    }
    heads = new Tensor[weights.heads().size()];
    for (int i = 0; i < heads.length; i++) {
      heads[i] = workspace.numbers(texts, weights.heads().get(i).rows());
    }
  }

  @Override
  public Tensor run(Tensor ids, Sequences texts) {
    try (var _ = Profiler.scope(EMBEDDING)) {
      ops.rows(x, weights.tokens(), ids);
      ops.scale(x, x, (float) Math.sqrt(shape.width()));
    }
    for (int i = 0; i < shape.layers(); i++) {
      Layer layer = weights.layers().get(i);
      try (var _ = Profiler.scope(LAYER.at(i))) {
        normed(layer.attentionNorm());
        attend(i, layer, texts);
        addNormed(layer.afterAttention());
        normed(layer.ffnNorm());
        feedForward(i, layer);
        addNormed(layer.afterFfn());
      }
    }
    return pool(texts);
  }

  /** The norm of x in y. */
  private void normed(Tensor weight) {
    try (var _ = Profiler.scope(NORM)) {
      ops.rmsNorm(y, x, weight, shape.epsilon());
    }
  }

  /** Adds the norm of y to x. */
  private void addNormed(Tensor weight) {
    try (var _ = Profiler.scope(NORM)) {
      ops.rmsNorm(y, y, weight, shape.epsilon());
      ops.add(x, x, y);
    }
  }

  /** Attention over y, left in y. */
  private void attend(int index, Layer layer, Sequences texts) {
    boolean local = shape.local(index);
    Tensor turn = local ? localAngles : angles;
    int reach = local ? shape.window() / 2 : ANY;
    try (var _ = Profiler.scope(ATTENTION)) {
      try (var _ = Profiler.scope(QKV)) {
        ops.matmul(y, qkv.get(index));
        ops.rmsNormHeads(query, shape.heads(), layer.queryNorm(), shape.epsilon());
        ops.rmsNormHeads(key, shape.kvHeads(), layer.keyNorm(), shape.epsilon());
        ops.rope(query, shape.heads(), texts.positions(), turn, Pairing.HALVES);
        ops.rope(key, shape.kvHeads(), texts.positions(), turn, Pairing.HALVES);
      }
      ops.attention(
          mixed,
          query,
          key,
          value,
          texts,
          shape.heads(),
          shape.kvHeads(),
          scale,
          reach,
          reach,
          scores);
      try (var _ = Profiler.scope(OUTPUT)) {
        ops.matmul(y, mixed, layer.output(), null);
      }
    }
  }

  /** The feed-forward layer over y, left in y. */
  private void feedForward(int index, Layer layer) {
    try (var _ = Profiler.scope(FFN)) {
      try (var _ = Profiler.scope(UP)) {
        ops.matmul(y, gateAndUp.get(index));
      }
      ops.geglu(gate, gate, up);
      try (var _ = Profiler.scope(DOWN)) {
        ops.matmul(y, gate, layer.down(), null);
      }
    }
  }

  private Tensor pool(Sequences texts) {
    try (var _ = Profiler.scope(NORM)) {
      ops.rmsNorm(x, x, weights.norm(), shape.epsilon());
    }
    try (var _ = Profiler.scope(POOLING)) {
      switch (shape.pooling()) {
        case MEAN -> ops.meanPool(pooled, x, texts);
        case CLS -> ops.firstPool(pooled, x, texts);
        case LAST -> ops.lastPool(pooled, x, texts);
      }
    }
    Tensor result = pooled;
    try (var _ = Profiler.scope(HEADS)) {
      for (int i = 0; i < heads.length; i++) {
        ops.matmul(heads[i], result, weights.heads().get(i), null);
        result = heads[i];
      }
    }
    return result;
  }

  @Override
  public void close() {
    workspace.close();
  }
}
