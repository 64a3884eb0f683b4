package dev.ridgeline.model.gpt2;

import static dev.ridgeline.model.pass.PassScopes.ATTENTION;
import static dev.ridgeline.model.pass.PassScopes.DOWN;
import static dev.ridgeline.model.pass.PassScopes.EMBEDDING;
import static dev.ridgeline.model.pass.PassScopes.FFN;
import static dev.ridgeline.model.pass.PassScopes.LAYER;
import static dev.ridgeline.model.pass.PassScopes.NORM;
import static dev.ridgeline.model.pass.PassScopes.OUTPUT;
import static dev.ridgeline.model.pass.PassScopes.QKV;
import static dev.ridgeline.model.pass.PassScopes.UP;

import dev.ridgeline.model.gpt2.Gpt2Weights.Layer;
import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.Logits;
import dev.ridgeline.model.pass.Weights.Linear;
import dev.ridgeline.model.pass.Weights.Norm;
import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** The forward pass of a GPT-2: from tokens to what may come next. */
final class Gpt2Pass implements Decoder.Pass {
  private final Gpt2Shape shape;
  private final Gpt2Weights weights;
  private final KvCache cache;
  private final Ops ops;
  private final Workspace workspace;
  private final Heads heads;

  private final Tensor x;
  private final Tensor y;

  /** Query, key and value of each row side by side, and each as a view. */
  private final Tensor qkv;

  private final Tensor query;
  private final Tensor key;
  private final Tensor value;
  private final Tensor mixed;
  private final Tensor up;
  private final Tensor scores;

  /** The last row of each text. */
  private final Tensor last;

  private final Logits logits;
  private BooleanSupplier stopped = () -> false;

  Gpt2Pass(
      Gpt2Shape shape,
      Gpt2Weights weights,
      Device device,
      int tokens,
      int sequences,
      KvCache cache) {
    this.shape = shape;
    this.weights = weights;
    this.cache = cache;
    this.ops = new Ops(device);
    this.workspace = new Workspace(device);
    float scale = (float) (1 / Math.sqrt(shape.headWidth()));
    this.heads = new Heads(shape.heads(), shape.heads(), scale, Heads.ANY, 0);
    int width = shape.width();
    x = workspace.numbers(tokens, width);
    y = workspace.numbers(tokens, width);
    qkv = workspace.numbers(tokens, 3 * width);
    query = qkv.columns(0, width);
    key = qkv.columns(width, 2 * width);
    value = qkv.columns(2 * width, 3 * width);
    mixed = workspace.numbers(tokens, width);
    up = workspace.numbers(tokens, shape.hidden());
    scores = workspace.attention(Math.min(shape.context(), cache.tokens()));
    last = workspace.numbers(sequences, width);
    logits = new Logits(device, weights.output(), tokens, sequences);
  }

  @Override
  public Tensor run(Tensor ids, Sequences texts) {
    layers(ids, texts);
    ops.pool(Pooled.LAST, last, x, texts);
    normed(last, last, weights.norm());
    return logits.ofLast(last);
  }

  @Override
  public Tensor runAll(Tensor ids, Sequences texts) {
    layers(ids, texts);
    normed(y, x, weights.norm());
    return logits.ofAll(y);
  }

  @Override
  public void stopWhen(BooleanSupplier asked) {
    stopped = asked;
  }

  private void checkStopped() {
    if (stopped.getAsBoolean()) throw new CancellationException();
  }

  /** From tokens through all layers, left in x. */
  private void layers(Tensor ids, Sequences texts) {
    int positions = Math.min(shape.context(), cache.tokens());
    if (texts.deepest() > positions) {
      throw new IllegalArgumentException(
          "a text of %d tokens: planned for %d".formatted(texts.deepest(), positions));
    }
    try (var _ = Profiler.scope(EMBEDDING)) {
      ops.rows(x, weights.tokens(), ids);
      ops.rows(y, weights.positions(), texts.positions());
      ops.add(x, x, y);
    }
    for (int i = 0; i < shape.layers(); i++) {
      Layer layer = weights.layers().get(i);
      try (var _ = Profiler.scope(LAYER.at(i))) {
        normed(y, x, layer.attentionNorm());
        attend(i, layer, texts);
        ops.add(x, x, y);
        normed(y, x, layer.ffnNorm());
        feedForward(layer);
        ops.add(x, x, y);
      }
    }
  }

  private void normed(Tensor out, Tensor in, Norm norm) {
    try (var _ = Profiler.scope(NORM)) {
      ops.layerNorm(out, in, norm.weight(), norm.bias(), shape.epsilon());
    }
  }

  /** Attention over y, left in y. */
  private void attend(int index, Layer layer, Sequences texts) {
    Tensor keys = cache.keys(index);
    Tensor values = cache.values(index);
    try (var _ = Profiler.scope(ATTENTION)) {
      try (var _ = Profiler.scope(QKV)) {
        linear(qkv, y, layer.qkv());
      }
      checkStopped();
      ops.store(keys, values, key, value, texts, shape.heads());
      ops.cachedAttention(mixed, query, keys, values, texts, heads, scores);
      try (var _ = Profiler.scope(OUTPUT)) {
        linear(y, mixed, layer.output());
      }
    }
  }

  /** The feed-forward layer over y, left in y. */
  private void feedForward(Layer layer) {
    try (var _ = Profiler.scope(FFN)) {
      try (var _ = Profiler.scope(UP)) {
        linear(up, y, layer.up());
      }
      ops.apply(Activation.GELU_TANH, up, up);
      try (var _ = Profiler.scope(DOWN)) {
        linear(y, up, layer.down());
      }
    }
  }

  private void linear(Tensor out, Tensor in, Linear linear) {
    checkStopped();
    ops.matmul(out, in, linear.matrix(), linear.bias());
  }

  @Override
  public void close() {
    workspace.close();
    logits.close();
  }
}
