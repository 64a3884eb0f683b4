package dev.ridgeline.train.tokenizer;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.tokenizer.ByteLetters;
import dev.ridgeline.model.tokenizer.BytePair;
import dev.ridgeline.model.tokenizer.Specials;
import dev.ridgeline.model.tokenizer.Tokenizer;
import dev.ridgeline.model.tokenizer.Tokenizers;
import dev.ridgeline.model.tokenizer.Vocabulary;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.Metadata;
import dev.ridgeline.train.config.TokenizerConfig;
import dev.ridgeline.train.config.TrainConfig;
import dev.ridgeline.train.data.Documents;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How texts become ids, and how a model's file says so.
 *
 * @param tokenizer encodes and decodes
 * @param vocabulary what a GGUF file has of it
 */
public record Codebook(Tokenizer tokenizer, GgufVocabulary vocabulary) {
  /** Ends a text; begins one, too, for readers that cannot do without. */
  public static final String END = "<|endoftext|>";

  /** How words are cut before their bytes are joined. */
  static final String RULES = "gpt-2";

  private static final String PREFIX = "tokenizer.ggml.";

  /** Keys of a file that have a place of their own. */
  private static final List<String> OWN = List.of("model", "tokens", "scores", "token_type");

  /** Writers that have no such token put the greatest number there. */
  private static final long NO_TOKEN = 0xffff_ffffL;

  /** The one that a configuration asks for; one that is trained reads the training part. */
  public static Codebook of(TrainConfig config, Documents documents) {
    return switch (config.tokenizer()) {
      case TokenizerConfig.Bytes _ -> bytes();
      case TokenizerConfig.Taken taken -> of(config.resolve(taken.from()));
      case TokenizerConfig.Trained trained ->
          trained(documents, config.data().evaluation(), trained.vocabulary());
    };
  }

  /**
   * Each byte is a token, its id the byte; 256 ends a text. As a file has it, byte-level BPE
   * without merges.
   */
  public static Codebook bytes() {
    return byteLevel(List.of(), List.of());
  }

  /**
   * BPE that is learned from all texts but the last.
   *
   * @param evaluation how much of all characters is left out
   * @param size tokens at most
   */
  static Codebook trained(Documents documents, double evaluation, int size) {
    long[] characters = {0};
    documents.each(text -> characters[0] += text.length());
    long most = characters[0] - Math.round(characters[0] * evaluation);
    BytePairTrainer trainer = new BytePairTrainer();
    long[] left = {most};
    documents.each(
        text -> {
          int end = (int) Math.clamp(left[0], 0, text.length());
          // Not between the halves of a character.
          if (end < text.length() && Character.isLowSurrogate(text.charAt(end))) end++;
          trainer.add(text, 0, end);
          left[0] -= text.length();
        });
    return trainer.train(size);
  }

  /**
   * Bytes, then what is made of them, then the token that ends texts.
   *
   * @param made tokens in the order of their ids
   * @param merges pairs with a space between, in the order in which they are joined
   */
  static Codebook byteLevel(List<String> made, List<String> merges) {
    List<String> tokens = new ArrayList<>(made.size() + 257);
    for (int b = 0; b < 256; b++) tokens.add(String.valueOf(ByteLetters.letter(b)));
    tokens.addAll(made);
    int end = tokens.size();
    tokens.add(END);
    int[] kinds = new int[tokens.size()];
    Arrays.fill(kinds, Kind.NORMAL.number());
    kinds[end] = Kind.CONTROL.number();
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("pre", RULES);
    keys.put("merges", List.copyOf(merges));
    keys.put("bos_token_id", end);
    keys.put("eos_token_id", end);
    keys.put("add_bos_token", false);
    keys.put("add_eos_token", false);
    Tokenizer tokenizer =
        new BytePair(
            Vocabulary.of(tokens, kinds, null),
            merges,
            RULES,
            Specials.NONE.withFrame(end, end),
            false,
            false);
    return new Codebook(tokenizer, new GgufVocabulary("gpt2", tokens, null, kinds, keys));
  }

  /** That of a GGUF file. */
  public static Codebook of(Path file) {
    try (Gguf gguf = Gguf.open(file)) {
      return of(gguf.metadata());
    }
  }

  /** That of an open GGUF file, which may be closed then. */
  public static Codebook of(Metadata metadata) {
    Tokenizer tokenizer = Tokenizers.of(metadata);
    int[] kinds = new int[tokenizer.size()];
    for (int id = 0; id < kinds.length; id++) kinds[id] = tokenizer.vocabulary().kind(id).number();
    String scores = PREFIX + "scores";
    Map<String, Object> keys = new LinkedHashMap<>();
    for (String key : metadata.keys()) {
      if (!key.startsWith(PREFIX) || OWN.contains(key.substring(PREFIX.length()))) continue;
      Object value = metadata.value(key);
      if (value instanceof Long none && none == NO_TOKEN) continue;
      keys.put(key.substring(PREFIX.length()), value);
    }
    return new Codebook(
        tokenizer,
        new GgufVocabulary(
            metadata.string(PREFIX + "model"),
            tokenizer.vocabulary().tokens(),
            metadata.has(scores) ? metadata.floats(scores) : null,
            kinds,
            keys));
  }
}
