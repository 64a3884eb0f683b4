package dev.ridgeline.model.gpt2;

import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.pass.Weights.Linear;
import dev.ridgeline.model.pass.Weights.Norm;
import dev.ridgeline.model.shape.Gpt2Shape;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The weights of a GPT-2 on a device; tokens and positions are looked up in the file. */
record Gpt2Weights(Tensor tokens, Tensor positions, List<Layer> layers, Norm norm, Tensor output) {

  /** One layer. */
  record Layer(
      Norm attentionNorm, Linear qkv, Linear output, Norm ffnNorm, Linear up, Linear down) {}

  static Gpt2Weights of(Weights weights, Gpt2Shape shape) {
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) layers.add(layer(weights, "blk." + i + "."));
    return new Gpt2Weights(
        weights.table("token_embd.weight"),
        weights.table("position_embd.weight"),
        List.copyOf(layers),
        weights.norm("output_norm"),
        weights.matrix(shape.tied() ? "token_embd.weight" : "output.weight"));
  }

  private static Layer layer(Weights weights, String prefix) {
    return new Layer(
        weights.norm(prefix + "attn_norm"),
        weights.linear(prefix + "attn_qkv"),
        weights.linear(prefix + "attn_output"),
        weights.norm(prefix + "ffn_norm"),
        weights.linear(prefix + "ffn_up"),
        weights.linear(prefix + "ffn_down"));
  }
}
