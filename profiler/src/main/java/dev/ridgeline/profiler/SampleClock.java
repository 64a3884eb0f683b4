package dev.ridgeline.profiler;

import java.time.Instant;

/**
 * Brings the time of flight recorder events to that of {@link System#nanoTime}.
 *
 * <p>Events of our own carry readings of {@code nanoTime} right before and after their time was
 * taken. Of each batch the narrowest counts; from batch to batch the two clocks may move apart.
 */
final class SampleClock {
  /** Events closer together than this are one batch. */
  private static final long BATCH_NANOS = 100_000_000;

  private long batchStart = Long.MIN_VALUE;
  private long offset;
  private long width;
  private long offsetBefore;
  private int batches;
  private long error;

  void add(Instant event, long before, long after) {
    long candidate = epochNanos(event) - before - (after - before) / 2;
    if (batches == 0 || before - batchStart > BATCH_NANOS) {
      error = errorNanos();
      offsetBefore = batches == 0 ? candidate : offset;
      batches++;
      batchStart = before;
      width = Long.MAX_VALUE;
    }
    if (after - before < width) {
      if (batches == 1) offsetBefore = candidate;
      offset = candidate;
      width = after - before;
    }
  }

  /** Whether times can be brought over. */
  boolean known() {
    return batches > 0;
  }

  /** A time of {@link System#nanoTime}. */
  long nanoTime(Instant event) {
    return epochNanos(event) - offset;
  }

  /** How far off a time may be: half the narrowest bracket, and what the clocks moved apart. */
  long errorNanos() {
    if (batches == 0) return 0;
    return Math.max(error, (width + 1) / 2 + Math.abs(offset - offsetBefore));
  }

  private static long epochNanos(Instant time) {
    return time.getEpochSecond() * 1_000_000_000 + time.getNano();
  }
}
