package dev.ridgeline.model.transformer;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;

/** The forward pass over whole texts, to one vector each. */
final class EmbeddingPass implements Encoder.Pass {
  private static final Scope NORM = Scope.of("norm");
  private static final Scope POOLING = Scope.of("pooling");

  private final DecoderShape shape;
  private final TransformerWeights weights;
  private final Ops ops;
  private final Layers layers;
  private final Workspace workspace;
  private final Tensor pooled;

  EmbeddingPass(
      DecoderShape shape, TransformerWeights weights, Device device, int tokens, int texts) {
    this.shape = shape;
    this.weights = weights;
    this.ops = new Ops(device);
    this.layers = new Layers(shape, weights, device, tokens, texts, null);
    this.workspace = new Workspace(device);
    this.pooled = workspace.numbers(texts, shape.width());
  }

  @Override
  public Tensor run(Tensor ids, Sequences texts) {
    if (shape.pooling() == Pooling.LAST) {
      Tensor last = layers.last(ids, texts);
      norm(pooled, last);
      return pooled;
    }
    Tensor all = layers.all(ids, texts);
    norm(all, all);
    try (var _ = Profiler.scope(POOLING)) {
      if (shape.pooling() == Pooling.MEAN) ops.meanPool(pooled, all, texts);
      else ops.firstPool(pooled, all, texts);
    }
    return pooled;
  }

  private void norm(Tensor out, Tensor x) {
    try (var _ = Profiler.scope(NORM)) {
      ops.rmsNorm(out, x, weights.norm(), shape.epsilon());
    }
  }

  @Override
  public void close() {
    layers.close();
    workspace.close();
  }
}
