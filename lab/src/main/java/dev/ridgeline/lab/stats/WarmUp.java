package dev.ridgeline.lab.stats;

import java.util.Arrays;

/**
 * Tells where the samples of one process stop warming up.
 *
 * <p>The rule, fixed beforehand and blind to which arm it looks at: the series is cut into 20
 * blocks (single samples where there are fewer), each reduced to its median. The last half is taken
 * to be warm; its median is the level and its median deviation the noise. A block <em>departs</em>
 * where it is further from the level than both 1 % and 3·(1 + (5/m)²) deviations of the m blocks of
 * that half, the bracket making up for a deviation told from few. Warm-up lasts to the end of the
 * last run of departing blocks that begins the series, or is at least two long and begins in the
 * first half; so an outlier alone is no warm-up, but a first sample alone is.
 *
 * <p>The last half itself must not go on rising or falling: where Kendall's test for a trend (Mann,
 * <i>Nonparametric tests against trend</i>, 1945) says so at one in a hundred and its two quarters
 * differ by more than 1 %, the series never settled. Processes that do not are common (Barrett et
 * al., <i>Virtual machine warmup blows hot and cold</i>, 2017).
 */
public final class WarmUp {
  private static final int BLOCKS = 20;

  /** Fewer samples have no level to depart from. */
  private static final int FEWEST = 4;

  /** A difference of this share of the level does not matter. */
  private static final double NEGLIGIBLE = 0.01;

  /** Of the normal distribution, exceeded on either side once in a hundred. */
  private static final double ONE_IN_A_HUNDRED = 2.5758293035489004;

  private WarmUp() {}

  /**
   * The first sample of the steady part; 0 for fewer than 4 samples, the number of samples where
   * the series never settles.
   */
  public static int settledFrom(double[] samples) {
    int n = Finite.all(samples).length;
    if (n < FEWEST) return 0;
    double[] blocks = blockMedians(samples);
    double[] tail = Arrays.copyOfRange(blocks, blocks.length / 2, blocks.length);
    double level = Median.of(tail);
    if (drifts(tail, NEGLIGIBLE * Math.abs(level))) return n;
    double few = 5.0 / tail.length;
    double noise = 3 * (1 + few * few) * Median.deviation(tail);
    double allowed = Math.max(NEGLIGIBLE * Math.abs(level), noise);
    return start(warmBlocks(blocks, level, allowed), blocks.length, n);
  }

  private static double[] blockMedians(double[] samples) {
    double[] medians = new double[Math.min(BLOCKS, samples.length)];
    for (int b = 0; b < medians.length; b++) {
      int from = start(b, medians.length, samples.length);
      int to = start(b + 1, medians.length, samples.length);
      medians[b] = Median.of(Arrays.copyOfRange(samples, from, to));
    }
    return medians;
  }

  private static int start(int block, int blocks, int samples) {
    return (int) ((long) block * samples / blocks);
  }

  /** How many blocks pass before the series is warm. */
  private static int warmBlocks(double[] blocks, double level, double allowed) {
    int warm = 0;
    // A run that begins in the first half is followed to its end.
    for (int b = 0; b < blocks.length && (b < blocks.length / 2 || b == warm); b++) {
      boolean departs = Math.abs(blocks[b] - level) > allowed;
      boolean next = b + 1 < blocks.length && Math.abs(blocks[b + 1] - level) > allowed;
      if (departs && (b == warm || next)) warm = b + 1;
    }
    return warm;
  }

  private static boolean drifts(double[] tail, double negligible) {
    int m = tail.length;
    double early = Median.of(Arrays.copyOfRange(tail, 0, m / 2));
    double late = Median.of(Arrays.copyOfRange(tail, m / 2, m));
    if (Math.abs(late - early) <= negligible) return false;
    int rises = 0;
    for (int i = 0; i < m; i++) {
      for (int j = 0; j < i; j++) rises += Double.compare(tail[i], tail[j]);
    }
    double deviation = Math.sqrt(m * (m - 1.0) * (2.0 * m + 5) / 18);
    return Math.abs(rises) - 1 >= ONE_IN_A_HUNDRED * deviation;
  }
}
