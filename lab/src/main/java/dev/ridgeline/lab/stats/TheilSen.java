package dev.ridgeline.lab.stats;

import java.util.Arrays;

/**
 * How steeply a series rises, whatever its noise is like: an outlier bends it as little as a
 * median.
 *
 * <p>Theil (1950) and Sen, <i>Estimates of the regression coefficient based on Kendall's tau</i>
 * (1968): the estimate is the median of the slopes between each two points; the interval holds the
 * slopes that the test of Mann and Kendall would not reject, by its normal approximation.
 */
public final class TheilSen {
  /** Fewer points cannot say that there is a trend, however they lie. */
  private static final int FEWEST = 6;

  private TheilSen() {}

  /**
   * Estimate and interval; infinite bounds where there are too few points.
   *
   * @param x all different
   */
  public static Interval slope(double[] x, double[] y, double confidence) {
    Finite.confidence(confidence);
    int n = Finite.all(x).length;
    if (Finite.all(y).length != n) throw new IllegalArgumentException(n + " places, other values");
    double[] slopes = new double[n * (n - 1) / 2];
    int next = 0;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < i; j++) slopes[next++] = (y[i] - y[j]) / (x[i] - x[j]);
    }
    if (slopes.length == 0) return Interval.unbounded(Double.NaN);
    Arrays.sort(slopes);
    double estimate = Median.ofSorted(slopes);
    double width =
        Normal.quantileAbove((1 - confidence) / 2) * Math.sqrt(n * (n - 1.0) * (2 * n + 5) / 18);
    int low = (int) Math.floor((slopes.length - width) / 2) - 1;
    int high = slopes.length - 1 - low;
    return n < FEWEST || low < 0
        ? Interval.unbounded(estimate)
        : new Interval(estimate, slopes[low], slopes[high], confidence);
  }
}
