package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.Change.Direction;
import dev.ridgeline.lab.history.Likeness;
import dev.ridgeline.lab.history.Work;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What two finished runs have to say about each other.
 *
 * <p>Each is one process, and they ran one after the other: a JVM that compiled otherwise, or a
 * machine that was busier, looks just like a change of the code. So the times of two runs never
 * make a verdict of faster or slower, however far they are apart; what has no noise is told
 * exactly.
 *
 * @param base the run before
 * @param current the run after
 * @param likeness what they have in common
 * @param drift by how much equal runs differ on this machine, as a factor minus one; NaN when not
 *     known
 * @param verdict what may be concluded
 * @param why in one sentence
 * @param metrics those of both runs, the most important first
 * @param scopes those of either, the hottest first; empty without profiles
 * @param gates what has no noise, and so counts whenever it differs
 * @param system what all of the work took, collections and memory
 */
public record RunComparison(
    Side base,
    Side current,
    Likeness likeness,
    double drift,
    Verdict verdict,
    String why,
    List<Change> metrics,
    List<ScopeChange> scopes,
    List<Gate> gates,
    List<Change> system) {

  /**
   * A run as a comparison names it.
   *
   * @param profile what was recorded, or null
   */
  public record Side(String name, Run run, Profile profile) {}

  /** Compares two runs of the same work; {@code drift} is NaN when not known. */
  public static RunComparison of(Side base, Side current, double drift) {
    Likeness likeness = Likeness.of(base.run(), current.run());
    List<Change> metrics =
        Gates.areWholePrograms(base, current)
            ? ProgramTotals.of(base.profile(), current.profile())
            : metrics(base.run(), current.run());
    List<ScopeChange> scopes =
        base.profile() == null || current.profile() == null
            ? List.of()
            : Scopes.of(
                base.profile(), base.run().units(), current.profile(), current.run().units());
    // Other work has another output and other counts, which says nothing of the program.
    List<Gate> gates = likeness.isSameWork() ? Gates.of(base, current) : List.of();
    Conclusion conclusion = Conclusion.of(base.run(), current.run(), likeness, metrics, drift);
    return new RunComparison(
        base,
        current,
        likeness,
        drift,
        conclusion.verdict(),
        conclusion.why(),
        metrics,
        scopes,
        gates,
        system(base.profile(), current.profile(), metrics, totals(base, current)));
  }

  /** What all of the work took, where both did as much of it. */
  private static List<Change> totals(Side base, Side current) {
    boolean alike = base.run().units() > 0 && base.run().units() == current.run().units();
    return alike && base.profile() != null && current.profile() != null
        ? ProgramTotals.taken(base.profile(), current.profile())
        : List.of();
  }

  /** What lies within this of each other is alike: more than equal runs differ here. */
  public double margin() {
    return Double.isNaN(drift) ? Change.ALIKE : Math.max(drift, Change.ALIKE);
  }

  /** What a scope's cost is told for. */
  String per() {
    return base.run().units() > 0 && current.run().units() > 0 ? "a unit of work" : "a call";
  }

  /** Whether no scope's running changed by as much as the waiting of one. */
  boolean isMostlyWaiting() {
    double waiting = 0;
    double running = 0;
    for (ScopeChange scope : scopes) {
      double grown = scope.grownWaitingNanos();
      waiting = Math.max(waiting, Math.abs(grown));
      running = Math.max(running, Math.abs(scope.grownNanos() - grown));
    }
    return waiting > running;
  }

  /** The metrics that went a way. */
  public List<Change> metrics(Direction direction) {
    return metrics.stream().filter(each -> each.direction(margin()) == direction).toList();
  }

  /** Whether nothing that has no noise became worse. */
  public boolean gatesHold() {
    return gates.stream().noneMatch(Gate::failed);
  }

  /** Why what has no noise says nothing here, whether it differs or not. */
  public Optional<String> notGated() {
    if (!likeness.isSameWork()) return Optional.of(why);
    if (!likeness.machine().isEmpty()) {
      return Optional.of(
          "they did not run on the same machine and JVM: " + likeness.machine().getFirst());
    }
    if (!gates.isEmpty()) return Optional.empty();
    return Optional.of(
        "nothing to compare exactly: "
            + (Work.isProgram(base.run())
                ? "both must be recorded from start to end, with scopes"
                : "they tell neither an output nor how much work they did"));
  }

  private static List<Change> metrics(Run base, Run current) {
    List<Change> changes = new ArrayList<>();
    for (Metric metric : base.metrics()) {
      current.metrics().stream()
          .filter(each -> each.name().equals(metric.name()) && each.unit().equals(metric.unit()))
          .findFirst()
          .map(Metric::median)
          .map(
              now ->
                  new Change(metric.name(), metric.unit(), metric.better(), metric.median(), now))
          .ifPresent(changes::add);
    }
    return changes;
  }

  /** What the JVM did, unless the workload tells it already. */
  private static List<Change> system(
      Profile base, Profile current, List<Change> metrics, List<Change> totals) {
    if (base == null || current == null) return List.of();
    SystemActivity before = base.system();
    SystemActivity after = current.system();
    List<Change> rows = new ArrayList<>(totals);
    double rate = before.collections() / seconds(base);
    double now = after.collections() / seconds(current);
    rows.add(lower("collections", "", before.collections(), after.collections()));
    rows.add(lower("collections a second", "/s", rate, now));
    rows.add(lower("in collections", "ms", millis(before), millis(after)));
    if (before.peakRssBytes() > 0 && after.peakRssBytes() > 0) {
      rows.add(lower("peak RSS", "MB", before.peakRssBytes() / 1e6, after.peakRssBytes() / 1e6));
    }
    rows.removeIf(row -> metrics.stream().anyMatch(each -> each.name().equals(row.name())));
    return rows;
  }

  private static Change lower(String name, String unit, double before, double after) {
    return new Change(name, unit, Better.LOWER, before, after);
  }

  private static double seconds(Profile profile) {
    return Math.max(1, profile.wallNanos()) / 1e9;
  }

  private static double millis(SystemActivity activity) {
    return activity.collectors().stream().mapToLong(each -> Math.max(0, each.millis())).sum();
  }
}
