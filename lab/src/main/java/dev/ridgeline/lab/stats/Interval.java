package dev.ridgeline.lab.stats;

import java.util.function.DoubleUnaryOperator;

/**
 * An estimate and the bounds that its true value lies within, with a known confidence.
 *
 * @param estimate the likeliest value; NaN where nothing was measured
 * @param low lower bound, −∞ where too little was measured
 * @param high upper bound, +∞ where too little was measured
 * @param confidence the confidence reached: at least what was asked for, 1 for infinite bounds
 */
public record Interval(double estimate, double low, double high, double confidence) {
  /** Refuses bounds that hold nothing. */
  public Interval {
    if (!(low <= high)) throw new IllegalArgumentException("bounds of " + low + " to " + high);
  }

  /** What is known for sure, as that something is as large as itself. */
  public static Interval exactly(double value) {
    return new Interval(value, value, value, 1);
  }

  /** The change in percent that a log-ratio is. */
  public static double percent(double log) {
    return 100 * Math.expm1(log);
  }

  /** Bounds that say nothing. */
  static Interval unbounded(double estimate) {
    return new Interval(estimate, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1);
  }

  /** The same of the opposite, as of a metric of which less is better. */
  public Interval negated() {
    return new Interval(-estimate, -high, -low, confidence);
  }

  /** The same of another figure that grows with this one. */
  public Interval map(DoubleUnaryOperator growing) {
    return new Interval(
        growing.applyAsDouble(estimate),
        growing.applyAsDouble(low),
        growing.applyAsDouble(high),
        confidence);
  }

  /** Whether enough was measured for bounds at all. */
  public boolean bounded() {
    return Double.isFinite(low) && Double.isFinite(high);
  }

  /** Whether this value is within the bounds. */
  public boolean contains(double value) {
    return low <= value && value <= high;
  }
}
