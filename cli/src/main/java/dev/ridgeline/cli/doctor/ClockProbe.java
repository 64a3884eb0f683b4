package dev.ridgeline.cli.doctor;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.report.Quantity;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The clock that times every scope, and what reading it costs. */
final class ClockProbe implements Probe {
  private static final Check.Item SOURCE = Check.of("clock.source", "source");
  private static final Check.Item ALLOCATED_BYTES = Check.of("clock.allocatedBytes", "allocation");

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
  public List<Check> examine() {
    var checks = new ArrayList<Check>();
    double nanos = Stopwatch.nanosEach(BUDGET_NANOS, this::readClock);
    source(nanos).ifPresent(checks::add);
    checks.add(reading(nanos));
    checks.add(allocation());
    return checks;
  }

  private Optional<Check> source(double nanos) {
    String available = files.text(FOLDER + "available_clocksource").orElse("");
    return files
        .text(FOLDER + "current_clocksource")
        .map(
            source -> {
              if (nanos < SLOW_NANOS) return SOURCE.ok(source, source);
              String fix =
                  available.contains("tsc") && !source.equals("tsc")
                      ? "echo tsc | sudo tee " + FOLDER + "current_clocksource"
                      : "none from here: the machine or its hypervisor must offer a TSC";
              String text = source + ": slow, and so is every scope";
              return SOURCE.problem(source, text, fix);
            });
  }

  private static Check reading(double nanos) {
    return Check.of("clock.nanoTime", "nanoTime")
        .ok(
            Check.round(nanos),
            nanos(nanos) + " per reading, smallest difference seen " + step() + " ns");
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
    if (!(ManagementFactory.getThreadMXBean() instanceof ThreadMXBean threads)
        || !threads.isThreadAllocatedMemorySupported()) {
      return ALLOCATED_BYTES.warning(
          null,
          "this JVM does not count allocated bytes: level ALLOCATION shows none",
          "use a HotSpot JDK");
    }
    double nanos = Stopwatch.nanosEach(BUDGET_NANOS, n -> readAllocation(threads, n));
    String text = nanos(nanos) + " per reading of a thread's allocated bytes";
    return ALLOCATED_BYTES.ok(Check.round(nanos), text);
  }

  private void readClock(int times) {
    for (int i = 0; i < times; i++) sink = System.nanoTime();
  }

  private void readAllocation(ThreadMXBean threads, int times) {
    for (int i = 0; i < times; i++) sink = threads.getCurrentThreadAllocatedBytes();
  }

  private static String nanos(double nanos) {
    return Quantity.fixed(nanos, 1) + " ns";
  }
}
