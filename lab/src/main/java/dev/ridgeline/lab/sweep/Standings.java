package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Arms beside each other, whatever they are: which is the best, what each is against the reference,
 * and a chart over the parameter that is a number, or else over their names.
 */
public final class Standings {
  /** Numbers that span more than this lie at equal factors. */
  private static final double WIDE = 12;

  private final Outcome outcome;
  private final Reading.Value metric;
  private final Winner winner;
  private final double threshold;

  private Standings(Outcome outcome, Reading.Value metric, Winner winner, double threshold) {
    this.outcome = outcome;
    this.metric = metric;
    this.winner = winner;
    this.threshold = threshold;
  }

  /**
   * What follows.
   *
   * @param metric that decides
   * @param winner null where nobody asked for the best
   */
  public static Answer of(Outcome outcome, String metric, Winner winner, double threshold) {
    Reading.Value deciding = outcome.metric(metric);
    if (deciding == null) {
      return Answer.of("nothing was measured");
    }
    return new Standings(outcome, deciding, winner, threshold).answer();
  }

  private Answer answer() {
    List<Fact> facts = new ArrayList<>();
    if (winner != null && winner.real()) {
      // Where there are but two, fresh rounds are rounds of all arms as well.
      boolean two = outcome.arms().size() == 2;
      facts.add(
          new Fact(
              two ? "All" : "First",
              "%s it was %s, as the table has it"
                  .formatted(
                      two ? "over all rounds" : "in the rounds of all arms",
                      StudyText.times(ratio(outcome.arm(winner.arm()))))));
      if (!winner.alike().isEmpty()) {
        facts.add(
            new Fact("Alike", "cannot be told from it: " + String.join(", ", winner.alike())));
      }
    }
    return new Answer(headline(), facts, warnings(), List.of(table()), charts());
  }

  /** A gain as people say it: of how much of the metric there is, not of how good that is. */
  private String times(Interval gain) {
    return StudyText.times(metric.better() == Better.LOWER ? gain.negated() : gain);
  }

  private String headline() {
    String reference = outcome.reference();
    if (outcome.arms().size() == 1) {
      return "%s: %s %s"
          .formatted(
              name(), StudyText.level(outcome.level(reference, metric.name())), metric.unit())
          .strip();
    }
    if (winner == null) {
      return "%s of %s against %s: %s"
          .formatted(
              name(),
              Quantity.many(outcome.arms().size(), "arm"),
              reference,
              String.join("; ", some(true)));
    }
    String percent = Quantity.fixed(100 * threshold, threshold < 0.01 ? 1 : 0);
    return switch (winner.found()) {
      case WINNER ->
          "%s wins: %s the %s of %s, in fresh rounds of the two alone%s"
              .formatted(winner.arm(), times(winner.again()), name(), reference, sure());
      case REFERENCE ->
          "%s, the reference, is best by more than %s %%: %s of its %s"
              .formatted(reference, percent, String.join(", ", some(false)), name());
      case NONE ->
          "no real winner: no arm is better than %s by more than %s %% for sure"
              .formatted(reference, percent);
      case NOT_CONFIRMED ->
          "no real winner: %s looked better than %s, and fresh rounds did not agree"
              .formatted(winner.arm(), reference);
      case NOT_REPEATED ->
          "%s looks better than %s, not proven: it ended before fresh rounds could agree"
              .formatted(winner.arm(), reference);
      case TOO_FEW -> "too few rounds to tell whether an arm is better than " + reference;
    };
  }

  /** Few fresh rounds have no interval as sure as others are. */
  private String sure() {
    double confidence = winner.again().confidence();
    return confidence < Outcome.CONFIDENCE
        ? " (for %s)".formatted(Quantity.percent(confidence))
        : "";
  }

  private List<String> some(boolean ways) {
    List<String> all = new ArrayList<>();
    for (Arm arm : outcome.arms()) {
      if (arm.name().equals(outcome.reference())) continue;
      if (all.size() == 3) {
        all.add("…");
        break;
      }
      all.add(arm.name() + " " + StudyText.times(ratio(arm)) + (ways ? way(ratio(arm)) : ""));
    }
    return all;
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    Set<String> digests = new LinkedHashSet<>();
    outcome.digests().values().forEach(digests::addAll);
    if (digests.size() > 1) {
      warnings.add("outputs differ: %d digests".formatted(digests.size()));
    }
    return warnings;
  }

  private String name() {
    return plain(metric.name());
  }

  /** A metric that is a pattern is told without its parentheses. */
  static String plain(String metric) {
    return metric.replaceAll("[:=\\s]*\\([^()]*\\)\\S*$", "").strip();
  }

  private Interval ratio(Arm arm) {
    return outcome.ratio(arm.name(), outcome.reference(), metric.name());
  }

