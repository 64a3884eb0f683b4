package dev.ridgeline.lab.verdict;

import dev.ridgeline.lab.stats.AlignedRanks;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.SampleSize;
import dev.ridgeline.lab.stats.Spending;
import java.util.Arrays;
import java.util.Locale;

/**
 * The rule by which pairs of trials become a verdict: a pure function of their log-ratios.
 *
 * <p>Effects are log-ratios of B to A, positive where B is faster; noises are log-ratios of A to
 * the same A again, from the same triplets. {@code faster} and {@code slower} take three things:
 * the whole interval of the effect lies on one side of zero; its middle lies beyond the threshold
 * and beyond the noise floor, which is what the A–A pairs of this session, equal as they are, may
 * well show; and a second block of pairs, begun only after a first one was clear, points the same
 * way by itself. An interval within the threshold is {@code no difference}.
 *
 * <p>Verdicts are given at looks only, which are paid for (see {@link Spending}): whatever the
 * blocks say, the interval of all pairs must be clear. The first block is a screen, need be less
 * sure, and is looked at after each pair, since it alone decides nothing; the second block can only
 * take a finding back, never make one.
 */
public final class Rule {
  /** The floor is the bound of an interval of this confidence: it is as often too low as not. */
  private static final double FLOOR_CONFIDENCE = 0.5;

  /** How sure either block must be by itself: one-sided 88 %, which two pairs can reach. */
  private static final double OF_BLOCK = 0.77;

  /** A first block of more pairs is looked at once for each so many parts of it. */
  private static final int FINE = 32;

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
   * @param shares of the budget, spent after each pair
   * @param second how many of them belong to the first block; −1 while there is no second
   */
  public record Pairs(double[] effects, double[] noises, double[] shares, int second) {
    public Pairs {
      if (effects.length != noises.length || effects.length != shares.length) {
        throw new IllegalArgumentException("pairs differ");
      }
      if (second > effects.length) throw new IllegalArgumentException("a block of " + second);
    }

    int count() {
      return effects.length;
    }

    Interval whole(double confidence) {
      return AlignedRanks.of(effects, noises, confidence);
    }

    /** Whether the first block, by itself, points a way, its middle beyond a bar. */
    boolean clear(double bar) {
      return AlignedRanks.beyond(effects, noises, bar / 2, OF_BLOCK)
          && Math.abs(whole(OF_BLOCK).estimate()) > bar;
    }

    /** Whether the second block, by itself, points a way. */
    boolean agrees(boolean faster) {
      double[] fresh = Arrays.copyOfRange(effects, second, effects.length);
      double[] same = Arrays.copyOfRange(noises, second, noises.length);
      Interval interval = AlignedRanks.of(fresh, same, OF_BLOCK);
      return faster ? interval.low() > 0 : interval.high() < 0;
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

  /** What to do after a pair. */
  public static Finding after(Design design, Pairs pairs) {
    double confidence = Spending.confidence(pairs.shares(), design.confidence(), false);
    if (confidence > 0) return look(design, pairs, confidence, false);
    Next next = begins(design, pairs) ? Next.SECOND_BLOCK : Next.MORE;
    Interval unknown = AlignedRanks.of(new double[0], new double[0], design.confidence());
    double never = Double.POSITIVE_INFINITY;
    return new Finding(next, Verdict.INCONCLUSIVE, unknown, never, never, -1, "not looked at yet");
  }

  /** The verdict when no more pairs can be had. */
  public static Finding atEnd(Design design, Pairs pairs) {
    double confidence = Spending.confidence(pairs.shares(), design.confidence(), true);
    return look(design, pairs, confidence > 0 ? confidence : design.confidence(), true);
  }

  private static Finding look(Design design, Pairs pairs, double confidence, boolean end) {
    Interval whole = pairs.whole(confidence);
    double threshold = design.logThreshold();
    Look look = new Look(design, pairs, confidence, whole);
    if (whole.low() >= -threshold && whole.high() <= threshold) {
      return look.says(Next.STOP, Verdict.NO_DIFFERENCE, "the interval lies within the threshold");
    }
    boolean begins = begins(design, pairs);
    Next next = end ? Next.STOP : begins ? Next.SECOND_BLOCK : Next.MORE;
    if (begins) {
      String why = "a first block of pairs is clear, and no second one was measured";
      return look.says(next, Verdict.INCONCLUSIVE, why);
    }
    if (!clears(whole, 0) || Math.abs(whole.estimate()) <= Math.max(threshold, floor(pairs))) {
      return look.says(next, Verdict.INCONCLUSIVE, unclear(whole, design, pairs));
    }
    if (pairs.second() < 0) {
      // What makes all pairs clear at last makes the first block so, too, if not sooner.
      return look.says(next, Verdict.INCONCLUSIVE, "the first block of pairs is not clear");
    }
    int count = pairs.count() - pairs.second();
    if (count < Design.FEWEST_OF_BLOCK) {
      String why =
          "a first block of pairs is clear, but the second was cut short after %d of at least %d"
              .formatted(count, Design.FEWEST_OF_BLOCK);
      return look.says(next, Verdict.INCONCLUSIVE, why);
    }
    boolean faster = whole.estimate() > 0;
    if (!pairs.agrees(faster)) {
      String why = "a first block of pairs is clear, but a fresh one does not agree";
      return look.says(next, Verdict.INCONCLUSIVE, why);
    }
    return look.says(
        Next.STOP,
        faster ? Verdict.FASTER : Verdict.SLOWER,
        "all of the interval lies on one side, its middle beyond threshold and noise floor, and a"
            + " fresh block of pairs agrees");
  }

  /** Whether a first block is clear now, so that a second one begins. */
  private static boolean begins(Design design, Pairs pairs) {
    int count = pairs.count();
    if (pairs.second() >= 0 || count < Design.FEWEST_OF_BLOCK) return false;
    if (pairs.shares()[count - 1] < Design.FIRST_BLOCK) return false;
    if (count > FINE && count % (count / FINE) != 0) return false;
    return pairs.clear(Math.max(design.logThreshold(), floor(pairs)));
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
    if (!clears(effect, 0)) return "the interval reaches across zero and beyond the threshold";
    double middle = Math.abs(effect.estimate());
    if (middle <= design.logThreshold())
      return "the middle of the interval is within the threshold";
    return String.format(
        Locale.ROOT,
        "the middle of the interval does not clear the noise floor of %.1f %%",
        100 * Math.expm1(floor(pairs)));
  }

  /** A moment at which the pairs are judged. */
  private record Look(Design design, Pairs pairs, double confidence, Interval effect) {
    Finding says(Next next, Verdict verdict, String why) {
      double floor = floor(pairs);
      double bar = Math.max(design.logThreshold(), floor);
      double half = (effect.high() - effect.low()) / 2;
      int more = verdict == Verdict.INCONCLUSIVE ? morePairs() : 0;
      return new Finding(next, verdict, effect, floor, Math.max(bar, half), more, why);
    }

    /** How many more would decide; what a verdict takes at the least, where that is more. */
    private int morePairs() {
      int more = SampleSize.morePairs(pairs.effects(), design.logThreshold(), confidence);
      // So few pairs cannot tell that it is hopeless either.
      if (more < 0 && pairs.count() >= 2 * Design.FEWEST_PAIRS) return more;
      int fewest = AlignedRanks.fewest(design.confidence()) - pairs.count();
      int fresh = pairs.second() < 0 ? 0 : pairs.count() - pairs.second();
      return Math.max(more, Math.max(fewest, Math.max(1, Design.FEWEST_OF_BLOCK - fresh)));
    }
  }
}
