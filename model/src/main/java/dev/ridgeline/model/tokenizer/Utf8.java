package dev.ridgeline.model.tokenizer;

/** Writes characters as UTF-8, and reads them out of UTF-16 that may be broken. */
final class Utf8 {
  /** No character is longer. */
  static final int LONGEST = 4;

  private static final int REPLACEMENT = 0xfffd;

  private Utf8() {}

  /** The character at an index; half of a surrogate pair reads as U+FFFD. */
  static int at(CharSequence text, int index) {
    char high = text.charAt(index);
    if (!Character.isSurrogate(high)) return high;
    if (Character.isHighSurrogate(high) && index + 1 < text.length()) {
      char low = text.charAt(index + 1);
      if (Character.isLowSurrogate(low)) return Character.toCodePoint(high, low);
    }
    return REPLACEMENT;
  }

  /** Writes a character and returns where the next one goes. */
  static int write(int character, byte[] target, int at) {
    if (character < 0x80) {
      target[at] = (byte) character;
      return at + 1;
    }
    if (character < 0x800) {
      target[at] = (byte) (0xc0 | character >> 6);
      target[at + 1] = (byte) (0x80 | character & 0x3f);
      return at + 2;
    }
    if (character < 0x10000) {
      target[at] = (byte) (0xe0 | character >> 12);
      target[at + 1] = (byte) (0x80 | character >> 6 & 0x3f);
      target[at + 2] = (byte) (0x80 | character & 0x3f);
      return at + 3;
    }
    target[at] = (byte) (0xf0 | character >> 18);
    target[at + 1] = (byte) (0x80 | character >> 12 & 0x3f);
    target[at + 2] = (byte) (0x80 | character >> 6 & 0x3f);
    target[at + 3] = (byte) (0x80 | character & 0x3f);
    return at + 4;
  }

  /** Whether a byte goes on with the character before it. */
  static boolean continues(byte b) {
    return (b & 0xc0) == 0x80;
  }
}
