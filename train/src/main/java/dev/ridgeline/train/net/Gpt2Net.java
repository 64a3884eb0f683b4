package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.Device;
import java.util.List;

/** A GPT-2 that is trained. */
public final class Gpt2Net extends Net {
  final Parameter positions;
  private final Gpt2Shape shape;

  /** Weights on a device, all zero. */
  public Gpt2Net(Gpt2Shape shape, Device device) {
    var parameters = new Parameters(shape, shape.tied(), List.of(), device);
    super(shape, shape.context(), parameters, "attn_qkv", "ffn_up");
    this.shape = shape;
    this.positions = parameters.find("position_embd.weight");
  }

  @Override
  public Pass plan(Device device, int texts, int length, Kept kept) {
    return new Gpt2Pass(this, shape, device, texts, length, kept);
  }
}
