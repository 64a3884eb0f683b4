package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.nio.charset.StandardCharsets;

/**
 * The tokens that are found in a text as they are spelled, before anything else is looked at: those
 * of the user always, control tokens when asked.
 */
final class WholeTokens {
  /** Encodes what stands between such tokens; never nothing. */
  interface Words {
    void encode(CharSequence text, int from, int to, Tokens out);
  }

  private final Vocabulary vocabulary;
  private final int[] lengths;
  private final Trie special = new Trie();
  private final Trie userDefined = new Trie();

  WholeTokens(Vocabulary vocabulary) {
    this.vocabulary = vocabulary;
    lengths = new int[vocabulary.size()];
    for (int id = 0; id < lengths.length; id++) add(vocabulary.token(id), id);
  }

  private void add(String token, int id) {
    Kind kind = vocabulary.kind(id);
    if (kind == Kind.USER_DEFINED) userDefined.add(token, id);
    if (kind == Kind.USER_DEFINED || kind == Kind.CONTROL || kind == Kind.UNKNOWN) {
      special.add(token, id);
      lengths[id] = token.getBytes(StandardCharsets.UTF_8).length;
    }
  }

  /**
   * The tokens to look for.
   *
   * @param special whether control tokens count
   */
  Trie trie(boolean special) {
    return special ? this.special : userDefined;
  }

  /**
   * Appends the ids of a text.
   *
   * @param special whether control tokens count
   */
  void encode(CharSequence text, boolean special, Words words, Tokens out) {
    Cover cover = out.cover;
    boolean covered = cover.find(trie(special), lengths, text);
    int from = 0;
    for (int at = 0; covered && at < text.length(); ) {
      int id = cover.id(at);
      if (id < 0) {
        at++;
        continue;
      }
      if (from < at) words.encode(text, from, at, out);
      out.add(id);
      at += vocabulary.token(id).length();
      from = at;
    }
    if (from < text.length()) words.encode(text, from, text.length(), out);
  }
}
