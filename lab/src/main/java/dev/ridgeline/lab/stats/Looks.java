package dev.ridgeline.lab.stats;

/**
 * Pays for looking at the data more than once: the confidence each of the planned looks must ask.
 *
 * <p>Who looks after every few pairs and stops at the first difference finds one by chance far more
 * often than one time in twenty. Here the error allowed to all looks together, α, is spent along
 * α·t², where t is the share of the looks taken (the power family of Kim &amp; DeMets, <i>Design
 * and analysis of group sequential tests based on the type I error spending rate function</i>,
 * 1987): look k of K may err with α·(2k − 1)/K². The parts add up to α, so by Boole's inequality
 * the whole never errs more often, whatever the looks have in common and wherever one stops. Early
 * looks are cheap and see only what is large; most of the error is left for the last.
 */
public final class Looks {
  private Looks() {}

  /**
   * The confidence to ask at one look.
   *
   * @param look which one, from 1
   * @param planned how many there will be at most, fixed before the first
   * @param confidence what all of them together shall have
   */
  public static double confidence(int look, int planned, double confidence) {
    if (look < 1 || look > planned) {
      throw new IllegalArgumentException("look " + look + " of " + planned);
    }
    double part = (2.0 * look - 1) / ((double) planned * planned);
    return 1 - (1 - Finite.confidence(confidence)) * part;
  }
}
