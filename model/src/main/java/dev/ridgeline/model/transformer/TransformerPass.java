package dev.ridgeline.model.transformer;

import static dev.ridgeline.model.pass.PassScopes.NORM;

import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.Logits;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Sequences;
import dev.ridgeline.tensor.Tensor;
import java.util.function.BooleanSupplier;

/** The forward pass of a decoder: from tokens to what may come next. */
final class TransformerPass implements Decoder.Pass {
  private final DecoderShape shape;
  private final TransformerWeights weights;
  private final Ops ops;
  private final Layers layers;
  private final Logits logits;

  TransformerPass(
      DecoderShape shape,
      TransformerWeights weights,
      Device device,
      int tokens,
      int sequences,
      KvCache cache) {
    this.shape = shape;
    this.weights = weights;
    this.ops = new Ops(device);
    this.layers = new Layers(shape, weights, device, tokens, sequences, cache);
    this.logits = new Logits(device, weights.output(), tokens, sequences);
  }

  @Override
  public Tensor run(Tensor ids, Sequences texts) {
    return logits.ofLast(normed(layers.last(ids, texts)));
  }

  @Override
  public Tensor runAll(Tensor ids, Sequences texts) {
    return logits.ofAll(normed(layers.all(ids, texts)));
  }

  @Override
  public void stopWhen(BooleanSupplier asked) {
    layers.stopWhen(asked);
  }

  private Tensor normed(Tensor x) {
    try (var _ = Profiler.scope(NORM)) {
      ops.rmsNorm(x, x, weights.norm(), shape.epsilon());
    }
    return x;
  }

  @Override
  public void close() {
    layers.close();
    logits.close();
  }
}
