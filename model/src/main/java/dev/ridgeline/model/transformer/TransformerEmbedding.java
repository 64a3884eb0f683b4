package dev.ridgeline.model.transformer;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.List;
import java.util.stream.Stream;

/** A decoder that embeds: what it knows at the end of a text is the text's vector. */
public final class TransformerEmbedding implements Encoder {
  /** Memory is planned for a text of this length: tens of thousands would take gigabytes. */
  private static final int LONGEST = 8_192;

  private final DecoderShape shape;
  private final Weights file;
  private final TransformerWeights weights;

  private TransformerEmbedding(DecoderShape shape, Weights file) {
    this.shape = shape;
    this.file = file;
    this.weights = TransformerWeights.of(file, shape, false);
  }

  /** Takes the weights of a file to a device. */
  public static TransformerEmbedding load(DecoderFamily family, Gguf file, Device device) {
    DecoderShape shape = DecoderShape.of(family, file);
    if (shape.pooling() == null) {
      throw new ModelException(
          "has no %s.pooling_type: it makes text, not embeddings: use generate"
              .formatted(family.word()));
    }
    Weights weights = new Weights(file, shape, device);
    try {
      return new TransformerEmbedding(shape, weights);
    } catch (RuntimeException | Error e) {
      weights.close();
      throw e;
    }
  }

  @Override
  public int width() {
    return shape.width();
  }

  @Override
  public int context() {
    return Math.min(LONGEST, shape.context());
  }

  @Override
  public int vocabulary() {
    return shape.vocabulary();
  }

  /** Qwen3-Embedding was trained for any length from 32 on; these are the usual ones. */
  @Override
  public List<Integer> shorter() {
    return Stream.of(768, 512, 256, 128, 64, 32).filter(length -> length < width()).toList();
  }

  @Override
  public String description() {
    return "%s, %d layers of %d".formatted(shape.word(), shape.layers(), shape.width());
  }

  @Override
  public Pass plan(Device device, int tokens, int texts) {
    return new EmbeddingPass(shape, weights, device, tokens, texts);
  }

  @Override
  public void close() {
    file.close();
  }
}
