package dev.ridgeline.bench.trend;

import dev.ridgeline.lab.stats.ChangePoints;
import dev.ridgeline.lab.stats.ChangePoints.Step;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * Series of the noise of real runs, half of them with a step planted: how often is it found, how
 * far from its place, and how often is one found where there is none?
 *
 * @param series with a step, and as many without
 * @param found a change of the right sign was said within twenty runs of the planted one
 * @param near the same within ten runs
 * @param held found, with a range that holds the planted place
 * @param alarms series without a step where a change was said
 * @param extra changes that were said beside the planted one, in series with a step
 */
public record PlantedSteps(int series, int found, int near, int held, int alarms, int extra) {
  /** Runs of a series. */
  static final int RUNS = 200;

  /** Mean length of what is taken from the recording in one piece. */
  static final double STRETCH = 20;

  /** A place said this far from the planted one is still called right: a tenth of the series. */
  static final int FAR = 20;

  /** And this far is close, though the step may have come where runs were disturbed. */
  static final int NEAR = 10;

  /** Runs of the longer recording before a load of five came. */
  static final int USUAL = 164;

  static PlantedSteps count(RecordedNoise noise, double step, int series, long seed) {
    var random = new SplittableRandom(seed);
    int found = 0;
    int near = 0;
    int held = 0;
    int alarms = 0;
    int extra = 0;
    for (int i = 0; i < series; i++) {
      double[] values = noise.again(RUNS, STRETCH, random);
      if (!ChangePoints.of(values).isEmpty()) alarms++;
      int place = RUNS / 4 + random.nextInt(RUNS / 2);
      double height = Math.log1p(step) * (random.nextBoolean() ? 1 : -1);
      for (int k = place; k < RUNS; k++) values[k] += height;
      List<Step> said = ChangePoints.of(values);
      List<Step> right =
          said.stream().filter(each -> each.shift().estimate() * height > 0).toList();
      int off = right.stream().mapToInt(each -> Math.abs(each.index() - place)).min().orElse(RUNS);
      if (off <= FAR) found++;
      if (right.stream().anyMatch(each -> holds(each, place) && near(each, place))) held++;
      if (off <= NEAR) near++;
      extra += said.size() - (off <= FAR ? 1 : 0);
    }
    return new PlantedSteps(series, found, near, held, alarms, extra);
  }

  private static boolean near(Step step, int place) {
    return Math.abs(step.index() - place) <= FAR;
  }

  private static boolean holds(Step step, int place) {
    return step.earliest() <= place && place <= step.latest();
  }

  /**
   * @param args how many series of each kind, the seed, and steps in percent
   */
  public static void main(String[] args) {
    int series = args.length > 0 ? Integer.parseInt(args[0]) : 1000;
    long seed = args.length > 1 ? Long.parseLong(args[1]) : 20261116;
    String[] percents = args.length > 2 ? args[2].split(",") : new String[] {"3", "5", "10"};
    RecordedNoise calm = RecordedNoise.read("embed-quiet");
    RecordedNoise busy = RecordedNoise.read("embed-busy");
    RecordedNoise quiet = RecordedNoise.read("softmax-quiet");
    System.out.print(calm.about());
    for (String percent : percents) tell(percent, "all runs", calm, series, seed);
    System.out.print(busy.about());
    for (String percent : percents) tell(percent, "all runs", busy, series, seed);
    for (String percent : percents) {
      tell(percent, "the first " + USUAL, busy.first(USUAL), series, seed);
    }
    tell("5", "but for those disturbed", busy.undisturbed(), series, seed);
    System.out.print(quiet.about());
    for (String percent : percents) tell(percent, "all runs", quiet, series, seed);
    tell("5", "but for those disturbed", quiet.undisturbed(), series, seed);
  }

  private static void tell(
      String percent, String which, RecordedNoise noise, int series, long seed) {
    double step = Double.parseDouble(percent) / 100;
    System.out.printf(
        Locale.ROOT,
        "%3s %%  %-23s  %s%n",
        percent,
        which,
        count(noise, step, series, seed).line());
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "found %.1f %% (%.1f %% within %d runs, range held %.1f %% of those found),"
            + " false %.1f %%, %.2f more a series",
        100.0 * found / series,
        100.0 * near / series,
        NEAR,
        100.0 * held / found,
        100.0 * alarms / series,
        (double) extra / series);
  }
}
