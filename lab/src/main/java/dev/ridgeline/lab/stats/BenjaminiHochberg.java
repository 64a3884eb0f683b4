package dev.ridgeline.lab.stats;

import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * Keeps many tests at once from finding something by their number alone.
 *
 * <p>Benjamini &amp; Hochberg, <i>Controlling the false discovery rate</i> (1995): of all that is
 * called a difference at q ≤ α, the expected share of false ones is at most α.
 */
public final class BenjaminiHochberg {
  private BenjaminiHochberg() {}

  /**
   * The q-value of each p-value, in the same order: the smallest p₍ⱼ₎·m/j of those not smaller,
   * where p₍ⱼ₎ is the j-th smallest of m.
   */
  public static double[] adjust(double[] p) {
    for (double each : p) {
      if (!(each >= 0 && each <= 1)) throw new IllegalArgumentException("a p-value of " + each);
    }
    int[] largestFirst =
        IntStream.range(0, p.length)
            .boxed()
            .sorted(Comparator.comparingDouble((Integer i) -> p[i]).reversed())
            .mapToInt(Integer::intValue)
            .toArray();
    double[] q = new double[p.length];
    double smallest = 1;
    for (int i = 0; i < p.length; i++) {
      int rank = p.length - i;
      // The quotient first: it is exactly 1 for the largest, whose q must not round below its p.
      smallest = Math.min(smallest, p[largestFirst[i]] * ((double) p.length / rank));
      q[largestFirst[i]] = smallest;
    }
    return q;
  }
}
