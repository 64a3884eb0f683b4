package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.TheilSen;
import dev.ridgeline.lab.stats.TwoLevels;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a single interval hides: a side that runs at two speeds, and a machine that got slower or
 * faster while the session ran.
 */
final class Unsteadiness {
  /** Fewer pairs show no trend. */
  private static final int FEWEST_PAIRS = 8;

  /** How sure a trend must be; steady noise shows one in a hundred sessions, if it is large. */
  private static final double SURE = 0.99;

  /** Levels that are nearer than this do not matter. */
  private static final double SMALLEST = 0.05;

  private Unsteadiness() {}

  /** Sentences with numbers, none where all was steady. */
  static List<String> of(Comparison deciding, List<Trial<Arm>> trials, double threshold) {
    List<String> all = new ArrayList<>();
    if (deciding == null) return all;
    drift(all, deciding.a(), deciding.b(), deciding.metric(), threshold);
    // A series that drifts has its ends at two levels.
    if (!all.isEmpty()) return all;
    levels(all, "A", values(deciding, trials, trial -> !trial.arm().isB()), deciding);
    levels(all, "B", values(deciding, trials, trial -> trial.arm().isB()), deciding);
    return all;
  }

  private static double[] values(
      Comparison deciding, List<Trial<Arm>> trials, Predicate<Trial<Arm>> side) {
    return trials.stream()
        .filter(Trial::counts)
        .filter(side)
        .mapToDouble(trial -> Math.log(trial.value(deciding.metric())))
        .toArray();
  }

  private static void drift(
      List<String> all, double[] a, double[] b, String metric, double threshold) {
    int n = a.length;
    if (n < FEWEST_PAIRS) return;
    double[] place = new double[n];
    double[] level = new double[n];
    for (int i = 0; i < n; i++) {
      place[i] = i;
      level[i] = (2 * Math.log(a[i]) + Math.log(b[i])) / 3;
    }
    Interval slope = TheilSen.slope(place, level, SURE);
    double change = Math.expm1(slope.estimate() * (n - 1));
    if (slope.contains(0) || Math.abs(change) < threshold) return;
    all.add(
        "%s of both sides drifted by %s from the first pair to the last, which pairs cancel out"
            .formatted(metric, Quantity.change(change)));
  }

  private static void levels(List<String> all, String side, double[] logs, Comparison deciding) {
    if (!Arrays.stream(logs).allMatch(Double::isFinite)) return;
    TwoLevels levels = TwoLevels.of(logs);
    if (levels == null || levels.high() - levels.low() < SMALLEST) return;
    String unit = deciding.unit().isEmpty() ? "" : " " + deciding.unit();
    all.add(
        "%s ran at two speeds: %s near %s%s in %d trials, near %s%s (%s) in %d"
            .formatted(
                side,
                deciding.metric(),
                Quantity.number(Math.exp(levels.low())),
                unit,
                levels.lower(),
                Quantity.number(Math.exp(levels.high())),
                unit,
                Quantity.change(Math.expm1(levels.high() - levels.low())),
                logs.length - levels.lower()));
  }
}
