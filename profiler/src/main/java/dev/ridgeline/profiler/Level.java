package dev.ridgeline.profiler;

/** How much a session records; each level includes the ones before it. */
public enum Level {
  /** Nothing is recorded. */
  OFF,
  /** Calls, times and declared work. */
  TIME,
  /** Also the bytes that each scope allocated on the heap. */
  ALLOCATION,
  /** Also raw events, in a bounded ring per thread. */
  TRACE;

  boolean allocation() {
    return ordinal() >= ALLOCATION.ordinal();
  }
}
