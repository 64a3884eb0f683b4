package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile.Work;
import java.util.Comparator;
import java.util.List;

/**
 * What devices did, by the scopes that asked for it. Times are those of the devices' clocks; the
 * threads that asked went on meanwhile, so nothing of them is in the times of threads.
 */
record DeviceTable(List<Node> rows, double totalNanos) {
  static final String HEAD = "scope, by device time";
  static final List<String> TITLES = List.of("device ms", "%", "calls", "avg µs", "GB/s", "GOP/s");

  /** Of a report, its {@code top} largest; empty where no device was at work. */
  static DeviceTable of(Report report, int top) {
    List<Node> rows =
        report.tree().nodes().stream()
            .filter(node -> node.deviceCalls() > 0)
            .sorted(Comparator.comparingLong(Node::deviceSelfNanos).reversed())
            .limit(top)
            .toList();
    return new DeviceTable(rows, report.tree().root().deviceNanos());
  }

  List<String> cells(Node node) {
    double nanos = node.deviceSelfNanos();
    Work work = node.deviceWork();
    return List.of(
        Quantity.fixed(nanos / 1e6, 1),
        Quantity.fixed(100 * share(node), 1),
        Quantity.count(node.deviceCalls()),
        Quantity.number(nanos / node.deviceCalls() / 1e3),
        rate(work.bytes(), node),
        rate(work.flops() + work.ops(), node));
  }

  double share(Node node) {
    return totalNanos == 0 ? 0 : node.deviceSelfNanos() / totalNanos;
  }

  private static String rate(double work, Node node) {
    return work == 0 || node.deviceNanos() == 0
        ? Cells.NOTHING
        : Quantity.number(work / node.deviceNanos());
  }
}
