package dev.ridgeline.profiler;

import java.util.Arrays;

/**
 * The profiler's own threads, and those of the flight recorder that samples for it: what they do is
 * not the program's.
 */
final class OwnThreads {
  /** What their names begin with, as the flight recorder's do. */
  static final String PREFIX = "JFR ";

  static final OwnThreads NONE = new OwnThreads(new long[0]);

  private final long[] ids;

  private OwnThreads(long[] ids) {
    this.ids = ids;
  }

  /** Those that run now. */
  static OwnThreads running() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root.getParent() != null) root = root.getParent();
    Thread[] all = new Thread[2 * root.activeCount() + 16];
    int count = root.enumerate(all);
    return new OwnThreads(
        Arrays.stream(all, 0, count)
            .filter(thread -> thread.getName().startsWith(PREFIX))
            .mapToLong(Thread::threadId)
            .toArray());
  }

  /** Heap bytes of those that still run. Allocates nothing. */
  long allocatedBytes() {
    long sum = 0;
    for (long id : ids) sum += Math.max(0, Recorder.THREADS.getThreadAllocatedBytes(id));
    return sum;
  }
}
