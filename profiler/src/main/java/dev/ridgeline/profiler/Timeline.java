package dev.ridgeline.profiler;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Which scope was innermost on a lane at what time: a ring of the latest changes.
 *
 * <p>Threads: only the lane's thread adds, without a lock or an allocation. Any thread may look up
 * at the same time: what was written over meanwhile is told from what was not, and is {@link
 * #OUT_OF_REACH}, never wrong.
 */
final class Timeline {
  /** The thread did not write here at that time. */
  static final int ELSEWHERE = -2;

  /** That time has been written over. */
  static final int OUT_OF_REACH = -3;

  /** Changes kept at first: thousands of lanes may live at once. */
  static final int FIRST_CHANGES = 128;

  /** Changes kept at most, 8 MB a lane: 2.6 seconds of 100,000 scopes a second. */
  static final int MOST_CHANGES = 1 << 19;

  /** Samples come about a second late; a ring that reaches back this far is large enough. */
  private static final long REACH_NANOS = 3_000_000_000L;

  private static final VarHandle COUNT;

  static {
    try {
      COUNT = MethodHandles.lookup().findVarHandle(Timeline.class, "count", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Time, then thread and node in one value. */
  private final long[] slots;

  private final int capacity;

  /** The first change that was copied from a smaller ring. */
  private final long first;

  private long count;
  private long nextCheck;
  private long thread;

  Timeline(int capacity) {
    this(capacity, 0);
  }

  private Timeline(int capacity, long first) {
    this.capacity = capacity;
    this.first = first;
    this.slots = new long[2 * capacity];
    // Before it turns: what is open may end before the next look.
    this.nextCheck = capacity - capacity / 4;
  }

  /** From now on changes are those of another thread. */
  void setThread(long id) {
    thread = id << 32;
  }

  /** From {@code nanos} on, {@code node} is the innermost scope; −1 for none. */
  void add(long nanos, int node) {
    long n = count;
    int at = 2 * ((int) n & (capacity - 1));
    // The count of the change before must be seen before its successor overwrites anything.
    VarHandle.storeStoreFence();
    slots[at] = nanos;
    slots[at + 1] = thread | (node & 0xffff_ffffL);
    COUNT.setRelease(this, n + 1);
  }

  /** Whether the ring has turned within its reach and a larger one would see further back. */
  boolean wantsMore() {
    if (count < nextCheck) return false;
    nextCheck = count + capacity / 4;
    long oldest = Math.max(first, count - capacity);
    long reach = time(count - 1) - time(oldest);
    return capacity < MOST_CHANGES && reach < REACH_NANOS;
  }

  private long time(long change) {
    return slots[2 * ((int) change & (capacity - 1))];
  }

  int capacity() {
    return capacity;
  }

  /** A ring twice as large with the same changes. */
  Timeline grown() {
    Timeline more = new Timeline(2 * capacity, Math.max(first, count - capacity));
    for (long n = more.first; n < count; n++) {
      int from = 2 * ((int) n & (capacity - 1));
      int to = 2 * ((int) n & (more.capacity - 1));
      more.slots[to] = slots[from];
      more.slots[to + 1] = slots[from + 1];
    }
    more.count = count;
    more.nextCheck = more.first + more.capacity - more.capacity / 4;
    more.thread = thread;
    return more;
  }

  /**
   * The node that was innermost on a thread at a time, −1 for none, {@link #ELSEWHERE} or {@link
   * #OUT_OF_REACH}.
   */
  int at(long nanos, long threadId) {
    long end = (long) COUNT.getAcquire(this);
    // One less than fit: the oldest may be being written over.
    long oldest = Math.max(first, end - capacity + 1);
    long low = oldest - 1;
    long high = end;
    while (high - low > 1) {
      long middle = (low + high) >>> 1;
      if (time(middle) - nanos <= 0) low = middle;
      else high = middle;
    }
    if (low < oldest) return oldest == 0 ? ELSEWHERE : OUT_OF_REACH;
    long value = slots[2 * ((int) low & (capacity - 1)) + 1];
    VarHandle.loadLoadFence();
    // Changes are overwritten from the oldest on: if this one still stands, so did all we read
    // after it, and one read before it that did not would have led us before it.
    if (low < (long) COUNT.getOpaque(this) - capacity + 1) return OUT_OF_REACH;
    return (int) (value >>> 32) == (int) threadId ? (int) value : ELSEWHERE;
  }
}
