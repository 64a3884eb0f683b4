package dev.ridgeline.lab.stats;

/**
 * The sum of signed ranks when signs are thrown by a fair coin: Wilcoxon's distribution.
 *
 * <p>Counted exactly, rank by rank; ranks are given doubled, so that the shared rank of a tie (2.5)
 * is a whole number too.
 */
final class RankSums {
  /** Up to this many ranks the distribution is counted; above, it is normal to three digits. */
  static final int EXACT = 50;

  private RankSums() {}

  /** The chance of each sum of doubled ranks, from 0 to the sum of them all. */
  static double[] chances(int[] doubledRanks) {
    int all = 0;
    for (int rank : doubledRanks) all += rank;
    double[] chance = new double[all + 1];
    chance[0] = 1;
    int reached = 0;
    for (int rank : doubledRanks) {
      reached += rank;
      for (int sum = reached; sum >= 0; sum--) {
        chance[sum] = (chance[sum] + (sum >= rank ? chance[sum - rank] : 0)) / 2;
      }
    }
    return chance;
  }

  /** The chance that the ranks 1…n, none tied, sum to no more than this. */
  static double atMost(int n, int sum) {
    if (n > EXACT) {
      return Normal.above((mean(n) - 0.5 - sum) / deviation(n));
    }
    double[] chance = chances(untied(n));
    double total = 0;
    for (int i = 0; i <= Math.min(sum, (chance.length - 1) / 2); i++) total += chance[2 * i];
    return total;
  }

  /**
   * The largest sum that the ranks 1…n stay at or below with no more than this chance; −1 where
   * even a sum of 0 is likelier.
   */
  static int quantile(int n, double chance) {
    if (n > EXACT) {
      return (int)
          Math.max(-1, Math.floor(mean(n) - 0.5 - Normal.quantileAbove(chance) * deviation(n)));
    }
    double[] each = chances(untied(n));
    double total = 0;
    int sum = 0;
    for (; 2 * sum < each.length; sum++) {
      total += each[2 * sum];
      if (total > chance) break;
    }
    return sum - 1;
  }

  private static double mean(int n) {
    return n * (n + 1.0) / 4;
  }

  private static double deviation(int n) {
    return Math.sqrt(n * (n + 1.0) * (2.0 * n + 1) / 24);
  }

  private static int[] untied(int n) {
    int[] doubled = new int[n];
    for (int i = 0; i < n; i++) doubled[i] = 2 * (i + 1);
    return doubled;
  }
}