  /** What a ratio means, where its interval tells: {@code , slower}. */
  private String way(Interval ratio) {
    if (metric.better() == Better.NEITHER || !ratio.bounded()) return "";
    boolean more = ratio.low() > 0;
    if (!more && !(ratio.high() < 0)) return ", not told apart";
    boolean better = more == (metric.better() == Better.HIGHER);
    boolean speed = metric.unit().matches("[mµn]?s|.*/s");
    return speed ? better ? ", faster" : ", slower" : better ? ", better" : ", worse";
  }

  private List<String> axes() {
    Set<String> axes = new LinkedHashSet<>();
    for (Arm arm : outcome.arms()) axes.addAll(arm.parameters().keySet());
    return List.copyOf(axes);
  }

  /** The metric with its unit, and which way is better. */
  private String measured(String by) {
    String unit = metric.unit().isEmpty() ? "" : ", " + metric.unit();
    String way =
        switch (metric.better()) {
          case LOWER -> " (lower is better)";
          case HIGHER -> " (higher is better)";
          case NEITHER -> "";
        };
    return name() + by + unit + way;
  }

  private Table table() {
    List<String> columns = new ArrayList<>(List.of("arm"));
    columns.addAll(axes());
    columns.add(measured(""));
    columns.add("against " + outcome.reference());
    List<List<String>> rows = new ArrayList<>();
    for (Arm arm : outcome.arms()) {
      List<String> row = new ArrayList<>(List.of(arm.name()));
      for (String axis : axes()) row.add(arm.parameters().getOrDefault(axis, "–"));
      row.add(StudyText.level(outcome.level(arm.name(), metric.name())));
      boolean reference = arm.name().equals(outcome.reference());
      row.add(reference ? "the reference" : StudyText.times(ratio(arm)) + way(ratio(arm)));
      rows.add(row);
    }
    return new Table("", columns, rows);
  }

  private List<Chart> charts() {
    String axis = axes().stream().filter(this::isNumber).findFirst().orElse(null);
    if (axis == null) return List.of(byName());
    boolean all = on(axis).size() == outcome.arms().size();
    return all ? List.of(over(axis)) : List.of(over(axis), byName());
  }

  private List<Arm> on(String axis) {
    return outcome.arms().stream().filter(arm -> arm.parameters().containsKey(axis)).toList();
  }

  /** Whether a parameter is a number in every arm that has it, and not the same one. */
  private boolean isNumber(String axis) {
    double[] all = on(axis).stream().mapToDouble(arm -> arm.number(axis)).toArray();
    for (double each : all) if (!Double.isFinite(each)) return false;
    return Arrays.stream(all).distinct().count() > 1;
  }

  private Point point(Arm arm, double x, String label) {
    return Point.of(x, outcome.level(arm.name(), metric.name()), y -> y, label);
  }

  private Chart byName() {
    List<Point> points = new ArrayList<>();
    for (Arm arm : outcome.arms()) points.add(point(arm, points.size(), arm.name()));
    return Chart.ofNames(
        measured(" of every arm"), metric.unit(), new Series(name(), Chart.Drawn.DOTS, points));
  }

  /** A line over the number for each way in which the other parameters are chosen. */
  private Chart over(String axis) {
    List<String> several =
        axes().stream()
            .filter(
                each ->
                    on(axis).stream().map(arm -> arm.parameters().get(each)).distinct().count() > 1)
            .toList();
    Map<String, TreeMap<Double, Point>> lines = new LinkedHashMap<>();
    for (Arm arm : on(axis)) {
      Map<String, String> others = new LinkedHashMap<>(arm.parameters());
      others.keySet().retainAll(several);
      others.remove(axis);
      String line = others.isEmpty() ? name() : String.join(", ", others.values());
      double x = arm.number(axis);
      lines.computeIfAbsent(line, _ -> new TreeMap<>()).put(x, point(arm, x, arm.name()));
    }
    List<Series> series = new ArrayList<>();
    lines.forEach(
        (line, points) ->
            series.add(new Series(line, Chart.Drawn.LINE, List.copyOf(points.values()))));
    double[] numbers = on(axis).stream().mapToDouble(arm -> arm.number(axis)).sorted().toArray();
    boolean wide = numbers[0] > 0 && numbers[numbers.length - 1] / numbers[0] > WIDE;
    boolean whole = Arrays.stream(numbers).allMatch(each -> each == Math.rint(each));
    return new Chart(
        measured(" by " + axis),
        axis,
        metric.unit(),
        wide ? Scale.LOGARITHMIC : whole ? Scale.WHOLE : Scale.LINEAR,
        Scale.LINEAR,
        series,
        List.of());
  }
}
