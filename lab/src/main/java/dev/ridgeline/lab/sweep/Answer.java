package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.chart.Chart;
import java.util.ArrayList;
import java.util.List;

/**
 * What a sweep comes to, in words, tables and charts: data, so that it can be drawn again.
 *
 * @param headline the answer in one line
 * @param facts what it rests on and what else is to be known, a name and a line each
 * @param warnings what stands against it, a line each
 * @param tables most important first
 * @param charts most important first
 */
public record Answer(
    String headline,
    List<Fact> facts,
    List<String> warnings,
    List<Table> tables,
    List<Chart> charts) {
  public Answer {
    facts = List.copyOf(facts);
    warnings = List.copyOf(warnings);
    tables = List.copyOf(tables);
    charts = List.copyOf(charts);
  }

  /** The same with something else against it, before all others. */
  public Answer but(String warning) {
    List<String> all = new ArrayList<>(List.of(warning));
    all.addAll(warnings);
    return new Answer(headline, facts, all, tables, charts);
  }

  /** A line with a name before it. */
  public record Fact(String name, String text) {}

  /**
   * Rows of texts; what is no name stands to the right.
   *
   * @param columns titles; the first is that of the names
   * @param rows as long as there are columns
   */
  public record Table(String title, List<String> columns, List<List<String>> rows) {
    public Table {
      columns = List.copyOf(columns);
      rows = rows.stream().map(List::copyOf).toList();
      if (columns.isEmpty()) throw new IllegalArgumentException(title + ": no columns");
      for (List<String> row : rows) {
        if (row.size() != columns.size()) {
          throw new IllegalArgumentException("%s: %s below %s".formatted(title, row, columns));
        }
      }
    }
  }
}
