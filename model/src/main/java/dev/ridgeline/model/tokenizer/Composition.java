package dev.ridgeline.model.tokenizer;

import java.text.Normalizer;
import java.text.Normalizer.Form;

/**
 * Accents put together with their letters (Unicode's NFC), as Qwen's tokenizer wants its texts.
 *
 * <p>The JDK does it, but knows accents that the original does not: what those stand between is
 * composed apart.
 */
final class Composition {
  private Composition() {}

  /** A part of a text composed, or null where nothing in it could change. */
  static String of(CharSequence text, int from, int to) {
    if (!hasAccents(text, from, to)) return null;
    StringBuilder composed = new StringBuilder(to - from);
    int start = from;
    for (int at = from; at < to; ) {
      int character = Utf8.at(text, at);
      int next = at + Character.charCount(character);
      if (isMark(character) && !Classes.isAccent(character)) {
        composed.append(Normalizer.normalize(text.subSequence(start, at), Form.NFC));
        composed.append(text, at, next);
        start = next;
      }
      at = next;
    }
    composed.append(Normalizer.normalize(text.subSequence(start, to), Form.NFC));
    return composed.toString();
  }

  private static boolean hasAccents(CharSequence text, int from, int to) {
    for (int at = from; at < to; ) {
      int character = Utf8.at(text, at);
      if (Classes.isAccent(character)) return true;
      at += Character.charCount(character);
    }
    return false;
  }

  private static boolean isMark(int character) {
    return switch (Character.getType(character)) {
      case Character.NON_SPACING_MARK, Character.COMBINING_SPACING_MARK, Character.ENCLOSING_MARK ->
          true;
      default -> false;
    };
  }
}
