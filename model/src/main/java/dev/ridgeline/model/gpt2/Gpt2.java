package dev.ridgeline.model.gpt2;

import dev.ridgeline.model.pass.Decoder;
import dev.ridgeline.model.pass.KvCache;
import dev.ridgeline.model.pass.SequenceMemory;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;

/** A GPT-2: its shape and its weights. */
public record Gpt2(Gpt2Shape shape, Weights file, Gpt2Weights weights) implements Decoder {
  /** Takes the weights of a file to a device. */
  public static Gpt2 load(Gguf file, Device device) {
    Gpt2Shape shape = Gpt2Shape.of(file);
    return Weights.of(
        file, shape, device, taken -> new Gpt2(shape, taken, Gpt2Weights.of(taken, shape)));
  }

  @Override
  public Pass plan(Device device, int tokens, int sequences, SequenceMemory memory) {
    KvCache cache = KvCache.of(memory, KvCache.Shape.of(shape));
    return new Gpt2Pass(shape, weights, device, tokens, sequences, cache);
  }
}
