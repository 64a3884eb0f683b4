package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.stats.Bootstrap;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.stats.Scalability;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/** What speeds by numbers of workers come to: speed-up, efficiency, and the law that fits. */
final class ScalingAnswer {
  private final Outcome outcome;
  private final String metric;
  private final int processors = Runtime.getRuntime().availableProcessors();

  /** Numbers of workers, those of the first arm to begin with. */
  private final double[] workers;

  private final List<Interval> gains = new ArrayList<>();
  private final Scalability law;

  /**
   * @param metric that speed is read from
   */
  ScalingAnswer(Outcome outcome, String metric) {
    this.outcome = outcome;
    this.metric = metric;
    this.workers =
        outcome.arms().stream().mapToDouble(arm -> arm.number(ScalingCommand.AXIS)).toArray();
    double[] speedUps = new double[workers.length];
    for (int i = 0; i < workers.length; i++) {
      String arm = outcome.arms().get(i).name();
      boolean first = arm.equals(outcome.reference());
      gains.add(
          first
              ? new Interval(0, 0, 0, 1)
              : outcome.gain(arm, outcome.reference(), metric, Outcome.CONFIDENCE));
      speedUps[i] = Math.exp(gains.getLast().estimate());
    }
    // In units of the first arm's speed: the law's own unit follows from the fit.
    this.law = Scalability.fit(workers, speedUps);
  }

  Answer answer() {
    int last = workers.length - 1;
    List<Fact> facts = new ArrayList<>();
    if (workers.length > 1) facts.add(new Fact("Serial", serial()));
    if (Double.isFinite(law.peak()) && workers.length > 2 && law.sigma() < 1) {
      facts.add(
          new Fact(
              "Peak",
              "the law has its peak at about %s workers".formatted(Quantity.fixed(law.peak(), 0))));
    }
    return new Answer(
        headline(last),
        facts,
        warnings(),
        List.of(table()),
        workers.length == 1 ? List.of() : List.of(speedChart(), efficiencyChart()));
  }

  private String headline(int last) {
    if (workers.length == 1) {
      return "%s alone: nothing to hold it against"
          .formatted(Quantity.many((long) workers[0], "worker"));
    }
    String sure = gains.get(last).low() > 0 ? "" : ", not faster for sure";
    return "%s are %s as fast as %s: efficiency %s%s"
        .formatted(
            Quantity.many((long) workers[last], "worker"),
            StudyText.times(gains.get(last)),
            Quantity.count((long) workers[0]),
            efficiency(last),
            sure);
  }

  /** {@code 87 % (84–90)}. */
  private String efficiency(int i) {
    Interval gain = gains.get(i);
    String middle = Quantity.fixed(part(gain.estimate(), i), 0) + " %";
    if (!gain.bounded()) return middle + " (?)";
    if (i == 0) return middle;
    return "%s (%s–%s)"
        .formatted(
            middle,
            Quantity.fixed(part(gain.low(), i), 0),
            Quantity.fixed(part(gain.high(), i), 0));
  }

  /** Efficiency in percent of a log of speed-up. */
  private double part(double log, int i) {
    return 100 * Math.exp(log) * workers[0] / workers[i];
  }

  private String serial() {
    Interval sigma = bounds(Scalability::sigma);
    if (law.sigma() > 1) {
      return sigma.low() > 1
          ? "more workers are slower: they are in each other's way"
          : "more workers looked slower, but not for sure";
    }
    if (workers.length == 2) {
      return "%s by Amdahl's law; two numbers of workers cannot tell waiting from agreeing"
          .formatted(percent(sigma, 1));
    }
    return "serial fraction %s, cost of agreeing %s (universal scalability law)"
        .formatted(percent(sigma, 1), percent(bounds(Scalability::kappa), 2));
  }

  private static String percent(Interval part, int decimals) {
    String middle = Quantity.fixed(100 * part.estimate(), decimals) + " %";
    if (!part.bounded()) return middle + " (?)";
    return "%s (%s–%s)"
        .formatted(
            middle,
            Quantity.fixed(100 * part.low(), decimals),
            Quantity.fixed(100 * part.high(), decimals));
  }

