package dev.ridgeline.cli.doctor;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The clock that times every scope, and what reading it costs. */
final class ClockProbe implements Probe {
  private static final String FOLDER = "/sys/devices/system/clocksource/clocksource0/";
  private static final long BUDGET_NANOS = 150_000_000;

  /** Three times what a clock in the processor takes: beyond it each reading enters the kernel. */
  private static final double SLOW_NANOS = 100;

  private final KernelFiles files;
  private volatile long sink;

  ClockProbe(KernelFiles files) {
    this.files = files;
  }

  @Override
  public String topic() {
    return "clock";
  }

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<Check>();
    double nanos = Stopwatch.nanosEach(BUDGET_NANOS, this::readClock);
    source(nanos).ifPresent(checks::add);
    checks.add(reading(nanos));
    checks.add(allocation());
    return checks;
  }

  private Optional<Check> source(double nanos) {
    String label = "source";
    String available = files.text(FOLDER + "available_clocksource").orElse("");
    return files
        .text(FOLDER + "current_clocksource")
        .map(
            source -> {
              if (nanos < SLOW_NANOS) return Check.ok("clock.source", label, source, source);
              String fix =
                  available.contains("tsc") && !source.equals("tsc")
                      ? "echo tsc | sudo tee " + FOLDER + "current_clocksource"
                      : "none from here: the machine or its hypervisor must offer a TSC";
              String text = source + ": slow, and so is every scope";
              return Check.problem("clock.source", label, source, text, fix);
            });
  }

  private static Check reading(double nanos) {
    return Check.ok(
        "clock.nanoTime",
        "nanoTime",
        Units.round(nanos),
        Units.nanos(nanos) + " a reading, smallest difference seen " + step() + " ns");
  }

  /** The smallest difference that two readings show. */
  private static long step() {
    long smallest = Long.MAX_VALUE;
    for (int i = 0; i < 10_000; i++) {
      long first = System.nanoTime();
      long second = System.nanoTime();
      if (second > first) smallest = Math.min(smallest, second - first);
    }
    return smallest;
  }

  private Check allocation() {
    String key = "clock.allocatedBytes";
    String label = "allocation";
    if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
        || !threads.isThreadAllocatedMemorySupported()) {
      return Check.warning(
          key,
          label,
          null,
          "this JVM does not count allocated bytes: level ALLOCATION shows none",
          "use a HotSpot JDK");
    }
    double nanos = Stopwatch.nanosEach(BUDGET_NANOS, n -> readAllocation(threads, n));
    String text = Units.nanos(nanos) + " a reading of a thread's allocated bytes";
    return Check.ok(key, label, Units.round(nanos), text);
  }

  private void readClock(int times) {
    for (int i = 0; i < times; i++) sink = System.nanoTime();
  }

  private void readAllocation(ThreadMXBean threads, int times) {
    for (int i = 0; i < times; i++) sink = threads.getCurrentThreadAllocatedBytes();
  }
}
