package dev.ridgeline.model.imports;

import dev.ridgeline.model.shape.Shape;
import dev.ridgeline.model.tokenizer.BpeJson;
import dev.ridgeline.model.tokenizer.Specials;
import dev.ridgeline.model.tokenizer.TokenizerJson;
import dev.ridgeline.model.tokenizer.Vocabulary;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
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
 * @param kinds by id, their numbers
 * @param more further keys below {@code tokenizer.ggml.}: ids of special tokens, flags
 */
public record GgufVocabulary(
    String model, List<String> tokens, float[] scores, int[] kinds, Map<String, Object> more) {
  /** The mark of a space. */
  public static final String SPACE = "▁";

  private static final float NEVER = -10_000;

  void describe(Draft draft) {
    draft.put("tokenizer.ggml.model", model);
    draft.put("tokenizer.ggml.pre", "default");
    draft.put("tokenizer.ggml.tokens", tokens);
    if (scores != null) draft.put("tokenizer.ggml.scores", scores);
    draft.put("tokenizer.ggml.token_type", kinds);
    more.forEach((key, value) -> draft.put("tokenizer.ggml." + key, value));
  }

  /**
   * The same with unused tokens at the end, as many as the model's table is longer.
   *
   * @param path where it was read, to be named when it does not fit
   */
  GgufVocabulary fitted(Shape shape, Path path) {
    int size = shape.vocabulary();
    if (onlySpecialsFrom(size)) return cut(size);
    if (tokens.size() > size) {
      throw new ImportException(
          path, "has %,d tokens, the model knows %,d".formatted(tokens.size(), size));
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

  /** BERT's, out of a {@code tokenizer.json}. */
  static GgufVocabulary wordPiece(Path path) {
    TokenizerJson json = TokenizerJson.read(path);
    Vocabulary vocabulary = json.vocabulary();
    List<String> tokens = new ArrayList<>(vocabulary.size());
    int[] kinds = new int[vocabulary.size()];
    for (int id = 0; id < kinds.length; id++) {
      Kind kind = vocabulary.kind(id);
      kinds[id] = kind.number();
      tokens.add(wordPiece(vocabulary.token(id), kind));
    }
    Specials specials = json.specials();
    Map<String, Object> keys =
        wordPieceKeys(
            specials.cls(),
            specials.sep(),
            specials.pad(),
            specials.unknown(),
            specials.mask(),
            json.lowercase(),
            json.stripAccents());
    return new GgufVocabulary("bert", tokens, null, kinds, keys);
  }

  /** That of a model that generates, out of a {@code tokenizer.json}. */
  static GgufVocabulary bpe(Path path) {
    BpeJson json = BpeJson.read(path);
    Vocabulary vocabulary = json.vocabulary();
    int[] kinds = new int[vocabulary.size()];
    float[] scores = new float[vocabulary.size()];
    for (int id = 0; id < kinds.length; id++) {
      kinds[id] = vocabulary.kind(id).number();
      scores[id] = vocabulary.score(id);
    }
    Specials specials = json.specials();
    Map<String, Object> keys =
        sentencePieceKeys(
            specials.bos(),
            specials.eos(),
            specials.pad(),
            specials.unknown(),
            specials.mask(),
            json.addBos(),
            json.addEos());
    id(keys, "eot", specials.eot());
    id(keys, "eom", specials.eom());
    keys.put("add_space_prefix", json.spacePrefix());
    if (json.byteLevel()) {
      keys.put("pre", json.preTokenizer());
      keys.put("merges", json.merges());
    }
    return new GgufVocabulary(
        json.byteLevel() ? "gpt2" : "llama",
        vocabulary.tokens(),
        json.byteLevel() ? null : scores,
        kinds,
        keys);
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
