package dev.ridgeline.profiler;

/**
 * A parallel region: a place that handed tasks to threads.
 *
 * @param wallNanos time inside those calls of the place that had tasks; inside all of them while no
 *     such call has ended
 * @param busyNanos time inside its tasks, summed over threads
 * @param threads threads that ever ran its tasks
 * @param atOnce threads that were at hand at once, the mean over wall time; NaN when no call that
 *     had tasks has ended
 * @param tasks tasks begun
 * @param imbalance busiest thread over mean thread, by call of the place, the mean over wall time:
 *     from 1 to {@code atOnce}; NaN as that is
 * @param usedNanos {@code busyNanos} without what went on when a call of the place had ended
 * @param busiestNanos as long as the busiest thread worked, by call of the place
 */
public record Region(
    long wallNanos,
    long busyNanos,
    long threads,
    double atOnce,
    long tasks,
    double imbalance,
    long usedNanos,
    long busiestNanos) {

  /**
   * Part of the time of the threads at hand that was work: at most 1, NaN when their number is
   * unknown.
   */
  public double use() {
    return usedNanos / (wallNanos * atOnce);
  }

  /** How long the busiest thread worked on where evenly spread work had ended. */
  public double unevenNanos() {
    return Math.max(0, busiestNanos - usedNanos / atOnce);
  }

  /** How long not even the busiest thread worked. */
  public double idleNanos() {
    return wallNanos - busiestNanos;
  }
}
