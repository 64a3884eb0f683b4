package dev.ridgeline.lab.tune;

import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Order;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Times of some parts in several ways, round by round: all ways of a part one directly after the
 * other, in random order, so that what drifts hits each of them.
 *
 * @param <W> what tells ways apart
 */
final class Rounds<W> {
  /** What is timed. */
  interface Doing<W> {
    void run(W way);
  }

  /** How often it is done for one time: until it takes long enough for the clock. */
  private static final long LEAST_NANOS = 200_000;

  private static final int MOST_TIMES = 1000;

  /** The part of the time in which nothing counts yet. */
  private static final double WARM_UP = 0.2;

  private record Part<W>(String name, Doing<W> doing, Order<W> order, int[] times) {}

  private final List<Part<W>> parts = new ArrayList<>();
  private final long seed;

  /** Seconds by part and way, for each round. */
  private final List<Map<String, Map<W, Double>>> rounds = new ArrayList<>();

  /** The time of what is to be done begins now. */
  private final long begin = System.nanoTime();

  Rounds(long seed) {
    this.seed = seed;
  }

  void add(String name, List<W> ways, Doing<W> doing) {
    parts.add(new Part<>(name, doing, new Order<>(ways, seed + parts.size()), new int[] {1}));
  }

  /** Rounds until so many seconds are over, preparation and warm-up included; one at least. */
  void run(double seconds) {
    if (parts.isEmpty()) return;
    double prepared = (System.nanoTime() - begin) / 1e9;
    double warm = prepared + WARM_UP * (seconds - prepared);
    do {
      for (Part<W> part : parts) round(part, true);
    } while (System.nanoTime() - begin < warm * 1e9);
    do {
      Map<String, Map<W, Double>> round = new LinkedHashMap<>();
      for (Part<W> part : parts) round.put(part.name, round(part, false));
      rounds.add(round);
    } while (System.nanoTime() - begin < seconds * 1e9);
  }

  private Map<W, Double> round(Part<W> part, boolean warmUp) {
    Map<W, Double> seconds = new HashMap<>();
    for (W way : part.order.next()) {
      int times = part.times[0];
      long begin = System.nanoTime();
      for (int i = 0; i < times; i++) part.doing.run(way);
      long nanos = Math.max(1, System.nanoTime() - begin);
      seconds.put(way, nanos / 1e9 / times);
      if (warmUp && nanos < LEAST_NANOS) part.times[0] = Math.min(MOST_TIMES, 2 * times);
    }
    return seconds;
  }

  /**
   * For each round how much longer one choice of ways took than another: the weighted mean of what
   * the parts say, in logarithms, so that a part which was disturbed counts for no more than its
   * weight.
   */
  private List<Double> ratios(
      Map<String, Double> weights, Function<String, W> way, Function<String, W> base) {
    List<Double> ratios = new ArrayList<>();
    for (Map<String, Map<W, Double>> round : rounds) {
      double sum = 0;
      for (var part : weights.entrySet()) {
        Map<W, Double> times = round.get(part.getKey());
        double ratio = times.get(way.apply(part.getKey())) / times.get(base.apply(part.getKey()));
        sum += part.getValue() * Math.log(ratio);
      }
      ratios.add(Math.exp(sum));
    }
    return ratios;
  }

  /**
   * What was measured of each value of a block.
   *
   * @param weights of the parts
   * @param ways by which a part is done with a tiling
   */
  Block.Result result(
      Block block, Map<String, Double> weights, BiFunction<String, Tiling, W> ways) {
    Map<Integer, List<Double>> ratios = new LinkedHashMap<>();
    Map<Integer, Map<String, Double>> ofParts = new LinkedHashMap<>();
    Function<String, W> base = part -> ways.apply(part, block.base());
    for (int value : block.values()) {
      Tiling tiling = block.base().with(block.tunable(), value);
      Function<String, W> way = part -> ways.apply(part, tiling);
      ratios.put(value, ratios(weights, way, base));
      Map<String, Double> each = new LinkedHashMap<>();
      for (Part<W> part : parts) {
        each.put(part.name, ratio(part.name, way.apply(part.name), base.apply(part.name)));
      }
      ofParts.put(value, each);
    }
    return new Block.Result(ratios, ofParts);
  }

  /** The middle time of a part in one way. */
  double median(String part, W way) {
    return Median.of(rounds.stream().mapToDouble(round -> round.get(part).get(way)).toArray());
  }

  /** The middle ratio of a part in one way to another. */
  private double ratio(String part, W way, W base) {
    return Median.of(
        rounds.stream()
            .mapToDouble(round -> round.get(part).get(way) / round.get(part).get(base))
            .toArray());
  }
}
