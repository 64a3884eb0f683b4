package dev.ridgeline.lab.verdict;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Looks;
import java.util.ArrayList;
import java.util.List;

/**
 * What is fixed before the first trial of a session, so that nothing seen later can bend it.
 *
 * @param threshold the smallest change that matters: 0.02 is 2 %
 * @param confidence what all looks at the session together shall have
 * @param pairs how many pairs are planned at most, both blocks together
 */
public record Design(double threshold, double confidence, int pairs) {
  /** The fewest pairs of a second block: so many that all point one way are hardly chance. */
  static final int SECOND_BLOCK = 4;

  /** Fewer pairs than this prove nothing: the fewest of a first look, and of a second block. */
  public static final int FEWEST_PAIRS = 8 + SECOND_BLOCK;

  /** Pairs between two looks, about. */
  private static final int BETWEEN_LOOKS = 5;

  /** More looks cost more confidence each than stopping early is worth. */
  private static final int MOST_LOOKS = 4;

  /** The part of the pairs in which a difference has to show, so that a second block fits in. */
  private static final double FIRST_BLOCK = 0.6;

  /**
   * What the looks at a first block together shall have: a second block must agree, and the whole.
   */
  private static final double SCREEN = 0.8;

  public Design {
    if (!(threshold > 0 && threshold < 1)) {
      throw new IllegalArgumentException("a threshold of " + threshold);
    }
    if (!(confidence > 0.5 && confidence < 1)) {
      throw new IllegalArgumentException("a confidence of " + confidence);
    }
    if (pairs < 1) throw new IllegalArgumentException(pairs + " pairs");
  }

  /** The usual confidence. */
  public Design(double threshold, int pairs) {
    this(threshold, 0.95, pairs);
  }

  /** The threshold as a log-ratio. */
  double logThreshold() {
    return Math.log1p(threshold);
  }

  /** The most pairs of the first block that leave room for a second. */
  int firstBlock() {
    int all = Math.max(FEWEST_PAIRS, pairs);
    return Math.min(all - SECOND_BLOCK, Math.max(8, (int) (all * FIRST_BLOCK)));
  }

  /**
   * A moment at which the pairs so far are judged.
   *
   * @param pairs how many there are then
   * @param confidence how sure a verdict must be
   * @param enough how sure it must be to begin a second block
   */
  record Look(int pairs, double confidence, double enough) {}

  /**
   * When the first block is looked at: some times until it leaves no room for a second one, and
   * once when all pairs are spent, which can only find that there is no difference.
   */
  List<Look> looks() {
    int within = Math.clamp(firstBlock() / BETWEEN_LOOKS, 1, MOST_LOOKS - 1);
    int planned = pairs > firstBlock() ? within + 1 : within;
    List<Look> looks = new ArrayList<>();
    int before = 0;
    for (int k = 1; k <= planned; k++) {
      double sure = Looks.confidence(k, planned, confidence);
      int at = k > within ? pairs : Math.ceilDiv(firstBlock() * k, within);
      // A look that cannot have an interval yet waits until it can.
      double enough = Looks.confidence(k, planned, SCREEN);
      at = Math.max(at, HodgesLehmann.fewest(enough));
      if (at <= before) continue;
      looks.add(new Look(at, sure, enough));
      before = at;
    }
    return looks;
  }

  /** The last look, had when time is up before it. */
  Look last(int count) {
    Look last = looks().getLast();
    return new Look(count, last.confidence(), last.enough());
  }
}
