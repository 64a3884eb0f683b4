package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Change;
import dev.ridgeline.model.shape.Slot.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The sizes of a GPT-2.
 *
 * @param context the positions it has vectors for
 * @param tied whether the table of tokens is the matrix behind the last layer, too
 */
public record Gpt2Shape(
    int vocabulary,
    int context,
    int layers,
    int width,
    int hidden,
    int heads,
    float epsilon,
    boolean tied)
    implements Shape {
  private static final String WORD = "gpt2";

  public Gpt2Shape {
    Shape.checkSize("vocab_size", vocabulary);
    Shape.checkSize("context_length", context);
    Shape.checkSize("block_count", layers);
    Shape.checkSize("attention.head_count", heads);
    Shape.checkSize("embedding_length", width, DecoderShape.WIDEST);
    Shape.checkSize("feed_forward_length", hidden, DecoderShape.WIDEST);
    if (width % heads != 0) {
      throw new ModelException("width " + width + " is no multiple of " + heads + " heads");
    }
    if (!(epsilon >= 0) || epsilon == Float.POSITIVE_INFINITY) {
      throw new ModelException("an epsilon of " + epsilon);
    }
  }

  /** The shape of a file. */
  public static Gpt2Shape of(Gguf file) {
    Metadata metadata = file.metadata();
    String word = WORD + ".";
    return new Gpt2Shape(
        Math.toIntExact(file.tensor("token_embd.weight").rows()),
        metadata.integer(word + "context_length"),
        metadata.integer(word + "block_count"),
        metadata.integer(word + "embedding_length"),
        metadata.integer(word + "feed_forward_length"),
        metadata.integer(word + "attention.head_count"),
        metadata.floating(word + "attention.layer_norm_epsilon"),
        !file.has("output.weight"));
  }

  public int headWidth() {
    return width / heads;
  }

  @Override
  public String word() {
    return WORD;
  }

  @Override
  public void describe(BiConsumer<String, Object> keys) {
    String word = WORD + ".";
    keys.accept(word + "context_length", context);
    keys.accept(word + "embedding_length", width);
    keys.accept(word + "block_count", layers);
    keys.accept(word + "feed_forward_length", hidden);
    keys.accept(word + "attention.head_count", heads);
    keys.accept(word + "attention.layer_norm_epsilon", epsilon);
  }

  @Override
  public List<Slot> slots() {
    List<Slot> slots = new ArrayList<>();
    slots.add(Slot.table(Kind.EMBEDDING, "token_embd.weight", "wte.weight", vocabulary, width));
    slots.add(Slot.table(Kind.TABLE, "position_embd.weight", "wpe.weight", context, width));
    for (int layer = 0; layer < layers; layer++) {
      String block = "blk." + layer + ".";
      String original = "h." + layer + ".";
      norm(slots, block + "attn_norm", original + "ln_1");
      linear(slots, block + "attn_qkv", original + "attn.c_attn", 3L * width, width);
      linear(slots, block + "attn_output", original + "attn.c_proj", width, width);
      norm(slots, block + "ffn_norm", original + "ln_2");
      linear(slots, block + "ffn_up", original + "mlp.c_fc", hidden, width);
      linear(slots, block + "ffn_down", original + "mlp.c_proj", width, hidden);
    }
    norm(slots, "output_norm", "ln_f");
    if (!tied) slots.add(Slot.matrix("output.weight", "lm_head.weight", vocabulary, width));
    return slots;
  }

  private static void linear(
      List<Slot> slots, String name, String original, long outputs, long inputs) {
    slots.add(
        Slot.matrix(name + ".weight", original + ".weight", outputs, inputs)
            .changed(new Change.Transposed()));
    slots.add(Slot.vector(Kind.BIAS, name + ".bias", original + ".bias", outputs));
  }

  private void norm(List<Slot> slots, String name, String original) {
    slots.add(Slot.vector(Kind.NORM, name + ".weight", original + ".weight", width));
    slots.add(Slot.vector(Kind.BIAS, name + ".bias", original + ".bias", width));
  }
}
