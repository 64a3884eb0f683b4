package dev.ridgeline.profiler.file;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Messages that stay one line whatever a user or a file put into them. */
public final class OneLine {
  private static final int LONGEST = 800;
  private static final int LONGEST_WORD = 200;
  private static final Pattern LONG_WORD = Pattern.compile("\\S{" + (LONGEST_WORD + 1) + ",}");

  private OneLine() {}

  /** Shows what could steer a terminal as its code, and cuts what is very long in its middle. */
  public static String of(String message) {
    StringBuilder line = new StringBuilder();
    message.strip().codePoints().forEach(c -> append(line, c));
    return cut(
        LONG_WORD
            .matcher(line)
            .replaceAll(word -> Matcher.quoteReplacement(cut(word.group(), LONGEST_WORD))),
        LONGEST);
  }

  /** Whether a character neither steers a terminal nor breaks a line. */
  public static boolean harmless(int c) {
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

  private static void append(StringBuilder line, int c) {
    if (harmless(c)) line.appendCodePoint(c);
    else if (c == '\n') line.append("\\n");
    else line.append(c < 0x10000 ? "\\u%04x".formatted(c) : "\\x{%x}".formatted(c));
  }

  private static String cut(String text, int longest) {
    if (text.length() <= longest) return text;
    int head = longest * 2 / 3;
    int tail = text.length() - (longest - head - 1);
    if (Character.isHighSurrogate(text.charAt(head - 1))) head--;
    if (Character.isLowSurrogate(text.charAt(tail))) tail++;
    return text.substring(0, head) + "…" + text.substring(tail);
  }
}
