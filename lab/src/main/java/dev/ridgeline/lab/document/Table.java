package dev.ridgeline.lab.document;

import dev.ridgeline.lab.chart.Tone;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Rows under titles. Names stand to the left, and so do remarks, in a column without a title at the
 * end; all else stands to the right.
 *
 * @param title of the table; stands above the names if their column has no title
 * @param legend what explains it on a page, or empty
 * @param columns titles; the first is that of the names
 * @param rows as long as there are columns
 */
public record Table(String title, String legend, List<String> columns, List<Row> rows)
    implements Document.Part {

  /** Title of a column of folders next to the page. */
  public static final String RECORD = "record";

  private static final int BAR = 12;

  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
    if (columns.isEmpty()) throw new IllegalArgumentException(title + ": no columns");
    for (Row row : rows) {
      if (row.cells().size() != columns.size()) {
        throw new IllegalArgumentException("%s: %s below %s".formatted(title, row, columns));
      }
    }
  }

  /** Texts alone. */
  public Table(String title, List<String> columns, List<List<String>> rows) {
    this(title, "", columns, rows.stream().map(Row::of).toList());
  }

  /** A row for each thing. */
  public static <T> Table of(
      String title, List<String> columns, Collection<T> things, Function<T, Row> row) {
    return new Table(title, "", columns, things.stream().map(row).toList());
  }

  /** The same with what explains it on a page. */
  public Table explained(String legend) {
    return new Table(title, legend, columns, rows);
  }

  /** Titles of the columns where the table has no other heading. */
  List<String> heads() {
    List<String> heads = new ArrayList<>(columns);
    if (heads.getFirst().isEmpty()) heads.set(0, title);
    return heads;
  }

  /** The heading above the titles of the columns, or empty. */
  String heading() {
    return columns.getFirst().isEmpty() ? "" : title;
  }

  boolean left(int column) {
    return column == 0 || column == columns.size() - 1 && columns.getLast().isEmpty();
  }

  /**
   * Cells next to each other.
   *
   * @param bars two parts of the longest bar, before and after, that a page draws in the last cell;
   *     null for none
   */
  public record Row(List<String> cells, Tone tone, double[] bars) {
    public Row {
      cells = List.copyOf(cells);
    }

    public static Row of(String... cells) {
      return of(List.of(cells));
    }

    public static Row of(List<String> cells) {
      return new Row(cells, Tone.PLAIN, null);
    }

    public static Row of(Tone tone, String... cells) {
      return new Row(List.of(cells), tone, null);
    }

    /** One that ends with the bar of a part of the longest one. */
    public static Row withBar(double before, double after, String... cells) {
      List<String> all = new ArrayList<>(List.of(cells));
      all.add("█".repeat((int) Math.round(Math.clamp(after, 0, 1) * BAR)));
      return new Row(all, Tone.PLAIN, new double[] {before, after});
    }
  }
}
