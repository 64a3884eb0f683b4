package dev.ridgeline.report.run;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Bounds;
import dev.ridgeline.report.run.Metric.Better;
import java.util.List;

/**
 * The rate that a machine allows for the work that a run declared, and how much of it was reached.
 *
 * <p>The least time is the sum of what each scope's declared work takes at its ceiling, on as many
 * threads as it ran on; what declared nothing counts for nothing.
 *
 * @param allowed units a second
 * @param reached part of it
 */
record SpeedOfLight(double allowed, double reached) {
  /** A metric that is further from units over time than that is the rate of something else. */
  private static final double SAME = 0.15;

  /**
   * Of a run whose first metric is the rate of its units, over all its time or over that of the
   * scope that the metric is named after; null of any other.
   */
  static SpeedOfLight of(Run run, Profile profile, CallTree tree, Bounds bounds) {
    if (run.units() <= 0 || run.metrics().isEmpty() || bounds.isEmpty()) return null;
    Metric first = run.metrics().getFirst();
    if (first.better() != Better.HIGHER || !first.unit().endsWith("/s")) return null;
    List<Node> named =
        tree.nodes().stream().filter(node -> node.name().equals(first.name())).toList();
    if (named.size() == 1) {
      Node only = named.getFirst();
      SpeedOfLight light = of(first.median(), run.units(), only.totalNanos(), only, bounds);
      if (light != null) return light;
    }
    return of(first.median(), run.units(), profile.wallNanos(), tree.root(), bounds);
  }

  private static SpeedOfLight of(
      double rate, double units, double nanos, Node inside, Bounds bounds) {
    double overall = 1e9 * units / nanos;
    double allowed = 1e9 * units / bounds.idealWallNanos(inside);
    if (!(Math.abs(Math.log(rate / overall)) <= SAME) || !Double.isFinite(allowed)) return null;
    return new SpeedOfLight(allowed, rate / allowed);
  }
}
