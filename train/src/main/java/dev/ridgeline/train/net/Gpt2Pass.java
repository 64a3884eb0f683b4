package dev.ridgeline.train.net;

import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.grad.NormBackward;
import dev.ridgeline.train.net.Net.Weights;

/** Forward and backward passes through a GPT-2. */
final class Gpt2Pass extends LayeredPass {
  private final Parameter positions;
  private final float epsilon;
  private final NormBackward alone;
  private final NormBackward added;

  Gpt2Pass(Gpt2Net net, Gpt2Shape shape, Device device, int texts, int length, Kept kept) {
    float scale = (float) (1 / Math.sqrt(shape.headWidth()));
    var sizes = HeadSizes.of(shape.heads(), shape.heads(), shape.headWidth(), scale);
    super(net, sizes, 1, device, texts, length, kept);
    this.positions = net.positions;
    this.epsilon = shape.epsilon();
    this.alone = new NormBackward(epsilon, false, stats);
    this.added = new NormBackward(epsilon, true, stats);
  }

  @Override
  void embed(Tensor out) {
    ops.rows(out, net.tokens.weight(), ids);
    ops.rows(y, positions.weight(), texts.positions());
    ops.add(out, out, y);
  }

  @Override
  void embedBackward(Gradients to) {
    table(net.tokens, ids, to);
    table(positions, texts.positions(), to);
  }

  @Override
  void norm(Tensor out, Tensor in, Weights norm) {
    ops.layerNorm(out, in, norm.weight().weight(), norm.bias().weight(), epsilon);
  }

  @Override
  void normBackward(Weights norm, Tensor in, boolean add, Gradients to) {
    Tensor weight = norm.weight().weight();
    Tensor dWeight = to.of(norm.weight());
    Tensor dBias = to.of(norm.bias());
    grad.layerNorm(dx, dWeight, dBias, dy, in, weight, add ? added : alone);
  }

  @Override
  void activate(Activations a) {
    ops.apply(Activation.GELU_TANH, a.activated, a.up);
  }

  @Override
  Tensor activateBackward(Activations a) {
    grad.apply(Activation.GELU_TANH, dActivated, dActivated, a.up);
    return dActivated;
  }
}
