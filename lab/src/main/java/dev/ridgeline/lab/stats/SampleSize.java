package dev.ridgeline.lab.stats;

/**
 * How many pairs it takes, judged by those already measured.
 *
 * <p>The half-width of a {@link HodgesLehmann} interval, divided by the normal quantile of its
 * confidence, is the standard error of the estimate (Lehmann, <i>Nonparametric confidence intervals
 * for a shift parameter</i>, 1963), and falls with the square root of the number of pairs. A gap is
 * told four times in five where it is at least z(confidence) + z(4/5) standard errors wide: the
 * estimate must clear its own bounds and some bad luck.
 */
public final class SampleSize {
  /** Fewer pairs tell nothing of the noise. */
  private static final int FEWEST = 4;

  /** More than this nobody will run. */
  private static final int HOPELESS = 1000;

  /** The chance to miss what is there. */
  private static final double MISSED = 0.2;

  private static final double LUCK = Normal.quantileAbove(MISSED);

  private SampleSize() {}

  /**
   * How many more pairs would decide, at least four times in five, if all goes on as before: until
   * the interval lies on one side of zero and its middle beyond the threshold, or all of it within
   * the threshold.
   *
   * @return 0 where it is decided; −1 where more than a thousand would not do, since the estimate
   *     lies too near the threshold. Of fewer than 4 pairs, what is missing to an interval at all.
   */
  public static int morePairs(double[] differences, double threshold, double confidence) {
    Finite.threshold(threshold);
    Interval now = HodgesLehmann.of(differences, confidence);
    int n = differences.length;
    if (decided(now, threshold)) return 0;
    int needed = Math.max(HodgesLehmann.fewest(confidence), n + 1);
    if (n < FEWEST) return needed - n;
    double middle = Math.abs(now.estimate());
    double error = standardError(differences, confidence);
    double ratio =
        middle > threshold
            ? Math.max(margin(confidence) / middle, LUCK / (middle - threshold)) * error
            : margin(confidence) / (threshold - middle) * error;
    double more = Math.max(needed, Math.ceil(n * ratio * ratio)) - n;
    return more <= HOPELESS ? (int) more : -1;
  }

  private static boolean decided(Interval interval, double threshold) {
    boolean apart = interval.low() > 0 || interval.high() < 0;
    boolean beyond = apart && Math.abs(interval.estimate()) > threshold;
    boolean within = interval.low() >= -threshold && interval.high() <= threshold;
    return beyond || within;
  }

  private static double margin(double confidence) {
    return Normal.quantileAbove((1 - confidence) / 2) + LUCK;
  }

  /** From the interval asked for or, where that has no bounds, from the widest that has. */
  private static double standardError(double[] differences, double confidence) {
    double widest = 1 - Math.scalb(1.0, 1 - differences.length);
    Interval interval = HodgesLehmann.of(differences, Math.min(confidence, widest));
    double half = interval.high() / 2 - interval.low() / 2;
    return half / Normal.quantileAbove((1 - interval.confidence()) / 2);
  }
}
