package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;

/**
 * Scopes and what is said of them, in as many columns as fit the width, the more important ones
 * first; names take what is left.
 */
final class TextTable {
  private static final int INDENT = 2;
  private static final int GAP = 2;
  private static final int NAME_AT_LEAST = 24;
  private static final int BAR = 10;
  private static final int BAR_AT_MOST = 24;

  private final String head;
  private final List<Node> rows;
  private final List<Cells> columns;
  private final Console.Style style;
  private final List<Footer> footers = new ArrayList<>();

  /** A row below the line. */
  record Footer(String name, Map<Column, String> cells) {}

  /**
   * A table.
   *
   * @param columns all that could be shown, most important first; the first is drawn with a bar,
   *     the others after it in the order of {@link Column}
   */
  TextTable(String head, List<Node> rows, List<Cells> columns, Console.Style style) {
    this.head = head;
    this.rows = rows;
    this.columns = columns;
    this.style = style;
  }

  /** Adds a row below the others; numbers are written as their columns write them. */
  TextTable footer(String name, Map<Column, Double> values) {
    Map<Column, String> cells = new EnumMap<>(Column.class);
    for (Cells column : columns) {
      Double value = values.get(column.column());
      cells.put(column.column(), value == null ? "" : column.text(value));
    }
    footers.add(new Footer(name, cells));
    return this;
  }

  /** Lines that are nowhere wider than the style allows. */
  List<String> draw(Report report) {
    int room = style.width() - INDENT;
    int longest = 0;
    int marks = 0;
    for (Node row : rows) {
      longest = Math.max(longest, Text.width(PathLabels.full(row)));
      marks = Math.max(marks, Text.width(Explanation.mark(row, report)));
    }
    longest = Math.max(longest + marks, Text.width(head));
    for (Footer footer : footers) longest = Math.max(longest, Text.width(footer.name));
    int name = Math.min(longest, nameWidth(room, marks));
    int bar = style.bars() ? BAR : 0;
    int left = room - name - (bar > 0 ? bar + 1 : 0);
    List<Cells> shown = new ArrayList<>();
    for (Cells column : columns) {
      if (left < GAP + width(column)) break;
      left -= GAP + width(column);
      shown.add(column);
    }
    Cells barred = shown.isEmpty() ? null : shown.getFirst();
    // What the table is sorted by stands first, with its bar; the rest as in every table.
    shown.sort(Comparator.<Cells, Boolean>comparing(c -> c != barred).thenComparing(Cells::column));
    int more = Math.min(left, longest - name);
    if (bar > 0) bar += Math.min(left - more, BAR_AT_MOST - BAR);
    return lines(name + more, marks, barred, bar, shown, report);
  }

  /** Enough to tell the rows apart, but not more than half of the room. */
  private int nameWidth(int room, int marks) {
    int width = Math.max(NAME_AT_LEAST, room * 3 / 10);
    while (width < room / 2) {
      if (new HashSet<>(PathLabels.fit(rows, width - marks)).size() == rows.size()) break;
      width++;
    }
    return width;
  }

  private List<String> lines(
      int name, int marks, Cells barred, int barWidth, List<Cells> shown, Report report) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = start(head, name);
    for (Cells column : shown) {
      line.append(cell(column, column.title()));
      if (column == barred && barWidth > 0) line.append(" ".repeat(barWidth + 1));
    }
    lines.add(Ink.DIM.on(line.toString().stripTrailing(), style.colour()));
    List<String> labels = PathLabels.fit(rows, name - marks);
    double most = barred == null ? 0 : barred.most();
    for (int i = 0; i < rows.size(); i++) {
      line = start(labels.get(i) + Explanation.mark(rows.get(i), report), name);
      for (Cells column : shown) {
        line.append(cell(column, column.texts().get(i)));
        if (column == barred && barWidth > 0) {
          double part = most > 0 ? column.values()[i] / most : 0;
          line.append(' ')
              .append(Ink.CYAN.on(Text.left(bar(part, barWidth), barWidth), style.colour()));
        }
      }
      lines.add(line.toString().stripTrailing());
    }
    for (Footer footer : footers) {
      line = start(Text.fit(footer.name, name), name);
      for (Cells column : shown) {
        line.append(cell(column, footer.cells.get(column.column())));
        if (column == barred && barWidth > 0) line.append(" ".repeat(barWidth + 1));
      }
      lines.add(line.toString().stripTrailing());
    }
    return lines;
  }

  private static StringBuilder start(String name, int width) {
    return new StringBuilder(" ".repeat(INDENT)).append(Text.left(name, width));
  }

  private String cell(Cells column, String text) {
    return " ".repeat(GAP) + Text.right(text, width(column));
  }

  private int width(Cells column) {
    int width = Text.width(column.title());
    for (String text : column.texts()) width = Math.max(width, Text.width(text));
    for (Footer footer : footers) {
      width = Math.max(width, Text.width(footer.cells.get(column.column())));
    }
    return width;
  }

  /** Eighths of a character cell. */
  static String bar(double part, int width) {
    int eighths = (int) Math.round(Math.clamp(part, 0, 1) * width * 8);
    String whole = "█".repeat(eighths / 8);
    return eighths % 8 == 0 ? whole : whole + " ▏▎▍▌▋▊▉".charAt(eighths % 8);
  }
}
