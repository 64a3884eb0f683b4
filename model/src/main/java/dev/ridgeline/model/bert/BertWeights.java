package dev.ridgeline.model.bert;

import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.pass.Weights.Linear;
import dev.ridgeline.model.pass.Weights.Norm;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The weights of a BERT on a device. */
record BertWeights(Tensor tokens, Tensor positions, Tensor type, Norm norm, List<Layer> layers) {

  /** One layer. */
  record Layer(
      Linear query,
      Linear key,
      Linear value,
      Linear output,
      Norm outputNorm,
      Linear up,
      Linear down,
      Norm norm) {}

  static BertWeights of(Weights weights, BertShape shape) {
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) {
      // What early layers lose of their values, later ones even out.
      layers.add(layer(weights, "blk." + i + ".", i >= shape.layers() / 2));
    }
    return new BertWeights(
        weights.table("token_embd.weight"),
        weights.table("position_embd.weight"),
        weights.firstRow("token_types.weight"),
        weights.norm("token_embd_norm"),
        List.copyOf(layers));
  }

  /**
   * @param fine whether the digits of values are kept: they go into the result as they are, where
   *     queries and keys pass a softmax
   */
  private static Layer layer(Weights weights, String prefix, boolean fine) {
    return new Layer(
        weights.linear(prefix + "attn_q", Precision.COARSE),
        weights.linear(prefix + "attn_k", Precision.COARSE),
        weights.linear(prefix + "attn_v", fine ? Precision.FINE : Precision.COARSE),
        weights.linear(prefix + "attn_output", Precision.COARSE),
        weights.norm(prefix + "attn_output_norm"),
        weights.linear(prefix + "ffn_up", Precision.COARSE),
        weights.linear(prefix + "ffn_down", Precision.COARSE),
        weights.norm(prefix + "layer_output_norm"));
  }
}
