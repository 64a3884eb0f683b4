package dev.ridgeline.model.transformer;

import static dev.ridgeline.model.pass.PassScopes.ATTENTION;
import static dev.ridgeline.model.pass.PassScopes.DOWN;
import static dev.ridgeline.model.pass.PassScopes.EMBEDDING;
import static dev.ridgeline.model.pass.PassScopes.FFN;
import static dev.ridgeline.model.pass.PassScopes.LAYER;
import static dev.ridgeline.model.pass.PassScopes.NORM;
import static dev.ridgeline.model.pass.PassScopes.OUTPUT;
import static dev.ridgeline.model.pass.PassScopes.QKV;
import static dev.ridgeline.model.pass.PassScopes.UP;

import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.Workspace;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.Rope;
import dev.ridgeline.model.transformer.TransformerWeights.Layer;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Heads;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Pooled;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;

/** The way of a batch from its tokens through all layers; what comes behind is the passes'. */
final class Layers implements AutoCloseable {

  private final DecoderShape shape;
  private final TransformerWeights weights;
  private final Ops ops;
  private final Workspace workspace;
  private final Pairing pairing;
  private final int positions;

  /** Where keys and values go and come from; null where every text is whole. */
  private final KvCache cache;

  private final Tensor angles;

  /** Of the layers that see only a window; null where there are none. */
  private final Tensor localAngles;

  private final Tensor x;
  private final Tensor y;
  private final Tensor query;
  private final Tensor key;
  private final Tensor value;
  private final Tensor mixed;
  private final Tensor gate;
  private final Tensor up;
  private final Tensor scores;

  /** The last rows of x and of what attention has mixed. */
  private final Tensor lastX;

  private final Tensor lastMixed;

  // Of each layer; projections are of y.

  private final List<Heads> heads = new ArrayList<>();
  private final List<Projection[]> qkv = new ArrayList<>();
  private final List<Projection[]> gateAndUp = new ArrayList<>();

  private BooleanSupplier stopped = () -> false;

  Layers(
      DecoderShape shape,
      TransformerWeights weights,
      Device device,
      int tokens,
      int texts,
      KvCache cacheOrNull) {
    this.shape = shape;
    this.weights = weights;
    this.ops = new Ops(device);
    this.workspace = new Workspace(device);
    this.cache = cacheOrNull;
    this.pairing = shape.family().turnsNeighbours() ? Pairing.NEIGHBOURS : Pairing.HALVES;
    this.positions = Math.min(shape.context(), cache == null ? tokens : cache.tokens());
    int queries = shape.heads() * shape.headWidth();
    int keys = shape.kvHeads() * shape.headWidth();
    angles = workspace.keep(angles(device, shape.rope(), weights.ropeFactors()));
    localAngles =
        shape.windows() == null
            ? null
            : workspace.keep(angles(device, shape.localRope(), weights.ropeFactors()));
    x = workspace.numbers(tokens, shape.width());
    y = workspace.numbers(tokens, shape.width());
    query = workspace.numbers(tokens, queries);
    key = workspace.numbers(tokens, keys);
    value = workspace.numbers(tokens, keys);
    mixed = workspace.numbers(tokens, queries);
    gate = workspace.numbers(tokens, shape.hidden());
    up = workspace.numbers(tokens, shape.hidden());
    scores = workspace.attention(positions);
    lastX = workspace.numbers(texts, shape.width());
    lastMixed = workspace.numbers(texts, queries);
    for (int i = 0; i < shape.layers(); i++) {
      int after = cache == null ? shape.after(i) : 0;
      heads.add(new Heads(shape.heads(), shape.kvHeads(), shape.scale(), shape.before(i), after));
    }
    for (Layer layer : weights.layers()) {
      qkv.add(
          new Projection[] {layer.query().to(query), layer.key().to(key), layer.value().to(value)});
      gateAndUp.add(
          new Projection[] {
            new Projection(gate, layer.gate(), null), new Projection(up, layer.up(), null)
          });
    }
  }

  private Tensor angles(Device device, Rope rope, float[] factors) {
    return Angles.of(
        device,
        "angles",
        positions,
        rope.width(),
        rope.base(),
        rope.scale(),
        rope.factors(factors));
  }

  /** {@link dev.ridgeline.model.pass.Decoder.Pass#stopWhen}. */
  void stopWhen(BooleanSupplier asked) {
    stopped = asked;
  }

  private void checkStopped() {
    if (stopped.getAsBoolean()) throw new CancellationException();
  }

