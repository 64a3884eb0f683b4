package dev.ridgeline.model.gpt2;

import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.Gguf;

/** A GPT-2: its shape and its weights. */
public final class Gpt2 implements Decoder {
  private final Gpt2Shape shape;
  private final Weights file;
  private final Gpt2Weights weights;

  private Gpt2(Gpt2Shape shape, Weights file) {
    this.shape = shape;
    this.file = file;
    this.weights = Gpt2Weights.of(file, shape);
  }

  /** Takes the weights of a file to a device. */
  public static Gpt2 load(Gguf file, Device device) {
    Gpt2Shape shape = Gpt2Shape.of(file);
    Weights weights = new Weights(file, shape, device);
    try {
      return new Gpt2(shape, weights);
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
    return "gpt2, %d layers of %d".formatted(shape.layers(), shape.width());
  }

  private KvCache.Shape cacheShape() {
    return new KvCache.Shape(shape.layers(), shape.heads(), shape.headWidth(), shape.headWidth());
  }

  @Override
  public SequenceMemory memory(Device device, TensorType type, int sequences, int context) {
    return KvCache.planned(device, cacheShape(), type, sequences, context);
  }

  @Override
  public Pass plan(Device device, int tokens, int sequences, SequenceMemory memory) {
    KvCache cache = KvCache.of(memory, cacheShape());
    return new Gpt2Pass(shape, weights, device, tokens, sequences, cache);
  }

  @Override
  public void close() {
    file.close();
  }
}
