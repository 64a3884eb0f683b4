package dev.ridgeline.report;

import dev.ridgeline.profiler.file.OneLine;
import java.util.ArrayList;
import java.util.List;

/** Text on a grid of character cells. */
public final class Text {
  private Text() {}

  /** Names come from the program that was profiled: nothing in them may steer a terminal. */
  public static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> OneLine.harmless(c) ? c : Character.isWhitespace(c) ? ' ' : '\uFFFD')
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** Cells that a text takes: none for combining marks, two for East Asian and emoji. */
  public static int width(String text) {
    return text.codePoints().map(Text::width).sum();
  }

  private static int width(int c) {
    int type = Character.getType(c);
    if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) return 0;
    boolean wide =
        c >= 0x1100
            && (c <= 0x115F
                || c >= 0x2E80 && c <= 0xA4CF && c != 0x303F
                || c >= 0xAC00 && c <= 0xD7A3
                || c >= 0xF900 && c <= 0xFAFF
                || c >= 0xFE30 && c <= 0xFE6F
                || c >= 0xFF00 && c <= 0xFF60
                || c >= 0xFFE0 && c <= 0xFFE6
                || c >= 0x1F300 && c <= 0x1FAFF
                || c >= 0x20000 && c <= 0x3FFFD);
    return wide ? 2 : 1;
  }

  /** Cut at the right to at most {@code width} cells. */
  public static String fit(String text, int width) {
    if (width(text) <= width) return text;
    StringBuilder cut = new StringBuilder();
    int left = width - 1;
    for (int c : text.codePoints().toArray()) {
      left -= width(c);
      if (left < 0) break;
      cut.appendCodePoint(c);
    }
    return cut.append(width > 0 ? "…" : "").toString();
  }

  /** Cut at the left to at most {@code width} cells: where names differ is often their end. */
  static String fitEnd(String text, int width) {
    if (width(text) <= width) return text;
    int from = 0;
    while (from < text.length() && width(text.substring(from)) >= width) {
      from = text.offsetByCodePoints(from, 1);
    }
    return width > 0 ? "…" + text.substring(from) : "";
  }

  /** Filled up with blanks at the right. */
  public static String left(String text, int width) {
    return text + " ".repeat(Math.max(0, width - width(text)));
  }

  /** Filled up with blanks at the left. */
  public static String right(String text, int width) {
    return " ".repeat(Math.max(0, width - width(text))) + text;
  }

  /** Lines of at most {@code width} cells, broken at blanks; a longer word is cut. */
  public static List<String> wrap(String text, int width) {
    List<String> lines = new ArrayList<>();
    String line = "";
    for (String word : text.strip().split(" +")) {
      String longer = line.isEmpty() ? word : line + " " + word;
      if (width(longer) > width && !line.isEmpty()) {
        lines.add(line);
        longer = word;
      }
      line = fit(longer, width);
    }
    lines.add(line);
    return lines;
  }
}
