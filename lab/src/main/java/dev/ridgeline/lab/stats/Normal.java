package dev.ridgeline.lab.stats;

/** The standard normal distribution. */
final class Normal {
  private Normal() {}

  /**
   * The chance of a value of at least {@code z}.
   *
   * <p>Near the middle by the series of Marsaglia, <i>Evaluating the normal distribution</i>
   * (2004), in the tail by Laplace's continued fraction, so that small chances keep their digits.
   */
  static double above(double z) {
    if (z < 0) return 1 - above(-z);
    if (z > 39) return 0;
    return z < 2.5 ? 0.5 - density(z) * series(z) : density(z) / fraction(z);
  }

  /** The value that is exceeded with this chance: the inverse of {@link #above}. */
  static double quantileAbove(double chance) {
    if (chance > 0.5) return -quantileAbove(1 - chance);
    double low = 0;
    double high = 39;
    while (true) {
      double middle = (low + high) / 2;
      if (middle == low || middle == high) return middle;
      if (above(middle) > chance) low = middle;
      else high = middle;
    }
  }

  private static double density(double z) {
    return Math.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
  }

  /** z + z³/3 + z⁵/(3·5) + … */
  private static double series(double z) {
    double sum = 0;
    double term = z;
    for (int i = 3; sum + term != sum; i += 2) {
      sum += term;
      term *= z * z / i;
    }
    return sum;
  }

  /** z + 1/(z + 2/(z + 3/(z + …))) */
  private static double fraction(double z) {
    double value = z;
    for (int i = 200; i >= 1; i--) value = z + i / value;
    return value;
  }
}
