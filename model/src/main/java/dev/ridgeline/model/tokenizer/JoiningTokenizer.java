package dev.ridgeline.model.tokenizer;

import java.nio.charset.StandardCharsets;

/**
 * What joins small tokens to larger ones, as the models that generate want it; it knows the bytes
 * that each token adds to a text.
 */
abstract sealed class JoiningTokenizer extends FramedTokenizer permits BytePair, SentencePiece {
  private static final byte[] NONE = {};

  private final WholeTokens.Words words = this::words;
  private final Endings endings;

  JoiningTokenizer(Vocabulary vocabulary, Specials specials, boolean addBos, boolean addEos) {
    super(vocabulary, specials, addBos ? specials.bos() : -1, addEos ? specials.eos() : -1);
    endings = new Endings(vocabulary, specials);
  }

  /** Appends the tokens of what stands between whole ones. */
  abstract void words(CharSequence text, int from, int to, Tokens out);

  /** What an ordinary token adds to a text. */
  abstract byte[] spelled(int id);

  /** What each token adds to a text, kept by the subclass, which must be ready to spell. */
  abstract Pieces pieces();

  final Pieces spelledOut() {
    return new Pieces(
        vocabulary.size(),
        id ->
            switch (vocabulary.kind(id)) {
              case CONTROL, UNKNOWN -> NONE;
              case USER_DEFINED -> vocabulary.token(id).getBytes(StandardCharsets.UTF_8);
              default -> spelled(id);
            });
  }

  @Override
  final void encode(CharSequence text, boolean special, Tokens out) {
    whole.encode(text, special, words, out);
  }

  @Override
  public int bytes(int id, byte[] target, int at) {
    return pieces().write(id, target, at);
  }

  @Override
  public int longestToken() {
    return pieces().longest();
  }

  @Override
  public boolean ends(int id) {
    return endings.has(id);
  }

  @Override
  public int[] endings() {
    return endings.ids();
  }
}
