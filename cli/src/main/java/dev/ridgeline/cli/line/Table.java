package dev.ridgeline.cli.line;

import dev.ridgeline.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Rows of cells in columns as wide as they need to be; the first row is their heading. */
public final class Table {
  private static final String GAP = "  ";

  private Table() {}

  /**
   * Lines of text.
   *
   * @param numbers the columns that stand to the right
   */
  public static String of(List<List<String>> rows, Integer... numbers) {
    Set<Integer> right = Set.of(numbers);
    int[] widths = new int[rows.getFirst().size()];
    for (var row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], Text.width(row.get(i)));
      }
    }
    List<String> lines = new ArrayList<>();
    for (var row : rows) {
      lines.add(
          IntStream.range(0, widths.length)
              .mapToObj(i -> pad(row.get(i), widths[i], right.contains(i)))
              .collect(Collectors.joining(GAP))
              .stripTrailing());
    }
    return String.join("\n", lines) + "\n";
  }

  private static String pad(String cell, int width, boolean right) {
    return right ? Text.right(cell, width) : Text.left(cell, width);
  }
}
