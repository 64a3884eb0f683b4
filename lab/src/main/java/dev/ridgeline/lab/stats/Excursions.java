package dev.ridgeline.lab.stats;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Runs that departed from the level around them, which came back: something else was going on.
 *
 * <p>A run that is near the level before it or the one behind it is none, so that a step has no
 * excursions beside it. Disturbed runs are slow, never fast, and up to half of a stretch may be
 * disturbed, so that its median is no level. The shortest interval that holds half of the values is
 * where the undisturbed ones crowd (Grübel, <i>The length of the shorth</i>, 1988): its middle is
 * the level, and its length tells the noise.
 */
final class Excursions {
  /** Runs on either side that make the level around one: a fifth of all, within these bounds. */
  private static final int NARROWEST = 5;

  private static final int WIDEST = 40;

  /** So many deviations from the level around it are no noise. */
  private static final double FAR = 3;

  /** Length of the shortest half of normal noise, in deviations. */
  private static final double OF_NORMAL = 1.3489795;

  private Excursions() {}

  /** The runs that are none, by their index. */
  static int[] without(double[] series) {
    int n = series.length;
    if (n < 2 * NARROWEST) return IntStream.range(0, n).toArray();
    int around = Math.clamp(n / 5, NARROWEST, WIDEST);
    double far = FAR * noise(series);
    return IntStream.range(0, n)
        .filter(
            i ->
                Math.abs(series[i] - level(series, i - around, i + 1, around)) <= far
                    || Math.abs(series[i] - level(series, i, i + around + 1, around)) <= far)
        .toArray();
  }

  /**
   * The deviation of a run, from the differences of neighbours, which a step does not enlarge.
   * Distances from the level around would be too small: the level follows its runs.
   */
  private static double noise(double[] series) {
    double[] differences = new double[series.length - 1];
    for (int i = 0; i < differences.length; i++) differences[i] = series[i + 1] - series[i];
    return new Shorth(differences).length / (OF_NORMAL * Math.sqrt(2));
  }

  /** The level of a stretch; one that would reach beyond an end begins or ends there. */
  private static double level(double[] series, int from, int to, int around) {
    int first = Math.clamp(from, 0, Math.max(0, series.length - around - 1));
    int last = Math.clamp(to, Math.min(series.length, around + 1), series.length);
    return new Shorth(Arrays.copyOfRange(series, first, last)).middle;
  }

  /** The shortest half of some values. */
  private static final class Shorth {
    final double middle;
    final double length;

    Shorth(double[] values) {
      double[] sorted = values.clone();
      Arrays.sort(sorted);
      int half = sorted.length / 2;
      int best = 0;
      for (int i = 1; i + half < sorted.length; i++) {
        if (sorted[i + half] - sorted[i] < sorted[best + half] - sorted[best]) best = i;
      }
      length = sorted[best + half] - sorted[best];
      middle = Median.ofSorted(Arrays.copyOfRange(sorted, best, best + half + 1));
    }
  }
}
