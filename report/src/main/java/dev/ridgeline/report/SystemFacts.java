package dev.ridgeline.report;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Device;
import dev.ridgeline.profiler.Profile.LedgerEntry;
import dev.ridgeline.profiler.Profile.Pool;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.SystemActivity.Pause;
import dev.ridgeline.report.Report.Fact;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What the JVM and the machine did meanwhile, a line to a subject; what is not known is left out.
 */
final class SystemFacts {
  /** CPU time is told in ticks of 10 ms: of less than twenty, it says more about the tick. */
  static final long SHORTEST_NANOS = 200_000_000;

  private SystemFacts() {}

  static List<Fact> of(Profile profile) {
    SystemActivity system = profile.system();
    List<Fact> facts = new ArrayList<>();
    if (!system.collectors().isEmpty()) facts.add(new Fact("GC", collections(system)));
    if (system.jitMillis() >= 0) {
      facts.add(new Fact("JIT", Quantity.count(system.jitMillis()) + " ms of compiling"));
    }
    if (system.cpuNanos() >= 0) facts.add(new Fact("CPU", cpu(profile)));
    String memory = memory(system);
    if (!memory.isEmpty()) facts.add(new Fact("Memory", memory));
    if (!profile.ledger().isEmpty()) facts.add(new Fact("Owned", ledger(profile.ledger())));
    for (Pool pool : profile.pools()) facts.add(new Fact("Workers", pool(pool)));
    for (Device device : profile.devices()) facts.add(new Fact("Device", device(device)));
    return facts;
  }

  private static String collections(SystemActivity system) {
    long count = system.collections();
    if (count == 0) return "no collections";
    long millis = system.collectors().stream().mapToLong(c -> Math.max(0, c.millis())).sum();
    String text = Quantity.many(count, "collection") + ", " + Quantity.count(millis) + " ms";
    return system.pauses().stream()
        .max(Comparator.comparingLong(Pause::nanos))
        .map(
            longest ->
                text
                    + "; longest %s (%s)"
                        .formatted(Quantity.time(longest.nanos()), longest.cause()))
        .orElse(text);
  }

  private static String cpu(Profile profile) {
    SystemActivity system = profile.system();
    String text = Quantity.time(system.cpuNanos());
    if (profile.wallNanos() > 0) {
      double busy = (double) system.cpuNanos() / profile.wallNanos();
      text +=
          profile.wallNanos() < SHORTEST_NANOS
              ? ", too short to tell how many cores were busy"
              : ", %s cores busy on average".formatted(Quantity.number(busy));
    }
    return system.stealFraction() < 0
        ? text
        : text + " · steal " + Quantity.percent(system.stealFraction());
  }

  private static String memory(SystemActivity system) {
    List<String> parts = new ArrayList<>();
    if (system.peakRssBytes() >= 0) parts.add("peak RSS " + Quantity.bytes(system.peakRssBytes()));
    if (system.heapUsedBytes() >= 0) {
      String heap = "heap " + Quantity.bytes(system.heapUsedBytes());
      if (system.heapMaxBytes() >= 0) heap += " of " + Quantity.bytes(system.heapMaxBytes());
      parts.add(heap);
    }
    if (system.heapAfterGcBytes() >= 0) {
      parts.add("after GC " + Quantity.bytes(system.heapAfterGcBytes()));
    }
    return String.join(" · ", parts);
  }

  private static String pool(Pool pool) {
    return "%s: %s, %s, %s · dispatch %s · callers waited %s · spin %s · park %s"
        .formatted(
            pool.name(),
            Quantity.many(pool.threads(), "thread"),
            Quantity.many(pool.regions(), "region"),
            Quantity.many(pool.tasks(), "task"),
            Quantity.time(pool.dispatchNanos()),
            Quantity.time(pool.waitNanos()),
            Quantity.time(pool.spinNanos()),
            Quantity.time(pool.parkNanos()));
  }

  private static String device(Device device) {
    long operations = device.operations().stream().mapToLong(op -> op.time().calls()).sum();
    return "%s: %s · busy %s · idle between them %s (%s)"
        .formatted(
            device.name(),
            Quantity.many(operations, "operation"),
            Quantity.time(device.busyNanos()),
            Quantity.time(device.idleNanos()),
            Quantity.percent(DeviceRules.idleShare(device)));
  }

  private static String ledger(List<LedgerEntry> ledger) {
    return ledger.stream()
        .sorted(Comparator.comparingLong(LedgerEntry::highWaterBytes).reversed())
        .map(
            entry ->
                "%s %s (peak %s)"
                    .formatted(
                        entry.owner(),
                        Quantity.bytes(entry.bytes()),
                        Quantity.bytes(entry.highWaterBytes())))
        .collect(Collectors.joining(" · "));
  }
}
