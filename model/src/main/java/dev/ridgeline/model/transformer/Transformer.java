package dev.ridgeline.model.transformer;

import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;

/** A model of the Llama kind that writes: its shape and its weights. */
public record Transformer(DecoderShape shape, Weights file, TransformerWeights weights)
    implements Decoder {
  /** Takes the weights of a file to a device. */
  public static Transformer load(DecoderFamily family, Gguf file, Device device) {
    DecoderShape shape = DecoderShape.of(family, file);
    if (shape.embeds()) {
      throw new ModelException(
          "has a %s.pooling_type: it makes embeddings, not text: use embed"
              .formatted(family.word()));
    }
    return Weights.of(
        file,
        shape,
        device,
        taken -> new Transformer(shape, taken, TransformerWeights.of(taken, shape)));
  }

  @Override
  public Pass plan(Device device, int tokens, int sequences, SequenceMemory memory) {
    KvCache cache = KvCache.of(memory, KvCache.Shape.of(shape));
    return new TransformerPass(shape, weights, device, tokens, sequences, cache);
  }
}
