package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The sizes of a BERT encoder (MiniLM, BGE, E5).
 *
 * @param context tokens of a text at most: the positions it knows
 * @param types of tokens: first and second sentence
 * @param width of a token's vector
 * @param hidden width of the feed-forward layer
 * @param epsilon what keeps a norm from dividing by zero
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
    implements Shape {

  public BertShape {
    Shape.checkSize("context_length", context);
    Shape.checkSize("block_count", layers);
    Shape.checkSize("attention.head_count", heads);
    Shape.checkSize("embedding_length", width);
    Shape.checkSize("feed_forward_length", hidden);
    if (width % heads != 0) {
      throw new ModelException("width " + width + " is no multiple of " + heads + " heads");
    }
    Shape.checkEpsilon(epsilon);
  }

  /** The shape of a file. */
  public static BertShape of(Gguf file) {
    Metadata metadata = file.metadata();
    return new BertShape(
        Math.toIntExact(file.tensor("token_embd.weight").rows()),
        metadata.integer("bert.context_length"),
        Math.toIntExact(file.tensor("token_types.weight").rows()),
        metadata.integer("bert.block_count"),
        metadata.integer("bert.embedding_length"),
        metadata.integer("bert.feed_forward_length"),
        metadata.integer("bert.attention.head_count"),
        metadata.floating("bert.attention.layer_norm_epsilon"),
        Pooling.ofCode(metadata.integer("bert.pooling_type", Pooling.MEAN.code())));
  }

  @Override
  public String word() {
    return "bert";
  }

  @Override
  public void describe(BiConsumer<String, Object> keys) {
    keys.accept("bert.block_count", layers);
    keys.accept("bert.context_length", context);
    keys.accept("bert.embedding_length", width);
    keys.accept("bert.feed_forward_length", hidden);
    keys.accept("bert.attention.head_count", heads);
    keys.accept("bert.attention.layer_norm_epsilon", epsilon);
    keys.accept("bert.attention.causal", false);
    keys.accept("bert.pooling_type", pooling.code());
    keys.accept("tokenizer.ggml.token_type_count", types);
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

  /** What guesses words or classes stands behind the vectors. */
  @Override
  public boolean ignores(String tensor) {
    return tensor.startsWith("cls.");
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
