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

  /** Every scope, in no order that matters. */
  List<Node> all() {
    return nodes;
  }

  /** The hottest by running time: who waits is not hot. */
  List<Node> hot() {
    return first(top, Node::correctedRunningNanos);
  }

  /** The largest by a column; those it says nothing of come last. */
  List<Node> by(Column column) {
    return first(
        top,
        node -> {
          double value = column.value(node, report);
          return Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
        });
  }

  /** The largest allocators by what they allocate themselves. */
  List<Node> allocators(int most) {
    return comparable(
        first(Math.min(top, most), Node::selfAllocatedBytes), Node::selfAllocatedBytes);
  }

  /** The most called. */
  List<Node> called(int most) {
    return comparable(first(Math.min(top, most), Node::calls), Node::calls);
  }

  /** Those with at least a hundredth of what the first has: compared with it, less is nothing. */
  private static List<Node> comparable(List<Node> ranked, ToDoubleFunction<Node> column) {
    if (ranked.isEmpty()) return ranked;
    double least = column.applyAsDouble(ranked.getFirst()) / 100;
    return ranked.stream().filter(node -> column.applyAsDouble(node) >= least).toList();
  }

  /** The parallel regions that took longest; one that handed next to nothing over is none. */
  List<Node> regions(int most) {
    return nodes.stream()
        .filter(node -> node.region() != null)
        .filter(node -> node.region().busyNanos() >= node.region().wallNanos() / 100)
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
