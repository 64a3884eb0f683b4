package dev.ridgeline.lab.stats;

/**
 * When the triplets of a session are judged, and how sure a verdict must be at each of these looks.
 *
 * <p>Who looks after every triplet and stops at the first difference finds one by chance far more
 * often than one time in twenty. Here the error α that all looks together are allowed is spent as
 * the budget is: α·t² by the time that the share t of the budget is used (Lan &amp; DeMets,
 * <i>Discrete sequential boundaries for clinical trials</i>, 1983, with the power family of Kim
 * &amp; DeMets, 1987, in calendar time). A look may err with what has been released since the look
 * before; the parts add up to α, so that by Boole's inequality the whole never errs more often,
 * whatever the looks have in common and wherever one stops. How many there are and when need not be
 * known beforehand, as long as it does not follow from the differences that are judged: it follows
 * from the time alone. A look that could have no interval yet is not had, and spends nothing.
 */
public final class Spending {
  /** Looks at most: more of them cost more confidence each than stopping early is worth. */
  private static final int MOST = 4;

  /** What is left of the error is for the last look, however much of the budget is used before. */
  private static final double BEFORE_LAST = 0.99;

  private Spending() {}

  /**
   * The confidence to ask after the last of these triplets; 0 where there is no look now.
   *
   * @param shares of the budget, spent after each triplet
   * @param confidence what all looks together shall have
   * @param end whether this is the last look, which has all that is left
   */
  public static double confidence(double[] shares, double confidence, boolean end) {
    double error = 1 - Finite.confidence(confidence);
    double spent = 0;
    int looks = 0;
    for (int i = 0; i < shares.length; i++) {
      boolean now = i == shares.length - 1;
      boolean last = now && end;
      double share = last ? 1 : Math.min(shares[i], BEFORE_LAST);
      int due = (int) (share * MOST + 1e-9);
      double part = error * share * share - spent;
      boolean had = due > looks && i + 1 >= AlignedRanks.fewest(1 - part);
      if (now) return had || last ? 1 - part : 0;
      if (!had) continue;
      looks = due;
      spent += part;
    }
    return 0;
  }
}
