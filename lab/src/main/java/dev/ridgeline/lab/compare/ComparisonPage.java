package dev.ridgeline.lab.compare;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.compare.Change.Direction;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.format.Difference;
import dev.ridgeline.report.format.DifferenceGraph;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * A comparison as one page that opens offline: tables, bars of time and allocation by scope, and
 * the flame graph of the difference.
 */
public final class ComparisonPage {
  private static final int BARS = 20;

  private ComparisonPage() {}

  /** Writes the page. */
  public static void write(RunComparison comparison, OutputStream out) throws IOException {
    Map<String, String> parts =
        Map.of(
            "title", escape(comparison.base().name() + " → " + comparison.current().name()),
            "verdict", escape(comparison.verdict().word()),
            "class", comparison.verdict().name().toLowerCase(Locale.ROOT),
            "why", escape(comparison.why()),
            "differences", differences(comparison),
            "metrics", metrics(comparison),
            "time", bars(comparison, "Self time, µs", c -> c.selfNanos() / 1e3),
            "allocation", bars(comparison, "Allocated, bytes", ScopeChange.Cost::allocatedBytes),
            "flame", flame(comparison),
            "proof", escape(Proof.of(comparison)));
    Page.write("comparison.html", parts, out);
  }

  private static String differences(RunComparison comparison) {
    StringBuilder list = new StringBuilder();
    for (Gate gate : comparison.gates()) {
      if (gate.isOutput() && gate.result() != Gate.Result.SAME) {
        list.append("<li class=\"worse\">the outputs differ</li>");
      }
    }
    for (List<String> some :
        List.of(
            comparison.likeness().workload(),
            comparison.likeness().machine(),
            comparison.likeness().plan())) {
      for (String each : some) list.append("<li>").append(escape(each)).append("</li>");
    }
    String before = comparison.base().run().revision();
    String after = comparison.current().run().revision();
    if (!before.equals(after)) {
      list.append("<li>revision: ").append(escape(before + " → " + after)).append("</li>");
    }
    return list.isEmpty() ? "<li>nothing that is known of them</li>" : list.toString();
  }

  private static String metrics(RunComparison comparison) {
    StringBuilder rows = new StringBuilder();
    for (Direction direction :
        List.of(Direction.WORSE, Direction.BETTER, Direction.OTHER, Direction.ALIKE)) {
      for (Change change : comparison.metrics(direction)) {
        rows.append(
            Page.row(
                direction.name().toLowerCase(Locale.ROOT),
                change.name(),
                Quantity.number(change.base()),
                (Quantity.number(change.current()) + " " + change.unit()).strip(),
                ComparisonText.percent(change.relative())));
      }
    }
    for (Change change : comparison.system()) {
      rows.append(
          Page.row(
              "system",
              change.name(),
              Quantity.number(change.base()),
              (Quantity.number(change.current()) + " " + change.unit()).strip(),
              ComparisonText.percent(change.relative())));
    }
    for (Gate gate : comparison.gates()) {
      rows.append(
          Page.row(
              gate.failed() ? "exact worse" : "exact",
              gate.name(),
              gate.a(),
              gate.b(),
              gate.result() == Gate.Result.SAME ? "same" : "differs"));
    }
    return rows.toString();
  }

  private static String bars(
      RunComparison comparison, String title, ToDoubleFunction<ScopeChange.Cost> cost) {
    Comparator<ScopeChange> byChange =
        Comparator.comparingDouble(
            scope ->
                -Math.abs(
                    known(cost.applyAsDouble(scope.currentOrNone()))
                        - known(cost.applyAsDouble(scope.baseOrNone()))));
    List<ScopeChange> shown =
        comparison.scopes().stream()
            .filter(scope -> scope.changed(cost))
            .sorted(byChange)
            .limit(BARS)
            .toList();
    double most = 0;
    for (ScopeChange scope : shown) {
      most = Math.max(most, known(cost.applyAsDouble(scope.baseOrNone())));
      most = Math.max(most, known(cost.applyAsDouble(scope.currentOrNone())));
    }
    if (most == 0) return "";
    StringBuilder table =
        new StringBuilder("<h2>" + escape(title + " of " + comparison.per()) + "</h2>\n");
    table.append(
        "<p class=\"legend\">Those that changed, most first: <i class=\"base\"></i> base, now ");
    table.append("<b class=\"more\"></b> more or <b class=\"less\"></b> less.</p>\n<table>");
    table.append("<thead><tr><th>scope, by change</th><th>base</th><th>now</th><th></th></tr>");
    table.append("</thead><tbody>\n");
    for (ScopeChange scope : shown) {
      double before = known(cost.applyAsDouble(scope.baseOrNone()));
      double after = known(cost.applyAsDouble(scope.currentOrNone()));
      table.append("<tr><td>").append(escape(scope.path())).append("</td><td>");
      table.append(Quantity.number(before)).append("</td><td>").append(Quantity.number(after));
      table.append("</td><td class=\"bars\"><i style=\"width:").append(width(before / most));
      table.append("\"></i><b class=\"").append(after > before ? "more" : "less");
      table.append("\" style=\"width:").append(width(after / most)).append("\"></b></td></tr>\n");
    }
    return table.append("</tbody></table>\n").toString();
  }

  private static String width(double part) {
    return Quantity.fixed(100 * Math.clamp(part, 0, 1), 1) + "%";
  }

  private static double known(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  private static String flame(RunComparison comparison) throws IOException {
    if (comparison.scopes().isEmpty()) return "";
    Difference difference =
        Difference.of(comparison.base().profile().tree(), comparison.current().profile().tree());
    if (!difference.hasCommonPlace()) return "";
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    DifferenceGraph.svg(
        difference,
        new DifferenceGraph.Names(comparison.base().name(), comparison.current().name()),
        svg);
    return svg.toString(StandardCharsets.UTF_8).replaceFirst("(?s)^.*?(?=<svg)", "");
  }
}
