package dev.ridgeline.lab.verdict;

/**
 * What is fixed before the first trial of a session, so that nothing seen later can bend it.
 *
 * @param threshold the smallest change that matters: 0.02 is 2 %
 * @param confidence what all looks at the session together shall have
 */
public record Design(double threshold, double confidence) {
  /** The fewest pairs of either block: all of them pointing one way is chance one time in nine. */
  static final int FEWEST_OF_BLOCK = 2;

  /** Fewer pairs than this prove nothing. */
  public static final int FEWEST_PAIRS = 2 * FEWEST_OF_BLOCK;

  /** The part of the budget that a first block takes at least, so that it holds more than a few. */
  static final double FIRST_BLOCK = 0.125;

  public Design {
    if (!(threshold > 0 && threshold < 1)) {
      throw new IllegalArgumentException("a threshold of " + threshold);
    }
    if (!(confidence > 0.5 && confidence < 1)) {
      throw new IllegalArgumentException("a confidence of " + confidence);
    }
  }

  /** The usual confidence. */
  public Design(double threshold) {
    this(threshold, 0.95);
  }

  /** The threshold as a log-ratio. */
  double logThreshold() {
    return Math.log1p(threshold);
  }
}
