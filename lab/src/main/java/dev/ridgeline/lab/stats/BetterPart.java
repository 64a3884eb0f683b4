package dev.ridgeline.lab.stats;

import java.util.Arrays;

/**
 * The mean of the better three quarters of some numbers: whatever disturbs a process only makes it
 * slower, so that the worst quarter says more of its neighbours than of itself. A change of the
 * code that slows every other pass moves it; a median would not show all of that.
 */
public final class BetterPart {
  private static final double PART = 0.75;

  private BetterPart() {}

  /** The mean of the larger ones. */
  public static double ofLarger(double... values) {
    double[] sorted = sorted(values);
    return mean(Arrays.copyOfRange(sorted, sorted.length - kept(sorted), sorted.length));
  }

  /** The mean of the smaller ones. */
  public static double ofSmaller(double... values) {
    double[] sorted = sorted(values);
    return mean(Arrays.copyOf(sorted, kept(sorted)));
  }

  private static double[] sorted(double[] values) {
    if (values.length == 0) throw new IllegalArgumentException("the better part of no numbers");
    double[] sorted = Finite.all(values).clone();
    Arrays.sort(sorted);
    return sorted;
  }

  private static int kept(double[] values) {
    return (int) Math.ceil(PART * values.length);
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }
}
