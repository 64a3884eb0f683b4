package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.history.Likeness;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Run;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What two runs, one process each, allow to conclude. */
record Conclusion(Verdict verdict, String why) {

  static Conclusion of(
      Run base, Run current, Likeness likeness, List<Change> metrics, double drift) {
    Set<String> differing = differingOptions(base, current);
    if (likeness.isRepetition() && !differing.isEmpty()) {
      return new Conclusion(
          Verdict.NO_EFFECT,
          "%s came to the same plan: the same code ran on both sides"
              .formatted(String.join(", ", differing)));
    }
    if (likeness.isRepetition()) {
      return new Conclusion(
          Verdict.INCONCLUSIVE,
          "nothing that is known of them differs: what you see is this machine's drift");
    }
    if (metrics.isEmpty()) {
      return new Conclusion(Verdict.INCONCLUSIVE, "they have no metric in common");
    }
    Change first = metrics.getFirst();
    String change = "one run each cannot tell a change of the code from one of the machine";
    if (Double.isNaN(drift)) return new Conclusion(Verdict.INCONCLUSIVE, change);
    String against =
        Math.abs(first.relative()) <= drift
            ? "equal runs here differ by up to %s, so this may be chance"
            : "equal runs here differ by up to %s, so this is worth a proof";
    return new Conclusion(
        Verdict.INCONCLUSIVE, change + "; " + against.formatted(Quantity.percent(drift)));
  }

  /** Options whose values differ, by name. */
  private static Set<String> differingOptions(Run base, Run current) {
    Set<Run.Option> same = Set.copyOf(settings(base));
    Set<Run.Option> others = Set.copyOf(settings(current));
    return Stream.concat(
            same.stream().filter(option -> !others.contains(option)),
            others.stream().filter(option -> !same.contains(option)))
        .map(Run.Option::name)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What was set, whether by the user or not: repeating a default is no difference. */
  private static List<Run.Option> settings(Run run) {
    return run.options().stream()
        .map(option -> new Run.Option(option.name(), option.value(), false, false))
        .distinct()
        .toList();
  }
}
