package dev.ridgeline.model.transformer;

import static dev.ridgeline.model.pass.PassScopes.HEADS;
import static dev.ridgeline.model.pass.PassScopes.NORM;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Pooling;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.List;

/** The forward pass over whole texts, to one vector each. */
final class EmbeddingPass implements Encoder.Pass {
  private final DecoderShape shape;
  private final TransformerWeights weights;
  private final Ops ops;
  private final Layers layers;
  private final Workspace workspace;
  private final Tensor pooled;

  /** What each dense layer makes of what comes before it. */
  private final List<Tensor> heads;

  EmbeddingPass(
      DecoderShape shape, TransformerWeights weights, Device device, int tokens, int texts) {
    this.shape = shape;
    this.weights = weights;
    this.ops = new Ops(device);
    this.layers = new Layers(shape, weights, device, tokens, texts, null);
    this.workspace = new Workspace(device);
    this.pooled = workspace.numbers(texts, shape.width());
    this.heads =
        weights.heads().stream().map(head -> workspace.numbers(texts, head.rows())).toList();
  }

  @Override
  public Tensor run(Tensor ids, Sequences texts) {
    if (shape.pooling() == Pooling.LAST) {
      norm(pooled, layers.last(ids, texts));
    } else {
      Tensor all = layers.all(ids, texts);
      norm(all, all);
      Encoder.Pass.pool(ops, shape.pooling(), pooled, all, texts);
    }
    return heads.isEmpty() ? pooled : throughHeads();
  }

  private Tensor throughHeads() {
    Tensor result = pooled;
    try (var _ = Profiler.scope(HEADS)) {
      for (int i = 0; i < heads.size(); i++) {
        ops.matmul(heads.get(i), result, weights.heads().get(i), null);
        result = heads.get(i);
      }
    }
    return result;
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
