package dev.ridgeline.lab.tune;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.trial.Disturbance;
import dev.ridgeline.tensor.tune.TilingTable;
import dev.ridgeline.tensor.tune.Tunable;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Whether a value takes the place of the one there was, and what it rests on.
 *
 * @param best the value that looked fastest in the first block; {@code before} where none did
 * @param again the logarithm of its ratio in a second, fresh process; null where none was worth it
 * @param parts its ratios for each part in the first block
 * @param others the share of all cores that other programs had meanwhile, 0 where nobody knows
 * @param tried ratios of every value in the first block, by round
 */
public record Decision(
    Tunable tunable,
    int before,
    int best,
    Interval again,
    List<Double> againRatios,
    Map<String, Double> parts,
    double others,
    Map<Integer, List<Double>> tried) {
  /** What a value must be faster by, for sure. */
  public static final double WORTH = 0.02;

  private static final double CONFIDENCE = 0.95;

  /**
   * Which value the first block speaks for. Several values had a chance to look best, so each of
   * them has to be the surer of it (Bonferroni).
   */
  static Decision first(Tunable tunable, int before, Block.Result result) {
    int best =
        result.ratios().keySet().stream()
            .min(Comparator.comparingDouble(value -> middle(result.ratios().get(value))))
            .orElseThrow(() -> new IllegalArgumentException("no value was measured"));
    Map<String, Double> parts = result.parts().getOrDefault(best, Map.of());
    return new Decision(tunable, before, best, null, List.of(), parts, 0, result.ratios());
  }

  private static double middle(List<Double> ratios) {
    return HodgesLehmann.of(logarithms(ratios), CONFIDENCE).estimate();
  }

  private static double confidence(int values) {
    return 1 - (1 - CONFIDENCE) / Math.max(1, values);
  }

  /** The logarithm of a value's ratio in the first block, as sure as the best one's is. */
  public Interval interval(int value) {
    return HodgesLehmann.of(logarithms(tried.get(value)), confidence(tried.size()));
  }

  /** The logarithm of the best value's ratio in the first block. */
  public Interval first() {
    return interval(best);
  }

  public List<Double> firstRatios() {
    return tried.get(best);
  }

  /** With what a second block says of the best value. */
  Decision again(Block.Result result) {
    List<Double> ratios = result.ratios().get(best);
    Interval interval = HodgesLehmann.of(logarithms(ratios), CONFIDENCE);
    return new Decision(tunable, before, best, interval, ratios, parts, others, tried);
  }

  /** With what others did meanwhile. */
  Decision beside(double share) {
    return new Decision(tunable, before, best, again, againRatios, parts, share, tried);
  }

  private static double[] logarithms(List<Double> ratios) {
    return ratios.stream().mapToDouble(Math::log).toArray();
  }

  private static boolean better(Interval interval) {
    return interval.high() < Math.log(1 - WORTH);
  }

  /** Whether a value is not worth it, for sure. */
  public boolean ruledOut(int value) {
    return interval(value).low() > Math.log(1 - WORTH);
  }

  /** Values of which nobody knows yet whether they are worth it. */
  public List<Integer> open() {
    return tried.keySet().stream()
        .filter(value -> !ruledOut(value) && !(kept() && value == best))
        .sorted()
        .toList();
  }

  /** {@code 6, 8}. */
  static String listed(List<Integer> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(", "));
  }

  /** Whether the first block found something that a second one should confirm. */
  public boolean promising() {
    return better(first());
  }

  public boolean kept() {
    return confirmed() && !disturbed();
  }

  private boolean confirmed() {
    return promising() && again != null && better(again);
  }

  /**
   * Whether others decided it. A product in other tiles is as much in their way as before; but
   * workers who wait for each other suffer more from them than workers who do not.
   */
  private boolean disturbed() {
    return tunable.ofTexts() && others > Disturbance.MOST_OTHERS;
  }

  /** Why it is kept or not, in a few words. */
  public String why() {
    if (kept()) return "kept: twice faster by more than 2 %";
    if (confirmed()) {
      return "not kept: others had %.0f %% of the cores".formatted(100 * others);
    }
    if (!first().bounded()) return "too few rounds: give it more --budget";
    if (!promising()) {
      return open().isEmpty()
          ? "not 2 % faster: ruled out"
          : "not 2 %% faster for sure: %s not decided".formatted(listed(open()));
    }
    if (again == null || !again.bounded()) return "no time for a second block: more --budget";
    return "a second block did not agree";
  }

  /** {@code −3.1 % (−4.0 to −2.2)}. */
  public static String percent(Interval log) {
    if (!log.bounded()) return "%s (?)".formatted(percent(log.estimate()));
    return "%s (%s to %s)"
        .formatted(
            percent(log.estimate()), number(Math.exp(log.low())), number(Math.exp(log.high())));
  }

  private static String percent(double log) {
    return number(Math.exp(log)) + " %";
  }

  /** The change that a ratio is, in percent. */
  public static String number(double ratio) {
    return String.format(Locale.ROOT, "%+.1f", 100 * (ratio - 1)).replace('-', '−');
  }

  /** For the table. */
  TilingTable.Choice choice(String of) {
    String evidence =
        "%s of time in %d rounds, then %s in %d; %s"
            .formatted(
                percent(first()), firstRatios().size(), percent(again), againRatios.size(), of);
    return new TilingTable.Choice(tunable, best, evidence, firstRatios(), againRatios);
  }
}
