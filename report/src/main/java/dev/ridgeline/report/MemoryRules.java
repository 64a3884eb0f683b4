package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.bytes;
import static dev.ridgeline.report.Quantity.many;
import static dev.ridgeline.report.Quantity.percent;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.opportunity;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.SystemActivity.Pause;
import java.util.stream.Stream;

/** What allocation costs. */
final class MemoryRules {
  static final double HOT_SHARE = 0.05;
  static final long BYTES_PER_CALL = 1_000;
  static final long BYTES = 10_000_000;
  static final double GC_OF_WALL = 0.05;

  /** What to do about a scope that allocates. */
  static final String REUSE = "reuse a buffer that the caller owns";

  private MemoryRules() {}

  /** A scope that matters allocates on every call. */
  static Stream<RuleHit> allocationInHotScope(Evidence seen) {
    if (SoundnessRules.compiling(seen)) return Stream.empty();
    double allocated = seen.allocatedBytes();
    return seen.nodes()
        .filter(node -> node.calls() > 0 && node.selfAllocatedBytes() >= BYTES)
        .filter(node -> node.selfAllocatedBytes() >= BYTES_PER_CALL * node.calls())
        .filter(node -> seen.runningShare(node) >= HOT_SHARE)
        .map(node -> allocates(node, seen.gcNanos(), allocated));
  }

  private static RuleHit allocates(Node node, double gcNanos, double allocated) {
    double own = node.selfAllocatedBytes();
    double win = gcNanos * own / allocated;
    String each = bytes(own / node.calls());
    String calls = many(node.calls(), "call");
    return opportunity(
            "allocation-in-hot-scope",
            "%s allocates %s a call, %s in %s (%s of all allocation)",
            node,
            each,
            bytes(own),
            calls,
            percent(own / allocated))
        .advice(
            node.work().declared()
                ? REUSE
                    + "; if it computes with vectors, the JIT may box them until this process ends:"
                    + " run again, or look closer with --sample=alloc"
                : REUSE)
        .wins(win > 0 ? "~" + time(win) + ", its part of the collections" : "")
        // Ranked by the win that is printed; without one, by how hot the scope is.
        .worth(win > 0 ? win : node.correctedRunningNanos() / 20)
        .about(node);
  }

  /** Collections take a part of the wall time that shows. */
  static Stream<RuleHit> gcPressure(Evidence seen) {
    double gc = seen.gcNanos();
    if (gc == 0 || seen.ofWall(gc) < GC_OF_WALL) return Stream.empty();
    String collections = many(seen.profile().system().collections(), "collection");
    String wall = time(seen.profile().wallNanos());
    long longest =
        seen.profile().system().pauses().stream().mapToLong(Pause::nanos).max().orElse(0);
    return Stream.of(
        opportunity(
                "gc-pressure",
                "%s took %s of %s wall time (%s), the longest %s",
                collections,
                time(gc),
                wall,
                percent(seen.ofWall(gc)),
                time(longest))
            .advice("give the heap more room (-Xmx), or allocate less where the table points")
            .wins("up to " + time(gc) + " wall time")
            .worth(gc));
  }
}
