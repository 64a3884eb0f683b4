package dev.ridgeline.lab.stats;

import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * How far apart two runs of the same code may lie on this machine without anything having changed.
 *
 * <p>Told from the history alone, by a rule of prediction that knows no distribution: of n + 1
 * exchangeable distances the last is within the k-th smallest of the others with a chance of at
 * least k / (n + 1) (Wilks, <i>Determination of sample sizes for setting tolerance limits</i>,
 * 1941). Fewer than 19 do not reach 95 % that way. Then the largest is stretched by √(20 / (n +
 * 1)), which is right for a tail that falls with the square of the distance, as Student's t with
 * two degrees of freedom does, and too wide for anything tamer: twice the largest of four.
 * Neighbours in a history share a run and are not quite exchangeable: simulated, 93 to 99 % are
 * within, and 91 % where four steps are all there is of noise as wild as Cauchy's.
 */
public final class Drift {
  /** Below this nothing is claimed. */
  private static final int FEWEST = 4;

  /** The share of further differences that is ordinary. */
  private static final double ORDINARY = 0.95;

  private Drift() {}

  /**
   * The distance from zero within which about 95 of 100 further differences lie.
   *
   * @param logRatios each run of a history against the one before, {@code ln(later / earlier)}
   * @return nothing where there are fewer than 4
   */
  public static OptionalDouble range(double[] logRatios) {
    int n = Finite.all(logRatios).length;
    if (n < FEWEST) return OptionalDouble.empty();
    double[] distances = Arrays.stream(logRatios).map(Math::abs).sorted().toArray();
    int rank = (int) Math.ceil(ORDINARY * (n + 1) - 1e-9);
    double stretched = Math.sqrt(1 / ((1 - ORDINARY) * (n + 1)));
    return OptionalDouble.of(rank <= n ? distances[rank - 1] : distances[n - 1] * stretched);
  }
}
