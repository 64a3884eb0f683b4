package dev.ridgeline.profiler;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * A known amount of work, about as much as asked for, which answers the nanoseconds of CPU time
 * that it took. Three methods alike, so that stacks can tell them apart.
 *
 * <p>Not work until a time has passed: where a hypervisor takes the processor away, that time
 * passes at once, and the sample that stands for it would meet whoever comes next.
 */
final class Busy {
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  private static volatile long sink;

  private Busy() {}

  static long hot(double millis) {
    long start = now();
    for (long left = spins(millis); left > 0; left--) sink = spin(sink);
    return now() - start;
  }

  static long warm(double millis) {
    long start = now();
    for (long left = spins(millis); left > 0; left--) sink = spin(sink);
    return now() - start;
  }

  static long cool(double millis) {
    long start = now();
    for (long left = spins(millis); left > 0; left--) sink = spin(sink);
    return now() - start;
  }

  private static long spins(double millis) {
    return Math.max(1, Math.round(millis * Pace.SPINS_A_MILLISECOND));
  }

  /** A class of its own: code of one that is being initialised is not compiled well. */
  private static final class Pace {
    static final double SPINS_A_MILLISECOND = measure();

    /** By the quickest round of half a second, the first of which are not compiled yet. */
    private static double measure() {
      long best = Long.MAX_VALUE;
      long begin = now();
      while (now() - begin < 500_000_000) {
        long start = now();
        for (int i = 0; i < 50; i++) sink = spin(sink);
        best = Math.min(best, now() - start);
      }
      return 50e6 / best;
    }
  }

  private static long now() {
    // A virtual thread does not know its CPU time.
    if (Thread.currentThread().isVirtual()) return System.nanoTime();
    return THREADS.getCurrentThreadCpuTime();
  }

  /** Some tens of microseconds: a thread that often leaves Java loses samples. */
  private static long spin(long seed) {
    long x = seed;
    for (int i = 0; i < 50_000; i++) x = x * 6364136223846793005L + 1442695040888963407L;
    return x;
  }
}
