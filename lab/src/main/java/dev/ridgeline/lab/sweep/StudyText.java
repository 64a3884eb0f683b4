package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.trial.ExperimentText;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleFunction;

/** A study in words: its numbers, what it rests on, and how far it is. */
public final class StudyText {
  /** The fact that says how much was measured. */
  public static final String RESTS = "Rests";

  /** The ratio of an arm to itself, wherever it stands in a table. */
  public static final String ITSELF = "1x";

  private static final int BAR = 20;

  private StudyText() {}

  static String rests(Study it) {
    List<String> words = new ArrayList<>();
    List<Arm> arms = it.outcome().arms();
    int whole = it.outcome().rounds(arms.stream().map(Arm::name).toArray(String[]::new));
    words.add(
        "%s of %s".formatted(Quantity.many(whole, "round"), Quantity.many(arms.size(), "arm")));
    if (it.rounds() > whole)
      words.add("%d more of the best and the reference".formatted(it.rounds() - whole));
    words.add("each trial a fresh process, in random order");
    if (it.repeated() > 0) words.add(Quantity.many(it.repeated(), "trial") + " repeated");
    int disturbed = it.outcome().disturbed();
    if (disturbed > 0) words.add(Quantity.many(disturbed, "trial") + " disturbed");
    words.add(Quantity.left(it.tookSeconds()) + (it.stopped() ? ", stopped" : ""));
    return String.join(" · ", words);
  }

  /** {@code −8.3 % (−10.1 to −6.5)} of a log-ratio. */
  public static String change(Interval log) {
    if (Double.isNaN(log.estimate())) return "–";
    return ExperimentText.change(log) + (log.bounded() ? "" : " (?)");
  }

  /** {@code 1.34x (1.30–1.38)} of a log-ratio; {@link #ITSELF} of one that nobody measured. */
  public static String times(Interval log) {
    if (log.confidence() == 1 && log.low() == 0 && log.high() == 0) return ITSELF;
    return words(log.map(Math::exp), times -> Quantity.fixed(times, 2), "x", " (?)");
  }

  /** {@code 471 (466–475)}. */
  public static String level(Interval level) {
    return words(level, Quantity::number, "", "");
  }

  /**
   * A figure with its bounds.
   *
   * @param number how one is written
   * @param unit of the figure itself
   * @param unsure what is said where it has no bounds
   */
  public static String words(
      Interval it, DoubleFunction<String> number, String unit, String unsure) {
    if (Double.isNaN(it.estimate())) return "–";
    String middle = number.apply(it.estimate()) + unit;
    if (!it.bounded()) return middle + unsure;
    return "%s (%s–%s)".formatted(middle, number.apply(it.low()), number.apply(it.high()));
  }

  /** {@code ███▌······ round 3 of 12 · packed-8 · known within ±3.1 % · 73 s left}. */
  public static String progress(Sweep sweep, Arm arm) {
    List<String> words = new ArrayList<>();
    words.add(bar(sweep.took() / (sweep.took() + sweep.toGo())));
    if (sweep.planned() == 0) {
      words.add("trying " + arm.name());
    } else {
      words.add(
          "round %d of at most %d"
              .formatted(sweep.rounds(), Math.max(sweep.rounds(), sweep.planned())));
      words.add(arm.name());
      double uncertain = sweep.uncertainty();
      if (Double.isFinite(uncertain)) {
        words.add("known within ±%s %%".formatted(Quantity.fixed(100 * Math.expm1(uncertain), 1)));
      }
    }
    words.add(Quantity.left(sweep.toGo()) + " left");
    return String.join(" · ", words);
  }

  private static String bar(double part) {
    int full = (int) (part * BAR);
    return "█".repeat(full) + "░".repeat(BAR - full);
  }
}
