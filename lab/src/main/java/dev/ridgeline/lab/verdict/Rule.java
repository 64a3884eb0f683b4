package dev.ridgeline.lab.verdict;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.SampleSize;
import java.util.Arrays;
import java.util.Locale;

/**
 * The rule by which pairs of trials become a verdict: a pure function of their log-ratios.
 *
 * <p>Effects are log-ratios of B to A, positive where B is faster; noises are log-ratios of A to
 * the same A again, from the same triplets. {@code faster} and {@code slower} take three things:
 * the interval of the effect lies beyond the threshold; it lies beyond the noise floor, which is
 * what the A–A pairs of this session, which are of no difference, may well show; and a second block
 * of pairs, begun only after a first one was clear, points the same way by itself. An interval
 * within the threshold is {@code no difference}.
 *
 * <p>The first block is a screen and need be less sure than the whole, since it alone decides
 * nothing. Looks at it are paid for (see {@link dev.ridgeline.lab.stats.Looks}); the second block
 * can only take a finding back, never make one.
 */
public final class Rule {
  /** The floor is the bound of an interval of this confidence: it is as often too low as not. */
  private static final double FLOOR_CONFIDENCE = 0.5;

  /** How sure the second block must be that the effect is not nothing, one-sided 90 %. */
  private static final double AGREEMENT = 0.8;

  private Rule() {}

  /** What to do after a pair. */
  public enum Next {
    /** Another pair of the block that is being measured. */
    MORE,
    /** The first block found something: a fresh one begins. */
    SECOND_BLOCK,
    /** The verdict stands. */
    STOP
  }

  /**
   * Log-ratios so far, in the order of their pairs.
   *
   * @param effects B against A
   * @param noises A against A again
   * @param second how many of them belong to the first block; −1 while there is no second
   */
  public record Pairs(double[] effects, double[] noises, int second) {
    public Pairs {
      if (effects.length != noises.length) throw new IllegalArgumentException("pairs differ");
      if (second > effects.length) throw new IllegalArgumentException("a block of " + second);
    }

    int count() {
      return effects.length;
    }

    double[] fresh() {
      return Arrays.copyOfRange(effects, second, effects.length);
    }
  }

  /**
   * What the pairs say.
   *
   * @param next what to do
   * @param verdict as things stand
   * @param effect the log-ratio with its interval
   * @param floor the noise floor as a log-ratio; infinite for too few pairs
   * @param detectable the smallest change, as a log-ratio, that could have been proven
   * @param morePairs how many more pairs would decide; −1 where no number would, 0 when decided
   * @param why the reason in words
   */
  public record Finding(
      Next next,
      Verdict verdict,
      Interval effect,
      double floor,
      double detectable,
      int morePairs,
      String why) {}

  /** What to do after a pair, by the design alone. */
  public static Finding after(Design design, Pairs pairs) {
    return judge(design, pairs, false);
  }

  /** The verdict when no more pairs can be had. */
  public static Finding atEnd(Design design, Pairs pairs) {
    return judge(design, pairs, true);
  }

  private static Finding judge(Design design, Pairs pairs, boolean end) {
    if (pairs.second() >= 0) return confirm(design, pairs, end);
    for (Design.Look look : design.looks()) {
      if (look.pairs() == pairs.count()) return look(design, pairs, look, end);
    }
    Design.Look last = design.last(pairs.count());
    if (end || pairs.count() >= design.pairs()) return look(design, pairs, last, true);
    return finding(design, pairs, last, Next.MORE, Verdict.INCONCLUSIVE, "not looked at yet");
  }

  /** The first block, at one of its looks. */
  private static Finding look(Design design, Pairs pairs, Design.Look look, boolean end) {
    Interval effect = HodgesLehmann.of(pairs.effects(), look.confidence());
    double threshold = design.logThreshold();
    if (effect.low() >= -threshold && effect.high() <= threshold) {
      return finding(
          design,
          pairs,
          look,
          Next.STOP,
          Verdict.NO_DIFFERENCE,
          "the interval lies within the threshold");
    }
    Interval found = HodgesLehmann.of(pairs.effects(), look.enough());
    if (clears(found, Math.max(threshold, floor(pairs)))) {
      boolean room = pairs.count() <= design.firstBlock();
      Next next = end || !room ? Next.STOP : Next.SECOND_BLOCK;
      String why = "a first block of pairs is clear, and no second one was measured";
      return finding(design, pairs, look, next, Verdict.INCONCLUSIVE, why);
    }
    Next next = end || pairs.count() >= design.pairs() ? Next.STOP : Next.MORE;
    return finding(design, pairs, look, next, Verdict.INCONCLUSIVE, unclear(effect, design, pairs));
  }

