package dev.ridgeline.model.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * The tokenizer of Llama and Gemma: characters joined to tokens in the order of the scores, and
 * bytes for what the vocabulary does not have.
 *
 * <p>Does what llama.cpp does with the same file. Immutable and safe for concurrent use, with
 * {@link Tokens} of its own for each thread.
 */
public final class SentencePiece implements Tokenizer {
  private static final char SPACE = '▁';
  private static final byte[] NONE = {};

  private final Vocabulary vocabulary;
  private final Specials specials;
  private final boolean spacePrefix;
  private final boolean addBos;
  private final boolean addEos;
  private final Lexicon lexicon;
  private final ScoredPieces pieces;
  private final int[] bytes = new int[256];
  private final WholeTokens whole;
  private final WholeTokens.Words words = this::words;
  private final boolean wordsStandAlone;
  private final Pieces spelled;
  private final Endings endings;

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
    this.vocabulary = vocabulary;
    this.specials = specials.within(vocabulary.size());
    this.spacePrefix = spacePrefix;
    this.addBos = addBos;
    this.addEos = addEos;
    lexicon = new Lexicon(vocabulary.size());
    for (int id = 0; id < vocabulary.size(); id++) lexicon.add(vocabulary.token(id), id);
    for (int b = 0; b < bytes.length; b++) bytes[b] = byteToken(b);
    pieces = new ScoredPieces(lexicon, vocabulary);
    whole = new WholeTokens(vocabulary);
    wordsStandAlone = wordsStandAlone(vocabulary);
    spelled = new Pieces(vocabulary.size(), this::piece);
    endings = new Endings(vocabulary, specials);
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
  public void encode(CharSequence text, boolean framed, boolean special, Tokens out) {
    if (framed && first() >= 0) out.add(first());
    whole.encode(text, special, words, out);
    if (framed && last() >= 0) out.add(last());
  }

  /** What stands between special tokens. */
  private void words(CharSequence text, int from, int to, Tokens out) {
    Merge merge = out.merge();
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
    merge.run(pieces);
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

  private byte[] piece(int id) {
    String token = vocabulary.token(id);
    return switch (vocabulary.kind(id)) {
      case CONTROL, UNKNOWN -> NONE;
      case BYTE -> byteOf(id);
      case USER_DEFINED -> token.getBytes(StandardCharsets.UTF_8);
      default -> token.replace(SPACE, ' ').getBytes(StandardCharsets.UTF_8);
    };
  }

  private byte[] byteOf(int id) {
    for (int b = 0; b < bytes.length; b++) if (bytes[b] == id) return new byte[] {(byte) b};
    return vocabulary.token(id).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public int bytes(int id, byte[] target, int at) {
    return spelled.write(id, target, at);
  }

  @Override
  public int longestToken() {
    return spelled.longest();
  }

  @Override
  public boolean addsSpace() {
    return spacePrefix;
  }

  @Override
  public boolean ends(int id) {
    return endings.has(id);
  }

  @Override
  public int[] endings() {
    return endings.ids();
  }

  @Override
  public Vocabulary vocabulary() {
    return vocabulary;
  }

  @Override
  public Specials specials() {
    return specials;
  }

  @Override
  public int first() {
    return addBos ? specials.bos() : -1;
  }

  @Override
  public int last() {
    return addEos ? specials.eos() : -1;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "SentencePiece of %,d tokens", size());
  }
}
