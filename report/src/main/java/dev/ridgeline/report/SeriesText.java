package dev.ridgeline.report;

import java.util.ArrayList;
import java.util.List;

/** A series as lines of text, with bars whose shades are its parts. */
final class SeriesText {
  private static final int BAR = 30;
  private static final String SHADES = "█▒░▓";

  private SeriesText() {}

  static List<String> lines(Series series, Console.Style style) {
    List<List<String>> rows = new ArrayList<>();
    rows.add(head(series));
    for (int i = 0; i < series.labels().size(); i++) {
      List<String> row = new ArrayList<>(List.of(Text.clean(series.labels().get(i))));
      row.addAll(series.cells(i));
      rows.add(row);
    }
    int[] widths = new int[rows.getFirst().size()];
    for (List<String> row : rows) {
      for (int c = 0; c < widths.length; c++) {
        widths[c] = Math.max(widths[c], Text.width(row.get(c)));
      }
    }
    int used = 2;
    int shown = 0;
    while (shown < widths.length && used + widths[shown] + 2 <= style.width()) {
      used += widths[shown++] + 2;
    }
    int bar = style.bars() && series.most() > 0 ? Math.min(BAR, style.width() - used) : 0;
    List<String> lines = new ArrayList<>();
    for (int r = 0; r < rows.size(); r++) {
      StringBuilder line = new StringBuilder("  ").append(Text.left(rows.get(r).get(0), widths[0]));
      for (int c = 1; c < shown; c++) {
        line.append("  ").append(Text.right(rows.get(r).get(c), widths[c]));
      }
      if (r > 0 && bar > 4) line.append("  ").append(bar(series, r - 1, bar));
      String drawn = line.toString().stripTrailing();
      lines.add(r == 0 ? Ink.DIM.on(drawn, style.colour()) : drawn);
    }
    return lines;
  }

  private static List<String> head(Series series) {
    List<String> head = new ArrayList<>(List.of(Text.clean(series.name())));
    for (String column : series.columns()) head.add(Text.clean(column));
    return head;
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
