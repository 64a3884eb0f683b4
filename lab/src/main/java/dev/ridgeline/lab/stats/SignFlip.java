package dev.ridgeline.lab.stats;

import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * Fisher's sign-flip test of a mean: how often would chance signs push the sum this far from zero?
 *
 * <p>Fisher, <i>The Design of Experiments</i> (1935), §21: if neither arm is faster, each
 * difference might as well have had the other sign.
 */
public final class SignFlip {
  /** Up to this many differences that are not zero every choice of signs is tried. */
  private static final int EXACT = 20;

  /** Choices of signs drawn where there are too many to try. */
  private static final int DRAWN = 100_000;

  /** Sums that differ by rounding alone count as equal: this share of the largest one possible. */
  private static final double ROUNDING = 1e-12;

  private SignFlip() {}

  /**
   * The two-sided p-value, 1 where there is nothing but zeros.
   *
   * <p>Exact up to 20 differences that are not zero. Above that (1 + hits) / (1 + draws) of 100,000
   * draws, which keeps the level (Phipson &amp; Smyth, <i>Permutation p-values should never be
   * zero</i>, 2010); the draws are the same each time, so the answer is too.
   */
  public static double test(double[] differences) {
    double[] d = scaled(Arrays.stream(Finite.all(differences)).filter(v -> v != 0).toArray());
    if (d.length == 0) return 1;
    double observed = Math.abs(Arrays.stream(d).sum());
    double far = observed - ROUNDING * Arrays.stream(d).map(Math::abs).sum();
    // A choice and its opposite are equally far: the first sign may stay as it is.
    return d.length <= EXACT
        ? hits(d, 1, d[0], far) / Math.scalb(1.0, d.length - 1)
        : (1.0 + drawnHits(d, far)) / (1 + DRAWN);
  }

  /** By the largest, so that no sum overflows. */
  private static double[] scaled(double[] d) {
    double largest = Arrays.stream(d).map(Math::abs).max().orElse(1);
    return Arrays.stream(d).map(v -> v / largest).toArray();
  }

  private static int hits(double[] d, int next, double sum, double far) {
    if (next == d.length) return Math.abs(sum) >= far ? 1 : 0;
    return hits(d, next + 1, sum + d[next], far) + hits(d, next + 1, sum - d[next], far);
  }

  private static int drawnHits(double[] d, double far) {
    var random = new SplittableRandom(d.length);
    int hits = 0;
    for (int draw = 0; draw < DRAWN; draw++) {
      double sum = 0;
      long signs = 0;
      for (int i = 0; i < d.length; i++) {
        if (i % Long.SIZE == 0) signs = random.nextLong();
        sum += (signs & 1) == 0 ? d[i] : -d[i];
        signs >>>= 1;
      }
      if (Math.abs(sum) >= far) hits++;
    }
    return hits;
  }
}
