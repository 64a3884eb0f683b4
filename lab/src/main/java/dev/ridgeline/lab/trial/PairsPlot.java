package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.page.Page;
import dev.ridgeline.lab.page.Svg;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The pairs of an experiment as a plot: how much B and A again differ from A in each, beside the
 * threshold and the interval that the verdict rests on.
 */
final class PairsPlot {
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 260;
  private static final double LEFT = 70;
  private static final double RIGHT = 170;
  private static final double TOP = 14;
  private static final double BOTTOM = 30;

  /** A pair, as log-ratios to A. */
  private record Pair(int number, double b, double again) {}

  private final Experiment it;
  private final List<Pair> pairs;
  private final double most;
  private final Svg svg = new Svg(WIDTH, HEIGHT);

  private PairsPlot(Experiment it, List<Pair> pairs) {
    this.it = it;
    this.pairs = pairs;
    double most = 1.5 * Math.log1p(it.design().threshold());
    for (Pair pair : pairs) most = Math.max(most, Math.max(Math.abs(pair.b), Math.abs(pair.again)));
    Interval ratio = it.decidingRatio();
    if (ratio.bounded()) most = Math.max(most, Math.max(-ratio.low(), ratio.high()));
    this.most = 1.08 * most;
  }

  /** The plot under its heading; empty where there is no pair. */
  static String of(Experiment it) {
    List<Pair> pairs = it.deciding() == null ? List.of() : pairs(it);
    return pairs.isEmpty() ? "" : new PairsPlot(it, pairs).draw();
  }

  /** B is held against the mean of both trials of A, as the verdict does; A again against A. */
  private static List<Pair> pairs(Experiment it) {
    Map<Integer, Map<Arm, Double>> triplets = new TreeMap<>();
    for (Trial trial : it.trials()) {
      double value = trial.value(it.deciding().metric());
      if (!trial.counts() || !(value > 0)) continue;
      triplets
          .computeIfAbsent(trial.triplet(), _ -> new EnumMap<>(Arm.class))
          .put(trial.arm(), Math.log(value));
    }
    List<Pair> pairs = new ArrayList<>();
    triplets.forEach(
        (number, logs) -> {
          if (logs.size() < Arm.values().length) return;
          double a = logs.get(Arm.A);
          double again = logs.get(Arm.AGAIN);
          pairs.add(new Pair(number, logs.get(Arm.B) - (a + again) / 2, again - a));
        });
    return pairs;
  }

  private String draw() {
    double threshold = Math.log1p(it.design().threshold());
    svg.rectangle("band", LEFT, y(threshold), WIDTH - RIGHT - LEFT, y(-threshold) - y(threshold));
    for (double change : ticks()) {
      double y = y(Math.log1p(change));
      svg.line(change == 0 ? "zero" : "axis", LEFT, y, WIDTH - RIGHT, y);
      svg.text(LEFT - 8, y + 4, "end", change == 0 ? "0 %" : tick(change));
    }
    if (it.firstBlock() > 0 && it.firstBlock() < pairs.size()) {
      double x = (x(it.firstBlock() - 1) + x(it.firstBlock())) / 2;
      svg.line("block", x, TOP, x, HEIGHT - BOTTOM);
      svg.text(x + 6, HEIGHT - BOTTOM - 4, "start", "second block");
    }
    for (int i = 0; i < pairs.size(); i++) {
      dot("again", i, pairs.get(i).again, 3.5, "A again");
      dot("dot", i, pairs.get(i).b, 4.5, "B");
    }
    svg.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 6, "middle", "pairs, in the order they ran");
    interval(it.decidingRatio());
    return """
    <h2>Pairs</h2>
    <p class="legend">%s in each pair: full dots are B against A, rings A again against A, which \
    is noise; the band is the threshold.</p>
    """
            .formatted(Page.escape(it.deciding().metric()))
        + svg;
  }

  private void dot(String style, int pair, double log, double radius, String arm) {
    String what = "%s, pair %d: %s";
    String change = Quantity.change(Math.expm1(log));
    svg.dot(style, x(pair), y(log), radius, what.formatted(arm, pairs.get(pair).number, change));
  }

  /** Round changes, a few on either side. */
  private List<Double> ticks() {
    double step = 1e-3;
    for (int i = 0; Math.expm1(most) / step > 3.5; i++) step *= i % 3 == 1 ? 2.5 : 2;
    List<Double> ticks = new ArrayList<>(List.of(0.0));
    for (int k = 1; k <= 3; k++) {
      if (Math.log1p(k * step) < most) ticks.add(k * step);
      if (k * step < 1 && Math.log1p(-k * step) > -most) ticks.add(-k * step);
    }
    return ticks;
  }

  private static String tick(double change) {
    return (change < 0 ? "−" : "+") + Quantity.number(Math.abs(100 * change)) + " %";
  }

  private void interval(Interval ratio) {
    double x = WIDTH - RIGHT + 30;
    if (ratio.bounded()) svg.whisker(x, y(ratio.low()), y(ratio.high()));
    svg.line("estimate", x - 8, y(ratio.estimate()), x + 8, y(ratio.estimate()));
    double beside = y(ratio.estimate());
    svg.text(x + 14, beside + 1, "start", Quantity.change(Math.expm1(ratio.estimate())));
    String sure =
        ratio.bounded()
            ? Quantity.fixed(100 * ratio.confidence(), 1) + " % interval"
            : "no interval yet";
    svg.text(x + 14, beside + 15, "start", sure);
  }

  private double x(int pair) {
    return LEFT + (pair + 0.5) * (WIDTH - RIGHT - LEFT) / pairs.size();
  }

  private double y(double log) {
    return TOP + (1 - log / most) / 2 * (HEIGHT - TOP - BOTTOM);
  }
}