  /** What the layers make of every row. */
  Tensor all(Tensor ids, Sequences texts) {
    return run(ids, texts, false);
  }

  /** The same for the last row of each text: behind the last layer's heads nobody needs others. */
  Tensor last(Tensor ids, Sequences texts) {
    return run(ids, texts, true);
  }

  private Tensor run(Tensor ids, Sequences texts, boolean lastAlone) {
    if (texts.deepest() > positions) {
      throw new IllegalArgumentException(
          "a text of %d tokens: planned for %d".formatted(texts.deepest(), positions));
    }
    embed(ids);
    Tensor stream = x;
    for (int i = 0; i < shape.layers(); i++) {
      Layer layer = weights.layers().get(i);
      boolean cut = lastAlone && i == shape.layers() - 1;
      try (var _ = Profiler.scope(LAYER.at(i))) {
        normed(stream, layer.attentionNorm());
        attend(i, layer, texts, cut);
        if (cut) {
          ops.pool(Pooled.LAST, lastX, x, texts);
          stream = lastX;
        }
        added(stream, layer.afterAttention());
        normed(stream, layer.ffnNorm());
        feedForward(i, layer);
        added(stream, layer.afterFfn());
      }
    }
    return stream;
  }

  private void embed(Tensor ids) {
    try (var _ = Profiler.scope(EMBEDDING)) {
      ops.rows(x, weights.tokens(), ids);
      if (shape.family().scalesTokens()) ops.scale(x, x, (float) Math.sqrt(shape.width()));
    }
  }

  /** The norm of the stream in y. */
  private void normed(Tensor stream, Tensor weight) {
    try (var _ = Profiler.scope(NORM)) {
      ops.rmsNorm(y, stream, weight, shape.epsilon());
    }
  }

  /** Adds y to the stream, through a norm where there is one. */
  private void added(Tensor stream, Tensor weight) {
    if (weight == null) {
      ops.add(stream, stream, y);
      return;
    }
    try (var _ = Profiler.scope(NORM)) {
      ops.rmsNorm(y, y, weight, shape.epsilon());
      ops.add(stream, stream, y);
    }
  }

  /**
   * Attention over y, left in y.
   *
   * @param cut whether only the last row of each text is left
   */
  private void attend(int index, Layer layer, Sequences texts, boolean cut) {
    try (var _ = Profiler.scope(ATTENTION)) {
      try (var _ = Profiler.scope(QKV)) {
        checkStopped();
        ops.matmul(y, qkv.get(index));
        if (layer.queryNorm() != null) {
          ops.rmsNormHeads(query, shape.heads(), layer.queryNorm(), shape.epsilon());
          ops.rmsNormHeads(key, shape.kvHeads(), layer.keyNorm(), shape.epsilon());
        }
        Tensor turn = shape.local(index) ? localAngles : angles;
        ops.rope(query, shape.heads(), texts.positions(), turn, pairing);
        ops.rope(key, shape.kvHeads(), texts.positions(), turn, pairing);
      }
      checkStopped();
      mix(index, texts);
      checkStopped();
      if (cut) ops.pool(Pooled.LAST, lastMixed, mixed, texts);
      try (var _ = Profiler.scope(OUTPUT)) {
        ops.matmul(y, cut ? lastMixed : mixed, layer.output(), null);
      }
    }
  }

  /** What each row takes of the values of the tokens it sees. */
  private void mix(int index, Sequences texts) {
    Heads attending = heads.get(index);
    if (cache == null) {
      ops.attention(mixed, query, key, value, texts, attending, scores);
      return;
    }
    Tensor keys = cache.keys(index);
    Tensor values = cache.values(index);
    ops.store(keys, values, key, value, texts, shape.kvHeads());
    ops.cachedAttention(mixed, query, keys, values, texts, attending, scores);
  }

  /** The feed-forward layer over y, left in y. */
  private void feedForward(int index, Layer layer) {
    try (var _ = Profiler.scope(FFN)) {
      try (var _ = Profiler.scope(UP)) {
        checkStopped();
        ops.matmul(y, gateAndUp.get(index));
      }
      ops.apply(shape.family().gelu() ? Activation.GELU_TANH : Activation.SILU, gate, gate, up);
      try (var _ = Profiler.scope(DOWN)) {
        checkStopped();
        ops.matmul(y, gate, layer.down(), null);
      }
    }
  }

  @Override
  public void close() {
    workspace.close();
  }
}
