package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.many;
import static dev.ridgeline.report.Quantity.percent;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.opportunity;

import dev.ridgeline.profiler.CallTree.Node;
import java.util.stream.Stream;

/** Where the time goes. */
final class TimeRules {
  static final double DOMINANT = 0.40;
  static final double DOMINANT_OF_WALL = 0.05;
  static final double DEEP_SHARE = 0.20;
  static final double DEEP_OF_TOTAL = 0.50;
  static final double VARIANCE_SHARE = 0.05;
  static final long VARIANCE_CALLS = 20;
  static final double TAIL = 2.0;
  static final double SPREAD = 2.0;
  static final double SHORT_NANOS = 1_000;
  static final long SHORT_CALLS = 100_000;
  static final double SHORT_SHARE = 0.05;

  static final double BESIDE_OF_PARENT = 0.05;
  static final double BESIDE_SHARE = 0.01;

  private TimeRules() {}

  /** One scope without inner ones takes most of the time. */
  static Stream<RuleHit> dominantScope(Evidence seen) {
    return seen.nodes()
        .filter(node -> node.children().isEmpty())
        // Where its ceiling is known, what can be won is said with it.
        .filter(node -> seen.bounds().of(node) == null)
        .filter(node -> seen.runningShare(node) >= DOMINANT)
        // Most of next to nothing is nothing: where all wait, no one is hot.
        .filter(node -> seen.ofWall(node.correctedRunningNanos()) >= DOMINANT_OF_WALL)
        .map(
            node -> {
              double self = node.correctedRunningNanos();
              String all = time(seen.runningNanos());
              String kind = seen.someWait() ? "running" : "thread";
              String share = percent(seen.runningShare(node));
              String calls = many(node.calls() + node.open(), "call");
              return opportunity(
                      "dominant-scope",
                      "%s takes %s of %s %s time (%s) in %s",
                      node,
                      time(self),
                      all,
                      kind,
                      share,
                      calls)
                  .advice("start here, nothing else can win as much")
                  .wins(seen.win(self / 10) + " for every tenth off it")
                  .worth(self / 10)
                  .about(node);
            });
  }

  /** A scope with inner ones has most of its time outside of them: nobody knows where. */
  static Stream<RuleHit> deepSelfTime(Evidence seen) {
    return seen.nodes()
        .filter(node -> !node.children().isEmpty() && !Evidence.tasksCover(node))
        .filter(node -> seen.share(node.correctedRunningNanos()) >= DEEP_SHARE)
        .filter(node -> node.correctedRunningNanos() >= DEEP_OF_TOTAL * node.correctedTotalNanos())
        .map(
            node -> {
              double own = node.correctedRunningNanos();
              String all = time(node.correctedTotalNanos());
              return opportunity(
                      "deep-self-time",
                      "%s spends %s of its %s outside of its inner scopes (%s of thread time)",
                      node,
                      time(own),
                      all,
                      percent(seen.share(own)))
                  .advice("add scopes inside it to see where that goes")
                  .worth(own / 20)
                  .about(node);
            });
  }

  /**
   * Some calls take much longer than others: a tail (p99 against p50), or a spread that grows with
   * the input, which a tail alone misses (85 to 262 ms, evenly, is p99 ≈ 1.6 × p50).
   */
  static Stream<RuleHit> highVariance(Evidence seen) {
    if (SoundnessRules.starved(seen)) return Stream.empty();
    return seen.nodes()
        .filter(node -> node.calls() >= VARIANCE_CALLS && !Evidence.tasksCover(node))
        // A call of a recursion takes as long as the calls inside it.
        .filter(node -> node.recursion() == 1)
        .filter(node -> seen.share(node.correctedTotalNanos()) >= VARIANCE_SHARE)
        .filter(node -> node.correctedSelfNanos() >= node.correctedTotalNanos() / 2)
        .filter(node -> !Evidence.mostlyWaits(node))
        .filter(TimeRules::varies)
        .map(
            node -> {
              double typical = node.percentileNanos(0.5);
              double win = Math.max(0, node.averageNanos() - typical) * node.calls();
              String tail = time(node.percentileNanos(0.99));
              String least = time(node.minNanos());
              String most = time(node.maxNanos());
              return opportunity(
                      "high-variance",
                      "%s takes p50 %s but p99 %s (min %s, max %s) over %s",
                      node,
                      time(typical),
                      tail,
                      least,
                      most,
                      many(node.calls(), "call"))
                  .advice("find what slow calls share: input size, warm-up, a pause, other work")
                  .wins(seen.share(win) < 0.005 ? "" : seen.win(win) + " if all took the median")
                  .worth(win)
                  .about(node);
            });
  }

  private static boolean varies(Node node) {
    return node.percentileNanos(0.99) >= TAIL * node.percentileNanos(0.5)
        || node.percentileNanos(0.9) >= SPREAD * node.percentileNanos(0.1);
  }

  /** Calls so many and so short that calling is much of the work. */
  static Stream<RuleHit> manyShortCalls(Evidence seen) {
    return seen.nodes()
        .filter(node -> node.calls() >= SHORT_CALLS)
        .filter(node -> node.averageNanos() < SHORT_NANOS)
        .filter(node -> seen.share(node.correctedTotalNanos()) >= SHORT_SHARE)
        .filter(node -> !node.belowFloor(seen.profile().calibration()))
        .map(
            node -> {
              double all = node.correctedTotalNanos();
              String share = percent(seen.share(all));
              return opportunity(
                      "many-short-calls",
                      "%s is called %s times for %s each (%s of thread time)",
                      node,
                      Quantity.count(node.calls()),
                      time(all / node.calls()),
                      share)
                  .advice("hand it a batch instead of one item at a time")
                  .worth(all / 10)
                  .about(node);
            });
  }

  /**
   * Something that declares no work stands next to what does, and takes a notable part of the time:
   * choosing and converting around a computation, say.
   */
  static Stream<RuleHit> besideTheWork(Evidence seen) {
    return seen.nodes()
        .filter(node -> node.children().isEmpty() && !node.isTask() && !node.work().declared())
        .filter(node -> seen.share(node.correctedTotalNanos()) >= BESIDE_SHARE)
        .filter(node -> ofParent(node) >= BESIDE_OF_PARENT)
        .filter(node -> node.parent().region() == null && computes(node.parent()))
        .map(
            node -> {
              double all = node.correctedTotalNanos();
              String around = time(node.parent().correctedTotalNanos());
              return opportunity(
                      "beside-the-work",
                      "%s takes %s of the time around it (%s of %s) and declares no bytes or FLOPs",
                      node,
                      percent(ofParent(node)),
                      time(all),
                      around)
                  .advice("the computation waits for it: make it cheaper or do it less often")
                  .wins(seen.win(all) + " at most")
                  .worth(all / 10)
                  .about(node);
            });
  }

  /**
   * Whether most of a scope's time is in inner ones that declare what they do and have parts of
   * their own: a step of one operation is not next to the work, though it declares none.
   */
  private static boolean computes(Node node) {
    double declared =
        node.children().stream()
            .filter(child -> !child.isTask() && !child.children().isEmpty())
            .filter(child -> child.work().declared())
            .mapToDouble(Node::correctedTotalNanos)
            .sum();
    return declared >= node.correctedTotalNanos() / 2;
  }

  private static double ofParent(Node node) {
    double around = node.parent().correctedTotalNanos();
    return around > 0 ? node.correctedTotalNanos() / around : 0;
  }
}
