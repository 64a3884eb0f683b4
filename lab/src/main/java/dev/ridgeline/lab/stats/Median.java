package dev.ridgeline.lab.stats;

import java.util.Arrays;

/** The middle of some numbers. */
public final class Median {
  private Median() {}

  /** The middle one, or the mean of the middle two. */
  public static double of(double... values) {
    if (values.length == 0) throw new IllegalArgumentException("the median of no numbers");
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1
        ? sorted[middle]
        : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
  }
}
