package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The tokenizer of GPT-2, Llama 3, Qwen and SmolLM: words whose bytes are joined in the order of a
 * list of pairs.
 *
 * <p>Gives the ids that the tokenizers of Hugging Face give. Immutable and safe for concurrent use,
 * with {@link Tokens} of its own for each thread.
 */
public final class BytePair extends JoiningTokenizer {

  private final PreTokenizer preTokenizer;
  private final boolean composes;
  private final Lexicon wholeWords;
  private final int[] bytes = new int[256];
  private final Pairs pairs;
  private final Pieces pieces;

  /**
   * @param merges pairs with a space between, the first joined first
   * @param preTokenizer how words are cut, by a name of {@code tokenizer.ggml.pre}
   * @param addBos whether a framed text begins with {@code bos}
   * @param addEos whether it ends with {@code eos}
   * @throws IllegalArgumentException if the name is not known or a pair is not of the vocabulary;
   *     the message is one line
   */
  public BytePair(
      Vocabulary vocabulary,
      List<String> merges,
      String preTokenizer,
      Specials specials,
      boolean addBos,
      boolean addEos) {
    super(vocabulary, specials, addBos, addEos);
    this.preTokenizer = PreTokenizer.named(preTokenizer);
    if (this.preTokenizer == null) {
      throw new IllegalArgumentException(
          "pre-tokenizer %s is not known; %s can be read"
              .formatted(preTokenizer, String.join(", ", PreTokenizer.names())));
    }
    composes = PreTokenizer.composes(preTokenizer);
    Map<String, Integer> ids = HashMap.newHashMap(vocabulary.size());
    for (int id = 0; id < vocabulary.size(); id++) ids.put(vocabulary.token(id), id);
    for (int b = 0; b < bytes.length; b++) {
      bytes[b] = ids.getOrDefault(String.valueOf(ByteLetters.letter(b)), -1);
    }
    pairs = pairs(merges, ids);
    wholeWords = PreTokenizer.takesWholeWords(preTokenizer) ? wholeWords() : null;
    pieces = spelledOut();
  }

  private static Pairs pairs(List<String> merges, Map<String, Integer> ids) {
    Pairs pairs = new Pairs(merges.size());
    for (String merge : merges) {
      // A token may begin with a space of its own, but has no other.
      int space = merge.indexOf(' ', 1);
      if (space < 0) throw new IllegalArgumentException("merge <%s> is no pair".formatted(merge));
      String left = merge.substring(0, space);
      String right = merge.substring(space + 1);
      pairs.add(id(left, ids, merge), id(right, ids, merge), id(left.concat(right), ids, merge));
    }
    return pairs;
  }

  private static int id(String token, Map<String, Integer> ids, String merge) {
    Integer id = ids.get(token);
    if (id != null) return id;
    throw new IllegalArgumentException(
        "merge <%s> is of %s, which is no token".formatted(merge, token));
  }

  private Lexicon wholeWords() {
    Lexicon lexicon = new Lexicon(vocabulary.size());
    for (int id = 0; id < vocabulary.size(); id++) {
      if (vocabulary.kind(id) != Kind.NORMAL) continue;
      lexicon.add(ByteLetters.bytes(vocabulary.token(id)), id);
    }
    return lexicon;
  }

  @Override
  byte[] spelled(int id) {
    return ByteLetters.bytes(vocabulary.token(id));
  }

  @Override
  void words(CharSequence text, int from, int to, Tokens out) {
    String composed = composes ? Composition.of(text, from, to) : null;
    if (composed == null) cut(text, from, to, out);
    else cut(composed, 0, composed.length(), out);
  }

  private void cut(CharSequence text, int from, int to, Tokens out) {
    Merge merge = out.merge;
    while (from < to) {
      int end = preTokenizer.end(text, from, to);
      merge.clear();
      while (from < end) {
        int character = Utf8.at(text, from);
        from += Character.charCount(character);
        merge.addBytes(character, bytes);
      }
      word(merge, out);
    }
  }

  private void word(Merge merge, Tokens out) {
    int known = wholeWords == null ? -1 : merge.whole(wholeWords);
    if (known >= 0) {
      out.add(known);
      return;
    }
    merge.run(pairs);
    for (int i = 0; i >= 0; i = merge.after(i)) {
      // A byte that is no token is left out, as everybody does it.
      if (merge.id(i) >= 0) out.add(merge.id(i));
    }
  }

  @Override
  Pieces pieces() {
    return pieces;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "byte-level BPE of %,d tokens", size());
  }
}
