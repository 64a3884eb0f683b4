package dev.ridgeline.cli.workload;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.profiler.Profiler;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * Counts what the program has allocated on the heap, on all its threads. The profiler's own threads
 * do not count: they allocate whenever they look, however warm the program is.
 */
public final class HeapMeter {
  /** A look of the profiler is short; whoever reads for so long is unlucky. */
  private static final int TRIES = 1_000;

  private final LongSupplier all;
  private final LongSupplier own;

  /** Of this JVM. */
  public HeapMeter() {
    this(
        ((ThreadMXBean) ManagementFactory.getThreadMXBean())::getTotalThreadAllocatedBytes,
        Profiler::ownAllocatedBytes);
  }

  HeapMeter(LongSupplier all, LongSupplier own) {
    this.all = all;
    this.own = own;
  }

  /**
   * Bytes so far; meaningful as a difference within a session of the profiler. Allocates nothing.
   */
  public long bytes() {
    // The two belong together only where the profiler allocated nothing between the readings.
    long before = own.getAsLong();
    for (int i = 0; ; i++) {
      long sum = all.getAsLong();
      long after = own.getAsLong();
      if (after == before || i == TRIES) return sum - after;
      before = after;
    }
  }
}
