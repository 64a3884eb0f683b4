package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Region;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Findings.Fired;
import java.util.stream.Stream;

/**
 * How well parallel regions use their threads. What a region loses has two parts: the busiest
 * thread works on when the others have nothing left, or not even that one works. They ask for
 * opposite things, so only the larger part of a region is spoken of.
 */
final class ParallelRules {
  static final double REGION_OF_WALL = 0.05;
  static final double IMBALANCE = 1.2;
  static final double USE = 0.70;

  private ParallelRules() {}

  /** The busiest thread of a region has clearly more to do than the mean one. */
  static Stream<Fired> imbalance(Evidence seen) {
    return regions(seen)
        .filter(node -> node.region().imbalance() >= IMBALANCE)
        .filter(node -> !idles(node.region()))
        .map(
            node -> {
              Region region = node.region();
              return fired(
                  node,
                  "imbalance",
                  "%s: the busiest of %s threads works %s times the mean over %s"
                      .formatted(
                          Evidence.name(node),
                          Explanation.threads(region),
                          Quantity.number(region.imbalance()),
                          Quantity.many(region.tasks(), "task")),
                  "cut the work into more and smaller tasks, or by cost instead of by count",
                  region.unevenNanos());
            });
  }

  /** Threads of a region stand idle for another reason than imbalance. */
  static Stream<Fired> idleRegion(Evidence seen) {
    return regions(seen)
        .filter(node -> idles(node.region()))
        .map(
            node -> {
              Region region = node.region();
              return fired(
                  node,
                  "idle-region",
                  "%s keeps %s threads only %s busy: %s of work in %s wall time"
                      .formatted(
                          Evidence.name(node),
                          Explanation.threads(region),
                          Quantity.percent(region.use()),
                          Quantity.time(region.usedNanos()),
                          Quantity.time(region.wallNanos())),
                  "hand over larger tasks, and look for what runs on one thread inside the region",
                  region.idleNanos());
            });
  }

  private static boolean idles(Region region) {
    return region.use() < USE && region.idleNanos() > region.unevenNanos();
  }

  private static Stream<Node> regions(Evidence seen) {
    if (SoundnessRules.cpuTaken(seen)) return Stream.empty();
    return seen.nodes()
        .filter(node -> node.region() != null && node.region().atOnce() > 1)
        .filter(node -> seen.ofWall(node.region().wallNanos()) >= REGION_OF_WALL);
  }

  private static Fired fired(Node node, String rule, String what, String advice, double wallNanos) {
    String win = "~" + Quantity.time(wallNanos) + " wall time";
    return new Fired(
        new Finding(rule, Severity.OPPORTUNITY, what, advice, win, ""), wallNanos, node.name());
  }
}
