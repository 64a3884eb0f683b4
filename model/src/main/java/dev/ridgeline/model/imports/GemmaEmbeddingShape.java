package dev.ridgeline.model.imports;

import dev.ridgeline.model.imports.Slot.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes of a Gemma 3 that embeds (EmbeddingGemma).
 *
 * @param window tokens that a local layer sees, half of them on either side
 * @param pattern every so many-th layer sees all
 * @param ropeBase of the layers that see all
 * @param ropeBaseLocal of the others
 * @param expanded width between the two dense layers behind the pooling, 0 where there are none
 */
public record GemmaEmbeddingShape(
    int vocabulary,
    int context,
    int layers,
    int width,
    int hidden,
    int heads,
    int kvHeads,
    int headWidth,
    int window,
    int pattern,
    float ropeBase,
    float ropeBaseLocal,
    float epsilon,
    int expanded,
    Pooling pooling)
    implements Architecture {

  /** Original names of the dense layers; they live in folders of their own. */
  static final String DENSE_2 = "2_Dense.linear.weight";

  static final String DENSE_3 = "3_Dense.linear.weight";

  @Override
  public String word() {
    return "gemma-embedding";
  }

  @Override
  public void describe(Draft draft) {
    String word = word() + ".";
    draft.put(word + "context_length", context);
    draft.put(word + "embedding_length", width);
    draft.put(word + "block_count", layers);
    draft.put(word + "feed_forward_length", hidden);
    draft.put(word + "attention.head_count", heads);
    draft.put(word + "attention.head_count_kv", kvHeads);
    draft.put(word + "attention.key_length", headWidth);
    draft.put(word + "attention.value_length", headWidth);
    draft.put(word + "attention.layer_norm_rms_epsilon", epsilon);
    draft.put(word + "attention.sliding_window", window);
    draft.put(word + "attention.sliding_window_pattern", pattern);
    draft.put(word + "attention.causal", false);
    draft.put(word + "rope.freq_base", ropeBase);
    draft.put(word + "rope.freq_base_swa", ropeBaseLocal);
    draft.put(word + "pooling_type", pooling.code());
    if (expanded > 0) {
      draft.put(word + "dense_2_feat_in", width);
      draft.put(word + "dense_2_feat_out", expanded);
      draft.put(word + "dense_3_feat_in", expanded);
      draft.put(word + "dense_3_feat_out", width);
    }
  }

  @Override
  public List<Slot> slots() {
    List<Slot> slots = new ArrayList<>();
    slots.add(
        Slot.table(Kind.EMBEDDING, "token_embd.weight", "embed_tokens.weight", vocabulary, width));
    for (int layer = 0; layer < layers; layer++) {
      String block = "blk." + layer + ".";
      String original = "layers." + layer + ".";
      norm(slots, block + "attn_norm", original + "input_layernorm", width);
      String attention = original + "self_attn.";
      matrix(slots, block + "attn_q", attention + "q_proj", (long) heads * headWidth, width);
      matrix(slots, block + "attn_k", attention + "k_proj", (long) kvHeads * headWidth, width);
      matrix(slots, block + "attn_v", attention + "v_proj", (long) kvHeads * headWidth, width);
      matrix(slots, block + "attn_output", attention + "o_proj", width, (long) heads * headWidth);
      norm(slots, block + "attn_q_norm", attention + "q_norm", headWidth);
      norm(slots, block + "attn_k_norm", attention + "k_norm", headWidth);
      norm(slots, block + "post_attention_norm", original + "post_attention_layernorm", width);
      norm(slots, block + "ffn_norm", original + "pre_feedforward_layernorm", width);
      matrix(slots, block + "ffn_gate", original + "mlp.gate_proj", hidden, width);
      matrix(slots, block + "ffn_up", original + "mlp.up_proj", hidden, width);
      matrix(slots, block + "ffn_down", original + "mlp.down_proj", width, hidden);
      norm(slots, block + "post_ffw_norm", original + "post_feedforward_layernorm", width);
    }
    norm(slots, "output_norm", "norm", width);
    if (expanded > 0) {
      slots.add(Slot.matrix("dense_2.weight", DENSE_2, expanded, width));
      slots.add(Slot.matrix("dense_3.weight", DENSE_3, width, expanded));
    }
    return slots;
  }

  private static void matrix(
      List<Slot> slots, String name, String original, long outputs, long inputs) {
    slots.add(Slot.matrix(name + ".weight", original + ".weight", outputs, inputs));
  }

  private static void norm(List<Slot> slots, String name, String original, long length) {
    slots.add(Slot.vector(Kind.NORM, name + ".weight", original + ".weight", length));
  }
}
