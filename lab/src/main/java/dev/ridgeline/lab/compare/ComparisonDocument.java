package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.compare.Change.Direction;
import dev.ridgeline.lab.compare.ScopeChange.Cost;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.Document.Drawing;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.document.Table.Row;
import dev.ridgeline.lab.history.Likeness;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.format.Difference;
import dev.ridgeline.report.format.DifferenceGraph;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * A comparison as a document: the answer, what differs, what changed, where, and the flame graph of
 * the difference.
 */
public final class ComparisonDocument {
  private final RunComparison comparison;
  private final int top;
  private final List<Part> parts = new ArrayList<>();

  private ComparisonDocument(RunComparison comparison, int top) {
    this.comparison = comparison;
    this.top = top;
  }

  /** The document, with at most {@code top} scopes. */
  public static Document of(RunComparison comparison, int top) {
    return new ComparisonDocument(comparison, top).draw();
  }

  private Document draw() {
    parts.add(new Fact("Work", comparison.current().run().title()));
    parts.add(new Fact("Prove", Proof.of(comparison), true));
    Likeness likeness = comparison.likeness();
    likeness.workload().forEach(each -> differs("work · " + each));
    likeness.machine().forEach(each -> differs("machine · " + each));
    likeness.plan().forEach(each -> differs("plan · " + each));
    String before = comparison.base().run().revision();
    String after = comparison.current().run().revision();
    if (!before.equals(after)) differs("revision: %s → %s".formatted(before, after));
    List<Row> metrics = new ArrayList<>();
    for (Direction direction : Direction.values()) {
      comparison.metrics(direction).forEach(each -> metrics.add(row(each, direction)));
    }
    if (!metrics.isEmpty()) table("metric", metrics);
    scopes();
    if (!comparison.gates().isEmpty()) {
      List<String> columns = List.of("", "");
      parts.add(Table.of("exact", columns, comparison.gates(), ComparisonDocument::row));
    }
    if (!comparison.system().isEmpty()) {
      table("JVM", comparison.system().stream().map(each -> row(each, Direction.OTHER)).toList());
    }
    flame();
    return new Document(
        comparison.base().name() + " → " + comparison.current().name(),
        comparison.verdict().word(),
        Tone.PLAIN,
        comparison.why(),
        warnings(),
        parts);
  }

  /** A faster program that computes something else is no faster program. */
  private List<String> warnings() {
    return comparison.gates().stream()
        .filter(gate -> gate.isOutput() && gate.result() != Gate.Result.SAME)
        .map(gate -> "The outputs differ: %s → %s".formatted(gate.a(), gate.b()))
        .toList();
  }

  private void differs(String what) {
    parts.add(new Fact("Differs", what));
  }

  private void table(String title, List<Row> rows) {
    parts.add(new Table(title, "", List.of("", "base", "now", "change", ""), rows));
  }

  private static Row row(Change change, Direction direction) {
    return Row.of(
        direction.tone,
        change.name(),
        Quantity.number(change.base()),
        (Quantity.number(change.current()) + " " + change.unit()).strip(),
        percent(change.relative()),
        direction.word);
  }

  private static Row row(Gate gate) {
    boolean equal = gate.a().equals(gate.b());
    String words = equal ? "same: " + gate.a() : "%s → %s".formatted(gate.a(), gate.b());
    if (gate.failed()) words += "   worse";
    else if (gate.result() == Gate.Result.SAME && !equal) words += "   alike";
    return Row.of(gate.failed() ? Tone.WORSE : Tone.PLAIN, gate.name(), words);
  }

  /** {@code +5.6 %}. */
  private static String percent(double change) {
    return Double.isInfinite(change) ? "new" : Quantity.change(change);
  }

  private void scopes() {
    String per = " of " + comparison.per() + ", by change";
    bars("self time, µs" + per, cost -> cost.selfNanos() / 1e3);
    if (comparison.isMostlyWaiting()) {
      bars("waiting, µs" + per, cost -> cost.waitingNanos() / 1e3);
    }
    if (comparison.scopes().stream().anyMatch(scope -> scope.grownBytes() != 0)) {
      bars("allocated, bytes" + per, Cost::allocatedBytes);
    }
  }

  /** A cost of a scope before and after, 0 where it is not known. */
  private record Costs(String path, double before, double after) {
    static Costs of(ScopeChange scope, ToDoubleFunction<Cost> cost) {
      double before = cost.applyAsDouble(scope.baseOrNone());
      double after = cost.applyAsDouble(scope.currentOrNone());
      return new Costs(
          scope.path(), Double.isNaN(before) ? 0 : before, Double.isNaN(after) ? 0 : after);
    }

    double grown() {
      return Math.abs(after - before);
    }

    Row row(double most) {
      return Row.withBar(
          before / most,
          after / most,
          path,
          Quantity.number(before),
          Quantity.number(after),
          percent(before == 0 ? 1 / 0.0 : after / before - 1));
    }
  }

  private void bars(String title, ToDoubleFunction<Cost> cost) {
    List<Costs> shown =
        comparison.scopes().stream()
            .map(scope -> Costs.of(scope, cost))
            .filter(each -> each.grown() > 0)
            .sorted(Comparator.comparingDouble(Costs::grown).reversed())
            .limit(top)
            .toList();
    double most =
        shown.stream().mapToDouble(each -> Math.max(each.before, each.after)).max().orElse(0);
    if (most > 0) table(title, shown.stream().map(each -> each.row(most)).toList());
  }

  private void flame() {
    if (comparison.scopes().isEmpty()) return;
    Difference difference =
        Difference.of(comparison.base().profile().tree(), comparison.current().profile().tree());
    if (!difference.hasCommonPlace()) return;
    parts.add(new Drawing(() -> "<h2>Flame graph of the difference</h2>\n" + svg(difference)));
  }

  private String svg(Difference difference) {
    var names = new DifferenceGraph.Names(comparison.base().name(), comparison.current().name());
    ByteArrayOutputStream svg = new ByteArrayOutputStream();
    try {
      DifferenceGraph.svg(difference, names, svg);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return svg.toString(StandardCharsets.UTF_8).replaceFirst("(?s)^.*?(?=<svg)", "");
  }
}
