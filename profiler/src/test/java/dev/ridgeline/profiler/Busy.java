package dev.ridgeline.profiler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Work of a known amount of CPU time, whatever else the machine does, which answers the nanoseconds
 * it really took. Three methods alike, so that stacks can tell them apart.
 */
final class Busy {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static volatile long sink;

  private Busy() {}

  static long hot(double millis) {
    long start = now();
    while (now() - start < millis * 1e6) sink = spin(sink);
    return now() - start;
  }

  static long warm(double millis) {
    long start = now();
    while (now() - start < millis * 1e6) sink = spin(sink);
    return now() - start;
  }

  static long cool(double millis) {
    long start = now();
    while (now() - start < millis * 1e6) sink = spin(sink);
    return now() - start;
  }

  private static long now() {
    // A virtual thread does not know its CPU time.
    if (Thread.currentThread().isVirtual()) return System.nanoTime();
    return THREADS.getCurrentThreadCpuTime();
  }

  /** About a millisecond: a thread that often leaves Java loses samples. */
  private static long spin(long seed) {
    long x = seed;
    for (int i = 0; i < 1_000_000; i++) x = x * 6364136223846793005L + 1442695040888963407L;
    return x;
  }
}
