package dev.ridgeline.model.tokenizer;

import dev.ridgeline.tensor.gguf.GgufException;
import dev.ridgeline.tensor.gguf.Metadata;
import java.util.List;

/** Makes the tokenizer that a GGUF file describes. */
public final class Tokenizers {
  private static final String PREFIX = "tokenizer.ggml.";
  private static final String TOKENS = PREFIX + "tokens";
  private static final String KINDS = PREFIX + "token_type";
  private static final String MERGES = PREFIX + "merges";
  private static final String SCORES = PREFIX + "scores";

  private Tokenizers() {}

  /** The tokenizer of a file; what is missing or unknown in it is named by the exception. */
  public static Tokenizer of(Metadata metadata) {
    String kind = metadata.string(PREFIX + "model");
    return switch (kind) {
      case "bert" -> wordPiece(metadata);
      case "llama" -> sentencePiece(metadata);
      case "gpt2" -> bytePair(metadata);
      default ->
          throw new GgufException(
              metadata.path(),
              "tokenizer.ggml.model is %s; bert, llama and gpt2 can be read".formatted(kind));
    };
  }

  private static Tokenizer wordPiece(Metadata metadata) {
    Vocabulary vocabulary = vocabulary(metadata);
    Ids ids = new Ids(metadata, vocabulary.size());
    Specials specials =
        new Specials(
            ids.of("bos", -1),
            ids.of("eos", -1),
            -1,
            -1,
            ids.of("cls", ids.of("bos", 101)),
            // The format has spelled it so from the beginning.
            ids.of("seperator", ids.of("eos", 102)),
            ids.of("padding", 0),
            ids.of("mask", 103),
            ids.of("unknown", 100));
    boolean lowercase = metadata.flag(PREFIX + "normalizer.lowercase", true);
    boolean stripAccents = metadata.flag(PREFIX + "normalizer.strip_accents", lowercase);
    if (specials.unknown() < 0) {
      throw new GgufException(metadata.path(), "has no tokenizer.ggml.unknown_token_id");
    }
    return new WordPiece(vocabulary, specials, lowercase, stripAccents);
  }

  private static Tokenizer sentencePiece(Metadata metadata) {
    Vocabulary vocabulary = vocabulary(metadata);
    return new SentencePiece(
        vocabulary,
        new Ids(metadata, vocabulary.size()).all(1, 2, 0),
        metadata.flag(PREFIX + "add_space_prefix", true),
        metadata.flag(PREFIX + "add_bos_token", true),
        metadata.flag(PREFIX + "add_eos_token", false));
  }

  private static Tokenizer bytePair(Metadata metadata) {
    Vocabulary vocabulary = vocabulary(metadata);
    String preTokenizer = metadata.string(PREFIX + "pre");
    try {
      return new BytePair(
          vocabulary,
          metadata.strings(MERGES),
          preTokenizer,
          new Ids(metadata, vocabulary.size()).all(-1, -1, -1),
          // Files of Llama 3 do not always say that its texts begin with a token.
          metadata.flag(PREFIX + "add_bos_token", PreTokenizer.takesWholeWords(preTokenizer)),
          metadata.flag(PREFIX + "add_eos_token", false));
    } catch (IllegalArgumentException e) {
      throw new GgufException(metadata.path(), e.getMessage(), e);
    }
  }

  private static Vocabulary vocabulary(Metadata metadata) {
    List<String> tokens = metadata.strings(TOKENS);
    int[] kinds = metadata.has(KINDS) ? metadata.integers(KINDS) : null;
    float[] scores = metadata.has(SCORES) ? metadata.floats(SCORES) : null;
    try {
      return Vocabulary.of(tokens, kinds, scores);
    } catch (IllegalArgumentException e) {
      throw new GgufException(metadata.path(), e.getMessage(), e);
    }
  }

  /** The ids of special tokens, none of them outside the vocabulary. */
  private record Ids(Metadata metadata, int size) {
    /** Those of a model that generates, some with an id that is meant where none is given. */
    Specials all(int bos, int eos, int unknown) {
      return new Specials(
          of("bos", bos),
          of("eos", eos),
          of("eot", -1),
          of("eom", -1),
          of("cls", -1),
          of("seperator", -1),
          of("padding", -1),
          of("mask", -1),
          of("unknown", unknown));
    }

    int of(String name, int fallback) {
      String key = PREFIX + name + "_token_id";
      if (!metadata.has(key)) return fallback < size ? fallback : -1;
      // Writers that have no such token put the greatest number there.
      if (metadata.value(key) instanceof Long none && none == 0xffff_ffffL) return -1;
      int id = metadata.integer(key);
      if (id == -1) return -1;
      if (id >= 0 && id < size) return id;
      throw new GgufException(
          metadata.path(), "%s is %d, and there are %d tokens".formatted(key, id, size));
    }
  }
}
