package dev.ridgeline.lab.stats;

import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * The place that divides a series best into two levels, and how often chance does as well.
 *
 * @param index the first value of the second level
 * @param chance how often the series in blocks of another order is divided as well
 */
record Split(int index, double chance) {
  private static final int DRAWN = 999;

  /** Sums that differ by rounding alone count as equal. */
  private static final double ROUNDING = 1e-9;

  /**
   * The best split and its chance, (1 + hits) / (1 + draws).
   *
   * @param edge the fewest values on either side
   */
  static Split of(double[] values, int edge) {
    double[] ranks = ranks(values);
    int n = ranks.length;
    int best = best(ranks, edge, n);
    double divided = Math.abs(weight(ranks, best)) - ROUNDING;
    if (!(divided > 0)) return new Split(best, 1);
    int block = block(n);
    var random = new SplittableRandom(n);
    double[] drawn = new double[n];
    int hits = 0;
    for (int draw = 0; draw < DRAWN; draw++) {
      shuffle(ranks, drawn, block, random);
      if (largest(drawn, edge) >= divided) hits++;
    }
    return new Split(best, (1.0 + hits) / (1 + DRAWN));
  }

  /** Where a series is divided best. */
  static int best(double[] values, int edge) {
    double[] ranks = ranks(values);
    return best(ranks, edge, ranks.length);
  }

  /**
   * How many neighbours stay together: as long as they are alike, which is ten runs and more on a
   * shared machine, as far as there are blocks enough to be put into another order.
   */
  static int block(int n) {
    return Math.max(1, (int) Math.round(Math.min(n / 14.0, Math.sqrt(n))));
  }

  /** Ranks about zero; equal values share theirs. */
  private static double[] ranks(double[] values) {
    int n = values.length;
    int[] order =
        IntStream.range(0, n)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> values[i]))
            .mapToInt(Integer::intValue)
            .toArray();
    double[] ranks = new double[n];
    for (int i = 0; i < n; ) {
      int end = i;
      while (end < n && values[order[end]] == values[order[i]]) end++;
      for (int k = i; k < end; k++) ranks[order[k]] = (i + end - n) / 2.0;
      i = end;
    }
    return ranks;
  }

  private static int best(double[] ranks, int edge, int n) {
    int best = edge;
    double most = -1;
    double sum = 0;
    for (int t = 1; t <= n - edge; t++) {
      sum += ranks[t - 1];
      double weight = Math.abs(sum) / Math.sqrt((double) t * (n - t));
      if (t >= edge && weight > most) {
        most = weight;
        best = t;
      }
    }
    return best;
  }

  private static double largest(double[] ranks, int edge) {
    int best = best(ranks, edge, ranks.length);
    return Math.abs(weight(ranks, best));
  }

  private static double weight(double[] ranks, int t) {
    double sum = 0;
    for (int i = 0; i < t; i++) sum += ranks[i];
    return sum / Math.sqrt((double) t * (ranks.length - t));
  }

  /** Blocks in another order, cut at a place that chance chooses, the end joined to the start. */
  private static void shuffle(double[] from, double[] to, int block, SplittableRandom random) {
    int n = from.length;
    int[] blocks = IntStream.range(0, (n + block - 1) / block).toArray();
    for (int i = blocks.length - 1; i > 0; i--) {
      int k = random.nextInt(i + 1);
      int held = blocks[i];
      blocks[i] = blocks[k];
      blocks[k] = held;
    }
    int cut = random.nextInt(n);
    int next = 0;
    for (int each : blocks) {
      int end = Math.min(n, (each + 1) * block);
      for (int i = each * block; i < end; i++) to[next++] = from[(cut + i) % n];
    }
  }

  /** As many values as there are, in blocks that chance chose, with repetition. */
  static double[] redraw(double[] values, SplittableRandom random) {
    int n = values.length;
    int block = block(n);
    double[] drawn = new double[n];
    for (int i = 0; i < n; ) {
      int from = random.nextInt(n);
      for (int k = 0; k < block && i < n; k++) drawn[i++] = values[(from + k) % n];
    }
    return drawn;
  }
}
