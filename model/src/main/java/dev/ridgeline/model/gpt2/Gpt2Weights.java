package dev.ridgeline.model.gpt2;

import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The weights of a GPT-2 on a device; tokens and positions are looked up in the file. */
record Gpt2Weights(Tensor tokens, Tensor positions, List<Layer> layers, Norm norm, Tensor output) {

  /** A norm's weight and bias. */
  record Norm(Tensor weight, Tensor bias) {}

  /** A matrix with its bias. */
  record Linear(Tensor matrix, Tensor bias) {}

  /** One layer. */
  record Layer(
      Norm attentionNorm, Linear qkv, Linear output, Norm ffnNorm, Linear up, Linear down) {}

  static Gpt2Weights of(Weights weights, Gpt2Shape shape) {
    int width = shape.width();
    int vocabulary = shape.vocabulary();
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) layers.add(layer(weights, shape, "blk." + i + "."));
    return new Gpt2Weights(
        weights.table("token_embd.weight", vocabulary, width),
        weights.table("position_embd.weight", shape.context(), width),
        List.copyOf(layers),
        norm(weights, "output_norm", width),
        weights.matrix(shape.tied() ? "token_embd.weight" : "output.weight", vocabulary, width));
  }

  private static Layer layer(Weights weights, Gpt2Shape shape, String prefix) {
    int width = shape.width();
    return new Layer(
        norm(weights, prefix + "attn_norm", width),
        linear(weights, prefix + "attn_qkv", 3 * width, width),
        linear(weights, prefix + "attn_output", width, width),
        norm(weights, prefix + "ffn_norm", width),
        linear(weights, prefix + "ffn_up", shape.hidden(), width),
        linear(weights, prefix + "ffn_down", width, shape.hidden()));
  }

  private static Linear linear(Weights weights, String name, int outputs, int inputs) {
    return new Linear(
        weights.matrix(name + ".weight", outputs, inputs), weights.vector(name + ".bias", outputs));
  }

  private static Norm norm(Weights weights, String name, int width) {
    return new Norm(weights.vector(name + ".weight", width), weights.vector(name + ".bias", width));
  }
}
