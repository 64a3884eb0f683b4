package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A search in words: the commit, and what it rests on. */
public final class BisectionText {
  private BisectionText() {}

  /** {@code ./bench, from 1a2b3c… to 4d5e6f…}. */
  static String asked(Bisection it) {
    return "%s, from %s to %s"
        .formatted(
            it.setting().measured(), it.question().good().name(), it.question().bad().name());
  }

  /** The answer in one line. */
  public static String headline(Bisection it) {
    String made = "made it " + it.direction().word();
    return switch (it.answer()) {
      case FOUND -> "found: %s %s".formatted(it.commit().title(), made);
      case NOT_CONFIRMED -> "not confirmed: %s may have %s".formatted(it.commit().title(), made);
      case NARROWED -> "narrowed down: one of %d commits %s".formatted(it.left().size(), made);
      case NO_DIFFERENCE -> it.answer().word();
      case UNPROVEN ->
          "%s: %s, not proven yet"
              .formatted(it.answer().word(), ExperimentText.change(it.ends().decidingRatio()));
    };
  }

  /** {@code wall time +10.2 % (+9.1 to +11.3), 0.312 → 0.344 s; lower is better}. */
  static String change(Experiment it) {
    Comparison deciding = it.deciding();
    String unit = deciding.unit().isEmpty() ? "" : " " + deciding.unit();
    return "%s %s, %s → %s%s; %s is better"
        .formatted(
            deciding.metric(),
            ExperimentText.change(it.decidingRatio()),
            Quantity.number(Median.of(deciding.a())),
            Quantity.number(Median.of(deciding.b())),
            unit,
            deciding.better().name().toLowerCase(Locale.ROOT));
  }

  static String ends(Bisection it) {
    return "%s from %s to %s"
        .formatted(
            ExperimentText.change(it.ends().decidingRatio()),
            it.question().good().name(),
            it.question().bad().name());
  }

  /** The reason, and what would help. */
  static String why(Bisection it) {
    boolean unproven = it.answer() == Answer.UNPROVEN;
    if (it.ends().stopped() || !unproven && !it.why().equals(Search.SPENT)) return it.why();
    double wanted = 2 * it.question().budgetSeconds();
    if (unproven) {
      double seconds = it.ends().budgetSeconds() + it.ends().secondsToDecide();
      // Twice as much at least: once they are proven to differ, the search has yet to begin.
      wanted =
          Math.max(wanted, seconds * it.question().budgetSeconds() / it.ends().budgetSeconds());
    }
    return Double.isFinite(wanted) && wanted <= 86_400
        ? it.why() + "; more might do: --budget " + ExperimentText.budget(wanted)
        : it.why();
  }

  static String rests(Bisection it) {
    List<String> words = new ArrayList<>();
    words.add(Quantity.many(it.commits().size(), "commit"));
    if (!it.steps().isEmpty()) {
      int rounds = it.steps().stream().mapToInt(Step::rounds).sum();
      words.add(
          "%s of %s, all of them right with %s at least"
              .formatted(
                  Quantity.many(it.steps().size(), "step"),
                  Quantity.many(rounds, "round"),
                  Quantity.percent(it.confidence())));
    }
    words.add(Quantity.many(it.ends().pairs(), "pair") + " of the ends");
    if (it.confirmation() != null) {
      words.add(Quantity.many(it.confirmation().pairs(), "pair") + " with the parent");
    }
    int disturbed = it.steps().stream().mapToInt(Step::disturbed).sum();
    if (disturbed > 0) words.add(Quantity.many(disturbed, "round") + " disturbed");
    words.add(Quantity.left(it.tookSeconds()));
    return String.join(" · ", words);
  }

  /** The change against the good end. */
  static String against(Step step) {
    return step.rounds() == 0 ? "–" : ExperimentText.change(step.change());
  }

  static String sure(Step step) {
    return step.rounds() == 0 ? "–" : sure(step.sure());
  }

  /** Never all of it. */
  private static String sure(double chance) {
    return chance > 0.9995 ? ">99.9 %" : Quantity.percent(chance);
  }

  /** {@code step 3 of about 5 · 8 suspects · 1a2b3c fix · 7 rounds, 93.1 % sure}. */
  public static String progress(
      int step, int steps, int suspects, Commit commit, int rounds, double sure) {
    return "step %d of about %d · %s · %s · %s%s"
        .formatted(
            step,
            steps,
            Quantity.many(suspects, "suspect"),
            commit.title(),
            Quantity.many(rounds, "round"),
            rounds == 0 ? "" : ", " + sure(sure) + " sure");
  }
}
