package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.List;
import java.util.StringJoiner;

/** Writes a tokenizer.json as the models of each family come with it. */
public final class BytePairJson {
  private static final String BYTES =
      """
      {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": %s}\
      """;
  private static final String LINES =
      """
      (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}%s\
      | ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+\
      """;

  private BytePairJson() {}

  public static String of(Vocabulary vocabulary, List<String> merges, String rules) {
    StringJoiner added = new StringJoiner(",");
    StringJoiner tokens = new StringJoiner(",");
    for (int id = 0; id < vocabulary.size(); id++) {
      String token = quoted(vocabulary.token(id));
      boolean ordinary = vocabulary.kind(id) == Kind.NORMAL;
      if (ordinary) tokens.add(token + ":" + id);
      else added.add(added(token, id, vocabulary.kind(id) == Kind.CONTROL));
    }
    StringJoiner pairs = new StringJoiner(",");
    for (String merge : merges) pairs.add(quoted(merge));
    return """
    {"version": "1.0", "truncation": null, "padding": null, "added_tokens": [%s],
     "normalizer": %s, "pre_tokenizer": %s, "post_processor": %s, "decoder": %s,
     "model": {"type": "BPE", "dropout": null, "unk_token": null,
      "continuing_subword_prefix": null, "end_of_word_suffix": null, "fuse_unk": false,
      "byte_fallback": false, "ignore_merges": %s, "vocab": {%s}, "merges": [%s]}}
    """
        .formatted(
            added,
            rules.equals("qwen2") ? "{\"type\": \"NFC\"}" : "null",
            preTokenizer(rules),
            BYTES.formatted(true),
            BYTES.formatted(true),
            rules.equals("llama-bpe"),
            tokens,
            pairs);
  }

  static String added(String token, int id, boolean special) {
    return """
    {"id": %d, "content": %s, "single_word": false, "lstrip": false, "rstrip": false,
     "normalized": false, "special": %s}\
    """
        .formatted(id, token, special);
  }

  private static String preTokenizer(String rules) {
    return switch (rules) {
      case "gpt-2" -> BYTES.formatted(true);
      case "smollm" ->
          sequence("{\"type\": \"Digits\", \"individual_digits\": true}", BYTES.formatted(true));
      case "qwen2", "deepseek-r1-qwen" ->
          sequence(split(LINES.formatted("")), BYTES.formatted(false));
      case "llama-bpe" -> sequence(split(LINES.formatted("{1,3}")), BYTES.formatted(false));
      default -> throw new IllegalArgumentException(rules);
    };
  }

  private static String sequence(String first, String second) {
    return "{\"type\": \"Sequence\", \"pretokenizers\": [%s, %s]}".formatted(first, second);
  }

  private static String split(String pattern) {
    return """
    {"type": "Split", "pattern": {"Regex": %s}, "behavior": "Isolated", "invert": false}\
    """
        .formatted(quoted(pattern));
  }

  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    for (char c : text.toCharArray()) {
      if (c == '"' || c == '\\') quoted.append('\\');
      if (c < ' ') quoted.append("\\u%04x".formatted((int) c));
      else quoted.append(c);
    }
    return quoted.append('"').toString();
  }
}
