package dev.ridgeline.model.shape;

import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.function.BiConsumer;

/**
 * The sizes that every kind of model has.
 *
 * @param context tokens of a text at most
 * @param width of a token's vector
 * @param hidden width of the feed-forward layer
 * @param kvHeads heads of keys and values, which the heads of queries share
 * @param headWidth numbers of a head, which need not be {@code width / heads}
 */
public record Sizes(
    int vocabulary,
    int context,
    int layers,
    int width,
    int hidden,
    int heads,
    int kvHeads,
    int headWidth) {
  /** Numbers of a vector at most: more is a damaged file, and products below stay whole. */
  private static final int WIDEST = 1 << 24;

  public Sizes {
    check("vocab_size", vocabulary, Integer.MAX_VALUE);
    check("context_length", context, Integer.MAX_VALUE);
    check("block_count", layers, Integer.MAX_VALUE);
    check("attention.head_count", heads, Integer.MAX_VALUE);
    check("embedding_length", width, WIDEST);
    check("feed_forward_length", hidden, WIDEST);
    check("the width of all heads", (long) heads * headWidth, WIDEST);
    if (kvHeads < 1 || heads % kvHeads != 0) {
      throw new ModelException(heads + " heads do not share " + kvHeads + " key heads");
    }
  }

  private static void check(String what, long size, int most) {
    if (size < 1) throw new ModelException("%s is %d: at least 1".formatted(what, size));
    if (size > most) throw new ModelException("%s is %d: at most %d".formatted(what, size, most));
  }

  /** Those of a model whose heads have keys of their own and divide a token's vector. */
  public static Sizes of(
      int vocabulary, int context, int layers, int width, int hidden, int heads) {
    int headWidth = width / Math.max(1, heads);
    return new Sizes(vocabulary, context, layers, width, hidden, heads, heads, headWidth);
  }

  /** Those of a file, under the keys of a kind of model. */
  static Sizes of(Gguf file, String word) {
    Metadata metadata = file.metadata();
    String key = word + ".";
    int heads = metadata.integer(key + "attention.head_count");
    int width = metadata.integer(key + "embedding_length");
    int headWidth =
        metadata.integer(key + "attention.key_length", Math.max(0, width) / Math.max(1, heads));
    if (metadata.integer(key + "attention.value_length", headWidth) != headWidth) {
      throw new ModelException("keys and values of different widths are not supported");
    }
    return new Sizes(
        Math.toIntExact(file.tensor("token_embd.weight").rows()),
        metadata.integer(key + "context_length"),
        metadata.integer(key + "block_count"),
        width,
        metadata.integer(key + "feed_forward_length"),
        heads,
        metadata.integer(key + "attention.head_count_kv", heads),
        headWidth);
  }

  /** Puts the keys that every kind of model has. */
  void describe(String word, BiConsumer<String, Object> keys) {
    keys.accept(word + ".context_length", context);
    keys.accept(word + ".embedding_length", width);
    keys.accept(word + ".block_count", layers);
    keys.accept(word + ".feed_forward_length", hidden);
    keys.accept(word + ".attention.head_count", heads);
  }

  /** Refuses heads that share keys or do not divide a token's vector. */
  void requireWholeHeads() {
    if (kvHeads != heads || headWidth * heads != width) {
      throw new ModelException("width " + width + " is no multiple of " + heads + " heads");
    }
  }
}
