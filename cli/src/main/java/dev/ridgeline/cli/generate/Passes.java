package dev.ridgeline.cli.generate;

import dev.ridgeline.cli.workload.HeapMeter;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.model.generate.Observer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Every pass through the model of a measured phase, kept to be counted later. */
final class Passes implements Observer {
  /**
   * What went through the model between two calls of {@link #begin}.
   *
   * @param nanos all of it
   * @param firstNanos until the first token was there
   * @param allocatedBytes on the heap while tokens were made, sampling included
   */
  record Round(
      long nanos,
      long firstNanos,
      long promptTokens,
      long promptNanos,
      long tokens,
      long tokenNanos,
      long allocatedBytes) {}

  private final HeapMeter heap = new HeapMeter();
  private long[] nanos = new long[1024];
  private int[] positions = new int[1024];
  private int decoded;

  /** Of them before the round that is under way. */
  private int decodedBefore;

  private final List<Round> rounds = new ArrayList<>();

  private long begin;
  private long firstNanos;
  private long promptTokens;
  private long promptNanos;
  private long tokens;
  private long tokenNanos;
  private long allocatedBytes;
  private long allocatedBefore;

  void begin() {
    decodedBefore = decoded;
    begin = System.nanoTime();
    firstNanos = promptTokens = promptNanos = tokens = tokenNanos = allocatedBytes = 0;
    allocatedBefore = heap.bytes();
  }

  void end() {
    long all = System.nanoTime() - begin;
    rounds.add(
        new Round(all, firstNanos, promptTokens, promptNanos, tokens, tokenNanos, allocatedBytes));
  }

  /** The round that is under way never was. */
  void drop() {
    decoded = decodedBefore;
  }

  @Override
  public void passed(boolean prefill, int sequences, int rows, int position, long passNanos) {
    long allocated = heap.bytes() - allocatedBefore;
    if (prefill) read(rows, passNanos);
    else made(rows, position, passNanos, allocated);
    // What is kept here is not the model's.
    allocatedBefore = heap.bytes();
  }

  private void read(int rows, long passNanos) {
    promptTokens += rows;
    promptNanos += passNanos;
    if (tokens == 0) firstNanos = System.nanoTime() - begin;
  }

  private void made(int rows, int position, long passNanos, long allocated) {
    tokens += rows;
    allocatedBytes += allocated;
    tokenNanos += passNanos;
    if (decoded == nanos.length) {
      nanos = Arrays.copyOf(nanos, 2 * decoded);
      positions = Arrays.copyOf(positions, 2 * decoded);
    }
    nanos[decoded] = passNanos;
    positions[decoded++] = position;
  }

  /** Forgets all rounds. */
  void clear() {
    decoded = 0;
    rounds.clear();
  }

  List<Round> rounds() {
    return List.copyOf(rounds);
  }

  /** At its best, by the rounds so far. */
  Pace.Speed speed() {
    double perPass = Double.POSITIVE_INFINITY;
    double perToken = Double.POSITIVE_INFINITY;
    for (Round round : rounds) {
      perPass = Math.min(perPass, round.firstNanos() / 1e9);
      if (round.tokens() > 0) {
        perToken = Math.min(perToken, round.tokenNanos() / 1e9 / round.tokens());
      }
    }
    // A round that ended after its prompt: a token takes no longer than that.
    return new Pace.Speed(perPass, Math.min(perPass, perToken));
  }

  /** A figure of each round in which there is one. */
  double[] each(ToDoubleFunction<Round> figure) {
    return rounds.stream().mapToDouble(figure).filter(Double::isFinite).toArray();
  }

  /** How long the passes took that made tokens. */
  double[] millis() {
    return Arrays.stream(nanos, 0, decoded).mapToDouble(each -> each / 1e6).toArray();
  }

  /** The median of the passes after which the longest sequence had so many tokens; NaN for none. */
  double medianMillis(int from, int to) {
    double[] some =
        IntStream.range(0, decoded)
            .filter(i -> positions[i] >= from && positions[i] < to)
            .mapToDouble(i -> nanos[i] / 1e6)
            .toArray();
    return some.length == 0 ? Double.NaN : Median.of(some);
  }

  int deepest() {
    return Arrays.stream(positions, 0, decoded).max().orElse(0);
  }
}
