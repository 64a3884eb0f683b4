package dev.ridgeline.lab.stats;

/** Refuses what no statistic can be made of. */
final class Finite {
  private Finite() {}

  /** The same values, each known to be finite. */
  static double[] all(double[] values) {
    for (int i = 0; i < values.length; i++) {
      if (!Double.isFinite(values[i])) {
        throw new IllegalArgumentException("value " + (i + 1) + " is " + values[i]);
      }
    }
    return values;
  }

  /** The same number, known to lie strictly between 0 and 1. */
  static double confidence(double confidence) {
    if (!(confidence > 0 && confidence < 1)) {
      throw new IllegalArgumentException("a confidence of " + confidence + ", not between 0 and 1");
    }
    return confidence;
  }

  /** The same number, known to be finite and not negative. */
  static double threshold(double threshold) {
    if (!(threshold >= 0 && threshold < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("a threshold of " + threshold);
    }
    return threshold;
  }
}
