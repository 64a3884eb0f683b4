package dev.ridgeline.model.transformer;

import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.DecoderFamily;
import dev.ridgeline.model.shape.DecoderShape;
import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.tensor.Projection;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The weights of a decoder on a device.
 *
 * @param tokens rows to look up; they stay in the file
 * @param ropeFactors what frequencies are divided by, or null
 * @param output from the last layer to the tokens; null where nobody asks
 */
record TransformerWeights(
    Tensor tokens, float[] ropeFactors, List<Layer> layers, Tensor norm, Tensor output) {

  /** A matrix with its bias or null. */
  record Linear(Tensor matrix, Tensor bias) {
    Projection to(Tensor out) {
      return new Projection(out, matrix, bias);
    }
  }

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

  /**
   * @param writes whether the matrix behind the last layer is needed
   */
  static TransformerWeights of(Weights weights, DecoderShape shape, boolean writes) {
    int width = shape.width();
    int vocabulary = shape.vocabulary();
    // Where both are one tensor it is packed for products, and rows are looked up in the file: a
    // few pages of it, since texts have few different tokens.
    String output = shape.tied() ? "token_embd.weight" : "output.weight";
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) layers.add(layer(weights, shape, "blk." + i + "."));
    return new TransformerWeights(
        weights.table("token_embd.weight", vocabulary, width),
        shape.ropeFactors() ? factors(weights, shape.rope().width() / 2) : null,
        List.copyOf(layers),
        weights.vector("output_norm.weight", width),
        writes ? weights.matrix(output, vocabulary, width) : null);
  }

  private static float[] factors(Weights weights, int length) {
    float[] factors = weights.numbers("rope_freqs.weight", length);
    for (float factor : factors) {
      if (factor > 0 && factor < Float.POSITIVE_INFINITY) continue;
      throw new ModelException("rope_freqs.weight has a factor of " + factor);
    }
    return factors;
  }

  private static Layer layer(Weights weights, DecoderShape shape, String prefix) {
    DecoderFamily family = shape.family();
    int width = shape.width();
    int head = shape.headWidth();
    int queries = shape.heads() * head;
    int keys = shape.kvHeads() * head;
    boolean after = family.normsAfter();
    return new Layer(
        weights.vector(prefix + "attn_norm.weight", width),
        linear(weights, shape, prefix + "attn_q", queries),
        linear(weights, shape, prefix + "attn_k", keys),
        linear(weights, shape, prefix + "attn_v", keys),
        family.normsHeads() ? weights.vector(prefix + "attn_q_norm.weight", head) : null,
        family.normsHeads() ? weights.vector(prefix + "attn_k_norm.weight", head) : null,
        weights.matrix(prefix + "attn_output.weight", width, queries),
        after ? weights.vector(prefix + "post_attention_norm.weight", width) : null,
        weights.vector(prefix + "ffn_norm.weight", width),
        weights.matrix(prefix + "ffn_gate.weight", shape.hidden(), width),
        weights.matrix(prefix + "ffn_up.weight", shape.hidden(), width),
        weights.matrix(prefix + "ffn_down.weight", width, shape.hidden()),
        after ? weights.vector(prefix + "post_ffw_norm.weight", width) : null);
  }

  private static Linear linear(Weights weights, DecoderShape shape, String name, int outputs) {
    return new Linear(
        weights.matrix(name + ".weight", outputs, shape.width()),
        shape.qkvBias() ? weights.vector(name + ".bias", outputs) : null);
  }
}
