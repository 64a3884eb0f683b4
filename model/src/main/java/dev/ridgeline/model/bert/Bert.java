package dev.ridgeline.model.bert;

import dev.ridgeline.model.pass.Encoder;
import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.gguf.Gguf;

/** A BERT: its shape and its weights. */
public final class Bert implements Encoder {
  private final BertShape shape;
  private final Weights file;
  private final BertWeights weights;

  private Bert(BertShape shape, Weights file, BertWeights weights) {
    this.shape = shape;
    this.file = file;
    this.weights = weights;
  }

  /** Takes the weights of a file to a device. */
  public static Bert load(Gguf file, Device device) {
    BertShape shape = BertShape.of(file);
    Weights weights = new Weights(file, shape, device);
    try {
      return new Bert(shape, weights, BertWeights.of(weights, shape));
    } catch (RuntimeException e) {
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
    return shape.context();
  }

  @Override
  public int vocabulary() {
    return weights.vocabulary();
  }

  @Override
  public String description() {
    return "bert, %d layers of %d".formatted(shape.layers(), shape.width());
  }

  @Override
  public Pass plan(Device device, int tokens, int texts) {
    return new BertPass(shape, weights, device, tokens, texts);
  }

  @Override
  public void close() {
    file.close();
  }
}
