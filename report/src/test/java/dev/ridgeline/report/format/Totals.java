package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/** What a tree says of each name: alone (flat), and with all below it, once a stack (cum). */
record Totals(long all, Map<String, Long> flat, Map<String, Long> cum) {
  static Totals of(CallTree tree, ToLongFunction<Node> value) {
    Map<String, Long> flat = new TreeMap<>();
    Map<String, Long> cum = new TreeMap<>();
    long all = 0;
    for (Node node : tree.nodes()) {
      long own = value.applyAsLong(node);
      if (own == 0) continue;
      all += own;
      flat.merge(node.name(), own, Long::sum);
      Set<String> path = new HashSet<>(node.path());
      path.forEach(name -> cum.merge(name, own, Long::sum));
    }
    return new Totals(all, flat, cum);
  }
}
