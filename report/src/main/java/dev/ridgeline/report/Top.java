package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
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
    text.append("Type: self time, corrected\n");
    list(text, report, Node::correctedSelfNanos, nanos -> Quantity.fixed(nanos / 1e6, 2) + " ms");
    text.append('\n');
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
    List<Node> nodes = report.tree().nodes();
    Map<Node, Double> cum = sums(nodes, flat);
    double all = nodes.stream().mapToDouble(flat).sum();
    List<Node> rows =
        nodes.stream()
            .sorted(Comparator.comparingDouble(flat).reversed())
            .filter(node -> flat.applyAsDouble(node) > 0)
            .limit(ROWS)
            .toList();
    double shown = rows.stream().mapToDouble(flat).sum();
    text.append(
        "Showing scopes accounting for %s, %s of %s total\n"
            .formatted(unit.apply(shown), percent(shown, all), unit.apply(all)));
    text.append("Showing top %d scopes out of %d\n".formatted(rows.size(), nodes.size()));
    text.append(line("flat", "flat%", "sum%", "cum", "cum%", "scope"));
    double sum = 0;
    for (Node row : rows) {
      double own = flat.applyAsDouble(row);
      sum += own;
      text.append(
          line(
              unit.apply(own),
              percent(own, all),
              percent(sum, all),
              unit.apply(cum.get(row)),
              percent(cum.get(row), all),
              PathLabels.fit(row, PATH_WIDTH)));
    }
  }

  private static String line(
      String flat, String flatPercent, String sum, String cum, String cumPercent, String name) {
    return "%14s %7s %7s %14s %7s  %s\n".formatted(flat, flatPercent, sum, cum, cumPercent, name);
  }

  private static String percent(double part, double all) {
    return String.format(Locale.ROOT, "%.2f%%", all == 0 ? 0 : 100 * part / all);
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
