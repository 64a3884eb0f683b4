package dev.ridgeline.lab.history.trend;

import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric.Better;
import java.util.List;
import java.util.Locale;

/** A trend in words: what it is of, and each change with the runs it lies between. */
final class TrendText {
  /** Fewer runs never make two levels. */
  private static final int FEWEST = 10;

  private TrendText() {}

  /** {@code embedded, texts/s, higher is better · embed}. */
  static String head(Trend trend) {
    String unit = trend.unit().isEmpty() ? "" : ", " + trend.unit();
    String better =
        switch (trend.better()) {
          case HIGHER, LOWER ->
              ", " + trend.better().name().toLowerCase(Locale.ROOT) + " is better";
          case NEITHER -> "";
        };
    return trend.metric() + unit + better + " · " + trend.newest().name();
  }

  /** {@code 200 runs at their best, 2026-11-02 09:12 to 2026-11-16 10:07 UTC}. */
  static String runs(Trend trend) {
    List<Trend.Point> points = trend.points();
    String span = DateLabels.full(points.getFirst().time());
    if (points.size() > 1) span += " to " + DateLabels.full(points.getLast().time());
    String best = trend.better() == Better.NEITHER ? "" : " at their best";
    return Quantity.many(points.size(), "run") + best + ", " + span + " UTC";
  }

  /** {@code noise of a run ±6.4 % · 2 changes of level}. */
  static String summary(Trend trend) {
    String noise =
        trend.points().size() > 2 && Double.isFinite(trend.noise())
            ? "noise of a run ±" + Quantity.percent(trend.noise()) + " · "
            : "";
    if (!trend.changes().isEmpty()) {
      return noise + Quantity.many(trend.changes().size(), "change") + " of level";
    }
    boolean few = trend.points().size() < FEWEST;
    return noise + (few ? "too few to tell a change" : "no change of level");
  }

  /** What must be said of runs that are far from all levels and have not come back yet. */
  static String lately(Trend trend) {
    double away = trend.lately();
    if (away == 0) return "";
    return "the last %s lie at %s of their level: disturbed, or a change still to settle"
        .formatted(Quantity.many(trend.edge(), "run"), Quantity.change(away));
  }

  /** All that is to be said of a change. */
  static List<String> lines(Trend trend, Trend.Change change) {
    return List.of(
        change(trend, change), before(trend, change), after(trend, change), place(change));
  }

  /** {@code worse: 271 → 257 texts/s, −5.2 % (−6.0 to −4.4)}. */
  static String change(Trend trend, Trend.Change change) {
    return "%s: %s → %s, %s"
        .formatted(
            trend.word(change),
            Quantity.number(change.before()),
            (Quantity.number(change.after()) + " " + trend.unit()).strip(),
            amount(trend, change));
  }

  /** By how much, with the interval. */
  static String amount(Trend trend, Trend.Change change) {
    var it = change.change();
    return change.relative()
        ? ExperimentText.change(it.map(Math::log1p))
        : ("%+.3g %s".formatted(it.estimate(), trend.unit())).strip();
  }

  static String before(Trend trend, Trend.Change change) {
    return "last before  " + name(trend.points().get(Math.max(0, change.index() - 1)));
  }

  static String after(Trend trend, Trend.Change change) {
    return "first after  " + name(trend.points().get(change.index()));
  }

  static String name(Trend.Point point) {
    return point.run() + (point.revision().isEmpty() ? "" : " (" + point.revision() + ")");
  }

  /** How sure the place is. */
  static String place(Trend.Change change) {
    int earlier = change.index() - change.earliest();
    int later = change.latest() - change.index();
    if (earlier == 0 && later == 0) return "the place is sure";
    return "or up to %s earlier or %d later, with 95 %% confidence"
        .formatted(Quantity.many(earlier, "run"), later);
  }
}
