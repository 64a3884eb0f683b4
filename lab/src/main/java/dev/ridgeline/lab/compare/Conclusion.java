package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.history.Likeness;
import dev.ridgeline.lab.verdict.NoEffect;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Run;
import java.util.List;
import java.util.Optional;

/** What two runs, one process each, allow to conclude. */
record Conclusion(Verdict verdict, String why) {

  static Conclusion of(
      Run base, Run current, Likeness likeness, List<Change> metrics, double drift) {
    Optional<String> noEffect =
        likeness.sameRevision() ? NoEffect.of(base, current) : Optional.empty();
    if (noEffect.isPresent()) {
      return new Conclusion(
          Verdict.NO_EFFECT, noEffect.get() + ": the same code ran on both sides");
    }
    if (metrics.isEmpty()) {
      return undecided("they have no metric in common");
    }
    if (!likeness.isSameWork()) {
      return undecided("they did not do the same work: " + likeness.workload().getFirst());
    }
    if (!likeness.machine().isEmpty()) {
      return undecided(
          "they did not run on the same machine and JVM: " + likeness.machine().getFirst());
    }
    if (likeness.isRepetition()) {
      return undecided(
          "nothing that is known of them differs: what you see is this machine's drift");
    }
    Change first = metrics.getFirst();
    String change = "one run each cannot tell a change of the code from one of the machine";
    if (Double.isNaN(drift)) return undecided(change);
    String against =
        Math.abs(first.relative()) <= drift
            ? "equal runs here differ by up to %s, so this may be chance"
            : "equal runs here differ by up to %s, so this is worth a proof";
    return undecided(change + "; " + against.formatted(Quantity.percent(drift)));
  }

  private static Conclusion undecided(String why) {
    return new Conclusion(Verdict.INCONCLUSIVE, why);
  }
}
