package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Band;
import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The pairs of an experiment as a chart: how much B and A again differ from A in each, with the
 * threshold and the interval that the verdict rests on.
 */
final class PairsChart {
  private PairsChart() {}

  /**
   * B compared with the mean of both A trials, as the verdict does, and the second A with the
   * first.
   */
  static Optional<Chart> of(Experiment it) {
    if (it.deciding() == null) return Optional.empty();
    List<Point> b = new ArrayList<>();
    List<Point> again = new ArrayList<>();
    List<Mark> places = new ArrayList<>();
    triplets(it)
        .forEach(
            (number, logs) -> {
              if (logs.size() < Arm.values().length) return;
              int place = places.size() + 1;
              double first = logs.get(Arm.A);
              double second = logs.get(Arm.AGAIN);
              b.add(point(place, logs.get(Arm.B) - (first + second) / 2, number));
              again.add(point(place, second - first, number));
              places.add(new Mark(place, Integer.toString(number)));
            });
    if (places.isEmpty()) return Optional.empty();
    int pairs = places.size();
    Interval ratio = it.decidingRatio();
    Point all = Point.of(pairs + 1.5, ratio, Interval::percent);
    places.addFirst(new Mark(all.x(), "all"));
    boolean second = it.firstBlock() > 0 && it.firstBlock() < pairs;
    double threshold = it.design().threshold();
    return Optional.of(
        new Chart(
                "Pairs",
                "pairs, in the order they ran",
                "%",
                Scale.WHOLE,
                Scale.LINEAR,
                List.of(
                    new Series("B against A", Drawn.SINGLE, b),
                    new Series(interval(ratio), "B against A", Drawn.DOTS, List.of(all)),
                    new Series("A again against A", Drawn.SINGLE, again).in(Tone.ASIDE)),
                second ? List.of(new Mark(it.firstBlock() + 0.5, "second block")) : List.of())
            .withLevel(0, "")
            .withBands(
                List.of(Band.up(-100 * threshold / (1 + threshold), 100 * threshold)),
                it.deciding().metric()
                    + " in each pair; A again against A is noise. The band is the threshold.")
            .withPlaces(places));
  }

  private static Map<Integer, Map<Arm, Double>> triplets(Experiment it) {
    Map<Integer, Map<Arm, Double>> triplets = new TreeMap<>();
    for (Trial<Arm> trial : it.trials()) {
      double value = trial.value(it.deciding().metric());
      if (!trial.counts() || !(value > 0)) continue;
      triplets
          .computeIfAbsent(trial.round(), _ -> new EnumMap<>(Arm.class))
          .put(trial.arm(), Math.log(value));
    }
    return triplets;
  }

  private static Point point(int place, double log, int pair) {
    return new Point(place, Interval.percent(log), Double.NaN, Double.NaN, "pair " + pair);
  }

  private static String interval(Interval ratio) {
    String change = Quantity.change(Math.expm1(ratio.estimate()));
    if (!ratio.bounded()) return change + ", no interval yet";
    return "%s, %s %% interval".formatted(change, Quantity.fixed(100 * ratio.confidence(), 1));
  }
}
