package dev.ridgeline.lab.stats;

import java.util.Arrays;

/**
 * Wilcoxon's signed-rank test: could differences like these come about if their centre were zero?
 *
 * <p>Wilcoxon, <i>Individual comparisons by ranking methods</i> (1945). Zeros are treated as by
 * Pratt, <i>Remarks on zeros and ties in the Wilcoxon signed rank procedures</i> (1959): they are
 * ranked with the others and then left out, so that a pair more without a difference is never
 * evidence for one. Equal distances share the mean of their ranks.
 */
public final class SignedRank {
  private SignedRank() {}

  /**
   * The two-sided p-value, 1 where there is nothing but zeros.
   *
   * <p>Exact, with ties and zeros too, up to 50 differences that are not zero; above that by the
   * normal approximation with the corrections for ties, zeros and continuity.
   */
  public static double test(double[] differences) {
    double[] byDistance =
        Arrays.stream(Finite.all(differences))
            .boxed()
            .sorted((a, b) -> Double.compare(Math.abs(a), Math.abs(b)))
            .mapToDouble(Double::doubleValue)
            .toArray();
    int zeros = 0;
    while (zeros < byDistance.length && byDistance[zeros] == 0) zeros++;
    int[] doubledRanks = doubledRanks(byDistance, zeros);
    long positive = 0;
    for (int i = 0; i < doubledRanks.length; i++) {
      if (byDistance[zeros + i] > 0) positive += doubledRanks[i];
    }
    return doubledRanks.length <= RankSums.EXACT
        ? exact(doubledRanks, positive)
        : approximate(doubledRanks, positive);
  }

  /**
   * Twice the rank of each distance after the zeros, ties sharing the mean of theirs: doubled, 2.5
   * is a whole number too.
   */
  private static int[] doubledRanks(double[] byDistance, int zeros) {
    int[] doubled = new int[byDistance.length - zeros];
    for (int from = zeros, to; from < byDistance.length; from = to) {
      to = from + 1;
      while (to < byDistance.length && Math.abs(byDistance[to]) == Math.abs(byDistance[from])) to++;
      Arrays.fill(doubled, from - zeros, to - zeros, from + 1 + to);
    }
    return doubled;
  }

  private static double exact(int[] doubledRanks, long positive) {
    double[] chance = RankSums.chances(doubledRanks);
    // The distribution is symmetric: what is as far above the middle is as likely.
    long smaller = Math.min(positive, chance.length - 1 - positive);
    double tail = 0;
    for (int sum = 0; sum <= smaller; sum++) tail += chance[sum];
    return Math.min(1, 2 * tail);
  }

  private static double approximate(int[] doubledRanks, long positive) {
    double sum = 0;
    double squares = 0;
    for (int doubled : doubledRanks) {
      sum += doubled / 2.0;
      squares += doubled / 2.0 * doubled / 2.0;
    }
    double distance = Math.max(0, Math.abs(positive / 2.0 - sum / 2) - 0.5);
    return Math.min(1, 2 * Normal.above(distance / Math.sqrt(squares / 4)));
  }
}
