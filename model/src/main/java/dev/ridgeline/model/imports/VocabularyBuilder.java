package dev.ridgeline.model.imports;

import dev.ridgeline.model.json.JsonValue;
import dev.ridgeline.model.tokenizer.Vocabulary;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tokens with their ids as a JSON file has them, in any order, until they make a vocabulary. */
final class VocabularyBuilder {
  private static final int MOST_TOKENS = 1 << 21;

  private final JsonValue file;
  private final Map<String, Integer> ids = new HashMap<>();
  private final Map<String, Kind> kinds = new HashMap<>();
  private String[] tokens;

  /**
   * @param vocabulary an object of tokens and their ids
   */
  VocabularyBuilder(JsonValue vocabulary) {
    this.file = vocabulary;
    for (String token : vocabulary.names()) ids.put(token, vocabulary.at(token).integer());
  }

  /** A token from beside the vocabulary, which may have it already. */
  void add(String token, JsonValue id, Kind kind) {
    Integer known = ids.putIfAbsent(token, id.integer());
    if (known != null && known != id.integer()) throw id.unsupported(known.toString());
    kinds.put(token, kind);
  }

  /** Each id from 0 on has one token. */
  void check() {
    tokens = new String[ids.size()];
    ids.forEach(
        (token, id) -> {
          if (id < 0 || id >= tokens.length) {
            throw file.wrong(
                "has %s with the id %d among %d tokens".formatted(token, id, tokens.length));
          }
          if (tokens[id] != null) {
            throw file.wrong("has %s and %s with the same id %d".formatted(tokens[id], token, id));
          }
          tokens[id] = token;
        });
    if (tokens.length == 0) throw file.wrong("has no tokens");
  }

  /** The same where ids may be left out: they become tokens that no text has. */
  void fill() {
    BitSet taken = new BitSet();
    for (int id : ids.values()) if (id >= 0 && id < MOST_TOKENS) taken.set(id);
    int size = taken.length();
    for (int id = taken.nextClearBit(0); id < size; id = taken.nextClearBit(id + 1)) {
      ids.put("[PAD" + id + "]", id);
      kinds.put("[PAD" + id + "]", Kind.UNUSED);
    }
    check();
  }

  int find(String token) {
    return ids.getOrDefault(token, -1);
  }

  /** The tokens by id, after they were checked. */
  String[] tokens() {
    return tokens;
  }

  /** What each token is for. */
  Kind[] kinds() {
    Kind[] all = new Kind[tokens.length];
    Arrays.setAll(all, id -> kinds.getOrDefault(tokens[id], Kind.NORMAL));
    return all;
  }

  Vocabulary build() {
    return Vocabulary.of(List.of(tokens), numbers(kinds()), null);
  }

  static int[] numbers(Kind[] kinds) {
    return Arrays.stream(kinds).mapToInt(Kind::number).toArray();
  }
}
