package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Contention;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Who held a lock that others waited for.
 *
 * @param lock its class, empty when not known
 * @param owner the scope that was innermost where it was held, null when none was or not known
 * @param threads names of the threads that held it there
 * @param nanos how long others waited meanwhile
 */
record Holder(String lock, Node owner, List<String> threads, long nanos) {
  private record Key(Node waiter, String lock, Node owner) {}

  private static final class Sum {
    final TreeSet<String> threads = new TreeSet<>();
    long nanos;
  }

  /** Of each place in a tree that waited for locks, the holders, the longest first. */
  static Map<Node, List<Holder>> of(Profile profile, CallTree tree) {
    Map<Key, Sum> sums = new HashMap<>();
    for (Contention one : profile.waits().contentions()) {
      Node waiter = tree.places(one.lane()).get(one.node());
      Node owner = one.ownerLane() < 0 ? null : tree.places(one.ownerLane()).get(one.ownerNode());
      Sum sum = sums.computeIfAbsent(new Key(waiter, one.lock(), owner), _ -> new Sum());
      if (!one.ownerThread().isEmpty()) sum.threads.add(one.ownerThread());
      sum.nanos += one.nanos();
    }
    Map<Node, List<Holder>> holders = new IdentityHashMap<>();
    sums.forEach(
        (key, sum) ->
            holders
                .computeIfAbsent(key.waiter, _ -> new ArrayList<>())
                .add(new Holder(key.lock, key.owner, List.copyOf(sum.threads), sum.nanos)));
    Comparator<Holder> longest = Comparator.comparingLong(Holder::nanos).reversed();
    holders.values().forEach(all -> all.sort(longest.thenComparing(Holder::lock)));
    return holders;
  }

  /** {@code Ledger.audit on thread auditor}. */
  String words() {
    String where =
        switch (threads.size()) {
          case 0 -> "";
          case 1 -> "thread " + Text.clean(threads.getFirst());
          default -> Quantity.many(threads.size(), "thread");
        };
    if (owner == null) return where.isEmpty() ? "code outside of every scope" : where;
    return Evidence.name(owner) + (where.isEmpty() ? "" : " on " + where);
  }
}
