package dev.ridgeline.report;

import java.util.List;

/** A series as lines of text, with bars whose shades are its parts. */
final class SeriesText {
  private static final int BAR = 30;
  private static final String SHADES = "█▒░▓";

  private SeriesText() {}

  static List<String> lines(Series series, Console.Style style) {
    List<String> lines = Tables.series(series).lines(style, 0);
    int room = style.width() - lines.stream().mapToInt(Text::width).max().orElse(0) - 2;
    int bar = style.bars() && series.most() > 0 ? Math.min(BAR, room) : 0;
    for (int i = 0; i < series.labels().size() && bar > 4; i++) {
      lines.set(i + 1, lines.get(i + 1) + "  " + bar(series, i, bar));
    }
    return lines;
  }

  /** Parts end where their sum does, so that rounding does not add up. */
  private static String bar(Series series, int point, int width) {
    StringBuilder bar = new StringBuilder();
    double sum = 0;
    for (int p = 0; p < series.parts().size(); p++) {
      sum += series.parts().get(p).values().get(point);
      int end = (int) Math.round(width * sum / series.most());
      bar.append(String.valueOf(SHADES.charAt(p % SHADES.length())).repeat(end - bar.length()));
    }
    return bar.toString();
  }
}
