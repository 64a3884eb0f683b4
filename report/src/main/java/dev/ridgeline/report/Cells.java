package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A column of a table as text: one unit and one number of decimals for all its rows.
 *
 * @param column what it says
 * @param micros whether times of single calls are in microseconds
 * @param decimals after the point
 * @param values a number for each row, NaN where there is none
 * @param texts a cell for each row
 */
record Cells(Column column, boolean micros, int decimals, double[] values, List<String> texts) {
  /** Stands where there is nothing to say. */
  static final String NOTHING = "–";

  /** Stands where the JVM did not tell, which is not zero. */
  static final String UNKNOWN = "?";

  /** The given columns for these rows; those without a single number are left out. */
  static List<Cells> of(Collection<Column> columns, List<Node> rows, Report report) {
    boolean micros = microseconds(rows, report);
    boolean allocation = report.profile().level().compareTo(Level.ALLOCATION) >= 0;
    List<Cells> all = new ArrayList<>();
    for (Column column : columns) {
      double[] values = rows.stream().mapToDouble(row -> column.value(row, report)).toArray();
      boolean empty = true;
      for (double value : values) empty &= Double.isNaN(value);
      // Unknown allocation is news; allocation that nobody asked for is not.
      boolean shown = column.kind() == Column.Kind.BYTES ? allocation : !empty;
      if (shown) all.add(of(column, values, micros, rows, report));
    }
    return all;
  }

  private static Cells of(
      Column column, double[] values, boolean micros, List<Node> rows, Report report) {
    int decimals = decimals(column.kind(), values, micros);
    Cells cells = new Cells(column, micros, decimals, values, new ArrayList<>());
    boolean words = column.kind() == Column.Kind.WORDS;
    for (int i = 0; i < values.length; i++) {
      cells.texts.add(words ? column.words(rows.get(i), report) : cells.text(values[i]));
    }
    return cells;
  }

  /** The largest value. */
  double most() {
    return Arrays.stream(values).filter(value -> value > 0).max().orElse(0);
  }

  /** The head of the column, with the unit. */
  String title() {
    return switch (column.kind()) {
      case TIME -> column.title() + " ms";
      case CALL_TIME -> column.title() + (micros ? " µs" : " ms");
      default -> column.title();
    };
  }

  /** What a number is divided by before it is written. */
  double scale() {
    return switch (column.kind()) {
      case TIME -> 1e6;
      case CALL_TIME -> micros ? 1e3 : 1e6;
      case PERCENT, REACHED -> 0.01;
      default -> 1;
    };
  }

  /** A number as this column writes it. */
  String text(double value) {
    if (column.kind() == Column.Kind.BYTES) {
      return Double.isNaN(value) ? UNKNOWN : Quantity.bytes(value);
    }
    if (Double.isNaN(value)) return NOTHING;
    String text = Quantity.fixed(value / scale(), decimals);
    return column.kind() == Column.Kind.REACHED ? text + " %" : text;
  }

  private static int decimals(Column.Kind kind, double[] values, boolean micros) {
    double largest = 0;
    double smallest = Double.MAX_VALUE;
    for (double value : values) {
      if (value > largest) largest = value;
      if (value > 0 && value < smallest) smallest = value;
    }
    return switch (kind) {
      case TIME -> largest >= 1e8 ? 1 : largest >= 1e7 ? 2 : 3;
      // Two digits of the shortest call, whatever the longest is.
      case CALL_TIME -> {
        double shortest = smallest / (micros ? 1e3 : 1e6);
        yield shortest >= 10 ? 1 : shortest >= 1 || micros ? 2 : 3;
      }
      case PERCENT -> 1;
      case RATE -> largest >= 100 ? 1 : 2;
      default -> 0;
    };
  }

  /** Whether calls of any row are too short to be told in milliseconds. */
  private static boolean microseconds(List<Node> rows, Report report) {
    for (Node row : rows) {
      double average = Column.AVERAGE.value(row, report);
      if (average < 1e5) return true;
    }
    return false;
  }
}
