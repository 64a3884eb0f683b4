package dev.ridgeline.model.draft;

import dev.ridgeline.model.shape.ModelException;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/**
 * A vocabulary as GGUF has it.
 *
 * @param model GGUF's word for the kind of tokenizer: {@code bert}, {@code llama}
 * @param tokens by id, as GGUF spells them
 * @param scores of pieces, higher is merged earlier; null where the kind has none
 * @param kinds by id, their numbers
 * @param more further keys below {@code tokenizer.ggml.}: ids of special tokens, flags
 */
public record GgufVocabulary(
    String model, List<String> tokens, float[] scores, int[] kinds, Map<String, Object> more) {
  /** The mark of a space. */
  public static final String SPACE = "▁";

  private static final float NEVER = -10_000;

  /** Puts the keys of the vocabulary. */
  public void describe(BiConsumer<String, Object> keys) {
    keys.accept("tokenizer.ggml.model", model);
    keys.accept("tokenizer.ggml.pre", "default");
    keys.accept("tokenizer.ggml.tokens", tokens);
    if (scores != null) keys.accept("tokenizer.ggml.scores", scores);
    keys.accept("tokenizer.ggml.token_type", kinds);
    more.forEach((key, value) -> keys.accept("tokenizer.ggml." + key, value));
  }

  /** The same with unused tokens at the end, as many as the model's table is longer. */
  public GgufVocabulary fitted(int size) {
    if (onlySpecialsFrom(size)) return cut(size);
    if (tokens.size() > size) {
      throw new ModelException(
          "has %,d tokens, the model knows %,d".formatted(tokens.size(), size));
    }
    List<String> padded = new ArrayList<>(tokens);
    while (padded.size() < size) padded.add("[PAD" + padded.size() + "]");
    int[] paddedKinds = Arrays.copyOf(kinds, size);
    Arrays.fill(paddedKinds, tokens.size(), size, Kind.UNUSED.number());
    float[] paddedScores = scores == null ? null : Arrays.copyOf(scores, size);
    if (scores != null) Arrays.fill(paddedScores, tokens.size(), size, NEVER);
    return new GgufVocabulary(model, padded, paddedScores, paddedKinds, more);
  }

  /** Whether there are more tokens and none of them is text: Gemma's for images, for instance. */
  private boolean onlySpecialsFrom(int size) {
    if (tokens.size() <= size) return false;
    for (int id = size; id < tokens.size(); id++) {
      if (kinds[id] == Kind.NORMAL.number() || kinds[id] == Kind.BYTE.number()) return false;
    }
    return true;
  }

  private GgufVocabulary cut(int size) {
    Map<String, Object> kept = new LinkedHashMap<>(more);
    kept.values().removeIf(value -> value instanceof Integer id && id >= size);
    return new GgufVocabulary(
        model,
        tokens.subList(0, size),
        scores == null ? null : Arrays.copyOf(scores, size),
        Arrays.copyOf(kinds, size),
        kept);
  }

  /**
   * A WordPiece token as GGUF spells it: where a word begins there is a space, and what continues
   * one has no mark.
   */
  public static String wordPiece(String token, Kind kind) {
    if (kind == Kind.CONTROL) return token;
    return token.startsWith("##") ? token.substring(2) : SPACE + token;
  }

  /** The keys that a WordPiece vocabulary needs. */
  public static Map<String, Object> wordPieceKeys(
      int cls, int sep, int pad, int unknown, int mask, boolean lowercase, boolean stripAccents) {
    Map<String, Object> keys = ids(cls, sep, pad, unknown, mask);
    id(keys, "cls", cls);
    id(keys, "seperator", sep);
    keys.put("normalizer.lowercase", lowercase);
    keys.put("normalizer.strip_accents", stripAccents);
    return keys;
  }

  /** The keys that a SentencePiece vocabulary needs. */
  public static Map<String, Object> sentencePieceKeys(
      int bos, int eos, int pad, int unknown, int mask, boolean addBos, boolean addEos) {
    Map<String, Object> keys = ids(bos, eos, pad, unknown, mask);
    keys.put("add_bos_token", addBos);
    keys.put("add_eos_token", addEos);
    keys.put("add_space_prefix", false);
    return keys;
  }

  private static Map<String, Object> ids(int bos, int eos, int pad, int unknown, int mask) {
    Map<String, Object> keys = new LinkedHashMap<>();
    id(keys, "bos", bos);
    id(keys, "eos", eos);
    id(keys, "padding", pad);
    id(keys, "unknown", unknown);
    id(keys, "mask", mask);
    return keys;
  }

  /** Puts the id of a special token, if there is one. */
  public static void id(Map<String, Object> keys, String name, int id) {
    if (id >= 0) keys.put(name + "_token_id", id);
  }
}
