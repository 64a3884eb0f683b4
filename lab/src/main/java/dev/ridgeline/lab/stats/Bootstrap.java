package dev.ridgeline.lab.stats;

import java.util.Arrays;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * How far a figure would have been elsewhere had other rounds been drawn: for figures that no rank
 * test knows, such as the coefficients of a fit.
 *
 * <p>Efron, <i>Bootstrap methods: another look at the jackknife</i> (1979): rounds are drawn with
 * replacement, the figure is computed anew each time, and the bounds are the percentiles of what
 * came out. With few rounds such bounds are too narrow rather than too wide; below {@link #FEWEST}
 * there are none.
 */
public final class Bootstrap {
  /** Fewer rounds say too little about what else they could have been. */
  public static final int FEWEST = 6;

  private static final int DRAWS = 1_000;

  private Bootstrap() {}

  /**
   * The figure of all rounds and its bounds.
   *
   * @param rounds how many there are
   * @param figure of rounds, which are given by their indices; NaN where they have none
   */
  public static Interval of(int rounds, ToDoubleFunction<int[]> figure, double confidence) {
    Finite.confidence(confidence);
    int[] all = new int[rounds];
    for (int i = 0; i < rounds; i++) all[i] = i;
    double estimate = rounds == 0 ? Double.NaN : figure.applyAsDouble(all);
    if (rounds < FEWEST || Double.isNaN(estimate)) return Interval.unbounded(estimate);
    // The same rounds have the same bounds.
    Random random = new Random(rounds);
    double[] drawn = new double[DRAWS];
    for (int d = 0; d < DRAWS; d++) {
      int[] some = new int[rounds];
      for (int i = 0; i < rounds; i++) some[i] = random.nextInt(rounds);
      drawn[d] = figure.applyAsDouble(some);
    }
    double[] sorted = Arrays.stream(drawn).filter(value -> !Double.isNaN(value)).sorted().toArray();
    if (sorted.length < DRAWS / 2) return Interval.unbounded(estimate);
    int cut = (int) Math.floor((1 - confidence) / 2 * sorted.length);
    double low = Math.min(estimate, sorted[cut]);
    double high = Math.max(estimate, sorted[sorted.length - 1 - cut]);
    return new Interval(estimate, low, high, confidence);
  }
}