  /** A coefficient of the law with the bounds that drawing other rounds leaves. */
  private Interval bounds(ToDoubleFunction<Scalability> coefficient) {
    List<Map<Integer, Double>> all =
        outcome.arms().stream().map(arm -> outcome.byRound(arm.name(), metric)).toList();
    TreeSet<Integer> common = new TreeSet<>(all.getFirst().keySet());
    for (Map<Integer, Double> each : all) common.retainAll(each.keySet());
    List<Integer> rounds = List.copyOf(common);
    boolean lower = outcome.metric(metric).better() == Better.LOWER;
    Interval drawn =
        Bootstrap.of(
            rounds.size(),
            some -> {
              double[] speed = new double[workers.length];
              for (int i = 0; i < workers.length; i++) {
                Map<Integer, Double> of = all.get(i);
                Map<Integer, Double> to = all.getFirst();
                double[] logs =
                    Arrays.stream(some)
                        .mapToDouble(r -> Math.log(of.get(rounds.get(r)) / to.get(rounds.get(r))))
                        .toArray();
                speed[i] = Math.exp((lower ? -1 : 1) * Median.of(logs));
              }
              return coefficient.applyAsDouble(Scalability.fit(workers, speed));
            },
            Outcome.CONFIDENCE);
    double estimate = coefficient.applyAsDouble(law);
    return new Interval(
        estimate,
        Math.min(estimate, drawn.low()),
        Math.max(estimate, drawn.high()),
        drawn.confidence());
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    double most = workers[workers.length - 1];
    if (most > processors) {
      warnings.add(
          "%s: more than %s workers take turns, which is no fault of theirs"
              .formatted(Quantity.many(processors, "processor"), Quantity.count(processors)));
    }
    return warnings;
  }

  private Table table() {
    String unit = outcome.metric(metric).unit();
    boolean lower = outcome.metric(metric).better() == Better.LOWER;
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < workers.length; i++) {
      Arm arm = outcome.arms().get(i);
      rows.add(
          List.of(
              Quantity.count((long) workers[i]),
              StudyText.level(outcome.level(arm.name(), metric)),
              StudyText.times(gains.get(i)),
              efficiency(i)));
    }
    String what =
        metric + (unit.isEmpty() ? "" : ", " + unit) + (lower ? " (lower is better)" : "");
    return new Table("", List.of("workers", what, "speed-up", "efficiency"), rows);
  }

  private List<Chart.Mark> marks() {
    double most = workers[workers.length - 1];
    return most > processors
        ? List.of(new Chart.Mark(processors, Quantity.many(processors, "processor")))
        : List.of();
  }

  private Chart speedChart() {
    double first = workers[0];
    double last = workers[workers.length - 1];
    List<Chart.Point> measured = new ArrayList<>();
    for (int i = 0; i < workers.length; i++) {
      measured.add(Chart.Point.of(workers[i], gains.get(i), Math::exp));
    }
    List<Chart.Point> ideal = new ArrayList<>();
    List<Chart.Point> fitted = new ArrayList<>();
    for (int i = 0; i <= 24; i++) {
      double n = first + (last - first) * i / 24;
      ideal.add(Chart.Point.of(n, n / first));
      fitted.add(Chart.Point.of(n, law.at(n)));
    }
    return new Chart(
        "Speed-up",
        "workers",
        "speed-up",
        Scale.WHOLE,
        Scale.FROM_ZERO,
        List.of(
            new Chart.Series("measured", Chart.Drawn.DOTS, measured),
            new Chart.Series("the law that fits", "measured", Chart.Drawn.CURVE, fitted),
            new Chart.Series("ideal", Chart.Drawn.CURVE, ideal)),
        marks());
  }

  private Chart efficiencyChart() {
    List<Chart.Point> points = new ArrayList<>();
    for (int i = 0; i < workers.length; i++) {
      int n = i;
      points.add(Chart.Point.of(workers[i], gains.get(i), log -> part(log, n)));
    }
    return new Chart(
        "Efficiency",
        "workers",
        "%",
        Scale.WHOLE,
        Scale.FROM_ZERO,
        List.of(new Chart.Series("measured", Chart.Drawn.LINE, points)),
        marks());
  }
}
