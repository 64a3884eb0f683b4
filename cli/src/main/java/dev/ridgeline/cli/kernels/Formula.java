package dev.ridgeline.cli.kernels;

import java.util.function.IntToDoubleFunction;

/** What a result should be, computed in the plainest way, in double precision. */
@FunctionalInterface
interface Formula {
  Expected at(int row, int column);

  /**
   * A number.
   *
   * @param tolerance how far float arithmetic may be from it
   */
  record Expected(double value, double tolerance) {
    boolean admits(float result) {
      return Math.abs(result - value) <= tolerance;
    }
  }

  /**
   * A sum of terms that may cancel each other.
   *
   * @param tolerance relative to the sum of their magnitudes
   */
  static Expected sum(int terms, double tolerance, IntToDoubleFunction term) {
    double sum = 0;
    double magnitude = 0;
    for (int i = 0; i < terms; i++) {
      double each = term.applyAsDouble(i);
      sum += each;
      magnitude += Math.abs(each);
    }
    return new Expected(sum, tolerance * magnitude + 1e-12);
  }

  /** As exact as one rounding. */
  static Expected rounded(double value) {
    return new Expected(value, Math.ulp((float) value));
  }

  /** The mean of some terms. */
  static double mean(int terms, IntToDoubleFunction term) {
    double sum = 0;
    for (int i = 0; i < terms; i++) sum += term.applyAsDouble(i);
    return sum / terms;
  }

  /** The gelu of GPT-2. */
  static double gelu(double x) {
    return 0.5 * x * (1 + Math.tanh(inner(x)));
  }

  /** Its slope. */
  static double geluSlope(double x) {
    double tanh = Math.tanh(inner(x));
    double slope = Math.sqrt(2 / Math.PI) * (1 + 3 * 0.044715 * x * x);
    return 0.5 * (1 + tanh) + 0.5 * x * (1 - tanh * tanh) * slope;
  }

  private static double inner(double x) {
    return Math.sqrt(2 / Math.PI) * (x + 0.044715 * x * x * x);
  }

  /** The softmax of some scores. */
  static double[] softmax(int count, IntToDoubleFunction score) {
    double[] shares = new double[count];
    double most = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < count; i++) most = Math.max(most, shares[i] = score.applyAsDouble(i));
    double sum = 0;
    for (int i = 0; i < count; i++) sum += shares[i] = Math.exp(shares[i] - most);
    for (int i = 0; i < count; i++) shares[i] /= sum;
    return shares;
  }
}
