package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Line;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;

/** What tokens measured at depths of a context come to: a constant, and what positions add. */
public final class ContextAnswer {
  /** The parameter of an arm. */
  public static final String CACHE_TYPE = "cache type";

  private static final double UNIT = 1_000;

  /** Farther than this from a line, time does not grow by one. */
  private static final double BENT = 0.1;

  private final Outcome outcome;
  private final List<Integer> positions;
  private final IntFunction<String> figures;

  /**
   * @param figures what a token's time at a position is called as a metric
   */
  public ContextAnswer(Outcome outcome, IntFunction<String> figures) {
    this.outcome = outcome;
    this.figures = figures;
    TreeSet<Integer> found = new TreeSet<>();
    for (Reading.Value metric : outcome.metrics()) {
      String number = metric.name().replaceFirst(".* ", "");
      if (number.matches("\\d+") && metric.name().equals(figures.apply(Integer.parseInt(number)))) {
        found.add(Integer.parseInt(number));
      }
    }
    this.positions = List.copyOf(found);
  }

  public Answer answer() {
    String reference = outcome.reference();
    List<String> warnings = new ArrayList<>();
    if (positions.size() < 3) {
      return Answer.of("The context is too short to tell how time grows");
    }
    List<Fact> facts = new ArrayList<>();
    for (Arm arm : outcome.arms()) {
      Interval constant = each(arm.name(), Line::constant);
      Interval slope = each(arm.name(), line -> UNIT * line.slope());
      facts.add(
          new Fact(
              arm.parameters().get(CACHE_TYPE),
              "%s ms + %s ms for every 1,000 positions"
                  .formatted(StudyText.level(constant), StudyText.level(slope))));
      double farthest = middle(arm.name()).farthest(x(), medians(arm.name()));
      // In few rounds noise alone bends a line.
      if (farthest > BENT && slope.bounded()) {
        warnings.add(
            "%s: time is up to %s %% off the line: it does not grow evenly"
                .formatted(arm.name(), Quantity.fixed(100 * farthest, 0)));
      }
    }
    for (Arm arm : outcome.arms()) {
      if (!arm.name().equals(reference)) compare(arm, facts);
    }
    return new Answer(headline(reference), facts, warnings, List.of(table()), List.of(chart()));
  }

  private String headline(String arm) {
    Interval slope = each(arm, line -> UNIT * line.slope());
    Interval first = level(arm, positions.getFirst());
    Interval last = level(arm, positions.getLast());
    Interval growth =
        outcome.ratioOf(
            arm, figures.apply(positions.getLast()), figures.apply(positions.getFirst()));
    String ends =
        "%s ms at position %s, %s ms at %s"
            .formatted(
                Quantity.number(first.estimate()),
                Quantity.count(positions.getFirst()),
                Quantity.number(last.estimate()),
                Quantity.count(positions.getLast()));
    if (!slope.bounded()) {
      return "Too few rounds to be sure; so far a token takes %s: %s ms more for every 1,000 positions"
          .formatted(ends, Quantity.number(slope.estimate()));
    }
    if (!(slope.low() > 0)) {
      return "No growth for sure: a token takes %s, by %s ms for every 1,000 positions"
          .formatted(ends, StudyText.level(slope));
    }
    return "A token takes %s ms more for every 1,000 positions: %s, %s as long"
        .formatted(StudyText.level(slope), ends, StudyText.times(growth));
  }

  /** What keys and values of another type do to the growth. */
  private void compare(Arm arm, List<Fact> facts) {
    Map<Integer, Line> of = lines(arm.name());
    List<Double> logs = new ArrayList<>();
    lines(outcome.reference())
        .forEach(
            (round, line) -> {
              Line other = of.get(round);
              if (other == null || !(line.slope() > 0 && other.slope() > 0)) return;
              logs.add(Math.log(other.slope() / line.slope()));
            });
    double[] all = logs.stream().mapToDouble(Double::doubleValue).toArray();
    Interval ratio = HodgesLehmann.of(all, Outcome.CONFIDENCE);
    if (Double.isNaN(ratio.estimate())) return;
    facts.add(
        new Fact(
            "Growth",
            "with %s keys and values %s of that with %s; twice would be all memory, once all"
                    .formatted(
                        arm.parameters().get(CACHE_TYPE),
                        StudyText.times(ratio),
                        outcome.arm(outcome.reference()).parameters().get(CACHE_TYPE))
                + " arithmetic"));
  }

  private double[] x() {
    return positions.stream().mapToDouble(Integer::doubleValue).toArray();
  }

  private Interval level(String arm, int position) {
    return outcome.level(arm, figures.apply(position));
  }

  private double[] medians(String arm) {
    return positions.stream().mapToDouble(p -> outcome.median(arm, figures.apply(p))).toArray();
  }

  private Line middle(String arm) {
    return Line.fit(x(), medians(arm));
  }

  /** A line for each round: what makes one process faster than another is then in no difference. */
  private Map<Integer, Line> lines(String arm) {
    List<Map<Integer, Double>> all =
        positions.stream().map(p -> outcome.byRound(arm, figures.apply(p))).toList();
    Set<Integer> rounds = new TreeSet<>(all.getFirst().keySet());
    all.forEach(each -> rounds.retainAll(each.keySet()));
    Map<Integer, Line> lines = new TreeMap<>();
    for (int round : rounds) {
      double[] y = all.stream().mapToDouble(each -> each.get(round)).toArray();
      lines.put(round, Line.fit(x(), y));
    }
    return lines;
  }

  private Interval each(String arm, ToDoubleFunction<Line> figure) {
    double[] values = lines(arm).values().stream().mapToDouble(figure).toArray();
    return HodgesLehmann.of(values, Outcome.CONFIDENCE);
  }

  private Table table() {
    List<String> columns = new ArrayList<>(List.of("position"));
    for (Arm arm : outcome.arms()) {
      columns.add("ms, " + arm.parameters().get(CACHE_TYPE));
      columns.add("to the first");
    }
    List<List<String>> rows = new ArrayList<>();
    String first = figures.apply(positions.getFirst());
    for (int position : positions) {
      List<String> row = new ArrayList<>(List.of(Quantity.count(position)));
      for (Arm arm : outcome.arms()) {
        row.add(StudyText.level(level(arm.name(), position)));
        row.add(
            position == positions.getFirst()
                ? StudyText.ITSELF
                : StudyText.times(outcome.ratioOf(arm.name(), figures.apply(position), first)));
      }
      rows.add(row);
    }
    return new Table("", columns, rows);
  }

  private Chart chart() {
    List<Chart.Series> series = new ArrayList<>();
    for (Arm arm : outcome.arms()) {
      series.add(
          Chart.Series.over(
              arm.parameters().get(CACHE_TYPE),
              Chart.Drawn.DOTS,
              positions,
              position -> position,
              position -> level(arm.name(), position)));
    }
    for (Arm arm : outcome.arms()) {
      Line line = middle(arm.name());
      List<Chart.Point> ends = new ArrayList<>();
      for (int position : List.of(positions.getFirst(), positions.getLast())) {
        ends.add(Chart.Point.of(position, line.at(position)));
      }
      String type = arm.parameters().get(CACHE_TYPE);
      series.add(new Chart.Series(type + ", the line that fits", type, Chart.Drawn.CURVE, ends));
    }
    return new Chart(
        "Milliseconds a token", "position", "ms", Scale.LINEAR, Scale.LINEAR, series, List.of());
  }
}
