package dev.ridgeline.model.bert;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;

/** A BERT: its shape and its weights. */
public record Bert(BertShape shape, Weights file, BertWeights weights) implements Encoder {
  /** Takes the weights of a file to a device. */
  public static Bert load(Gguf file, Device device) {
    BertShape shape = BertShape.of(file);
    return Weights.of(
        file, shape, device, taken -> new Bert(shape, taken, BertWeights.of(taken, shape)));
  }

  @Override
  public Pass plan(Device device, int tokens, int texts) {
    return new BertPass(shape, weights, device, tokens, texts);
  }
}
