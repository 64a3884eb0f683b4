package dev.ridgeline.model.gemma;

import dev.ridgeline.model.pass.Weights;
import dev.ridgeline.model.shape.GemmaShape;
import dev.ridgeline.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/**
 * The weights of an EmbeddingGemma on a device.
 *
 * @param heads the dense layers behind the pooling, in order; none in files made without them
 */
record GemmaWeights(
    Tensor tokens, List<Layer> layers, Tensor norm, List<Tensor> heads, int vocabulary) {

  /** One layer. */
  record Layer(
      Tensor attentionNorm,
      Tensor query,
      Tensor queryNorm,
      Tensor key,
      Tensor keyNorm,
      Tensor value,
      Tensor output,
      Tensor afterAttention,
      Tensor ffnNorm,
      Tensor gate,
      Tensor up,
      Tensor down,
      Tensor afterFfn) {}

  static GemmaWeights of(Weights weights, GemmaShape shape) {
    int vocabulary = weights.rows("token_embd.weight");
    List<Layer> layers = new ArrayList<>();
    for (int i = 0; i < shape.layers(); i++) layers.add(layer(weights, shape, "blk." + i + "."));
    return new GemmaWeights(
        weights.table("token_embd.weight", vocabulary, shape.width()),
        List.copyOf(layers),
        weights.vector("output_norm.weight", shape.width()),
        heads(weights, shape.width()),
        vocabulary);
  }

  private static List<Tensor> heads(Weights weights, int width) {
    List<Tensor> heads = new ArrayList<>();
    int inputs = width;
    for (String name : List.of("dense_2.weight", "dense_3.weight")) {
      if (!weights.has(name)) continue;
      int outputs = weights.rows(name);
      heads.add(weights.matrix(name, outputs, inputs));
      inputs = outputs;
    }
    return List.copyOf(heads);
  }

  private static Layer layer(Weights weights, GemmaShape shape, String prefix) {
    int width = shape.width();
    int head = shape.headWidth();
    int queries = shape.heads() * head;
    int keys = shape.kvHeads() * head;
    return new Layer(
        weights.vector(prefix + "attn_norm.weight", width),
        weights.matrix(prefix + "attn_q.weight", queries, width),
        weights.vector(prefix + "attn_q_norm.weight", head),
        weights.matrix(prefix + "attn_k.weight", keys, width),
        weights.vector(prefix + "attn_k_norm.weight", head),
        weights.matrix(prefix + "attn_v.weight", keys, width),
        weights.matrix(prefix + "attn_output.weight", width, queries),
        weights.vector(prefix + "post_attention_norm.weight", width),
        weights.vector(prefix + "ffn_norm.weight", width),
        weights.matrix(prefix + "ffn_gate.weight", shape.hidden(), width),
        weights.matrix(prefix + "ffn_up.weight", shape.hidden(), width),
        weights.matrix(prefix + "ffn_down.weight", width, shape.hidden()),
        weights.vector(prefix + "post_ffw_norm.weight", width));
  }
}
