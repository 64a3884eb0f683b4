package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Sides;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** An experiment in words: the answer, and what it rests on. */
public final class ExperimentText {
  private ExperimentText() {}

  /** {@code B is 0.92x as fast as A, …}; empty where no metric decides. */
  static String answer(Experiment it) {
    if (it.deciding() == null) return "";
    Interval ratio = it.decidingRatio();
    String speed = "%.2fx".formatted(Math.exp(it.finding().effect().estimate()));
    return "B is %s as fast as A · %s %s, %s is better"
        .formatted(
            speed,
            it.deciding().metric(),
            change(ratio),
            it.deciding().better().name().toLowerCase(Locale.ROOT));
  }

  /** What was compared. */
  public static String asked(Experiment it) {
    Experiment.Setting setting = it.setting();
    String what = setting.workload().isEmpty() ? "" : setting.workload() + " · ";
    return "%sA %s · B %s".formatted(what, setting.a(), setting.b());
  }

  static String why(Experiment it) {
    if (it.verdict() == Verdict.NO_EFFECT) {
      return it.why() + ": the same code ran on both sides, and the times mean nothing";
    }
    if (it.verdict() != Verdict.INCONCLUSIVE) return it.why();
    double seconds = it.secondsToDecide();
    String more =
        seconds == Double.POSITIVE_INFINITY
            ? "no reasonable number of pairs would decide it"
            : "about %s would decide: --budget %s"
                .formatted(
                    Quantity.many(it.finding().morePairs(), "more pair"),
                    budget(Math.max(it.tookSeconds(), it.budgetSeconds()) + seconds));
    return it.why() + "; " + more;
  }

  /** Rounded up to what one would type. */
  public static String budget(double seconds) {
    return seconds <= 90
        ? "%ds".formatted((int) Math.ceil(seconds))
        : "%dm".formatted((int) Math.ceil(seconds / 60));
  }

  static String rests(Experiment it) {
    List<String> words = new ArrayList<>();
    words.add("threshold " + part(it.design().threshold()));
    words.add("noise floor " + logPart(it.finding().floor()));
    words.add("smallest provable change " + logPart(it.finding().detectable()));
    String blocks = it.firstBlock() < 0 ? "" : " in 2 blocks";
    words.add(Quantity.many(it.pairs(), "pair") + blocks);
    if (it.repeated() > 0) words.add(Quantity.many(it.repeated(), "trial") + " repeated");
    if (it.disturbed() > 0) words.add(Quantity.many(it.disturbed(), "trial") + " disturbed");
    words.add(Quantity.left(it.tookSeconds()) + (it.stopped() ? ", stopped" : ""));
    return String.join(" · ", words);
  }

  static String where(Experiment it) {
    Comparison scope = it.responsible();
    return "%s: %s (%s to %s of self time, %s)"
        .formatted(
            scope.metric(),
            change(scope.ratio()),
            Quantity.time(Median.of(scope.a())),
            Quantity.time(Median.of(scope.b())),
            it.setting().perUnit() ? "a unit of work" : "a call");
  }

  /** What has no noise: all that is the same in one line, a line for each that is not. */
  static List<String> gates(Experiment it) {
    List<String> lines = new ArrayList<>();
    List<String> same = new ArrayList<>();
    for (Gate gate : it.gates()) {
      if (gate.result() == Gate.Result.SAME) same.add(gate.name());
      else lines.add("%s: %s, A %s, B %s".formatted(gate.name(), gate.word(), gate.a(), gate.b()));
    }
    if (!same.isEmpty()) lines.add("the same: " + String.join(", ", same));
    return lines;
  }

  /** {@code −8.3 % (−10.1 to −6.5)}. */
  public static String change(Interval ratio) {
    String middle = Quantity.change(Math.expm1(ratio.estimate()));
    if (!ratio.bounded()) return middle;
    return "%s (%s to %s)"
        .formatted(
            middle,
            Quantity.signed(Math.expm1(ratio.low())),
            Quantity.signed(Math.expm1(ratio.high())));
  }

  private static String part(double fraction) {
    return Quantity.number(100 * fraction) + " %";
  }

  private static String logPart(double log) {
    return Double.isFinite(log) ? "%.1f %%".formatted(100 * Math.expm1(log)) : "unknown";
  }

  /** {@code 7 of 24 pairs · −8.1 % … · B · 73 s left}. */
  public static String progress(Session session, Arm arm) {
    List<String> words = new ArrayList<>();
    if (session.plannedPairs() == 0) {
      words.add("trying " + arm.word());
    } else {
      words.add("%d of about %d pairs".formatted(session.pairs(), session.plannedPairs()));
      Sides sides = session.deciding();
      if (sides != null && sides.hasRatios()) {
        words.add("so far " + change(HodgesLehmann.of(sides.changes(), 0.5)));
      }
      long busy =
          session.trials().stream().map(Trial::disturbance).filter(d -> d.tooMuch()).count();
      if (busy > 0) words.add(busy + " disturbed");
    }
    words.add(Quantity.left(Math.max(0, session.left())) + " left");
    return String.join(" · ", words);
  }
}
