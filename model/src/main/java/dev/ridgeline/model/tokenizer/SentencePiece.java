package dev.ridgeline.model.tokenizer;

import dev.ridgeline.model.tokenizer.Vocabulary.Kind;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The tokenizer of Llama and Gemma: characters joined to tokens in the order of the scores, and
 * bytes for what the vocabulary does not have.
 *
 * <p>Does what llama.cpp does with the same file. Immutable and safe for concurrent use, with
 * {@link Tokens} of its own for each thread.
 */
public final class SentencePiece extends JoiningTokenizer {
  private static final char SPACE = '▁';

  private final boolean spacePrefix;
  private final Lexicon lexicon;
  private final ScoredPieces scored;
  private final int[] bytes = new int[256];
  private final boolean wordsStandAlone;
  private final Pieces pieces;

  /**
   * @param spacePrefix whether a text, and what follows a special token, begins as after a space
   * @param addBos whether a framed text begins with {@code bos}
   * @param addEos whether it ends with {@code eos}
   */
  public SentencePiece(
      Vocabulary vocabulary,
      Specials specials,
      boolean spacePrefix,
      boolean addBos,
      boolean addEos) {
    super(vocabulary, specials, addBos, addEos);
    this.spacePrefix = spacePrefix;
    lexicon = new Lexicon(vocabulary.size());
    for (int id = 0; id < vocabulary.size(); id++) lexicon.add(vocabulary.token(id), id);
    for (int b = 0; b < bytes.length; b++) bytes[b] = byteToken(b);
    scored = new ScoredPieces(lexicon, vocabulary);
    wordsStandAlone = wordsStandAlone(vocabulary);
    pieces = spelledOut();
  }

  private int byteToken(int b) {
    byte[] name = "<0x%02X>".formatted(b).getBytes(StandardCharsets.US_ASCII);
    int id = lexicon.find(name, 0, name.length);
    return id >= 0 ? id : specials.unknown();
  }

  /**
   * Whether no token has a space after something else: then words can be joined one by one, with a
   * heap of a few entries, and the result is the same.
   */
  private static boolean wordsStandAlone(Vocabulary vocabulary) {
    for (String token : vocabulary.tokens()) {
      for (int i = 1; i < token.length(); i++) {
        if (token.charAt(i) == SPACE && token.charAt(i - 1) != SPACE) return false;
      }
    }
    return true;
  }

  @Override
  void words(CharSequence text, int from, int to, Tokens out) {
    Merge merge = out.merge;
    merge.clear();
    if (spacePrefix) merge.add(SPACE, lexicon);
    boolean space = true;
    for (int at = from; at < to; ) {
      int character = Utf8.at(text, at);
      at += Character.charCount(character);
      if (character == ' ') character = SPACE;
      if (wordsStandAlone && character == SPACE && !space) finish(merge, out);
      space = character == SPACE;
      merge.add(character, lexicon);
    }
    finish(merge, out);
  }

  private void finish(Merge merge, Tokens out) {
    if (merge.isEmpty()) return;
    merge.run(scored);
    for (int i = 0; i >= 0; i = merge.after(i)) {
      if (merge.id(i) >= 0) out.add(merge.id(i));
      else spell(merge, i, out);
    }
    merge.clear();
  }

  /** A character that is no token, byte by byte. */
  private void spell(Merge merge, int index, Tokens out) {
    for (int at = merge.start(index); at < merge.end(index); at++) {
      int id = bytes[merge.unsigned(at)];
      if (id >= 0) out.add(id);
      // Without bytes, the whole character is unknown, once.
      if (id == specials.unknown()) return;
    }
  }

  @Override
  byte[] spelled(int id) {
    if (vocabulary.kind(id) == Kind.BYTE) return byteOf(id);
    return vocabulary.token(id).replace(SPACE, ' ').getBytes(StandardCharsets.UTF_8);
  }

  private byte[] byteOf(int id) {
    for (int b = 0; b < bytes.length; b++) if (bytes[b] == id) return new byte[] {(byte) b};
    return vocabulary.token(id).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  Pieces pieces() {
    return pieces;
  }

  @Override
  public boolean addsSpace() {
    return spacePrefix;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "SentencePiece of %,d tokens", size());
  }
}
