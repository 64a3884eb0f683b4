package dev.ridgeline.lab.history.trend;

import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.Likeness;
import dev.ridgeline.lab.stats.ChangePoints;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * A metric of the same work on the same machine, run by run, and where its level changed. Plans and
 * revisions may differ: they are what changes are blamed on.
 *
 * @param metric what was measured
 * @param unit of the values
 * @param better which way is better
 * @param newest the last run, which stands for what all have in common
 * @param points in the order of time
 * @param changes in the order of time
 */
public record Trend(
    String metric,
    String unit,
    Better better,
    Run newest,
    List<Point> points,
    List<Change> changes) {
  /**
   * A run.
   *
   * @param time when it began
   * @param value the best of its samples; their median where neither way is better
   * @param revision of the sources, or empty
   * @param run name of its folder
   */
  public record Point(Instant time, double value, String revision, String run) {}

  /**
   * A change of level, with the runs that it lies between.
   *
   * @param index of the first point of the new level
   * @param earliest where that may be at the earliest, with 95 % confidence
   * @param latest and at the latest
   * @param before median of the level before
   * @param after median of the level behind
   * @param change the part by which it grew, with an interval of 95 %; what it grew by where a
   *     value is not above zero
   * @param relative whether it is a part
   */
  public record Change(
      int index,
      int earliest,
      int latest,
      double before,
      double after,
      Interval change,
      boolean relative) {}

  public Trend {
    points = List.copyOf(points);
    changes = List.copyOf(changes);
  }

  /**
   * All series of a metric, the one with the newest run first.
   *
   * @param runs newest first
   * @param metricOf which metric of a run is meant, if it has one
   */
  public static List<Trend> of(Collection<Kept> runs, Function<Run, Optional<Metric>> metricOf) {
    Map<Object, List<Kept>> kinds = new LinkedHashMap<>();
    for (Kept kept : runs) {
      metricOf
          .apply(kept.run())
          .ifPresent(
              metric ->
                  kinds
                      .computeIfAbsent(
                          List.of(metric.name(), metric.unit(), Likeness.kind(kept.run())),
                          _ -> new ArrayList<>())
                      .add(kept));
    }
    return kinds.values().stream().map(like -> series(like, metricOf)).toList();
  }

  private static Trend series(List<Kept> like, Function<Run, Optional<Metric>> metricOf) {
    List<Point> points = new ArrayList<>();
    for (Kept kept : like) {
      Run run = kept.run();
      double value = metricOf.apply(run).orElseThrow().best();
      points.add(new Point(run.started(), value, run.revision(), kept.directory().name()));
    }
    points.sort(Comparator.comparing(Point::time).thenComparing(Point::run));
    Run newest = like.getFirst().run();
    Metric metric = metricOf.apply(newest).orElseThrow();
    return new Trend(
        metric.name(), metric.unit(), metric.better(), newest, points, changes(points));
  }

  /** A factor is what programs change by, so logarithms are compared where there are any. */
  private static List<Change> changes(List<Point> points) {
    boolean relative = points.stream().allMatch(point -> point.value() > 0);
    double[] series =
        points.stream().mapToDouble(p -> relative ? Math.log(p.value()) : p.value()).toArray();
    List<Change> changes = new ArrayList<>();
    for (ChangePoints.Step step : ChangePoints.of(series)) {
      Interval shift = step.shift();
      changes.add(
          new Change(
              step.index(),
              step.earliest(),
              step.latest(),
              relative ? Math.exp(step.before()) : step.before(),
              relative ? Math.exp(step.after()) : step.after(),
              relative ? shift.map(Math::expm1) : shift,
              relative));
    }
    return changes;
  }

  /** Whether a change is for the worse; false where neither way is. */
  public boolean worse(Change change) {
    double grew = change.after() - change.before();
    return switch (better) {
      case HIGHER -> grew < 0;
      case LOWER -> grew > 0;
      case NEITHER -> false;
    };
  }

  /** {@code better}, {@code worse}, {@code more} or {@code less}. */
  public String word(Change change) {
    if (better == Better.NEITHER) return change.after() > change.before() ? "more" : "less";
    return worse(change) ? "worse" : "better";
  }

  /** A stretch between two changes, its points from the first to before the last. */
  public record Level(int from, int to, double value) {}

  /** The levels, in the order of time: one where nothing changed. */
  public List<Level> levels() {
    List<Level> levels = new ArrayList<>();
    int from = 0;
    for (int i = 0; i <= changes.size(); i++) {
      int to = i == changes.size() ? points.size() : changes.get(i).index();
      double value =
          i < changes.size()
              ? changes.get(i).before()
              : i > 0 ? changes.get(i - 1).after() : median(points);
      levels.add(new Level(from, to, value));
      from = to;
    }
    return levels;
  }

  /**
   * How far a run is from its level, as a part of it: the median distance, made a standard
   * deviation; NaN where a level is not above zero.
   */
  public double noise() {
    List<Double> distances = new ArrayList<>();
    for (Level level : levels()) {
      for (Point point : points.subList(level.from(), level.to())) {
        distances.add(Math.abs(point.value() / level.value() - 1));
      }
    }
    double[] all = distances.stream().mapToDouble(Double::doubleValue).toArray();
    for (double distance : all) if (!Double.isFinite(distance)) return Double.NaN;
    return 1.4826 * Median.of(all);
  }

  /** How many of the last runs {@link #lately} looks at: the fewest that could make a level. */
  int edge() {
    return ChangePoints.edge(points.size());
  }

  /**
   * By what part the last few runs differ from the last level, where that is more than three times
   * the noise: they may be disturbed, or a level that is too noisy to be told; else 0.
   */
  double lately() {
    int edge = edge();
    if (points.size() < 2 * edge || levels().getLast().to() - levels().getLast().from() < edge) {
      return 0;
    }
    double now = median(points.subList(points.size() - edge, points.size()));
    double away = now / levels().getLast().value() - 1;
    return Math.abs(away) > 3 * noise() ? away : 0;
  }

  private static double median(List<Point> points) {
    return Median.of(points.stream().mapToDouble(Point::value).toArray());
  }
}
