package dev.ridgeline.model.imports;

import dev.ridgeline.model.imports.Slot.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * The sizes of a BERT encoder (MiniLM, BGE, E5).
 *
 * @param context positions it knows
 * @param types of tokens: first and second sentence
 */
public record BertShape(
    int vocabulary,
    int context,
    int types,
    int layers,
    int width,
    int hidden,
    int heads,
    float epsilon,
    Pooling pooling)
    implements Architecture {

  @Override
  public String word() {
    return "bert";
  }

  @Override
  public void describe(Draft draft) {
    draft.put("bert.block_count", layers);
    draft.put("bert.context_length", context);
    draft.put("bert.embedding_length", width);
    draft.put("bert.feed_forward_length", hidden);
    draft.put("bert.attention.head_count", heads);
    draft.put("bert.attention.layer_norm_epsilon", epsilon);
    draft.put("bert.attention.causal", false);
    draft.put("bert.pooling_type", pooling.code());
    draft.put("tokenizer.ggml.token_type_count", types);
  }

  @Override
  public List<Slot> slots() {
    List<Slot> slots = new ArrayList<>();
    String embeddings = "embeddings.";
    slots.add(
        Slot.table(
            Kind.EMBEDDING,
            "token_embd.weight",
            embeddings + "word_embeddings.weight",
            vocabulary,
            width));
    slots.add(
        Slot.table(
            Kind.TABLE,
            "position_embd.weight",
            embeddings + "position_embeddings.weight",
            context,
            width));
    slots.add(
        Slot.table(
            Kind.TABLE,
            "token_types.weight",
            embeddings + "token_type_embeddings.weight",
            types,
            width));
    norm(slots, "token_embd_norm", embeddings + "LayerNorm");
    for (int layer = 0; layer < layers; layer++) {
      String block = "blk." + layer + ".";
      String original = "encoder.layer." + layer + ".";
      linear(slots, block + "attn_q", original + "attention.self.query", width, width);
      linear(slots, block + "attn_k", original + "attention.self.key", width, width);
      linear(slots, block + "attn_v", original + "attention.self.value", width, width);
      linear(slots, block + "attn_output", original + "attention.output.dense", width, width);
      norm(slots, block + "attn_output_norm", original + "attention.output.LayerNorm");
      linear(slots, block + "ffn_up", original + "intermediate.dense", hidden, width);
      linear(slots, block + "ffn_down", original + "output.dense", width, hidden);
      norm(slots, block + "layer_output_norm", original + "output.LayerNorm");
    }
    return slots;
  }

  private static void linear(
      List<Slot> slots, String name, String original, long outputs, long inputs) {
    slots.add(Slot.matrix(name + ".weight", original + ".weight", outputs, inputs));
    slots.add(Slot.vector(Kind.BIAS, name + ".bias", original + ".bias", outputs));
  }

  private void norm(List<Slot> slots, String name, String original) {
    slots.add(Slot.vector(Kind.NORM, name + ".weight", original + ".weight", width));
    slots.add(Slot.vector(Kind.BIAS, name + ".bias", original + ".bias", width));
  }
}
