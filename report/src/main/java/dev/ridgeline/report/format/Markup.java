package dev.ridgeline.report.format;

/**
 * Text inside SVG and HTML: names come from the program that was profiled, and may hold anything.
 */
final class Markup {
  private Markup() {}

  /** Escaped; white space is a blank, and what XML cannot say is U+FFFD. */
  static String escape(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '&' -> safe.append("&amp;");
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '"' -> safe.append("&quot;");
                default -> safe.appendCodePoint(sayable(c));
              }
            });
    return safe.toString();
  }

  private static int sayable(int c) {
    if (Character.isWhitespace(c)) return ' ';
    return switch (Character.getType(c)) {
      case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.UNASSIGNED ->
          '\uFFFD';
      default -> c;
    };
  }

  /** The beginning of a text that fits into so many pixels of 12-pixel letters; roughly. */
  static String fit(String text, double pixels) {
    double left = pixels;
    int end = 0;
    while (end < text.length()) {
      int c = text.codePointAt(end);
      left -= c < 0x1100 ? 6.6 : 12;
      if (left < 0) break;
      end += Character.charCount(c);
    }
    if (end == text.length()) return text;
    // Not even a letter and the sign that there is more.
    if (end < 3) return "";
    return text.substring(0, text.offsetByCodePoints(end, -1)) + "…";
  }
}
