package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * A metric or a scope in a table of an experiment, in words.
 *
 * @param title its name, with the unit where that is not said above the table
 * @param a median of A
 * @param b median of B
 * @param change of B to A
 * @param q of all that were compared
 * @param verdict on it alone
 */
record Row(String title, String a, String b, String change, String q, Verdict verdict) {

  /** The metrics; the one that decides first, with the verdict that has paid for its looks. */
  static List<Row> metrics(Experiment it) {
    List<Row> rows = new ArrayList<>();
    Comparison first = it.deciding();
    if (first != null) rows.add(of(first, unit(first), it.decidingRatio(), it.verdict()));
    for (Comparison each : it.metrics()) {
      rows.add(of(each, unit(each), each.ratio(), each.verdict()));
    }
    return rows;
  }

  /** The scopes that became faster or slower. */
  static List<Row> changedScopes(Experiment it) {
    return it.scopes().stream()
        .filter(s -> s.verdict() == Verdict.FASTER || s.verdict() == Verdict.SLOWER)
        .map(scope -> of(scope, "", scope.ratio(), scope.verdict()))
        .toList();
  }

  private static String unit(Comparison it) {
    return it.unit().isEmpty() ? "" : ", " + it.unit();
  }

  private static Row of(Comparison it, String unit, Interval ratio, Verdict verdict) {
    return new Row(
        it.metric() + unit,
        Quantity.number(Median.of(it.a())),
        Quantity.number(Median.of(it.b())),
        ExperimentText.change(ratio),
        Quantity.fixed(it.q(), 3),
        verdict);
  }

  String word() {
    return verdict.word();
  }
}
