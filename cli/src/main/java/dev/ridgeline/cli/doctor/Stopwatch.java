package dev.ridgeline.cli.doctor;

import java.util.function.IntConsumer;

/** Measures what one repetition of something small costs, within a fixed time. */
final class Stopwatch {
  /** Long enough for the clock's own cost and resolution to vanish. */
  private static final long BATCH_NANOS = 500_000;

  private Stopwatch() {}

  /**
   * Nanoseconds per repetition in the cheapest batch, so that neither compilation nor a neighbour's
   * work is counted. Batches grow until the clock's cost vanishes in them.
   *
   * @param budgetNanos when to stop, warm-up included
   * @param work runs as many repetitions as it is told
   */
  static double nanosEach(long budgetNanos, IntConsumer work) {
    long end = System.nanoTime() + budgetNanos;
    int size = 1;
    double best = Double.MAX_VALUE;
    while (true) {
      long start = System.nanoTime();
      work.accept(size);
      long now = System.nanoTime();
      best = Math.min(best, (now - start) / (double) size);
      boolean tooShort = now - start < BATCH_NANOS && size < 1 << 24;
      if (!tooShort && now - end >= 0) return best;
      if (tooShort) {
        size *= 2;
        best = Double.MAX_VALUE;
      }
    }
  }
}
