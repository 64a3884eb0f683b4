package dev.ridgeline.lab.chart;

import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.report.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A chart as lines of a console: dots of Braille, eight to a cell, or letters where only those
 * arrive; a line for each level, a column for each mark.
 */
public final class ChartText {
  private static final int ROWS = 12;

  /** Room for a number at the side, at least. */
  private static final int LABEL = 10;

  /** A letter for each series. */
  private static final String LETTERS = "ox+*#@";

  /** What Unicode adds for the dot in each row of a cell, left and right. */
  private static final int[][] BRAILLE = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

  private final Chart chart;
  private final String[] labels = new String[ROWS];
  private final int left;
  private final int columns;
  private final boolean letters;
  private final Axis across;
  private final Axis up;
  private final char[][] cells;
  private final int[][] dots;

  private ChartText(Chart chart, int width, boolean letters) {
    this.chart = chart;
    this.letters = letters;
    this.up = Axis.of(chart.up(), chart.heightsHeld(), 4 * ROWS - 1, 0);
    Arrays.fill(labels, "");
    for (Axis.Tick tick : up.ticks(4)) labels[row(tick.value())] = tick.label();
    this.left = Math.max(LABEL, Arrays.stream(labels).mapToInt(String::length).max().orElse(0)) + 2;
    this.columns = Math.max(10, width - left);
    this.across = across();
    this.cells = new char[ROWS][columns];
    this.dots = new int[ROWS][columns];
    for (char[] row : cells) Arrays.fill(row, ' ');
  }

  /** What is counted takes all of the width. */
  private Axis across() {
    Axis axis = Axis.of(chart.across(), chart.placesHeld(), 0, 2 * columns - 1);
    if (chart.across() != Scale.WHOLE) return axis;
    double low = Arrays.stream(chart.placesHeld()).filter(Double::isFinite).min().orElse(0);
    double high = Arrays.stream(chart.placesHeld()).filter(Double::isFinite).max().orElse(0);
    return new Axis(Scale.WHOLE, low - 0.5, high + 0.5, 0, 2 * columns - 1);
  }

  /**
   * The lines.
   *
   * @param width cells to a line at most
   * @param letters without Braille and lines of boxes
   */
  public static List<String> lines(Chart chart, int width, boolean letters) {
    return new ChartText(chart, width, letters).draw();
  }

  private List<String> draw() {
    for (Series series : chart.series()) {
      if (!series.drawn().dotted()) line(series);
    }
    for (Mark mark : chart.marks()) {
      if (!across.holds(mark.x())) continue;
      int column = column(mark.x());
      for (char[] row : cells) if (row[column] == ' ') row[column] = letters ? '|' : '┊';
    }
    for (int i = 0; i < chart.series().size(); i++) {
      Series series = chart.series().get(i);
      char letter = LETTERS.charAt(i % LETTERS.length());
      if (series.drawn().dotted()) series.points().forEach(point -> dot(point, letter));
    }
    List<String> lines = new ArrayList<>();
    lines.add(names(chart.marks(), false));
    for (int r = 0; r < ROWS; r++) {
      lines.add(Text.right(labels[r], left - 2) + (letters ? " |" : " ┤") + text(r));
    }
    String axis = (letters ? "-" : "─").repeat(columns);
    lines.add(" ".repeat(left - 1) + (letters ? "+" : "└") + axis);
    lines.add(names(across.below(chart, 6), true));
    return lines.stream().map(String::stripTrailing).toList();
  }

  private void line(Series series) {
    Point before = null;
    for (Point point : series.points()) {
      boolean drawn = drawn(point);
      if (drawn && before != null) {
        int from = column(before.x());
        int to = Math.max(from, column(point.x()));
        for (int c = from; c <= to; c++) {
          double part = to == from ? 0 : (double) (c - from) / (to - from);
          int row = row(before.y() + part * (point.y() - before.y()));
          cells[row][c] = letters ? '-' : '─';
        }
      }
      before = drawn ? point : null;
    }
  }

  private void dot(Point point, char letter) {
    if (!drawn(point)) return;
    int row = row(point.y());
    int column = column(point.x());
    if (letters) {
      cells[row][column] = letter;
      return;
    }
    int fine = (int) Math.round(up.at(up.within(point.y())));
    int half = (int) Math.round(across.at(across.within(point.x()))) % 2;
    dots[row][column] |= BRAILLE[fine % 4][half];
  }

  private boolean drawn(Point point) {
    return across.holds(point.x()) && up.holds(point.y());
  }

  private String text(int row) {
    StringBuilder text = new StringBuilder();
    for (int c = 0; c < columns; c++) {
      text.append(dots[row][c] == 0 ? cells[row][c] : (char) (0x2800 + dots[row][c]));
    }
    return text.toString();
  }

  /** Names in one line as far as they do not meet; of marks the first word at least. */
  private String names(List<Mark> marks, boolean centred) {
    StringBuilder line = new StringBuilder(" ".repeat(left + columns));
    for (Mark mark : marks) {
      if (!across.holds(mark.x())) continue;
      String clean = Text.clean(mark.name());
      String whole = letters ? clean.replace('−', '-') : clean;
      for (String name : centred ? List.of(whole) : List.of(whole, whole.split(" ")[0])) {
        int at = left + column(mark.x()) - (centred ? name.length() / 2 : 0);
        at = Math.clamp(at, left, Math.max(left, line.length() - name.length()));
        int end = at + name.length();
        if (end > line.length()) continue;
        String there = line.substring(Math.max(0, at - 1), Math.min(line.length(), end + 1));
        if (!there.isBlank()) continue;
        line.replace(at, end, name);
        break;
      }
    }
    return line.toString();
  }

  private int column(double x) {
    return (int) Math.round(across.at(across.within(x))) / 2;
  }

  private int row(double y) {
    return (int) Math.round(up.at(up.within(y))) / 4;
  }
}
