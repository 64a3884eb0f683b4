package dev.ridgeline.lab.verdict;

import dev.ridgeline.report.run.Metric.Better;

/**
 * Something measured on both sides, one number per triplet of trials.
 *
 * @param name what was measured
 * @param unit of the numbers
 * @param better which way is better
 * @param a of arm A
 * @param again of arm A once more, in the same triplet
 * @param b of arm B
 */
public record Sides(
    String name, String unit, Better better, double[] a, double[] again, double[] b) {
  public Sides {
    if (a.length != b.length || a.length != again.length) {
      throw new IllegalArgumentException(name + ": sides differ in length");
    }
  }

  /** Whether ratios can be made of the numbers: none is zero, negative or unknown. */
  public boolean hasRatios() {
    return positive(a) && positive(again) && positive(b);
  }

  private static boolean positive(double[] numbers) {
    for (double number : numbers)
      if (!(number > 0 && number < Double.POSITIVE_INFINITY)) return false;
    return numbers.length > 0;
  }

  /** A and A again as one number a triplet: their geometric mean, which scatters less. */
  public double[] base() {
    double[] base = new double[a.length];
    for (int i = 0; i < base.length; i++) base[i] = Math.sqrt(a[i]) * Math.sqrt(again[i]);
    return base;
  }

  /** Log-ratios of B to A, whichever way is better. */
  public double[] changes() {
    double[] base = base();
    double[] changes = new double[a.length];
    for (int i = 0; i < changes.length; i++) changes[i] = Math.log(b[i]) - Math.log(base[i]);
    return changes;
  }

  /** Log-ratios of B to A, positive where B is better. */
  public double[] effects() {
    double[] effects = changes();
    if (better == Better.LOWER) for (int i = 0; i < effects.length; i++) effects[i] = -effects[i];
    return effects;
  }

  /** Log-ratios of A again to A. */
  public double[] noises() {
    double[] noises = new double[a.length];
    for (int i = 0; i < noises.length; i++) noises[i] = Math.log(again[i]) - Math.log(a[i]);
    return noises;
  }
}
