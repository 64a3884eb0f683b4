package dev.ridgeline.model.bert;

import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.BertShape;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** The weights of a BERT on a device. */
record BertWeights(
    Tensor tokens, Tensor positions, Tensor type, Norm norm, List<Layer> layers, int vocabulary) {

  /** A norm's weight and bias. */
  record Norm(Tensor weight, Tensor bias) {}

  /** A matrix with its bias. */
  record Linear(Tensor matrix, Tensor bias) {
    Projection to(Tensor out) {
      return new Projection(out, matrix, bias);
    }
  }

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
    int width = shape.width();
    int vocabulary = weights.rows("token_embd.weight");
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) {
      // What early layers lose of their values, later ones even out.
      layers.add(layer(weights, shape, "blk." + i + ".", i >= shape.layers() / 2));
    }
    return new BertWeights(
        weights.table("token_embd.weight", vocabulary, width),
        weights.table("position_embd.weight", shape.context(), width),
        weights.firstRow("token_types.weight", width),
        norm(weights, "token_embd_norm", width),
        List.copyOf(layers),
        vocabulary);
  }

  private static Layer layer(Weights weights, BertShape shape, String prefix, boolean fine) {
    int width = shape.width();
    int hidden = shape.hidden();
    String values = prefix + "attn_v.weight";
    return new Layer(
        linear(weights, prefix + "attn_q", width, width),
        linear(weights, prefix + "attn_k", width, width),
        new Linear(
            fine
                ? weights.fineMatrix(values, width, width)
                : weights.coarseMatrix(values, width, width),
            weights.vector(prefix + "attn_v.bias", width)),
        linear(weights, prefix + "attn_output", width, width),
        norm(weights, prefix + "attn_output_norm", width),
        linear(weights, prefix + "ffn_up", hidden, width),
        linear(weights, prefix + "ffn_down", width, hidden),
        norm(weights, prefix + "layer_output_norm", width));
  }

  private static Linear linear(Weights weights, String name, int outputs, int inputs) {
    return new Linear(
        weights.coarseMatrix(name + ".weight", outputs, inputs),
        weights.vector(name + ".bias", outputs));
  }

  private static Norm norm(Weights weights, String name, int width) {
    return new Norm(weights.vector(name + ".weight", width), weights.vector(name + ".bias", width));
  }
}
