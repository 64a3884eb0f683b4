package dev.ridgeline.profiler;

import java.util.Arrays;

/**
 * The finished scopes of one lane as raw events, in the order in which they ended. Immutable. When
 * the ring was full, the oldest were dropped and counted.
 */
public final class Trace {
  /** No event. */
  public static final Trace EMPTY = new Trace(0, new long[0]);

  /** Values per event: node, start, duration, allocated, bytes, flops. */
  public static final int STRIDE = 6;

  private final long dropped;
  private final long[] events;

  private Trace(long dropped, long[] events) {
    this.dropped = dropped;
    this.events = events;
  }

  /**
   * Events as {@link #STRIDE} values each: node, start, duration, allocated, bytes, flops. A task's
   * node is {@link #task} of it and of the lane that handed it over.
   */
  public static Trace of(long dropped, long... events) {
    if (events.length % STRIDE != 0) throw new IllegalArgumentException("half an event");
    return dropped == 0 && events.length == 0 ? EMPTY : new Trace(dropped, events.clone());
  }

  /** The events of a ring in their order, of all that were ever written to it; null is none. */
  static Trace ofRing(long[] ring, long all) {
    if (ring == null) return EMPTY;
    int capacity = ring.length / STRIDE;
    int kept = (int) Math.min(all, capacity);
    int oldest = (int) ((all - kept) % capacity) * STRIDE;
    long[] inOrder = new long[kept * STRIDE];
    int first = Math.min(inOrder.length, ring.length - oldest);
    System.arraycopy(ring, oldest, inOrder, 0, first);
    System.arraycopy(ring, 0, inOrder, first, inOrder.length - first);
    return of(all - kept, inOrder);
  }

  /** The first value of a task's event; the lane shares it, so that events stay as small. */
  public static long task(int node, int lane) {
    return (lane + 1L) << 32 | node;
  }

  /** Number of events kept. */
  public int size() {
    return events.length / STRIDE;
  }

  /** Number of events that the ring had no room for. */
  public long dropped() {
    return dropped;
  }

  /** Index into the lane's nodes. */
  public int node(int event) {
    return (int) events[event * STRIDE];
  }

  /** The lane that handed this task over, counted as in the profile; −1 for none. */
  public int handedOverBy(int event) {
    return (int) (events[event * STRIDE] >>> 32) - 1;
  }

  /** Begin, in nanoseconds since the session's start. */
  public long startNanos(int event) {
    return events[event * STRIDE + 1];
  }

  /** How long it took. */
  public long durationNanos(int event) {
    return events[event * STRIDE + 2];
  }

  /** Heap bytes allocated inside, or {@link Profile#UNKNOWN}. */
  public long allocatedBytes(int event) {
    return events[event * STRIDE + 3];
  }

  /** Declared bytes of this call. */
  public long bytes(int event) {
    return events[event * STRIDE + 4];
  }

  /** Declared FLOPs of this call. */
  public long flops(int event) {
    return events[event * STRIDE + 5];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Trace t && t.dropped == dropped && Arrays.equals(t.events, events);
  }

  @Override
  public int hashCode() {
    return 31 * Long.hashCode(dropped) + Arrays.hashCode(events);
  }

  @Override
  public String toString() {
    return "Trace[" + size() + " events, " + dropped + " dropped]";
  }
}
