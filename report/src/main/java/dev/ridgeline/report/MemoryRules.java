package dev.ridgeline.report;

import dev.ridgeline.profiler.SystemActivity.Pause;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Findings.Fired;
import java.util.stream.Stream;

/** What allocation costs. */
final class MemoryRules {
  static final double HOT_SHARE = 0.05;
  static final long BYTES_PER_CALL = 1_000;
  static final long BYTES = 10_000_000;
  static final double GC_OF_WALL = 0.05;

  private MemoryRules() {}

  /** A scope that matters allocates on every call. */
  static Stream<Fired> allocationInHotScope(Evidence seen) {
    if (SoundnessRules.compiling(seen)) return Stream.empty();
    double allocated = seen.allocatedBytes();
    return seen.nodes()
        .filter(node -> node.calls() > 0 && node.selfAllocatedBytes() >= BYTES)
        .filter(node -> node.selfAllocatedBytes() >= BYTES_PER_CALL * node.calls())
        .filter(node -> seen.runningShare(node) >= HOT_SHARE)
        .map(
            node -> {
              long bytes = node.selfAllocatedBytes();
              double win = seen.gcNanos() * bytes / allocated;
              return new Fired(
                  new Finding(
                      "allocation-in-hot-scope",
                      Severity.OPPORTUNITY,
                      "%s allocates %s a call, %s in %s (%s of all allocation)"
                          .formatted(
                              Evidence.name(node),
                              Quantity.bytes((double) bytes / node.calls()),
                              Quantity.bytes(bytes),
                              Quantity.many(node.calls(), "call"),
                              Quantity.percent(bytes / allocated)),
                      node.work().declared()
                          ? "reuse a buffer that the caller owns; if it computes with vectors, the"
                              + " JIT may box them until this process ends: run again, or look"
                              + " closer with --sample=alloc"
                          : "reuse a buffer that the caller owns",
                      win > 0 ? "~" + Quantity.time(win) + ", its part of the collections" : "",
                      ""),
                  // Ranked by the win that is printed; without one, by how hot the scope is.
                  win > 0 ? win : node.correctedRunningNanos() / 20,
                  node.name());
            });
  }

  /** Collections take a part of the wall time that shows. */
  static Stream<Fired> gcPressure(Evidence seen) {
    double gc = seen.gcNanos();
    if (gc == 0 || seen.ofWall(gc) < GC_OF_WALL) return Stream.empty();
    long longest =
        seen.profile().system().pauses().stream().mapToLong(Pause::nanos).max().orElse(0);
    return Stream.of(
        new Fired(
            new Finding(
                "gc-pressure",
                Severity.OPPORTUNITY,
                "%s took %s of %s wall time (%s), the longest %s"
                    .formatted(
                        Quantity.many(seen.profile().system().collections(), "collection"),
                        Quantity.time(gc),
                        Quantity.time(seen.profile().wallNanos()),
                        Quantity.percent(seen.ofWall(gc)),
                        Quantity.time(longest)),
                "allocate less where the allocation table points, or give the heap more room"
                    + " (-Xmx)",
                "up to " + Quantity.time(gc) + " wall time",
                ""),
            gc,
            ""));
  }
}
