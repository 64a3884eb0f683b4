package dev.ridgeline.lab.stats;

import java.util.Arrays;

/**
 * How much one trial of each triplet differs from the two others, which are alike, with an interval
 * that assumes nothing about the noise but that the three trials of a triplet might as well have
 * run in another order.
 *
 * <p>Hodges &amp; Lehmann, <i>Rank methods for combination of independent experiments in analysis
 * of variance</i> (1962): each triplet is aligned by its mean, all trials are ranked together, and
 * the ranks of the odd ones are summed. If there is no difference, each of the three is the odd one
 * with the same chance, which gives the distribution of the sum. Where the order of a triplet is
 * drawn, that is true by design. The interval holds every difference that this test does not
 * reject. Three trials say more than two: four triplets reach 95 %, for which {@link HodgesLehmann}
 * takes six pairs.
 */
public final class AlignedRanks {
  /** Up to this many triplets the distribution is counted; above, it is nearly normal. */
  private static final int EXACT = 16;

  /** Halvings of the range of all differences: bounds are told to a ten-millionth of it. */
  private static final int HALVINGS = 24;

  private final double[] effects;
  private final double[] noises;
  private final double[] values;
  private final double[] sorted;
  private final int[][] ranks;
  private boolean tied;

  private AlignedRanks(double[] effects, double[] noises) {
    this.effects = Finite.all(effects);
    this.noises = Finite.all(noises);
    if (effects.length != noises.length) throw new IllegalArgumentException("triplets differ");
    values = new double[3 * effects.length];
    sorted = new double[values.length];
    ranks = new int[effects.length][3];
  }

  /**
   * Estimate and interval; infinite bounds where there are too few triplets for the confidence.
   *
   * @param effects the odd trial of each triplet less the mean of the two others
   * @param noises one of the others less the other
   */
  public static Interval of(double[] effects, double[] noises, double confidence) {
    Finite.confidence(confidence);
    if (effects.length == 0) return Interval.unbounded(Double.NaN);
    return new AlignedRanks(effects, noises).interval((1 - confidence) / 2, confidence);
  }

  /**
   * Whether the interval of this confidence lies above a difference, or below its opposite: the
   * same as {@link #of} says, without looking for the bounds.
   */
  public static boolean beyond(
      double[] effects, double[] noises, double difference, double confidence) {
    double error = (1 - Finite.confidence(confidence)) / 2;
    if (effects.length < fewest(confidence)) return false;
    var it = new AlignedRanks(effects, noises);
    it.rank(difference);
    if (it.tail(true) <= error) return true;
    it.rank(-difference);
    return it.tail(false) <= error;
  }

  /** How often chance alone shows a difference as large as this, either way. */
  public static double test(double[] effects, double[] noises) {
    if (effects.length == 0) return 1;
    var it = new AlignedRanks(effects, noises);
    it.rank(0);
    return Math.min(1, 2 * Math.min(it.tail(true), it.tail(false)));
  }

  /** The fewest triplets for which an interval of this confidence has bounds. */
  public static int fewest(double confidence) {
    Finite.confidence(confidence);
    int n = 1;
    while (2 * Math.pow(3, -n) > 1 - confidence) n++;
    return n;
  }

  private interface Test {
    boolean holds();
  }

  private Interval interval(double error, double confidence) {
    double widest = 0;
    for (double noise : noises) widest = Math.max(widest, Math.abs(noise) / 2);
    double least = Arrays.stream(effects).min().orElseThrow();
    double most = Arrays.stream(effects).max().orElseThrow();
    // Beyond these all odd trials rank above all others, or below them.
    double from = least - (most - least) / 3 - widest;
    double to = most + (most - least) / 3 + widest;
    double margin = 1e-9 * Math.max(to - from, 1e-9);
    from -= margin;
    to += margin;
    double middle = effects.length * (3.0 * effects.length + 1);
    double lower = first(from, to, () -> sum() <= middle);
    double upper = first(from, to, () -> sum() < middle);
    double estimate = Median.mean(lower, upper);
    if (effects.length < fewest(confidence)) return Interval.unbounded(estimate);
    double low = first(from, upper, () -> tail(true) > error);
    double high = first(lower, to, () -> tail(false) <= error);
    return new Interval(
        estimate, Math.min(low - margin, estimate), Math.max(high, estimate), confidence);
  }

