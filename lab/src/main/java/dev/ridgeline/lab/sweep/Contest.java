package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Winner.Found;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;

/**
 * Who is best, by what was measured so far.
 *
 * @param metric that decides
 * @param confidence of each interval, for so many arms
 * @param together rounds of all arms; those behind them are of the best and the reference alone
 * @param rounds all of them
 */
record Contest(
    Sweep.Question question,
    Outcome outcome,
    String metric,
    double confidence,
    int together,
    int rounds) {
  /** How sure rounds of those two alone must be by themselves, on one side. */
  private static final double AGREES = 0.9;

  /** Rounds of those two alone without which they say nothing. */
  static int fewest() {
    return HodgesLehmann.fewest(2 * AGREES - 1);
  }

  /** Who looks best in rounds of all arms, and has not proved itself yet. */
  Winner best() {
    String reference = question.reference();
    double matters = Math.log1p(question.threshold());
    String best = reference;
    Interval most = null;
    boolean worse = true;
    for (Arm arm : outcome.arms()) {
      if (arm.name().equals(reference)) continue;
      Interval gain = gain(arm.name(), reference, confidence, 1, together);
      worse &= gain.high() < -matters;
      if (most == null || better(gain, most, matters)) {
        best = arm.name();
        most = gain;
      }
    }
    // One arm alone has nobody to win against.
    if (most == null) return new Winner(reference, Found.NONE, null, null, List.of());
    if (worse) return new Winner(reference, Found.REFERENCE, most, null, List.of());
    boolean better = most.low() > matters;
    Found found = better ? Found.WINNER : most.bounded() ? Found.NONE : Found.TOO_FEW;
    return new Winner(best, found, most, null, alike(better ? best : reference));
  }

  /** Arms that an arm is not surely better than. */
  private List<String> alike(String of) {
    List<String> alike = new ArrayList<>();
    for (Arm arm : outcome.arms()) {
      if (arm.name().equals(of)) continue;
      if (!(gain(of, arm.name(), confidence, 1, together).low() > 0)) alike.add(arm.name());
    }
    return alike;
  }

  /** What is better for sure goes before what only looks better; NaN goes last. */
  private static boolean better(Interval one, Interval other, double matters) {
    boolean sure = one.low() > matters;
    if (sure != other.low() > matters) return sure;
    return one.estimate() > other.estimate() || Double.isNaN(other.estimate());
  }

  /** What rounds of the two alone say of who looked best. */
  Winner confirmed(Winner candidate) {
    String reference = question.reference();
    Interval agreeing = fresh(candidate, 2 * AGREES - 1);
    Interval all = gain(candidate.arm(), reference, Outcome.CONFIDENCE, 1, rounds);
    boolean agrees = agreeing.low() > 0 && all.low() > Math.log1p(question.threshold());
    Found found =
        agrees ? Found.WINNER : agreeing.bounded() ? Found.NOT_CONFIRMED : Found.NOT_REPEATED;
    Interval sure = fresh(candidate, Outcome.CONFIDENCE);
    Interval again = sure.bounded() ? sure : agreeing;
    return new Winner(candidate.arm(), found, candidate.first(), again, candidate.alike());
  }

  /** The gain in rounds of the two alone. */
  private Interval fresh(Winner candidate, double sure) {
    return gain(candidate.arm(), question.reference(), sure, together + 1, rounds);
  }

  private Interval gain(String arm, String base, double sure, int from, int to) {
    Interval ratio = HodgesLehmann.of(outcome.logRatios(arm, base, metric, from, to), sure);
    return outcome.better(metric) == Better.LOWER ? ratio.negated() : ratio;
  }
}
