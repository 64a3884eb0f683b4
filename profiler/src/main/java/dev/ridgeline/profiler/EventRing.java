package dev.ridgeline.profiler;

import java.util.Arrays;

/**
 * The latest raw events of a lane or a device, in a ring that grows up to its limit. Written by one
 * thread. It starts small: thousands of lanes may live at once.
 */
final class EventRing {
  private static final int FIRST_EVENTS = 64;

  private final Session session;
  private long[] values;
  private long events;

  private EventRing(Session session) {
    this.session = session;
    this.values = new long[Math.min(FIRST_EVENTS, limit()) * Trace.STRIDE];
  }

  /** The ring of a lane of a session; null below {@link Level#TRACE}. */
  static EventRing of(Session session) {
    return session.options().level() == Level.TRACE ? new EventRing(session) : null;
  }

  private int limit() {
    return session.options().traceEvents();
  }

  private int capacity() {
    return values.length / Trace.STRIDE;
  }

  /** Adds an event; its node is as in {@link Trace#of}, its start on the program's clock. */
  void add(long node, long startNanos, long nanos, long allocated, long bytes, long flops) {
    int at = (int) (events++ % capacity()) * Trace.STRIDE;
    values[at] = node;
    values[at + 1] = startNanos - session.startNanos();
    values[at + 2] = nanos;
    values[at + 3] = allocated;
    values[at + 4] = bytes;
    values[at + 5] = flops;
  }

  /** Whether so many more events would turn it for the first time, and it may grow instead. */
  boolean wantsRoom(int more) {
    int capacity = capacity();
    return capacity < limit() && events <= capacity && events + more > capacity;
  }

  /** Doubles at least, if the session has room for more events. */
  void makeRoom(int more) {
    int grown = Math.min(limit(), Math.max(2 * capacity(), more));
    if (session.mayKeepMoreEvents(grown - capacity())) {
      values = Arrays.copyOf(values, grown * Trace.STRIDE);
    }
  }

  /** What is in it. */
  Trace trace() {
    return Trace.ofRing(values, events);
  }
}
