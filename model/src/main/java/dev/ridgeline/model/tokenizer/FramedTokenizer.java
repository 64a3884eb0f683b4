package dev.ridgeline.model.tokenizer;

/** A tokenizer of a vocabulary, some of whose tokens are found whole or go around each text. */
abstract sealed class FramedTokenizer implements Tokenizer permits WordPiece, JoiningTokenizer {
  final Vocabulary vocabulary;
  final Specials specials;
  final WholeTokens whole;
  private final int first;
  private final int last;

  FramedTokenizer(Vocabulary vocabulary, Specials specials, int first, int last) {
    this.vocabulary = vocabulary;
    this.specials = specials.within(vocabulary.size());
    this.whole = new WholeTokens(vocabulary);
    this.first = first;
    this.last = last;
  }

  @Override
  public final void encode(CharSequence text, boolean framed, boolean special, Tokens out) {
    if (framed && first >= 0) out.add(first);
    encode(text, special, out);
    if (framed && last >= 0) out.add(last);
  }

  /** Appends what is between the first and the last token. */
  abstract void encode(CharSequence text, boolean special, Tokens out);

  @Override
  public final Vocabulary vocabulary() {
    return vocabulary;
  }

  @Override
  public final Specials specials() {
    return specials;
  }

  @Override
  public final int first() {
    return first;
  }

  @Override
  public final int last() {
    return last;
  }
}
