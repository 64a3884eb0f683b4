package dev.ridgeline.model.tokenizer;

/**
 * Texts into token ids and back, as one model was trained to read them.
 *
 * <p>A tokenizer is immutable and safe for concurrent use, as long as each thread brings its own
 * {@link Tokens}: all that encoding needs beyond the vocabulary lives there, so that encoding
 * allocates nothing once those have grown to the longest text. Time is linear in the text but for
 * the logarithm of its longest run without a space.
 */
public sealed interface Tokenizer permits FramedTokenizer {
  /**
   * Appends what the model expects of a whole text: the token that begins it, the text with special
   * tokens recognised where they are spelled out, the token that ends it.
   */
  default void encode(CharSequence text, Tokens out) {
    encode(text, true, true, out);
  }

  /**
   * Appends the ids of a text.
   *
   * @param framed whether {@link #first} and {@link #last} go around it
   * @param special whether {@code [SEP]} or {@code <s>} in the text is that token, or only these
   *     characters: say no for words of a stranger that stand in a prompt
   */
  void encode(CharSequence text, boolean framed, boolean special, Tokens out);

  /** The text of some ids, without control tokens, tidied as is usual for this kind. */
  default String decode(int[] ids, int from, int to) {
    TextStream stream = new TextStream(this);
    StringBuilder text = new StringBuilder();
    for (int i = from; i < to; i++) stream.add(ids[i], text);
    stream.end(text);
    return text.toString();
  }

  default String decode(int... ids) {
    return decode(ids, 0, ids.length);
  }

  /**
   * Writes the bytes that a token adds to a text, which may be part of a character, and none for a
   * control token; {@link TextStream} makes text of them.
   *
   * @return where the next bytes go
   * @throws UnsupportedOperationException if tokens of this kind are words that bytes cannot say
   */
  int bytes(int id, byte[] target, int at);

  /** The most bytes that a token has. */
  int longestToken();

  /** Whether a text is read as if a space stood before it, which its first token then has. */
  default boolean addsSpace() {
    return false;
  }

  /** Whether a model that generates this token has ended its text, turn or message. */
  boolean ends(int id);

  /** All tokens that do. */
  int[] endings();

  /** The vocabulary, spelled as in the model's file. */
  Vocabulary vocabulary();

  /** How many tokens there are. */
  default int size() {
    return vocabulary().size();
  }

  /** A token as the vocabulary spells it. */
  default String token(int id) {
    return vocabulary().token(id);
  }

  /** What begins each text, −1 for nothing. */
  int first();

  /** What ends each text, −1 for nothing. */
  int last();

  /** The tokens with a meaning of their own, −1 where there is none. */
  Specials specials();
}
