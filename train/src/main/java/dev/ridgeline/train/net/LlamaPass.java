package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Angles;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.Attended;
import dev.ridgeline.tensor.grad.NormBackward;
import dev.ridgeline.train.net.Net.Weights;

/** Forward and backward passes through a Llama. */
final class LlamaPass extends LayeredPass {
  private final float epsilon;
  private final NormBackward alone;
  private final NormBackward added;
  private final Tensor angles;

  LlamaPass(LlamaNet net, DecoderShape shape, Device device, int texts, int length, Kept kept) {
    var sizes = HeadSizes.of(shape.heads(), shape.kvHeads(), shape.headWidth(), shape.scale());
    super(net, sizes, 2, device, texts, length, kept);
    this.epsilon = shape.epsilon();
    this.alone = new NormBackward(epsilon, false, stats);
    this.added = new NormBackward(epsilon, true, stats);
    angles =
        workspace.keep(
            Angles.of(
                device,
                "angles",
                length,
                shape.rope().width(),
                shape.rope().base(),
                shape.rope().scale(),
                shape.rope().factors(null)));
  }

  @Override
  void embed(Tensor out) {
    ops.rows(out, net.tokens.weight(), ids);
  }

  @Override
  void embedBackward(Gradients to) {
    table(net.tokens, ids, to);
  }

  @Override
  void norm(Tensor out, Tensor in, Weights norm) {
    ops.rmsNorm(out, in, norm.weight().weight(), epsilon);
  }

  @Override
  void normBackward(Weights norm, Tensor in, boolean add, Gradients to) {
    Parameter weight = norm.weight();
    grad.rmsNorm(dx, to.of(weight), dy, in, weight.weight(), add ? added : alone);
  }

  @Override
  void rotate(Attended qkv) {
    ops.rope(qkv.q(), heads.count(), texts.positions(), angles, Pairing.NEIGHBOURS);
    ops.rope(qkv.k(), heads.keyHeads(), texts.positions(), angles, Pairing.NEIGHBOURS);
  }

  @Override
  void rotateBackward(Attended gradient) {
    grad.rope(gradient.q(), heads.count(), texts.positions(), angles, Pairing.NEIGHBOURS);
    grad.rope(gradient.k(), heads.keyHeads(), texts.positions(), angles, Pairing.NEIGHBOURS);
  }

  @Override
  void activate(Activations a) {
    ops.apply(Activation.SILU, a.activated, a.arguments[0], a.arguments[1]);
  }

  @Override
  Tensor activateBackward(Activations a) {
    Tensor gate = a.arguments[0];
    Tensor up = a.arguments[1];
    grad.apply(Activation.SILU, gate, up, dActivated, gate, up); // in place
    return a.up;
  }
}
