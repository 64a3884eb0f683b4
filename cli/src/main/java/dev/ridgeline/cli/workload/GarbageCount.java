package dev.ridgeline.cli.workload;

import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How often garbage was collected between two moments, by collector. */
public final class GarbageCount {
  private static final List<GarbageCollectorMXBean> ALL =
      ManagementFactory.getGarbageCollectorMXBeans();

  private final Map<String, Long> counts = new LinkedHashMap<>();

  /** From here on. */
  public void begin() {
    for (var collector : ALL) add(collector, -1);
  }

  /** Up to here; what lies between several pairs is added up. */
  public void end() {
    for (var collector : ALL) add(collector, 1);
  }

  private void add(GarbageCollectorMXBean collector, int sign) {
    counts.merge(collector.getName(), sign * collector.getCollectionCount(), Long::sum);
  }

  /** How often in all. */
  public Metric metric() {
    long all = counts.values().stream().mapToLong(Long::longValue).sum();
    return Metric.of("garbage collected", "times", Better.LOWER, all);
  }

  /** {@code collections: G1 Young Generation 1, G1 Old Generation 0}. */
  public String words() {
    if (counts.values().stream().allMatch(count -> count == 0)) {
      return "no collection of any generation";
    }
    return counts.entrySet().stream()
        .map(entry -> entry.getKey() + " " + entry.getValue())
        .collect(Collectors.joining(", ", "collections: ", ""));
  }
}
