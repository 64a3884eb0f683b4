package dev.ridgeline.model.shape;

import dev.ridgeline.model.shape.Slot.Change;
import dev.ridgeline.model.shape.Slot.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.List;
import java.util.function.BiConsumer;

/**
 * The shape of a BERT encoder (MiniLM, BGE, E5).
 *
 * @param sizes whose context is the positions it knows
 * @param types of tokens: first and second sentence
 * @param epsilon what keeps a norm from dividing by zero
 */
public record BertShape(Sizes sizes, int types, float epsilon, Pooling pooling) implements Shape {
  private static final String WORD = "bert";

  public BertShape {
    sizes.requireWholeHeads();
    Shape.checkEpsilon(epsilon);
  }

  /** The shape of a file. */
  public static BertShape of(Gguf file) {
    Metadata metadata = file.metadata();
    return new BertShape(
        Sizes.of(file, WORD),
        Math.toIntExact(file.tensor("token_types.weight").rows()),
        metadata.floating("bert.attention.layer_norm_epsilon"),
        Pooling.ofCode(metadata.integer("bert.pooling_type", Pooling.MEAN.code())));
  }

  @Override
  public String word() {
    return WORD;
  }

  @Override
  public void describe(BiConsumer<String, Object> keys) {
    sizes.describe(WORD, keys);
    keys.accept("bert.attention.layer_norm_epsilon", epsilon);
    keys.accept("bert.attention.causal", false);
    keys.accept("bert.pooling_type", pooling.code());
    keys.accept("tokenizer.ggml.token_type_count", types);
  }

  @Override
  public boolean embeds() {
    return true;
  }

  @Override
  public List<Slot> slots() {
    int width = width();
    int hidden = hidden();
    Slots slots = new Slots();
    String tables = "embeddings.";
    slots.table(Kind.EMBEDDING, "token_embd", tables + "word_embeddings", vocabulary(), width);
    slots.table(Kind.TABLE, "position_embd", tables + "position_embeddings", context(), width);
    slots.table(Kind.TABLE, "token_types", tables + "token_type_embeddings", types, width);
    slots.layerNorm("token_embd_norm", tables + "LayerNorm", width);
    for (int layer = 0; layer < layers(); layer++) {
      String block = "blk." + layer + ".";
      String original = "encoder.layer." + layer + ".";
      String attention = original + "attention.";
      slots.linear(block + "attn_q", attention + "self.query", width, width, Change.NONE);
      slots.linear(block + "attn_k", attention + "self.key", width, width, Change.NONE);
      slots.linear(block + "attn_v", attention + "self.value", width, width, Change.NONE);
      slots.linear(block + "attn_output", attention + "output.dense", width, width, Change.NONE);
      slots.layerNorm(block + "attn_output_norm", attention + "output.LayerNorm", width);
      slots.linear(block + "ffn_up", original + "intermediate.dense", hidden, width, Change.NONE);
      slots.linear(block + "ffn_down", original + "output.dense", width, hidden, Change.NONE);
      slots.layerNorm(block + "layer_output_norm", original + "output.LayerNorm", width);
    }
    return slots.all();
  }

  /** What guesses words or classes stands behind the vectors. */
  @Override
  public boolean ignores(String tensor) {
    return tensor.startsWith("cls.");
  }
}
