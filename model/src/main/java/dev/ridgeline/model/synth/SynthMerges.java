package dev.ridgeline.model.synth;

import dev.ridgeline.model.draft.GgufVocabulary;
import dev.ridgeline.model.tokenizer.ByteLetters;
import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Byte-level BPE vocabularies: all bytes, then words that grow letter by letter, so that the merges
 * of a word come one after the other and every word is reached; then pairs of letters for all else.
 */
final class SynthMerges {
  /** How a space is spelled. */
  private static final char SPACE = 'Ġ';

  private final Set<String> tokens = new LinkedHashSet<>();
  private final List<String> merges = new ArrayList<>();
  private final int size;

  private SynthMerges(int size) {
    this.size = size;
  }

  /**
   * @param pre GGUF's word for how texts are cut before merges
   * @param specials the last tokens
   * @param words the commonest ones
   * @param more keys below {@code tokenizer.ggml.}
   */
  static GgufVocabulary vocabulary(
      String pre, int size, List<String> specials, List<String> words, Map<String, Object> more) {
    SynthMerges made = new SynthMerges(size - specials.size());
    for (int b = 0; b < 256; b++) made.tokens.add(Character.toString(ByteLetters.letter(b)));
    for (char c = 'a'; c <= 'z'; c++) made.grow(SPACE + Character.toString(c));
    for (String word : words) made.grow(SPACE + word);
    List<String> pairs = SynthVocabulary.pairs();
    made.madeUp(made.size - Math.min(pairs.size(), made.size / 4));
    for (String pair : pairs) made.grow(pair);
    made.madeUp(made.size);

    List<String> all = new ArrayList<>(made.tokens);
    all.addAll(specials);
    int[] kinds = new int[size];
    for (int id = 0; id < size; id++) {
      boolean unused = all.get(id).startsWith("[PAD");
      Kind special = unused ? Kind.UNUSED : Kind.CONTROL;
      kinds[id] = (id < made.size ? Kind.NORMAL : special).number();
    }
    Map<String, Object> keys = new LinkedHashMap<>();
    keys.put("pre", pre);
    keys.put("merges", made.merges);
    more.keySet().stream().sorted().forEach(key -> keys.put(key, more.get(key)));
    return new GgufVocabulary("gpt2", all, null, kinds, keys);
  }

  /** Adds a word and all its beginnings. */
  private void grow(String word) {
    for (int end = 2; end <= word.length() && tokens.size() < size; end++) {
      String token = word.substring(0, end);
      if (!tokens.add(token)) continue;
      merges.add(word.substring(0, end - 1) + " " + word.charAt(end - 1));
    }
  }

  /** Adds made-up words up to so many tokens. */
  private void madeUp(int most) {
    for (int i = 1; tokens.size() < most; i++) grow(SPACE + SynthVocabulary.madeUp(i));
  }
}
