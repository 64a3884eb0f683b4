package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Change;
import dev.ridgeline.model.shape.Slot.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The shape of a GPT-2.
 *
 * @param sizes whose context is the positions it has vectors for
 * @param tied whether the table of tokens is the matrix behind the last layer, too
 */
public record Gpt2Shape(Sizes sizes, float epsilon, boolean tied) implements Shape {
  private static final String WORD = "gpt2";

  public Gpt2Shape {
    sizes.requireWholeHeads();
    Shape.checkEpsilon(epsilon);
  }

  /** The shape of a file. */
  public static Gpt2Shape of(Gguf file) {
    return new Gpt2Shape(
        Sizes.of(file, WORD),
        file.metadata().floating(WORD + ".attention.layer_norm_epsilon"),
        !file.has("output.weight"));
  }

  @Override
  public String word() {
    return WORD;
  }

  @Override
  public void describe(BiConsumer<String, Object> keys) {
    sizes.describe(WORD, keys);
    keys.accept(WORD + ".attention.layer_norm_epsilon", epsilon);
  }

  @Override
  public boolean embeds() {
    return false;
  }

  @Override
  public List<Slot> slots() {
    int width = width();
    int hidden = hidden();
    Change turned = new Change.Transposed();
    Slots slots = new Slots();
    slots.table(Kind.EMBEDDING, "token_embd", "wte", vocabulary(), width);
    slots.table(Kind.TABLE, "position_embd", "wpe", context(), width);
    for (int layer = 0; layer < layers(); layer++) {
      String block = "blk." + layer + ".";
      String original = "h." + layer + ".";
      slots.layerNorm(block + "attn_norm", original + "ln_1", width);
      slots.linear(block + "attn_qkv", original + "attn.c_attn", 3L * width, width, turned);
      slots.linear(block + "attn_output", original + "attn.c_proj", width, width, turned);
      slots.layerNorm(block + "ffn_norm", original + "ln_2", width);
      slots.linear(block + "ffn_up", original + "mlp.c_fc", hidden, width, turned);
      slots.linear(block + "ffn_down", original + "mlp.c_proj", width, hidden, turned);
    }
    slots.layerNorm("output_norm", "ln_f", width);
    if (!tied) slots.matrix("output", "lm_head", vocabulary(), width, Change.NONE);
    return slots.all();
  }
}
