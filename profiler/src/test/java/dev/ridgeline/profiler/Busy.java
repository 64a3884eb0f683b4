package dev.ridgeline.profiler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Work of a known amount of CPU time, whatever else the machine does. Three methods alike, so that
 * stacks can tell them apart.
 */
final class Busy {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static volatile long sink;

  private Busy() {}

  static void hot(int millis) {
    for (long end = end(millis); now() < end; ) sink = spin(sink);
  }

  static void warm(int millis) {
    for (long end = end(millis); now() < end; ) sink = spin(sink);
  }

  static void cool(int millis) {
    for (long end = end(millis); now() < end; ) sink = spin(sink);
  }

  private static long end(int millis) {
    return now() + millis * 1_000_000L;
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
