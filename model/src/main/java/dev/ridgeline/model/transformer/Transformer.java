package dev.ridgeline.model.transformer;

import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;

/** A decoder of the Llama kind: its shape and its weights. */
public final class Transformer implements Decoder {
  private final DecoderShape shape;
  private final Weights file;
  private final TransformerWeights weights;

  private Transformer(DecoderShape shape, Weights file) {
    this.shape = shape;
    this.file = file;
    this.weights = TransformerWeights.of(file, shape, true);
  }

  /** Takes the weights of a file to a device. */
  public static Transformer load(DecoderFamily family, Gguf file, Device device) {
    DecoderShape shape = DecoderShape.of(family, file);
    if (shape.pooling() != null) {
      throw new ModelException(
          "has a %s.pooling_type: it makes embeddings, not text: use embed"
              .formatted(family.word()));
    }
    Weights weights = new Weights(file, shape, device);
    try {
      return new Transformer(shape, weights);
    } catch (RuntimeException | Error e) {
      weights.close();
      throw e;
    }
  }

  @Override
  public int context() {
    return shape.context();
  }

  @Override
  public int vocabulary() {
    return shape.vocabulary();
  }

  @Override
  public int layers() {
    return shape.layers();
  }

  @Override
  public String description() {
    return "%s, %d layers of %d".formatted(shape.word(), shape.layers(), shape.width());
  }

  private KvCache.Shape cacheShape() {
    return new KvCache.Shape(shape.layers(), shape.kvHeads(), shape.headWidth(), shape.headWidth());
  }

  @Override
  public SequenceMemory memory(Device device, TensorType type, int sequences, int context) {
    return KvCache.planned(device, cacheShape(), type, sequences, context);
  }

  @Override
  public Pass plan(Device device, int tokens, int sequences, SequenceMemory memory) {
    KvCache cache = KvCache.of(memory, cacheShape());
    return new TransformerPass(shape, weights, device, tokens, sequences, cache);
  }

  @Override
  public void close() {
    file.close();
  }
}
