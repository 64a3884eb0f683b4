package dev.ridgeline.model.transformer;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A model of the Llama kind that embeds: its shape and its weights. */
public record TransformerEmbedding(DecoderShape shape, Weights file, TransformerWeights weights)
    implements Encoder {
  /** Memory is planned for a text of this length: tens of thousands would take gigabytes. */
  private static final int LONGEST = 8_192;

  /** Takes the weights of a file to a device. */
  public static TransformerEmbedding load(DecoderFamily family, Gguf file, Device device) {
    DecoderShape shape = DecoderShape.of(family, file);
    if (!shape.embeds()) {
      throw new ModelException(
          "has no %s.pooling_type: it makes text, not embeddings: use generate"
              .formatted(family.word()));
    }
    return Weights.of(
        file,
        shape,
        device,
        taken -> new TransformerEmbedding(shape, taken, TransformerWeights.of(taken, shape)));
  }

  @Override
  public int context() {
    return Math.min(LONGEST, shape.context());
  }

  /**
   * EmbeddingGemma was trained for 512, 256 and 128 of its 768, and the same parts of other widths;
   * Qwen3-Embedding for any length from 32 on, of which these are the usual ones.
   */
  @Override
  public List<Integer> shorter() {
    int width = shape.width();
    return shape.family().bidirectional()
        ? List.of(width * 2 / 3, width / 3, width / 6)
        : Stream.of(768, 512, 256, 128, 64, 32).filter(length -> length < width).toList();
  }

  @Override
  public Map<String, String> prompts() {
    return shape.family().bidirectional() ? GemmaPrompts.BY_TASK : Map.of();
  }

  @Override
  public Pass plan(Device device, int tokens, int texts) {
    return new EmbeddingPass(shape, weights, device, tokens, texts);
  }
}
