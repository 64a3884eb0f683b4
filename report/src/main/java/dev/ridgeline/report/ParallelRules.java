package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.many;
import static dev.ridgeline.report.Quantity.number;
import static dev.ridgeline.report.Quantity.percent;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.opportunity;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Region;
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
  static Stream<RuleHit> imbalance(Evidence seen) {
    return regions(seen)
        .filter(node -> node.region().imbalance() >= IMBALANCE && !idles(node.region()))
        .map(
            node -> {
              Region region = node.region();
              String threads = Explanation.threads(region);
              String times = number(region.imbalance());
              return opportunity(
                      "imbalance",
                      "%s: the busiest of %s threads works %s times the mean over %s",
                      node,
                      threads,
                      times,
                      many(region.tasks(), "task"))
                  .advice("cut the work into more and smaller tasks, by cost instead of by count")
                  .wins("~" + time(region.unevenNanos()) + " wall time")
                  .worth(region.unevenNanos())
                  .about(node);
            });
  }

  /** Threads of a region stand idle for another reason than imbalance. */
  static Stream<RuleHit> idleRegion(Evidence seen) {
    return regions(seen)
        .filter(node -> idles(node.region()))
        .map(
            node -> {
              Region region = node.region();
              String threads = Explanation.threads(region);
              String work = time(region.usedNanos());
              return opportunity(
                      "idle-region",
                      "%s keeps %s threads only %s busy: %s of work in %s wall time",
                      node,
                      threads,
                      percent(region.use()),
                      work,
                      time(region.wallNanos()))
                  .advice("hand over larger tasks, and look for what runs on one thread inside it")
                  .wins("~" + time(region.idleNanos()) + " wall time")
                  .worth(region.idleNanos())
                  .about(node);
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
}
