package dev.ridgeline.tensor;

/** The normal distribution, to 2⁻⁵² and in its tails to as many digits as a double has. */
final class Normal {
  private static final double ROOT_TWO_PI = Math.sqrt(2 * Math.PI);

  private Normal() {}

  /** Φ(x): the part of the distribution below x. */
  static double below(double x) {
    if (Double.isNaN(x)) return x;
    if (x < -38) return 0;
    if (x > 9) return 1;
    return x < -4 ? tail(-x) : x > 4 ? 1 - tail(x) : centre(x);
  }

  /** Marsaglia's series: 1/2 + φ(x) · (x + x³/3 + x⁵/15 + …), all terms of one sign. */
  private static double centre(double x) {
    double term = x;
    double sum = x;
    for (int i = 3; ; i += 2) {
      term *= x * x / i;
      double next = sum + term;
      if (next == sum) break;
      sum = next;
    }
    return 0.5 + sum * density(x);
  }

  /** The continued fraction of Laplace, from its far end: φ(x) / (x + 1/(x + 2/(x + 3/…))). */
  private static double tail(double x) {
    double fraction = x;
    for (int i = 100; i >= 1; i--) fraction = x + i / fraction;
    return density(x) / fraction;
  }

  static double density(double x) {
    return StrictMath.exp(-x * x / 2) / ROOT_TWO_PI;
  }
}