  /** The least difference of which something holds that holds of every larger one. */
  private double first(double from, double to, Test test) {
    double without = from;
    double with = to;
    for (int i = 0; i < HALVINGS; i++) {
      double between = Median.mean(without, with);
      rank(between);
      if (test.holds()) with = between;
      else without = between;
    }
    return with;
  }

  /** Doubles the ranks of all trials once the odd ones are less by a difference. */
  private void rank(double difference) {
    for (int i = 0; i < effects.length; i++) {
      double left = effects[i] - difference;
      values[3 * i] = 2 * left / 3;
      values[3 * i + 1] = -left / 3 - noises[i] / 2;
      values[3 * i + 2] = -left / 3 + noises[i] / 2;
    }
    System.arraycopy(values, 0, sorted, 0, values.length);
    Arrays.sort(sorted);
    tied = false;
    for (int i = 0; i < values.length; i++) {
      int below = lower(values[i]);
      int end = below;
      while (end < sorted.length && sorted[end] == values[i]) end++;
      tied |= end > below + 1;
      ranks[i / 3][i % 3] = below + end + 1;
    }
  }

  private int lower(double value) {
    int low = 0;
    int high = sorted.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted[middle] < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  private long sum() {
    long sum = 0;
    for (int[] triplet : ranks) sum += triplet[0];
    return sum;
  }

  /** The chance of a sum at least as large as it is, or at least as small. */
  private double tail(boolean large) {
    return effects.length <= EXACT ? counted(large) : normal(large);
  }

  private double counted(boolean large) {
    // Without ties all doubled ranks are even.
    int step = tied ? 1 : 2;
    int span = 0;
    int sum = 0;
    for (int[] triplet : ranks) {
      int least = least(triplet);
      span += (most(triplet) - least) / step;
      sum += (triplet[0] - least) / step;
    }
    double[] chance = new double[span + 1];
    double[] next = new double[span + 1];
    chance[0] = 1;
    int reached = 0;
    for (int[] triplet : ranks) {
      int least = least(triplet);
      int most = (most(triplet) - least) / step;
      Arrays.fill(next, 0, reached + most + 1, 0);
      for (int rank : triplet) {
        int more = (rank - least) / step;
        for (int at = 0; at <= reached; at++) next[at + more] += chance[at] / 3;
      }
      reached += most;
      double[] spent = chance;
      chance = next;
      next = spent;
    }
    double tail = 0;
    if (large) for (int at = span; at >= sum; at--) tail += chance[at];
    else for (int at = 0; at <= sum; at++) tail += chance[at];
    // A sum of thirds is a little off; without this, four triplets would not reach their own 2/81.
    return tail * (1 - 1e-12);
  }

  private static int least(int[] triplet) {
    return Math.min(triplet[0], Math.min(triplet[1], triplet[2]));
  }

  private static int most(int[] triplet) {
    return Math.max(triplet[0], Math.max(triplet[1], triplet[2]));
  }

  private double normal(boolean large) {
    double mean = 0;
    double variance = 0;
    for (int[] triplet : ranks) {
      double centre = (triplet[0] + triplet[1] + triplet[2]) / 3.0;
      mean += centre;
      for (int rank : triplet) variance += (rank - centre) * (rank - centre) / 3;
    }
    // Doubled ranks come in steps of two.
    double beyond = (large ? sum() - mean : mean - sum()) - 1;
    return variance == 0 ? 1 : Normal.above(beyond / Math.sqrt(variance));
  }
}
