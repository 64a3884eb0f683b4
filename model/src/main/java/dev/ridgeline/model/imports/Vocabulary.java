package dev.ridgeline.model.imports;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A vocabulary as GGUF has it.
 *
 * @param model GGUF's word for the kind of tokenizer: {@code bert}, {@code llama}
 * @param tokens by id, as GGUF spells them
 * @param scores of pieces, higher is merged earlier; null where the kind has none
 * @param types by id, of {@link #NORMAL} and its kin
 * @param more further keys below {@code tokenizer.ggml.}: ids of special tokens, flags
 */
public record Vocabulary(
    String model, List<String> tokens, float[] scores, int[] types, Map<String, Object> more) {
  public static final int NORMAL = 1;
  public static final int UNKNOWN = 2;
  public static final int CONTROL = 3;
  public static final int USER_DEFINED = 4;
  public static final int UNUSED = 5;
  public static final int BYTE = 6;

  /** The mark of a space. */
  public static final String SPACE = "▁";

  private static final float NEVER = -10_000;

  void describe(Draft draft) {
    draft.put("tokenizer.ggml.model", model);
    draft.put("tokenizer.ggml.pre", "default");
    draft.put("tokenizer.ggml.tokens", tokens);
    if (scores != null) draft.put("tokenizer.ggml.scores", scores);
    draft.put("tokenizer.ggml.token_type", types);
    more.forEach((key, value) -> draft.put("tokenizer.ggml." + key, value));
  }

  /**
   * The same with unused tokens at the end, as many as the model's table is longer.
   *
   * @param path where it was read, to be named when it does not fit
   */
  Vocabulary fitted(Architecture shape, Path path) {
    int size = shape.vocabulary();
    if (!model.equals(shape instanceof BertShape ? "bert" : "llama")) {
      throw new ImportException(path, "is not the kind of tokenizer of " + shape.word());
    }
    if (tokens.size() > size) {
      throw new ImportException(
          path, "has %,d tokens, the model knows %,d".formatted(tokens.size(), size));
    }
    List<String> padded = new ArrayList<>(tokens);
    while (padded.size() < size) padded.add("[PAD" + padded.size() + "]");
    int[] paddedTypes = Arrays.copyOf(types, size);
    Arrays.fill(paddedTypes, tokens.size(), size, UNUSED);
    float[] paddedScores = scores == null ? null : Arrays.copyOf(scores, size);
    if (scores != null) Arrays.fill(paddedScores, tokens.size(), size, NEVER);
    return new Vocabulary(model, padded, paddedScores, paddedTypes, more);
  }

  /**
   * A WordPiece token as GGUF spells it: where a word begins there is a space, and what continues
   * one has no mark.
   */
  public static String wordPiece(String token, int type) {
    if (type == CONTROL) return token;
    return token.startsWith("##") ? token.substring(2) : SPACE + token;
  }

  /** The keys that a WordPiece vocabulary needs. */
  public static Map<String, Object> wordPieceKeys(
      int cls, int sep, int pad, int unknown, int mask, boolean lowercase, boolean stripAccents) {
    Map<String, Object> keys = new LinkedHashMap<>();
    id(keys, "bos", cls);
    id(keys, "eos", sep);
    id(keys, "cls", cls);
    id(keys, "seperator", sep);
    id(keys, "padding", pad);
    id(keys, "unknown", unknown);
    id(keys, "mask", mask);
    keys.put("normalizer.lowercase", lowercase);
    keys.put("normalizer.strip_accents", stripAccents);
    return keys;
  }

  /** The keys that a SentencePiece vocabulary needs. */
  public static Map<String, Object> sentencePieceKeys(
      int bos, int eos, int pad, int unknown, int mask, boolean addBos, boolean addEos) {
    Map<String, Object> keys = new LinkedHashMap<>();
    id(keys, "bos", bos);
    id(keys, "eos", eos);
    id(keys, "padding", pad);
    id(keys, "unknown", unknown);
    id(keys, "mask", mask);
    keys.put("add_bos_token", addBos);
    keys.put("add_eos_token", addEos);
    keys.put("add_space_prefix", false);
    return keys;
  }

  private static void id(Map<String, Object> keys, String name, int id) {
    if (id >= 0) keys.put(name + "_token_id", id);
  }
}
