package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Device;
import java.util.List;

/** A Llama that is trained. */
public final class LlamaNet extends Net {
  private static final List<String> JOINED =
      List.of("attn_k.weight", "attn_v.weight", "ffn_up.weight");

  private final DecoderShape shape;

  /** Weights on a device, all zero. */
  public LlamaNet(DecoderShape shape, Device device) {
    if (shape.family() != DecoderFamily.LLAMA || shape.qkvBias() || shape.ropeFactors()) {
      throw new ModelException(
          "%s%s cannot be trained: llama without biases and rope factors can"
              .formatted(shape.word(), shape.qkvBias() ? " with biases" : ""));
    }
    var parameters = new Parameters(shape, shape.tied(), JOINED, device);
    super(shape, shape.context(), parameters, "attn_q", "ffn_gate");
    this.shape = shape;
  }

  @Override
  public Pass plan(Device device, int texts, int length, Kept kept) {
    return new LlamaPass(this, shape, device, texts, length, kept);
  }
}
