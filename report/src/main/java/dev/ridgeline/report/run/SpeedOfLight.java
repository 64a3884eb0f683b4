package dev.ridgeline.report.run;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Bounds;
import dev.ridgeline.report.run.Metric.Better;

/**
 * The rate that a machine allows for the work that a run declared, and how much of it was reached.
 *
 * <p>The least time is the sum of what each scope's declared work takes at its ceiling, on as many
 * threads as it ran on; what declared nothing counts for nothing.
 *
 * @param allowed units a second
 * @param reached part of it
 */
public record SpeedOfLight(double allowed, double reached) {
  /** A metric that is further from units over time than that is the rate of something else. */
  private static final double SAME = 0.15;

  /** Of a run whose first metric is the rate of its units; null of any other. */
  public static SpeedOfLight of(Run run, Profile profile, Bounds bounds) {
    double ideal = bounds.idealWallNanos() / 1e9;
    if (run.units() <= 0 || run.metrics().isEmpty() || !(ideal > 0)) return null;
    Metric first = run.metrics().getFirst();
    if (first.better() != Better.HIGHER || !first.unit().endsWith("/s")) return null;
    double overall = run.units() / (profile.wallNanos() / 1e9);
    if (!(Math.abs(Math.log(first.median() / overall)) <= SAME)) return null;
    double allowed = run.units() / ideal;
    return new SpeedOfLight(allowed, first.median() / allowed);
  }
}
