package dev.ridgeline.lab.answer;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.stats.Bootstrap;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.stats.Scalability;
import dev.ridgeline.lab.sweep.Answer;
import dev.ridgeline.lab.sweep.Outcome;
import dev.ridgeline.lab.sweep.StudyText;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** What speeds by numbers of workers come to: speed-up, efficiency, and the law that fits. */
public final class ScalingAnswer {
  /** The parameter of an arm. */
  public static final String WORKERS = "workers";

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
  public ScalingAnswer(Outcome outcome, String metric) {
    this.outcome = outcome;
    this.metric = metric;
    this.workers = outcome.arms().stream().mapToDouble(arm -> arm.number(WORKERS)).toArray();
    double[] speedUps = new double[workers.length];
    for (int i = 0; i < workers.length; i++) {
      String arm = outcome.arms().get(i).name();
      boolean first = arm.equals(outcome.reference());
      gains.add(
          first
              ? Interval.exactly(0)
              : outcome.gain(arm, outcome.reference(), metric, Outcome.CONFIDENCE));
      speedUps[i] = Math.exp(gains.getLast().estimate());
    }
    // In units of the first arm's speed: the law's own unit follows from the fit.
    this.law = Scalability.fit(workers, speedUps);
  }

  public Answer answer() {
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
    Interval percent = gains.get(i).map(log -> part(log, i));
    return i == 0 ? Quantity.fixed(percent.estimate(), 0) + " %" : percent(percent, 0);
  }

  /** Efficiency in percent of a log of speed-up. */
  private double part(double log, int i) {
    return 100 * Math.exp(log) * workers[0] / workers[i];
  }

  private String serial() {
    Interval sigma = bounds(Scalability::sigma);
    if (law.sigma() > 1) {
      return sigma.low() > 100
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

  private static String percent(Interval percent, int decimals) {
    return StudyText.words(percent, part -> Quantity.fixed(part, decimals), " %", " (?)");
  }

  /** A coefficient of the law with the bounds that drawing other rounds leaves. */
  private Interval bounds(ToDoubleFunction<Scalability> coefficient) {
    double[][] all =
        Outcome.together(
            outcome.arms().stream().map(arm -> outcome.byRound(arm.name(), metric)).toList());
    boolean lower = outcome.metric(metric).better() == Better.LOWER;
    Interval drawn =
        Bootstrap.of(
            all[0].length,
            some -> {
              double[] speed = new double[workers.length];
              for (int i = 0; i < workers.length; i++) {
                double[] of = all[i];
                double[] logs =
                    Arrays.stream(some).mapToDouble(r -> Math.log(of[r] / all[0][r])).toArray();
                speed[i] = Math.exp((lower ? -1 : 1) * Median.of(logs));
              }
              return coefficient.applyAsDouble(Scalability.fit(workers, speed));
            },
            Outcome.CONFIDENCE);
    double estimate = coefficient.applyAsDouble(law);
    // In percent.
    return new Interval(
            estimate,
            Math.min(estimate, drawn.low()),
            Math.max(estimate, drawn.high()),
            drawn.confidence())
        .map(part -> 100 * part);
  }

  private List<String> warnings() {
    List<String> warnings = new ArrayList<>();
    double most = workers[workers.length - 1];
    if (most > processors) {
      warnings.add(
          "%s: more than %s workers share them"
              .formatted(Quantity.many(processors, "processor"), Quantity.count(processors)));
    }
    return warnings;
  }

  private Table table() {
    String unit = outcome.metric(metric).unit();
    boolean lower = outcome.metric(metric).better() == Better.LOWER;
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < workers.length; i++) {
      String level = StudyText.level(outcome.level(outcome.arms().get(i).name(), metric));
      String count = Quantity.count((long) workers[i]);
      rows.add(List.of(count, level, StudyText.times(gains.get(i)), efficiency(i)));
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

  private Chart.Series measured(Chart.Drawn drawn, Function<Integer, Interval> figure) {
    List<Integer> all = IntStream.range(0, workers.length).boxed().toList();
    return Chart.Series.over("measured", drawn, all, i -> workers[i], figure);
  }

  private Chart speedChart() {
    double first = workers[0];
    double last = workers[workers.length - 1];
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
            measured(Chart.Drawn.DOTS, i -> gains.get(i).map(Math::exp)),
            new Chart.Series("the law that fits", "measured", Chart.Drawn.CURVE, fitted),
            new Chart.Series("ideal", Chart.Drawn.CURVE, ideal)),
        marks());
  }

  private Chart efficiencyChart() {
    return new Chart(
        "Efficiency",
        "workers",
        "%",
        Scale.WHOLE,
        Scale.FROM_ZERO,
        List.of(measured(Chart.Drawn.LINE, i -> gains.get(i).map(log -> part(log, i)))),
        marks());
  }
}
