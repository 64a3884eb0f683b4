package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.many;
import static dev.ridgeline.report.Quantity.percent;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.opportunity;

import dev.ridgeline.profiler.CallTree.Node;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/** What threads wait for instead of running. */
final class WaitRules {
  static final double SHARE = 0.02;

  /** A wait that was seen less often may be chance. */
  static final int LOOKS = 3;

  private WaitRules() {}

  /**
   * Threads wait for a lock that others hold. Who waits for one lock in many places says it once.
   */
  static Stream<RuleHit> lockContention(Evidence seen) {
    return waiters(seen, node -> node.waiting().lockNanos()).map(node -> contended(node, seen));
  }

  private static RuleHit contended(Node node, Evidence seen) {
    List<Holder> holders = seen.heldBy().getOrDefault(node, List.of());
    double nanos = node.waiting().lockNanos();
    String lock = holders.isEmpty() ? "" : holders.getFirst().lock();
    String held = "";
    String where = "";
    if (!holders.isEmpty()) {
      Holder most = holders.getFirst();
      String part = percent(most.nanos() / nanos);
      held = ", held by %s for %s of that".formatted(most.words(), part);
      if (most.owner() != null) where = " in " + Evidence.name(most.owner());
    }
    return opportunity(
            "lock-contention",
            "%s waits %s for %s",
            node,
            time(nanos),
            lock.isEmpty() ? "a lock" : "the lock of " + Text.clean(lock))
        .and(held)
        .advice("hold the lock for less time%s, or split what it guards", where)
        .wins(seen.win(nanos) + " at most")
        .worth(nanos)
        .about(lock.isEmpty() ? node.name() : "lock " + lock);
  }

  /** A scope sleeps. */
  static Stream<RuleHit> sleep(Evidence seen) {
    String advice = "wait for the event itself (a queue, a condition) instead of for some time";
    return waits(seen, "sleep", "%s sleeps %s in %s", node -> node.waiting().sleepNanos(), advice);
  }

  /** A scope waits for files or sockets. */
  static Stream<RuleHit> io(Evidence seen) {
    String what = "%s waits %s for files or sockets in %s";
    String advice = "read and write larger pieces, or while something else is computed";
    return waits(seen, "io", what, node -> node.waiting().ioNanos(), advice);
  }

  private static Stream<RuleHit> waits(
      Evidence seen, String rule, String what, ToLongFunction<Node> kind, String advice) {
    return waiters(seen, kind)
        .map(
            node -> {
              double nanos = kind.applyAsLong(node);
              String calls = many(node.calls() + node.open(), "call");
              return opportunity(rule, what, node, time(nanos), calls)
                  .advice(advice)
                  .wins(seen.win(nanos) + " at most")
                  .worth(nanos)
                  .about(node);
            });
  }

  private static Stream<Node> waiters(Evidence seen, ToLongFunction<Node> kind) {
    long least = LOOKS * seen.profile().waits().everyNanos();
    return seen.nodes()
        .filter(node -> kind.applyAsLong(node) > 0 && kind.applyAsLong(node) >= least)
        .filter(node -> seen.share(kind.applyAsLong(node)) >= SHARE);
  }
}
