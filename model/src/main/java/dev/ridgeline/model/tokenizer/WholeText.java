package dev.ridgeline.model.tokenizer;

/**
 * Tells text from UTF-16 that is broken, which no tokenizer was made for: half of a surrogate pair
 * is no character, and what reads it makes another text of it.
 */
public final class WholeText {
  private WholeText() {}

  /** Where the first half of a character stands alone, or −1. */
  public static int firstHalf(CharSequence text) {
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (!Character.isSurrogate(c)) continue;
      boolean paired =
          Character.isHighSurrogate(c)
              && i + 1 < length
              && Character.isLowSurrogate(text.charAt(i + 1));
      if (!paired) return i;
      i++;
    }
    return -1;
  }
}
