package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Looks;
import java.util.ArrayList;
import java.util.List;

/**
 * The rule by which a commit is like the good end or like the bad one: a pure function of where it
 * lies between them, round by round.
 *
 * <p>In each round the commit and both ends run once, next to each other. Its place is the
 * log-ratio to the geometric mean of the two ends, positive towards the bad one: what is like the
 * good end lies half the difference below zero, what is like the bad end as much above. When the
 * interval of the place excludes zero, the nearer end is the answer. Whatever hits all three of a
 * round, as a machine that drifts does, falls out; a bias of the commit alone (another layout of
 * its code, say) must be half the difference to mislead.
 *
 * <p>How often the rounds are looked at is fixed before the first and paid for (see {@link Looks}):
 * soon, because most commits are clear, then at growing distances until no more can be had.
 *
 * @param error the chance of naming the wrong end that all looks together may have
 * @param rounds how many there may be
 */
record Halfway(double error, int rounds) {
  private static final int MOST_LOOKS = 6;

  /** From one look to the next, about. */
  private static final double GROWTH = 1.6;

  Halfway {
    if (!(error > 0 && error < 0.25)) throw new IllegalArgumentException("an error of " + error);
    if (rounds < fewest(error)) throw new IllegalArgumentException(rounds + " rounds are too few");
  }

  /** A moment at which the rounds so far are judged, and how sure the interval must be. */
  record Look(int rounds, double confidence) {}

  /** Where a commit is; null where it is not known. */
  enum End {
    GOOD,
    BAD
  }

  /** The fewest rounds that can decide. */
  static int fewest(double error) {
    return HodgesLehmann.fewest(confidence(error));
  }

  /** Only one of two bounds can be wrong: the commit is like one end and not like the other. */
  private static double confidence(double error) {
    return 1 - 2 * error;
  }

  List<Look> looks() {
    double growth = (double) rounds / fewest(error);
    int planned = Math.clamp((int) (Math.log(growth) / Math.log(GROWTH)) + 1, 1, MOST_LOOKS);
    List<Look> looks = new ArrayList<>();
    int first = HodgesLehmann.fewest(Looks.confidence(1, planned, confidence(error)));
    int before = 0;
    for (int k = 1; k <= planned; k++) {
      double sure = Looks.confidence(k, planned, confidence(error));
      double part = planned == 1 ? 1 : (k - 1.0) / (planned - 1);
      int at = (int) Math.round(first * Math.pow((double) rounds / first, part));
      if (k == planned) at = rounds;
      if (at <= before || at > rounds) continue;
      looks.add(new Look(at, sure));
      before = at;
    }
    return looks;
  }

  /** The end that the rounds so far decide for, at one of the looks; else null. */
  End after(double[] places) {
    for (Look look : looks()) {
      if (look.rounds() == places.length) return end(place(places, look.confidence()));
    }
    return null;
  }

  /** The interval that the last look until now rests on. */
  Interval place(double[] places) {
    double confidence = looks().getFirst().confidence();
    for (Look look : looks()) if (look.rounds() <= places.length) confidence = look.confidence();
    return place(places, confidence);
  }

  private static Interval place(double[] places, double confidence) {
    return HodgesLehmann.of(places, confidence);
  }

  private static End end(Interval place) {
    if (place.low() > 0) return End.BAD;
    return place.high() < 0 ? End.GOOD : null;
  }
}
