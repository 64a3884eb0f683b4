package dev.ridgeline.profiler;

import java.util.List;

/**
 * What the JVM and the machine did while a session ran. Values that this platform does not tell are
 * {@link Profile#UNKNOWN}.
 *
 * @param collectors garbage collections by collector
 * @param pauses the longest and latest pauses, bounded in number
 * @param jitMillis CPU time spent compiling, summed over compiler threads: never more than {@code
 *     cpuNanos}
 * @param cpuNanos CPU time of the whole process
 * @param stealFraction share of the machine's CPU time that the hypervisor gave to others, or −1
 * @param heapAfterGcBytes heap in use after the last collection of the session
 * @param heapUsedBytes heap in use at the snapshot
 * @param heapMaxBytes the heap's limit
 * @param peakRssBytes largest resident size of the process so far
 */
public record SystemActivity(
    List<Collector> collectors,
    List<Pause> pauses,
    long jitMillis,
    long cpuNanos,
    double stealFraction,
    long heapAfterGcBytes,
    long heapUsedBytes,
    long heapMaxBytes,
    long peakRssBytes) {

  public SystemActivity {
    collectors = List.copyOf(collectors);
    pauses = List.copyOf(pauses);
  }

  /** Collections of one collector. */
  public record Collector(String name, long collections, long millis) {}

  /**
   * One collection.
   *
   * @param atNanos since the session's start
   * @param nanos how long it took
   * @param collector which collector
   * @param cause why
   * @param heapAfterBytes heap in use after it
   */
  public record Pause(
      long atNanos, long nanos, String collector, String cause, long heapAfterBytes) {}

  /** All collections. */
  public long collections() {
    return collectors.stream().mapToLong(Collector::collections).sum();
  }
}
