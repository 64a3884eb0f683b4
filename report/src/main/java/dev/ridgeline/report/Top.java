package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Bound;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * A report as {@code top.txt}: the top scopes by time and by allocation, laid out as {@code pprof
 * -top} does it. Flat is the scope alone; cum is everything below it, on whatever thread.
 */
public final class Top {
  private static final int ROWS = 30;
  private static final int PATH_WIDTH = 160;

  private Top() {}

  /** Draws both lists. */
  public static String draw(Report report) {
    StringBuilder text = new StringBuilder();
    Profile profile = report.profile();
    text.append(Text.clean(report.headline().title())).append('\n');
    text.append("Time: ").append(profile.started()).append('\n');
    text.append("Duration: ").append(Quantity.time(profile.wallNanos())).append(" wall\n\n");
    boolean waits = WaitWords.shown(report);
    text.append(waits ? "Type: running time, corrected\n" : "Type: self time, corrected\n");
    list(
        text,
        report,
        waits ? Node::correctedRunningNanos : Node::correctedSelfNanos,
        nanos -> Quantity.fixed(nanos / 1e6, 2) + " ms");
    text.append('\n');
    bounds(text, report.folded());
    layers(text, report);
    if (profile.level().compareTo(Level.ALLOCATION) >= 0) {
      text.append("Type: allocated on the heap\n");
      list(text, report, node -> Math.max(0, node.selfAllocatedBytes()), Quantity::bytes);
      long silent =
          report.tree().nodes().stream()
              .filter(node -> node.selfAllocatedBytes() == Profile.UNKNOWN)
              .count();
      if (silent > 0) text.append("Unknown: ").append(Quantity.many(silent, "scope")).append('\n');
    } else {
      text.append("Allocation was not recorded; ").append(Format.Needs.ALLOCATION.remedy());
      text.append('\n');
    }
    return text.toString();
  }

  private static void list(
      StringBuilder text, Report report, ToDoubleFunction<Node> flat, DoubleFunction<String> unit) {
    List<Node> nodes = report.tree().withoutRecursion(report.profile()).nodes();
    Map<Node, Double> cum = sums(nodes, flat);
    List<Listing.Row> rows =
        nodes.stream()
            .filter(node -> flat.applyAsDouble(node) > 0)
            .map(node -> row(node, flat.applyAsDouble(node), cum.get(node)))
            .toList();
    text.append(new Listing("scope", rows, nodes.size(), unit).draw(ROWS));
  }

  private static Listing.Row row(Node node, double flat, double cum) {
    return new Listing.Row(PathLabels.fit(node, PATH_WIDTH), flat, cum);
  }

  /** Scopes by what is to be won, where the machine's ceilings are known. */
  private static void bounds(StringBuilder text, Report report) {
    List<Node> rows =
        report.tree().nodes().stream()
            .filter(node -> report.bounds().of(node) != null)
            .sorted(Comparator.comparing((Node n) -> Column.TO_WIN.value(n, report)).reversed())
            .limit(ROWS)
            .toList();
    if (rows.isEmpty()) return;
    text.append("Type: time to win, of declared work against the machine's ceilings\n");
    text.append(
        "%14s %8s %-13s %12s %12s %14s  %s\n"
            .formatted("to win", "reached", "limited by", "avg", "p99", "rate a thread", "scope"));
    for (Node row : rows) {
      Bound bound = report.bounds().of(row);
      text.append(
          "%14s %8s %-13s %12s %12s %14s  %s\n"
              .formatted(
                  Quantity.fixed(bound.toWinNanos() / 1e6, 2) + " ms",
                  Quantity.fixed(100 * bound.reached(), 0) + "%",
                  bound.limitedBy(),
                  Quantity.time(Column.AVERAGE.value(row, report)),
                  Quantity.time(Column.P99.value(row, report)),
                  Quantity.number(bound.rate()) + " " + bound.unit(),
                  PathLabels.fit(row, PATH_WIDTH)));
    }
    Explanation.bounds(rows, report).forEach(line -> text.append(line).append('\n'));
    text.append('\n');
  }

  private static void layers(StringBuilder text, Report report) {
    for (Layers layers : Layers.of(report)) {
      text.append("Layers: ").append(layers.where()).append('\n');
      text.append(cells(layers.titles())).append("  part\n");
      for (Layers.Row row : layers.rows()) {
        text.append(cells(layers.cells(row))).append("  ");
        text.append("  ".repeat(Math.max(0, row.depth() - 1))).append(row.name()).append('\n');
      }
      text.append(Layers.note()).append("\n\n");
    }
  }

  private static String cells(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (String cell : cells) line.append(Text.right(cell, 12));
    return line.toString();
  }

  /** Of each node, the values of it and all below it. */
  private static Map<Node, Double> sums(List<Node> parentsFirst, ToDoubleFunction<Node> value) {
    Map<Node, Double> sums = new IdentityHashMap<>();
    for (Node node : parentsFirst.reversed()) {
      sums.merge(node, value.applyAsDouble(node), Double::sum);
      if (node.parent() != null) sums.merge(node.parent(), sums.get(node), Double::sum);
    }
    return sums;
  }
}
