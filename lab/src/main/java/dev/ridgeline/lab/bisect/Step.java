package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.SignedRank;
import java.util.Locale;

/**
 * A commit that was tried, and what came of it.
 *
 * @param commit which
 * @param suspects how many there were then
 * @param outcome what came of it
 * @param why it was skipped; empty where it was not
 * @param place log-ratio to the middle of the ends, positive towards the bad one
 * @param good the metric in each round, of the good end
 * @param tried the same of the commit
 * @param bad the same of the bad end
 * @param disturbed rounds during which the machine was busy with something else
 * @param seconds all of it took
 */
public record Step(
    Commit commit,
    int suspects,
    Outcome outcome,
    String why,
    Interval place,
    double[] good,
    double[] tried,
    double[] bad,
    int disturbed,
    double seconds) {

  /** What may come of it. */
  public enum Outcome {
    /** It is like the good end. */
    GOOD,
    /** It is like the bad end. */
    BAD,
    /** As many rounds as could be had do not tell; it is skipped. */
    UNDECIDED,
    /** It does not build or run; it is skipped. */
    UNUSABLE;

    /** As scripts read it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** One that could not be measured. */
  static Step unusable(Commit commit, int suspects, String why, double seconds) {
    double[] none = {};
    return new Step(
        commit,
        suspects,
        Outcome.UNUSABLE,
        why,
        HodgesLehmann.of(none, 0.95),
        none,
        none,
        none,
        0,
        seconds);
  }

  public int rounds() {
    return tried.length;
  }

  /** Log-ratio of the commit to the good end. */
  public Interval change() {
    return HodgesLehmann.of(ratios(tried, good), 0.95);
  }

  /** Log-ratio of the bad end to the good one, in the same rounds. */
  public Interval ends() {
    return HodgesLehmann.of(ratios(bad, good), 0.95);
  }

  private static double[] ratios(double[] of, double[] to) {
    double[] ratios = new double[of.length];
    for (int i = 0; i < ratios.length; i++) ratios[i] = Math.log(of[i]) - Math.log(to[i]);
    return ratios;
  }

  /** How sure it is that the nearer end is the nearer one; 0.5 is not at all. */
  public double sure() {
    double[] places = places(good, tried, bad);
    return places.length == 0 ? 0.5 : 1 - SignedRank.test(places) / 2;
  }

  /** Log-ratios to the middle of the ends. */
  static double[] places(double[] good, double[] tried, double[] bad) {
    double[] places = new double[tried.length];
    for (int i = 0; i < places.length; i++) {
      places[i] = Math.log(tried[i]) - (Math.log(good[i]) + Math.log(bad[i])) / 2;
    }
    return places;
  }
}
