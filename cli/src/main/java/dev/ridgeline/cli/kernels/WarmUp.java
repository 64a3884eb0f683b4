package dev.ridgeline.cli.kernels;

import java.util.Arrays;

/**
 * Decides when a kernel is warm: the medians of its last batches agree, and the JIT has stopped.
 *
 * <p>Pure arithmetic on what it is told; clocks and budgets are the caller's.
 */
final class WarmUp {
  private final int window;
  private final double tolerance;
  private final double[] medians;
  private final long[] jitMillis;
  private long batches;
  private long calls;

  /**
   * @param window how many batches have to agree
   * @param tolerance by how much the slowest of them may exceed the fastest: 0.1 is 10 %; a fifth
   *     of that while each is faster than the one before
   */
  WarmUp(int window, double tolerance) {
    if (window < 2) throw new IllegalArgumentException("a window of " + window + " shows nothing");
    this.window = window;
    this.tolerance = tolerance;
    this.medians = new double[window];
    this.jitMillis = new long[window];
  }

  /**
   * Takes a batch.
   *
   * @param nanos what each call took
   * @param jit time the JIT has compiled since the process began
   */
  void add(double[] nanos, long jit) {
    int slot = (int) (batches++ % window);
    medians[slot] = median(nanos);
    jitMillis[slot] = jit;
    calls += nanos.length;
  }

  /** Whether the last batches agree, show no trend, and saw no compilation. */
  boolean stable() {
    if (batches < window) return false;
    double fastest = Arrays.stream(medians).min().orElseThrow();
    double slowest = Arrays.stream(medians).max().orElseThrow();
    long first = Arrays.stream(jitMillis).min().orElseThrow();
    long last = Arrays.stream(jitMillis).max().orElseThrow();
    double allowed = gettingFaster() ? tolerance / 5 : tolerance;
    return slowest <= fastest * (1 + allowed) && first == last;
  }

  /** Whether each batch of the window was faster than the one before: hardly ever by chance. */
  private boolean gettingFaster() {
    for (long batch = batches - window + 1; batch < batches; batch++) {
      if (medians[(int) (batch % window)] >= medians[(int) ((batch - 1) % window)]) return false;
    }
    return true;
  }

  /** Calls spent so far. */
  long calls() {
    return calls;
  }

  /** The middle value; of an even number of values, the mean of the middle two. */
  static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }
}
