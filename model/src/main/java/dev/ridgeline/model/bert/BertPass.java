package dev.ridgeline.model.bert;

import static dev.ridgeline.model.pass.PassScopes.ATTENTION;
import static dev.ridgeline.model.pass.PassScopes.DOWN;
import static dev.ridgeline.model.pass.PassScopes.EMBEDDING;
import static dev.ridgeline.model.pass.PassScopes.FFN;
import static dev.ridgeline.model.pass.PassScopes.LAYER;
import static dev.ridgeline.model.pass.PassScopes.NORM;
import static dev.ridgeline.model.pass.PassScopes.OUTPUT;
import static dev.ridgeline.model.pass.PassScopes.QKV;
import static dev.ridgeline.model.pass.PassScopes.UP;

import dev.ridgeline.model.bert.BertWeights.Layer;
import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Weights.Linear;
import dev.ridgeline.model.pass.Weights.Norm;
import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The forward pass of a BERT over texts that are packed without padding. */
final class BertPass implements Encoder.Pass {
  private final BertShape shape;
  private final BertWeights weights;
  private final Ops ops;
  private final Workspace workspace;
  private final Heads heads;

  private final Tensor x;
  private final Tensor y;
  private final Tensor query;
  private final Tensor key;
  private final Tensor value;
  private final Tensor mixed;
  private final Tensor hidden;
  private final Tensor scores;
  private final Tensor pooled;

  /** Of each layer: values, queries and keys, all of x. */
  private final List<Projection[]> projections = new ArrayList<>();

  BertPass(BertShape shape, BertWeights weights, Device device, int tokens, int texts) {
    this.shape = shape;
    this.weights = weights;
    this.ops = new Ops(device);
    this.workspace = new Workspace(device);
    float scale = (float) (1 / Math.sqrt((double) shape.width() / shape.heads()));
    this.heads = new Heads(shape.heads(), shape.heads(), scale, Heads.ANY, Heads.ANY);
    int width = shape.width();
    x = workspace.numbers(tokens, width);
    y = workspace.numbers(tokens, width);
    query = workspace.numbers(tokens, width);
    key = workspace.numbers(tokens, width);
    value = workspace.numbers(tokens, width);
    mixed = workspace.numbers(tokens, width);
    hidden = workspace.numbers(tokens, shape.hidden());
    scores = workspace.attention(Math.min(tokens, shape.context()));
    pooled = workspace.numbers(texts, width);
    for (Layer layer : weights.layers()) {
      projections.add(
          new Projection[] {layer.value().to(value), layer.query().to(query), layer.key().to(key)});
    }
  }

  @Override
  public Tensor run(Tensor ids, Sequences texts) {
    embed(ids, texts);
    for (int i = 0; i < shape.layers(); i++) {
      Layer layer = weights.layers().get(i);
      try (var _ = Profiler.scope(LAYER.at(i))) {
        attend(i, layer, texts);
        addAndNorm(layer.outputNorm());
        feedForward(layer);
        addAndNorm(layer.norm());
      }
    }
    Encoder.Pass.pool(ops, shape.pooling(), pooled, x, texts);
    return pooled;
  }

  private void embed(Tensor ids, Sequences texts) {
    try (var _ = Profiler.scope(EMBEDDING)) {
      ops.rows(x, weights.tokens(), ids);
      ops.rows(y, weights.positions(), texts.positions());
      ops.add(x, x, y);
      ops.add(x, x, weights.type());
      Norm norm = weights.norm();
      ops.layerNorm(x, x, norm.weight(), norm.bias(), shape.epsilon());
    }
  }

  /** Leaves what attention adds in y. */
  private void attend(int index, Layer layer, Sequences texts) {
    try (var _ = Profiler.scope(ATTENTION)) {
      try (var _ = Profiler.scope(QKV)) {
        ops.matmul(x, projections.get(index));
      }
      ops.attention(mixed, query, key, value, texts, heads, scores);
      try (var _ = Profiler.scope(OUTPUT)) {
        linear(y, mixed, layer.output());
      }
    }
  }

  /** Leaves what the feed-forward layer adds in y. */
  private void feedForward(Layer layer) {
    try (var _ = Profiler.scope(FFN)) {
      try (var _ = Profiler.scope(UP)) {
        linear(hidden, x, layer.up());
      }
      ops.apply(Activation.GELU, hidden, hidden);
      try (var _ = Profiler.scope(DOWN)) {
        linear(y, hidden, layer.down());
      }
    }
  }

  private void addAndNorm(Norm norm) {
    try (var _ = Profiler.scope(NORM)) {
      ops.addLayerNorm(x, y, x, norm.weight(), norm.bias(), shape.epsilon());
    }
  }

  private void linear(Tensor out, Tensor in, Linear linear) {
    ops.matmul(out, in, linear.matrix(), linear.bias());
  }

  @Override
  public void close() {
    workspace.close();
  }
}
