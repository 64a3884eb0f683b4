package dev.ridgeline.lab.stats;

import java.util.Arrays;

/** The middle of some numbers, and how far from it they lie. */
public final class Median {
  /** Makes the median deviation of normal noise its standard deviation: 1 / Φ⁻¹(3/4). */
  private static final double OF_NORMAL = 1.482602218505602;

  private Median() {}

  /** The middle one, or the mean of the middle two. */
  public static double of(double... values) {
    if (values.length == 0) throw new IllegalArgumentException("the median of no numbers");
    double[] sorted = Finite.all(values).clone();
    Arrays.sort(sorted);
    return ofSorted(sorted);
  }

  /**
   * The median distance from the median, scaled to be the standard deviation where noise is normal
   * (Hampel, <i>The influence curve and its role in robust estimation</i>, 1974).
   */
  public static double deviation(double... values) {
    double middle = of(values);
    return OF_NORMAL * of(Arrays.stream(values).map(v -> Math.abs(v - middle)).toArray());
  }

  static double ofSorted(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : mean(sorted[middle - 1], sorted[middle]);
  }

  /** Half of each, since the sum of two large numbers may not be finite. */
  static double mean(double a, double b) {
    return a / 2 + b / 2;
  }
}
