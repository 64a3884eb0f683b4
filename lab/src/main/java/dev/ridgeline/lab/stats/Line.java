package dev.ridgeline.lab.stats;

/**
 * A straight line through points: what something costs to begin with, and what each step adds.
 *
 * @param constant its height at zero
 * @param slope what a step adds
 */
public record Line(double constant, double slope) {
  /**
   * The line with the least squares of errors; level where all points stand above one place.
   *
   * @param x at least one
   */
  public static Line fit(double[] x, double[] y) {
    if (x.length != y.length || x.length == 0) {
      throw new IllegalArgumentException("%d places, %d heights".formatted(x.length, y.length));
    }
    double meanX = 0;
    double meanY = 0;
    for (int i = 0; i < x.length; i++) {
      meanX += x[i] / x.length;
      meanY += y[i] / x.length;
    }
    double across = 0;
    double both = 0;
    for (int i = 0; i < x.length; i++) {
      across += (x[i] - meanX) * (x[i] - meanX);
      both += (x[i] - meanX) * (y[i] - meanY);
    }
    double slope = across == 0 ? 0 : both / across;
    return new Line(meanY - slope * meanX, slope);
  }

  public double at(double x) {
    return constant + slope * x;
  }

  /** The farthest that a point is from the line, as a part of the line's height there. */
  public double farthest(double[] x, double[] y) {
    double farthest = 0;
    for (int i = 0; i < x.length; i++) {
      farthest = Math.max(farthest, Math.abs(y[i] / at(x[i]) - 1));
    }
    return farthest;
  }
}
