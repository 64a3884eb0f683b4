package dev.ridgeline.model.transformer;

import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.pass.Weights.Linear;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The weights of a model of the Llama kind on a device.
 *
 * @param tokens rows to look up; they stay in the file
 * @param ropeFactors what frequencies are divided by, or null
 * @param output from the last layer to the tokens; null where nobody asks
 * @param heads the dense layers after the pooling, in order
 */
record TransformerWeights(
    Tensor tokens,
    float[] ropeFactors,
    List<Layer> layers,
    Tensor norm,
    Tensor output,
    List<Tensor> heads) {

  /** One layer; norms that a family does not have are null. */
  record Layer(
      Tensor attentionNorm,
      Linear query,
      Linear key,
      Linear value,
      Tensor queryNorm,
      Tensor keyNorm,
      Tensor output,
      Tensor afterAttention,
      Tensor ffnNorm,
      Tensor gate,
      Tensor up,
      Tensor down,
      Tensor afterFfn) {}

  static TransformerWeights of(Weights weights, DecoderShape shape) {
    // Where both are one tensor it is packed for products, and rows are looked up in the file: a
    // few pages of it, since texts have few different tokens.
    String output = shape.tied() ? "token_embd.weight" : "output.weight";
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) layers.add(layer(weights, "blk." + i + "."));
    return new TransformerWeights(
        weights.table("token_embd.weight"),
        factors(weights),
        List.copyOf(layers),
        weights.vector("output_norm.weight"),
        shape.embeds() ? null : weights.matrix(output),
        shape.expanded() == 0
            ? List.of()
            : List.of(weights.matrix("dense_2.weight"), weights.matrix("dense_3.weight")));
  }

  private static float[] factors(Weights weights) {
    float[] factors = weights.numbersOrNull("rope_freqs.weight");
    for (int i = 0; factors != null && i < factors.length; i++) {
      if (factors[i] > 0 && factors[i] < Float.POSITIVE_INFINITY) continue;
      throw new ModelException("rope_freqs.weight has a factor of " + factors[i]);
    }
    return factors;
  }

  private static Layer layer(Weights weights, String prefix) {
    return new Layer(
        weights.vector(prefix + "attn_norm.weight"),
        weights.linear(prefix + "attn_q"),
        weights.linear(prefix + "attn_k"),
        weights.linear(prefix + "attn_v"),
        weights.vectorOrNull(prefix + "attn_q_norm.weight"),
        weights.vectorOrNull(prefix + "attn_k_norm.weight"),
        weights.matrix(prefix + "attn_output.weight"),
        weights.vectorOrNull(prefix + "post_attention_norm.weight"),
        weights.vector(prefix + "ffn_norm.weight"),
        weights.matrix(prefix + "ffn_gate.weight"),
        weights.matrix(prefix + "ffn_up.weight"),
        weights.matrix(prefix + "ffn_down.weight"),
        weights.vectorOrNull(prefix + "post_ffw_norm.weight"));
  }
}
