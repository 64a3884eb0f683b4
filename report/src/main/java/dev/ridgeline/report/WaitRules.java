package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Findings.Fired;
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
  static Stream<Fired> lockContention(Evidence seen) {
    return waiters(seen, node -> node.waiting().lockNanos())
        .map(
            node -> {
              List<Holder> holders = seen.heldBy().getOrDefault(node, List.of());
              double nanos = node.waiting().lockNanos();
              String lock = holders.isEmpty() ? "" : holders.getFirst().lock();
              String what =
                  "%s waits %s for %s"
                      .formatted(Evidence.name(node), Quantity.time(nanos), a(lock));
              String where = "";
              if (!holders.isEmpty()) {
                Holder most = holders.getFirst();
                what +=
                    ", held by %s for %s of that"
                        .formatted(most.words(), Quantity.percent(most.nanos() / nanos));
                if (most.owner() != null) where = " in " + Evidence.name(most.owner());
              }
              return fired(
                  "lock-contention",
                  what,
                  "hold the lock for less time%s, or split what it guards".formatted(where),
                  seen.win(nanos) + " at most",
                  nanos,
                  lock.isEmpty() ? node.name() : "lock " + lock);
            });
  }

  private static String a(String lock) {
    return lock.isEmpty() ? "a lock" : "the lock of " + Text.clean(lock);
  }

  /** A scope sleeps. */
  static Stream<Fired> sleep(Evidence seen) {
    return waiters(seen, node -> node.waiting().sleepNanos())
        .map(
            node -> {
              double nanos = node.waiting().sleepNanos();
              return fired(
                  "sleep",
                  "%s sleeps %s in %s"
                      .formatted(
                          Evidence.name(node),
                          Quantity.time(nanos),
                          Quantity.many(node.calls() + node.open(), "call")),
                  "wait for the event itself (a queue, a condition) instead of for some time",
                  seen.win(nanos) + " at most",
                  nanos,
                  node.name());
            });
  }

  /** A scope waits for files or sockets. */
  static Stream<Fired> io(Evidence seen) {
    return waiters(seen, node -> node.waiting().ioNanos())
        .map(
            node -> {
              double nanos = node.waiting().ioNanos();
              return fired(
                  "io",
                  "%s waits %s for files or sockets in %s"
                      .formatted(
                          Evidence.name(node),
                          Quantity.time(nanos),
                          Quantity.many(node.calls() + node.open(), "call")),
                  "read and write larger pieces, or while something else is computed",
                  seen.win(nanos) + " at most",
                  nanos,
                  node.name());
            });
  }

  private static Stream<Node> waiters(Evidence seen, ToLongFunction<Node> kind) {
    long least = LOOKS * seen.profile().waits().everyNanos();
    return seen.nodes()
        .filter(node -> kind.applyAsLong(node) > 0 && kind.applyAsLong(node) >= least)
        .filter(node -> seen.share(kind.applyAsLong(node)) >= SHARE);
  }

  private static Fired fired(
      String rule, String what, String advice, String win, double nanos, String about) {
    return new Fired(new Finding(rule, Severity.OPPORTUNITY, what, advice, win, ""), nanos, about);
  }
}
