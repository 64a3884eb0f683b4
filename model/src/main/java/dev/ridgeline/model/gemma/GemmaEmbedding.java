package dev.ridgeline.model.gemma;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.GemmaShape;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.List;
import java.util.Map;

/** An EmbeddingGemma: its shape, its weights and its angles. */
public final class GemmaEmbedding implements Encoder {
  private final GemmaShape shape;
  private final Weights file;
  private final GemmaWeights weights;
  private final Tensor angles;
  private final Tensor localAngles;

  private GemmaEmbedding(GemmaShape shape, Weights file, GemmaWeights weights, Device device) {
    this.shape = shape;
    this.file = file;
    this.weights = weights;
    this.angles = angles(device, shape, shape.ropeBase());
    this.localAngles = angles(device, shape, shape.ropeBaseLocal());
  }

  /** Takes the weights of a file to a device. */
  public static GemmaEmbedding load(Gguf file, Device device) {
    GemmaShape shape = GemmaShape.of(file);
    Weights weights = new Weights(file, shape, device);
    try {
      return new GemmaEmbedding(shape, weights, GemmaWeights.of(weights, shape), device);
    } catch (RuntimeException e) {
      weights.close();
      throw e;
    }
  }

  private static Tensor angles(Device device, GemmaShape shape, float base) {
    return Angles.of(device, "angles", shape.context(), shape.headWidth(), base, 1, null);
  }

  @Override
  public int width() {
    return weights.heads().isEmpty() ? shape.width() : weights.heads().getLast().rows();
  }

  @Override
  public int context() {
    return shape.context();
  }

  @Override
  public int vocabulary() {
    return weights.vocabulary();
  }

  /** 512, 256 and 128 of 768, as it was trained, and the same parts of other widths. */
  @Override
  public List<Integer> shorter() {
    return List.of(width() * 2 / 3, width() / 3, width() / 6);
  }

  @Override
  public Map<String, String> prompts() {
    return GemmaPrompts.BY_TASK;
  }

  @Override
  public String description() {
    return "gemma-embedding, %d layers of %d".formatted(shape.layers(), shape.width());
  }

  @Override
  public Pass plan(Device device, int tokens, int texts) {
    return new GemmaPass(shape, weights, angles, localAngles, device, tokens, texts);
  }

  @Override
  public void close() {
    angles.close();
    localAngles.close();
    file.close();
  }
}
