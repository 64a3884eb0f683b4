package dev.ridgeline.lab.stats;

/** The sum of signed ranks when signs are thrown by a fair coin: Wilcoxon's distribution. */
final class RankSums {
  /**
   * Up to this many ranks the distribution is counted; above, the normal chance is off by less than
   * 0.005.
   */
  static final int EXACT = 50;

  private RankSums() {}

  /**
   * The lower end of a distribution.
   *
   * @param sum where it ends; −1 where it is empty
   * @param chance of a sum up to there
   */
  record Tail(int sum, double chance) {}

  /** The chance of each sum, from 0 to that of all ranks; counted exactly, rank by rank. */
  static double[] chances(int[] ranks) {
    int all = 0;
    for (int rank : ranks) all += rank;
    double[] chance = new double[all + 1];
    chance[0] = 1;
    int reached = 0;
    for (int rank : ranks) {
      reached += rank;
      for (int sum = reached; sum >= rank; sum--) {
        chance[sum] = (chance[sum] + chance[sum - rank]) / 2;
      }
      for (int sum = rank - 1; sum >= 0; sum--) chance[sum] /= 2;
    }
    return chance;
  }

  /** The longest lower end of the distribution of the ranks 1…n with no more than this chance. */
  static Tail tail(int n, double chance) {
    return n <= EXACT ? counted(n, chance) : normal(n, chance);
  }

  private static Tail counted(int n, double chance) {
    int[] ranks = new int[n];
    for (int i = 0; i < n; i++) ranks[i] = i + 1;
    double[] each = chances(ranks);
    double total = 0;
    int sum = 0;
    while (sum < each.length && total + each[sum] <= chance) total += each[sum++];
    return new Tail(sum - 1, total);
  }

  private static Tail normal(int n, double chance) {
    double mean = n * (n + 1.0) / 4;
    double deviation = Math.sqrt(n * (n + 1.0) * (2.0 * n + 1) / 24);
    double end = Math.floor(mean - 0.5 - Normal.quantileAbove(chance) * deviation);
    return end < 0
        ? new Tail(-1, 0)
        : new Tail((int) end, Normal.above((mean - 0.5 - end) / deviation));
  }
}
