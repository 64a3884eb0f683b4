package dev.ridgeline.lab.history.trend;

import dev.ridgeline.report.Text;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A trend as lines of a terminal: a dot for each run, a line for each level, a column for each
 * change. Dots are of Braille, eight to a cell, or of letters where only those arrive.
 */
final class TrendPlot {
  private static final int ROWS = 12;
  private static final int LABEL = 10;

  /** What Unicode adds for the dot in each row of a cell, left and right. */
  private static final int[][] BRAILLE = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};

  private final Trend trend;
  private final int columns;
  private final boolean letters;
  private final Scale scale;
  private final char[][] cells;
  private final int[][] dots;

  private TrendPlot(Trend trend, int width, boolean letters) {
    this.trend = trend;
    this.columns = Math.max(10, width - LABEL - 2);
    this.letters = letters;
    this.scale = Scale.of(trend);
    this.cells = new char[ROWS][columns];
    this.dots = new int[ROWS][columns];
    for (char[] row : cells) Arrays.fill(row, ' ');
  }

  /**
   * The lines.
   *
   * @param width cells to a line at most
   * @param letters without Braille and lines of boxes
   */
  static List<String> lines(Trend trend, int width, boolean letters) {
    return new TrendPlot(trend, width, letters).draw();
  }

  private List<String> draw() {
    for (Trend.Level level : trend.levels()) {
      int row = row(level.value());
      int last = Math.max(column(level.from()), column(level.to() - 1));
      for (int c = column(level.from()); c <= last; c++) cells[row][c] = letters ? '-' : '─';
    }
    for (Trend.Change change : trend.changes()) {
      int c = column(change.index());
      for (int r = 0; r < ROWS; r++) if (cells[r][c] == ' ') cells[r][c] = letters ? '|' : '┊';
    }
    for (int i = 0; i < trend.points().size(); i++) dot(i, trend.points().get(i).value());
    List<String> lines = new ArrayList<>();
    lines.add(marks());
    for (int r = 0; r < ROWS; r++) lines.add(label(r) + (letters ? " |" : " ┤") + text(r));
    lines.add(
        " ".repeat(LABEL + 1) + (letters ? "+" : "└") + (letters ? "-" : "─").repeat(columns));
    lines.add(dates());
    return lines.stream().map(String::stripTrailing).toList();
  }

  private void dot(int point, double value) {
    int c = column(point);
    if (letters) {
      cells[row(value)][c] = 'o';
      return;
    }
    int fine = (int) Math.round((1 - scale.part(value)) * (4 * ROWS - 1));
    int half = (int) Math.round(place(point) * (2 * columns - 1)) % 2;
    dots[fine / 4][c] |= BRAILLE[fine % 4][half];
  }

  private String text(int row) {
    StringBuilder text = new StringBuilder();
    for (int c = 0; c < columns; c++) {
      text.append(dots[row][c] == 0 ? cells[row][c] : (char) (0x2800 + dots[row][c]));
    }
    return text.toString();
  }

  /** Numbers above the columns where something changed. */
  private String marks() {
    StringBuilder line = new StringBuilder(" ".repeat(LABEL + 2 + columns + 4));
    for (int i = 0; i < trend.changes().size(); i++) {
      String number = Integer.toString(i + 1);
      int at = LABEL + 2 + column(trend.changes().get(i).index());
      at = Math.min(at, LABEL + 2 + columns - number.length());
      line.replace(at, at + number.length(), number);
    }
    return line.toString();
  }

  private String label(int row) {
    boolean shown = row == 0 || row == ROWS - 1 || row == ROWS / 2;
    double value = scale.value(1 - (double) row / (ROWS - 1));
    return Text.right(shown ? scale.label(value) : "", LABEL);
  }

  /** The first day at the left, the last at the right, and one between where there is room. */
  private String dates() {
    List<Trend.Point> points = trend.points();
    DateLabels labels = DateLabels.of(points);
    String first = labels.text(points.getFirst().time());
    String last = labels.text(points.getLast().time());
    StringBuilder line = new StringBuilder(" ".repeat(LABEL + 2 + columns));
    line.replace(LABEL + 2, LABEL + 2 + first.length(), first);
    if (points.size() > 1) line.replace(line.length() - last.length(), line.length(), last);
    String middle = labels.text(points.get(points.size() / 2).time());
    int at = LABEL + 2 + columns / 2 - middle.length() / 2;
    if (points.size() > 2 && columns > 4 * middle.length()) {
      line.replace(at, at + middle.length(), middle);
    }
    return line.toString();
  }

  private double place(int point) {
    int points = trend.points().size();
    return points == 1 ? 0.5 : (double) point / (points - 1);
  }

  private int column(int point) {
    return (int) Math.round(place(point) * (2 * columns - 1)) / 2;
  }

  private int row(double value) {
    return (int) Math.round((1 - scale.part(value)) * (ROWS - 1));
  }
}
