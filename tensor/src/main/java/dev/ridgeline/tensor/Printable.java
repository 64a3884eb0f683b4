package dev.ridgeline.tensor;

/**
 * What exceptions say. Names come from users and out of files: a damaged one must neither break the
 * line, nor steer a terminal or a log viewer, nor fill the screen.
 */
public final class Printable {
  private static final int LONGEST = 600;
  private static final int HEAD = 400;

  private Printable() {}

  /** One line: what steers is shown as its code, and what is very long is cut in its middle. */
  public static String line(String message) {
    if (message == null) return null;
    StringBuilder line = new StringBuilder();
    message.codePoints().forEach(c -> append(line, c));
    if (line.length() <= LONGEST) return line.toString();
    int head = Character.isHighSurrogate(line.charAt(HEAD - 1)) ? HEAD - 1 : HEAD;
    int tail = line.length() - (LONGEST - HEAD - 1);
    if (Character.isLowSurrogate(line.charAt(tail))) tail++;
    return line.substring(0, head) + "…" + line.substring(tail);
  }

  private static void append(StringBuilder line, int c) {
    if (c == '\n') line.append("\\n");
    else if (harmless(c)) line.appendCodePoint(c);
    else line.append(c < 0x10000 ? "\\u%04x".formatted(c) : "\\x{%x}".formatted(c));
  }

  private static boolean harmless(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }
}
