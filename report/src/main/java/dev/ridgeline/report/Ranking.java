package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** Scopes in the orders in which reports show them. */
final class Ranking {
  private final Report report;
  private final List<Node> nodes;
  private final int top;

  Ranking(Report report, int top) {
    this.report = report;
    this.nodes = report.tree().nodes();
    this.top = top;
  }

  /** All scopes. */
  int size() {
    return nodes.size();
  }

  /** The hottest by self time, but for those with less than a share of the time. */
  List<Node> hot(double leastShare) {
    double least = leastShare * Column.threadNanos(report);
    List<Node> hot = first(top, Node::correctedSelfNanos);
    List<Node> shown = hot.stream().filter(node -> node.correctedSelfNanos() >= least).toList();
    return shown.isEmpty() ? hot.subList(0, Math.min(1, hot.size())) : shown;
  }

  /** The largest allocators by what they allocate themselves. */
  List<Node> allocators(int most) {
    return first(Math.min(top, most), Node::selfAllocatedBytes).stream()
        .filter(node -> node.selfAllocatedBytes() > 0)
        .toList();
  }

  /** The most called. */
  List<Node> called(int most) {
    return first(Math.min(top, most), Node::calls);
  }

  /** The parallel regions that took longest. */
  List<Node> regions(int most) {
    return nodes.stream()
        .filter(node -> node.region() != null)
        .sorted(Comparator.comparingDouble(Node::correctedTotalNanos).reversed())
        .limit(Math.min(top, most))
        .toList();
  }

  /** What all scopes that tell allocated; 0 when allocation was not recorded. */
  double allocatedBytes() {
    if (report.profile().level().compareTo(Level.ALLOCATION) < 0) return 0;
    return nodes.stream().mapToDouble(node -> Math.max(0, node.selfAllocatedBytes())).sum();
  }

  private List<Node> first(int count, ToDoubleFunction<Node> column) {
    return nodes.stream()
        .sorted(Comparator.comparingDouble(column).reversed())
        .limit(count)
        .toList();
  }
}