  /** The second block: does it agree, and is the whole still clear? */
  private static Finding confirm(Design design, Pairs pairs, boolean end) {
    double[] fresh = pairs.fresh();
    Design.Look look = design.last(pairs.count());
    boolean over = end || pairs.count() >= design.pairs();
    if (fresh.length < Design.SECOND_BLOCK) {
      String why =
          "a first block of pairs is clear, but the second was cut short after %d of at least %d"
              .formatted(fresh.length, Design.SECOND_BLOCK);
      return finding(design, pairs, look, stopIf(over), Verdict.INCONCLUSIVE, why);
    }
    Interval whole = HodgesLehmann.of(pairs.effects(), look.confidence());
    Interval again = HodgesLehmann.of(fresh, AGREEMENT);
    boolean faster = whole.estimate() > 0;
    boolean agrees = faster ? again.low() > 0 : again.high() < 0;
    if (!agrees) {
      String why = "a first block of pairs is clear, but a fresh one does not agree";
      return finding(design, pairs, look, stopIf(over), Verdict.INCONCLUSIVE, why);
    }
    if (!clears(whole, Math.max(design.logThreshold(), floor(pairs)))) {
      String why = unclear(whole, design, pairs);
      return finding(design, pairs, look, stopIf(over), Verdict.INCONCLUSIVE, why);
    }
    return finding(
        design,
        pairs,
        look,
        Next.STOP,
        faster ? Verdict.FASTER : Verdict.SLOWER,
        "the interval clears threshold and noise floor, and a fresh block of pairs agrees");
  }

  private static Next stopIf(boolean over) {
    return over ? Next.STOP : Next.MORE;
  }

  private static boolean clears(Interval effect, double bar) {
    return effect.low() > bar || effect.high() < -bar;
  }

  /** The largest log-ratio that the pairs of the same arm do not exclude. */
  static double floor(Pairs pairs) {
    Interval same = HodgesLehmann.of(pairs.noises(), FLOOR_CONFIDENCE);
    return Math.max(Math.abs(same.low()), Math.abs(same.high()));
  }

  private static String unclear(Interval effect, Design design, Pairs pairs) {
    if (!effect.bounded()) {
      return pairs.count() == 1 ? "1 pair is too few" : pairs.count() + " pairs are too few";
    }
    double floor = floor(pairs);
    if (clears(effect, design.logThreshold())) {
      return String.format(
          Locale.ROOT,
          "the interval clears the threshold, but not the noise floor of %.1f %%",
          100 * Math.expm1(floor));
    }
    return "the interval reaches across the threshold";
  }

  private static Finding finding(
      Design design, Pairs pairs, Design.Look look, Next next, Verdict verdict, String why) {
    Interval effect = HodgesLehmann.of(pairs.effects(), look.confidence());
    double floor = floor(pairs);
    double bar = Math.max(design.logThreshold(), floor);
    double half = (effect.high() - effect.low()) / 2;
    int more = verdict == Verdict.INCONCLUSIVE ? morePairs(design, pairs, look) : 0;
    return new Finding(next, verdict, effect, floor, bar + half, more, why);
  }

  /** How many more would decide; what a verdict takes at the least, where that is more. */
  private static int morePairs(Design design, Pairs pairs, Design.Look look) {
    double[] effects = pairs.effects();
    int more = SampleSize.morePairs(effects, design.logThreshold(), look.confidence());
    // So few pairs cannot tell that it is hopeless either.
    if (more < 0 && pairs.count() >= Design.FEWEST_PAIRS) return more;
    int missing =
        pairs.second() < 0
            ? Math.max(Design.FEWEST_PAIRS - pairs.count(), Design.SECOND_BLOCK)
            : Math.max(Design.SECOND_BLOCK - pairs.fresh().length, 1);
    return Math.max(more, missing);
  }
}
