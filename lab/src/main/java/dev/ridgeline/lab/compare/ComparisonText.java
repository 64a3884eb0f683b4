package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.Change.Direction;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/** A comparison for the terminal: the answer, what differs, what changed, where. */
public final class ComparisonText {
  private static final int BAR = 12;
  private static final int NAME = 44;

  private final RunComparison comparison;
  private final int top;
  private final StringBuilder out = new StringBuilder();

  private ComparisonText(RunComparison comparison, int top) {
    this.comparison = comparison;
    this.top = top;
  }

  /** The text, with at most {@code top} scopes. */
  public static String of(RunComparison comparison, int top) {
    return new ComparisonText(comparison, top).draw();
  }

  private String draw() {
    line("%s → %s", comparison.base().name(), comparison.current().name());
    line("%s", comparison.current().run().title());
    line("");
    outputFirst();
    line("  %s: %s", comparison.verdict().word(), comparison.why());
    line("  to prove a change: %s", Proof.of(comparison));
    line("");
    differences();
    group("Looks worse", Direction.WORSE);
    group("Looks better", Direction.BETTER);
    group("Changed", Direction.OTHER);
    group("Alike, within " + Quantity.percent(comparison.margin()), Direction.ALIKE);
    scopes();
    gates();
    system();
    return out.toString();
  }

  /** A faster program that computes something else is no faster program. */
  private void outputFirst() {
    for (Gate gate : comparison.gates()) {
      if (!gate.isOutput() || gate.result() == Gate.Result.SAME) continue;
      line("  The outputs differ: %s → %s", gate.a(), gate.b());
      line("");
    }
  }

  private void differences() {
    List<String> all = new ArrayList<>();
    comparison.likeness().workload().forEach(each -> all.add("work · " + each));
    comparison.likeness().machine().forEach(each -> all.add("machine · " + each));
    comparison.likeness().plan().forEach(each -> all.add("plan · " + each));
    String before = comparison.base().run().revision();
    String after = comparison.current().run().revision();
    if (!before.equals(after)) all.add("revision: %s → %s".formatted(before, after));
    if (all.isEmpty()) return;
    line("  Not the same");
    for (String each : all) line("    %s", Text.fit(each, 94));
    line("");
  }

  private void group(String title, Direction direction) {
    List<Change> changes = comparison.metrics(direction);
    if (changes.isEmpty()) return;
    line("  %s", title);
    for (Change change : changes) {
      line("    %s  %s", Text.left(Text.fit(change.name(), NAME), NAME), words(change));
    }
    line("");
  }

  private static String words(Change change) {
    return "%s → %s %s   %s"
        .formatted(
            Text.right(Quantity.number(change.base()), 9),
            Text.left((Quantity.number(change.current()) + " " + change.unit()).strip(), 18),
            "",
            percent(change.relative()));
  }

  /** {@code +5.6 %}. */
  static String percent(double change) {
    return Double.isInfinite(change) ? "new" : Quantity.change(change);
  }

  private void scopes() {
    if (comparison.scopes().isEmpty()) return;
    String per = comparison.per();
    bars(
        "self time, µs of " + per,
        Comparator.comparingDouble((ScopeChange s) -> Math.abs(s.grownNanos())).reversed(),
        cost -> cost.selfNanos() / 1e3);
    if (comparison.isMostlyWaiting()) {
      bars(
          "waiting, µs of " + per,
          Comparator.comparingDouble((ScopeChange s) -> Math.abs(s.grownWaitingNanos())).reversed(),
          cost -> cost.waitingNanos() / 1e3);
    }
    if (comparison.scopes().stream().allMatch(scope -> scope.grownBytes() == 0)) return;
    bars(
        "allocated, bytes of " + per,
        Comparator.comparingDouble((ScopeChange s) -> Math.abs(s.grownBytes())).reversed(),
        ScopeChange.Cost::allocatedBytes);
  }

  private void bars(
      String title, Comparator<ScopeChange> order, ToDoubleFunction<ScopeChange.Cost> cost) {
    List<ScopeChange> shown =
        comparison.scopes().stream()
            .filter(scope -> scope.changed(cost))
            .sorted(order)
            .limit(top)
            .toList();
    double most = 0;
    for (ScopeChange scope : shown) {
      most = Math.max(most, known(cost.applyAsDouble(scope.baseOrNone())));
      most = Math.max(most, known(cost.applyAsDouble(scope.currentOrNone())));
    }
    if (most == 0) return;
    line("  %s       base       now    change", Text.left(title + ", by change", NAME));
    for (ScopeChange scope : shown) {
      double before = known(cost.applyAsDouble(scope.baseOrNone()));
      double after = known(cost.applyAsDouble(scope.currentOrNone()));
      line(
          "  %s  %s %s %s %s",
          Text.left(label(scope.path()), NAME),
          Text.right(Quantity.number(before), 9),
          Text.right(Quantity.number(after), 9),
          Text.right(percent(before == 0 ? after == 0 ? 0 : 1 / 0.0 : after / before - 1), 9),
          bar(after / most));
    }
    line("");
  }

  private static double known(double value) {
    return Double.isNaN(value) ? 0 : value;
  }

  /** The phase that a place belongs to and its end tell places apart; what is between yields. */
  private static String label(String path) {
    if (Text.width(path) <= NAME) return path;
    int first = path.indexOf(" › ");
    int second = path.indexOf(" › ", first + 1);
    String phase = first < 0 || second < 0 ? "" : path.substring(first + 3, second) + " › ";
    String rest = second < 0 ? path : path.substring(second + 3);
    int room = NAME - Text.width(phase) - 1;
    while (Text.width(rest) > room && rest.matches("(?s).+? [›⇉] .+")) {
      rest = rest.replaceFirst("(?s)^.+? [›⇉] ", "");
    }
    return Text.fit(phase + "…" + rest, NAME);
  }

  private static String bar(double part) {
    return "█".repeat((int) Math.round(Math.clamp(part, 0, 1) * BAR));
  }

  private void gates() {
    if (comparison.gates().isEmpty()) return;
    line("  Exact");
    for (Gate gate : comparison.gates()) {
      String words =
          gate.a().equals(gate.b()) ? "same: " + gate.a() : "%s → %s".formatted(gate.a(), gate.b());
      line("    %s  %s%s", Text.left(gate.name(), NAME), words, ending(gate));
    }
    line("");
  }

  private static String ending(Gate gate) {
    if (gate.failed()) return "   worse";
    boolean alike = gate.result() == Gate.Result.SAME && !gate.a().equals(gate.b());
    return alike ? "   alike" : "";
  }

  private void system() {
    if (comparison.system().isEmpty()) return;
    line("  JVM");
    for (Change change : comparison.system()) {
      line("    %s  %s", Text.left(change.name(), NAME), words(change));
    }
  }

  private void line(String format, Object... arguments) {
    out.append(format.formatted(arguments).stripTrailing()).append('\n');
  }
}
