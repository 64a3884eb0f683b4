package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.Change.Direction;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.report.Markdown;
import dev.ridgeline.report.Quantity;
import java.util.List;
import java.util.stream.Stream;

/** A comparison as Markdown, for a pull request. */
public final class ComparisonMarkdown {
  private ComparisonMarkdown() {}

  /** The text, with at most {@code top} scopes. */
  public static String of(RunComparison comparison, int top) {
    StringBuilder out = new StringBuilder();
    out.append("### %s\n\n".formatted(comparison.verdict().word()));
    for (Gate gate : comparison.gates()) {
      if (gate.isOutput() && gate.result() != Gate.Result.SAME) {
        out.append("**The outputs differ**: %s → %s\n\n".formatted(gate.a(), gate.b()));
      }
    }
    out.append(
        "%s: `%s` → `%s`\n\n"
            .formatted(
                Markdown.escape(comparison.why()),
                Markdown.code(comparison.base().name()),
                Markdown.code(comparison.current().name())));
    List<String> differences =
        Stream.of(
                comparison.likeness().workload(),
                comparison.likeness().machine(),
                comparison.likeness().plan())
            .flatMap(List::stream)
            .toList();
    for (String each : differences)
      out.append("- not the same: %s\n".formatted(Markdown.escape(each)));
    if (!differences.isEmpty()) out.append('\n');
    out.append("| metric | base | now | change | |\n|---|--:|--:|--:|---|\n");
    for (Direction direction : Direction.values()) {
      for (Change change : comparison.metrics(direction)) {
        out.append(row(change, words(direction)));
      }
    }
    for (Change change : comparison.system()) out.append(row(change, ""));
    for (Gate gate : comparison.gates()) {
      out.append(
          "| %s | %s | %s | %s | %s |\n"
              .formatted(
                  Markdown.escape(gate.name()),
                  Markdown.escape(gate.a()),
                  Markdown.escape(gate.b()),
                  gate.result() == Gate.Result.SAME ? "same" : "differs",
                  gate.failed() ? "**worse**" : ""));
    }
    scopes(comparison, top, out);
    out.append("\nTo prove a change: `%s`\n".formatted(Markdown.code(Proof.of(comparison))));
    return out.toString();
  }

  private static void scopes(RunComparison comparison, int top, StringBuilder out) {
    if (comparison.scopes().isEmpty()) return;
    out.append("\n| scope, by change | self before, µs | now | change |\n|---|--:|--:|--:|\n");
    comparison.scopes().stream()
        .sorted((a, b) -> Double.compare(Math.abs(b.grownNanos()), Math.abs(a.grownNanos())))
        .limit(top)
        .forEach(
            scope -> {
              double before = scope.baseOrNone().selfNanos();
              double after = scope.currentOrNone().selfNanos();
              double change = before == 0 ? Double.POSITIVE_INFINITY : after / before - 1;
              out.append(
                  "| %s | %s | %s | %s |\n"
                      .formatted(
                          Markdown.escape(scope.path()),
                          Quantity.number(before / 1e3),
                          Quantity.number(after / 1e3),
                          after == before
                              ? ComparisonText.percent(0)
                              : ComparisonText.percent(change)));
            });
  }

  private static String row(Change change, String word) {
    return "| %s | %s | %s %s | %s | %s |\n"
        .formatted(
            Markdown.escape(change.name()),
            Quantity.number(change.base()),
            Quantity.number(change.current()),
            Markdown.escape(change.unit()),
            ComparisonText.percent(change.relative()),
            word);
  }

  private static String words(Direction direction) {
    return switch (direction) {
      case WORSE -> "looks worse";
      case BETTER -> "looks better";
      case ALIKE -> "alike";
      case OTHER -> "";
    };
  }
}
