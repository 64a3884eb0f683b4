package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
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

  /** One that is said in a line. */
  public static Answer of(String headline) {
    return new Answer(headline, List.of(), List.of(), List.of(), List.of());
  }

  /** The same with something else against it, before all others. */
  public Answer but(String warning) {
    List<String> all = new ArrayList<>(List.of(warning));
    all.addAll(warnings);
    return new Answer(headline, facts, all, tables, charts);
  }
}
