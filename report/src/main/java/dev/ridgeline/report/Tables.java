package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Region;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.Table.Row;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** All tables of a report but its hot paths. One without rows has nothing to say. */
final class Tables {
  private static final List<Column> ALLOCATORS =
      List.of(Column.SELF_ALLOCATED, Column.CALLS, Column.ALLOCATED, Column.ALLOCATED_PER_CALL);
  private static final List<Column> CALLED =
      List.of(Column.CALLS, Column.SELF, Column.SHARE, Column.TOTAL, Column.AVERAGE);
  private static final List<String> REGION =
      List.of("wall ms", "busy ms", "threads", "imbalance", "in use", "tasks");
  private static final List<String> DEVICE =
      List.of("device ms", "%", "calls", "avg µs", "GB/s", "GOP/s");

  private Tables() {}

  static Table allocators(Report report, Ranking ranking, int most) {
    List<Node> nodes = ranking.allocatedBytes() > 0 ? ranking.allocators(most) : List.of();
    return Table.of("Top allocators", "scope, by allocation", nodes, ALLOCATORS, report);
  }

  static Table called(Report report, Ranking ranking, int most) {
    return Table.of("Most called", "scope, by calls", ranking.called(most), CALLED, report);
  }

  /** Places that handed tasks over; what matters most first. */
  static Table regions(Ranking ranking, int most) {
    return places(
        "Parallel regions", "parallel region", REGION, ranking.regions(most), Tables::region);
  }

  private static Table places(
      String title,
      String head,
      List<String> columns,
      List<Node> nodes,
      Function<Node, List<String>> cells) {
    List<Row> rows =
        nodes.stream().map(node -> new Row(node, "", 1, 0, cells.apply(node))).toList();
    return new Table(title, head, columns, rows, List.of());
  }

  static List<String> region(Node node) {
    Region region = node.region();
    // Calls that handed nothing over are no part of it.
    double part = (double) region.wallNanos() / Math.max(1, node.totalNanos());
    double busy = 0;
    for (Node child : node.children()) if (child.isTask()) busy += child.correctedTotalNanos();
    return List.of(
        Quantity.fixed(part * node.correctedTotalNanos() / 1e6, 1),
        Quantity.fixed(busy / 1e6, 1),
        Explanation.threads(region),
        Double.isNaN(region.imbalance()) ? Cells.NOTHING : Quantity.fixed(region.imbalance(), 2),
        Double.isNaN(region.use()) ? Cells.NOTHING : Quantity.percent(region.use()),
        Quantity.count(region.tasks()));
  }

  /**
   * What devices did, by the scopes that asked for it. Times are those of the devices' clocks; the
   * threads that asked went on meanwhile, so nothing of them is in the times of threads.
   */
  static Table devices(Report report, int most) {
    double all = report.tree().root().deviceNanos();
    List<Node> nodes =
        report.tree().nodes().stream()
            .filter(node -> node.deviceCalls() > 0)
            .sorted(Comparator.comparingLong(Node::deviceSelfNanos).reversed())
            .limit(most)
            .toList();
    return places(
        "Hot paths by device time",
        "scope, by device time",
        DEVICE,
        nodes,
        node -> device(node, all));
  }

  private static List<String> device(Node node, double all) {
    double nanos = node.deviceSelfNanos();
    Work work = node.deviceWork();
    return List.of(
        Quantity.fixed(nanos / 1e6, 1),
        Quantity.fixed(all == 0 ? 0 : 100 * nanos / all, 1),
        Quantity.count(node.deviceCalls()),
        Quantity.number(nanos / node.deviceCalls() / 1e3),
        rate(work.bytes(), node),
        rate(work.flops() + work.ops(), node));
  }

  private static String rate(double work, Node node) {
    boolean known = work != 0 && node.deviceNanos() != 0;
    return known ? Quantity.number(work / node.deviceNanos()) : Cells.NOTHING;
  }

  /** What scopes spent their time in, where stacks were sampled. */
  static Table inside(Report report, List<Node> nodes) {
    Map<Node, Inside> inside = Inside.of(report.profile(), report.tree());
    List<Row> rows = new ArrayList<>();
    for (Node node : nodes) {
      Inside seen = inside.get(node);
      if (seen == null || !seen.tellsMethods()) continue;
      rows.add(new Row(node, "", 1, 0, List.of(seen.sentence(), Quantity.count(seen.samples()))));
    }
    List<String> notes = List.of(Inside.quality(report.profile().samples()));
    List<String> columns = List.of("its own code", "samples");
    return new Table("Inside the hot paths", "scope", columns, rows, notes);
  }

  /** Where sampled code was, when that says more than scopes do; nothing when it does not. */
  static List<Table> hotspots(Report report, int most, int others) {
    Hotspots hotspots = Hotspots.of(report.profile());
    if (!hotspots.leads()) return List.of();
    Samples samples = report.profile().samples();
    String by = samples.event() == Samples.Event.CPU ? "CPU samples" : samples.event().words();
    List<String> quality = List.of(Inside.quality(samples));
    String method = "method, by " + by + " of its own code";
    String inner = "package, what it calls in the JDK included";
    return List.of(
        parts("Hot methods by samples", method, hotspots.methods(most), List.of()),
        parts("Packages", inner, hotspots.packages(others), List.of()),
        parts("Threads", "thread", hotspots.threads(others), quality));
  }

  private static Table parts(
      String title, String head, List<Hotspots.Row> parts, List<String> notes) {
    boolean total = parts.stream().anyMatch(part -> part.total() > 0);
    List<Row> rows = new ArrayList<>();
    for (Hotspots.Row part : parts) {
      String self = Quantity.fixed(100 * part.self(), 1);
      String all = Quantity.fixed(100 * part.total(), 1);
      rows.add(new Row(part.name(), part.self(), total ? List.of(self, all) : List.of(self)));
    }
    List<String> columns = total ? List.of("self %", "total %") : List.of("%");
    return new Table(title, head, columns, rows, notes);
  }

  /** How something changes along an axis. */
  static Table series(Series series) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < series.labels().size(); i++) {
      double share = series.most() > 0 ? series.whole(i) / series.most() : 0;
      rows.add(new Row(series.labels().get(i), share, series.cells(i)));
    }
    String name = series.name();
    String title = Character.toUpperCase(name.charAt(0)) + name.substring(1);
    List<String> notes = series.note().isEmpty() ? List.of() : List.of(series.note());
    return new Table(title, Text.clean(name), series.columns(), rows, notes);
  }
}
