package dev.ridgeline.lab.stats;

import java.util.Arrays;

/**
 * Two levels laid through a series, and what each place of the step between them costs.
 *
 * <p>Ranks find a step, but do not say where it is: a run of the longer level that ranks high in it
 * has a rank on the other side of the middle, however large the step. So the place is where the
 * distances from two levels are least. Far distances count once, near ones squared (Huber,
 * <i>Robust estimation of a location parameter</i>, 1964), so that no outlier pulls the step to
 * itself.
 *
 * @param place the first value of the second level
 * @param losses for each place, the sum of all distances; those too near an end are infinite
 * @param noisy whether the levels have any noise
 */
record Fit(int place, double[] losses, boolean noisy) {
  /** Distances of more deviations than this count as far. */
  private static final double NEAR = 1.5;

  /** Makes the median deviation of normal noise its standard deviation. */
  private static final double OF_NORMAL = 1.4826;

  private static final int ROUNDS = 10;

  /**
   * The fit that is reached from a first guess: levels from the place, the place from the levels,
   * until both stay.
   *
   * @param edge the fewest values on either side
   */
  static Fit of(double[] values, int edge, int guess) {
    Fit fit = at(values, edge, guess);
    for (int i = 0; i < ROUNDS && fit.place != guess; i++) {
      guess = fit.place;
      fit = at(values, edge, guess);
    }
    return fit;
  }

  /** The place that fits best by the levels on both sides of a guess. */
  private static Fit at(double[] values, int edge, int guess) {
    int n = values.length;
    double before = Median.of(Arrays.copyOfRange(values, 0, guess));
    double after = Median.of(Arrays.copyOfRange(values, guess, n));
    double[] distances = new double[n];
    for (int i = 0; i < n; i++) distances[i] = Math.abs(values[i] - (i < guess ? before : after));
    double near = NEAR * OF_NORMAL * Median.of(distances);
    double[] losses = new double[n + 1];
    for (double value : values) losses[0] += far(value - after, near);
    for (int t = 1; t <= n; t++) {
      double value = values[t - 1];
      losses[t] = losses[t - 1] + far(value - before, near) - far(value - after, near);
    }
    int best = edge;
    for (int t = 0; t <= n; t++) {
      if (t < edge || t > n - edge) losses[t] = Double.POSITIVE_INFINITY;
      else if (losses[t] < losses[best]) best = t;
    }
    return new Fit(best, losses, near > 0);
  }

  /** In deviations where there are any, so that it means the same in every unit. */
  private static double far(double distance, double near) {
    double size = Math.abs(distance);
    if (near == 0) return size;
    double deviations = size / near;
    return deviations <= 1 ? deviations * deviations / 2 : deviations - 0.5;
  }

  /** What one run adds that is a little farther from its level than near; 0 without noise. */
  double oneRun() {
    return noisy ? 1 : 0;
  }

  /** By how much a place fits worse than the best. */
  double deficit(int at) {
    return losses[at] - losses[place];
  }
}
