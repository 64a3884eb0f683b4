package dev.ridgeline.lab.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * How sure a step is: place and height of many made of the same two levels, drawn again in blocks
 * of neighbours (Künsch, <i>The jackknife and the bootstrap for general stationary
 * observations</i>, 1989).
 *
 * @param earliest the place that one in twenty comes before
 * @param latest the place that one in twenty comes behind
 * @param shift the height, with an interval of 95 %
 */
record Redrawn(int earliest, int latest, Interval shift) {
  private static final int DRAWN = 399;
  private static final double CONFIDENCE = 0.95;

  /**
   * Draws that an interval leaves out on either side. Those of 95 % of the draws held 51 of 60
   * planted steps, for the place was chosen to make the step large: nearly all are taken.
   */
  private static final int LEFT_OUT = 1;

  /** Draws the two sides of a step again. */
  static Redrawn of(double[] before, double[] after, int edge) {
    var random = new SplittableRandom(before.length * 31L + after.length);
    double[] shifts = new double[DRAWN];
    int[] places = new int[DRAWN];
    for (int draw = 0; draw < DRAWN; draw++) {
      double[] left = Split.redraw(before, random);
      double[] right = Split.redraw(after, random);
      shifts[draw] = Median.of(right) - Median.of(left);
      double[] both = Arrays.copyOf(left, left.length + right.length);
      System.arraycopy(right, 0, both, left.length, right.length);
      places[draw] = Split.best(both, Math.min(edge, both.length / 2));
    }
    Arrays.sort(shifts);
    Arrays.sort(places);
    int twentieth = (DRAWN + 1) / 20 - 1;
    double estimate = Median.of(after) - Median.of(before);
    double low = Math.min(estimate, shifts[LEFT_OUT]);
    double high = Math.max(estimate, shifts[DRAWN - 1 - LEFT_OUT]);
    return new Redrawn(
        Math.min(before.length, places[twentieth]),
        Math.max(before.length, places[DRAWN - 1 - twentieth]),
        new Interval(estimate, low, high, CONFIDENCE));
  }
}
