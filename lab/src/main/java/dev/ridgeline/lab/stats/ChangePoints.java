package dev.ridgeline.lab.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where the level of a series of runs changed and stayed changed.
 *
 * <p>Four steps, each for a reason that was measured on this machine's own noise ({@code bench/run
 * change-points}):
 *
 * <ol>
 *   <li>Runs beside a build are half as fast, ten or twenty in a row, and then all is as before.
 *       {@link Excursions} sets aside what departs from the level around it and comes back, and a
 *       level that turns out to be twice as noisy as one beside it goes the same way.
 *   <li>What is left is searched for the split that divides it best, by ranks, which no outlier can
 *       pull ({@link Split}; Pettitt, <i>A non-parametric approach to the change-point problem</i>,
 *       1979, with the weights of a likelihood ratio, so that a split near an end counts, too).
 *   <li>Neighbouring runs are alike, so that a permutation test of single runs would call drift a
 *       change. Blocks of neighbours are permuted instead (Kirch, <i>Block permutation principles
 *       for the change analysis of dependent data</i>, 2007).
 *   <li>Both parts are searched again at half the level each, so that all together keep it, and at
 *       last each point moves to where two levels fit its neighbours best ({@link Fit}).
 * </ol>
 *
 * <p>The draws are the same each time, so the answer is too.
 */
public final class ChangePoints {
  /**
   * The chance of claiming a change in a series that has none, were blocks exchangeable. Less than
   * the one in twenty that is meant, since disturbances that last make up for the rest.
   */
  public static final double LEVEL = 0.04;

  /** A level with so many times the noise of one beside it is none. */
  private static final double MUCH = 2;

  private final double[] values;
  private final int edge;
  private final List<Integer> splits = new ArrayList<>();

  private ChangePoints(double[] values, int edge) {
    this.values = values;
    this.edge = edge;
  }

  /**
   * A change of level.
   *
   * @param index the first run of the new level
   * @param earliest where that may be at the earliest, with 95 % confidence
   * @param latest and at the latest
   * @param before median of the level before
   * @param after median of the level behind
   * @param shift by how much the level rose, with an interval of 95 %
   */
  public record Step(
      int index, int earliest, int latest, double before, double after, Interval shift) {}

  /**
   * The changes, in their order; none where there are too few runs to tell.
   *
   * @param series one number for each run, in the order of time: logarithms where a change by a
   *     factor is meant
   */
  public static List<Step> of(double[] series) {
    Finite.all(series);
    int[] kept = Excursions.without(series);
    ChangePoints search = search(series, kept);
    for (int[] calm = search.calm(kept); calm.length < kept.length; calm = search.calm(kept)) {
      kept = calm;
      search = search(series, kept);
    }
    List<Step> steps = new ArrayList<>();
    for (int i = 0; i < search.splits.size(); i++) steps.add(search.step(i, kept));
    return steps;
  }

  private static ChangePoints search(double[] series, int[] kept) {
    double[] values = Arrays.stream(kept).mapToDouble(i -> series[i]).toArray();
    ChangePoints search = new ChangePoints(values, edge(values.length));
    search.split(0, values.length, LEVEL);
    search.settle();
    return search;
  }

  /**
   * What is left without a level that is much noisier than one beside it: no version of a program,
   * but a time when something else ran.
   */
  private int[] calm(int[] kept) {
    if (splits.isEmpty()) return kept;
    for (int i = 0; i <= splits.size(); i++) {
      int from = bound(i - 1);
      int to = bound(i);
      if (to - from > values.length / 4) continue;
      double noise = noise(i);
      boolean noisier = i > 0 && noise > MUCH * noise(i - 1);
      noisier |= i < splits.size() && noise > MUCH * noise(i + 1);
      if (!noisier) continue;
      int[] calm = new int[kept.length - (to - from)];
      System.arraycopy(kept, 0, calm, 0, from);
      System.arraycopy(kept, to, calm, from, kept.length - to);
      return calm;
    }
    return kept;
  }

  private double noise(int level) {
    return Median.deviation(Arrays.copyOfRange(values, bound(level - 1), bound(level)));
  }

  /** The fewest runs that make a level. */
  public static int edge(int runs) {
    return Math.max(5, runs / 20);
  }

  private void split(int from, int to, double level) {
    if (to - from < 2 * edge) return;
    Split split = Split.of(Arrays.copyOfRange(values, from, to), edge);
    if (split.chance() > level) return;
    int middle = from + split.index();
    split(from, middle, level / 2);
    splits.add(middle);
    split(middle, to, level / 2);
  }

  /** A point that was found while others were not known yet may stand a little beside its place. */
  private void settle() {
    for (int i = 0; i < splits.size(); i++) {
      int from = bound(i - 1);
      double[] both = Arrays.copyOfRange(values, from, bound(i + 1));
      splits.set(i, from + Fit.of(both, edge, splits.get(i) - from).place());
    }
  }

  private int bound(int split) {
    return split < 0 ? 0 : split == splits.size() ? values.length : splits.get(split);
  }

  private Step step(int i, int[] kept) {
    double[] before = Arrays.copyOfRange(values, bound(i - 1), splits.get(i));
    double[] after = Arrays.copyOfRange(values, splits.get(i), bound(i + 1));
    StepBootstrap redrawn = StepBootstrap.of(before, after, edge);
    int from = bound(i - 1);
    return new Step(
        kept[splits.get(i)],
        // Runs that were set aside may belong to either side.
        kept[from + redrawn.earliest() - 1] + 1,
        kept[from + redrawn.latest()],
        Median.of(before),
        Median.of(after),
        redrawn.shift());
  }
}
