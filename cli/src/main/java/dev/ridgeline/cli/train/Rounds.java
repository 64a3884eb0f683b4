package dev.ridgeline.cli.train;

import dev.ridgeline.cli.workload.GarbageCount;
import dev.ridgeline.cli.workload.HeapMeter;
import dev.ridgeline.cli.workload.Latency;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How long each step took and what rounds of them allocated. Taking a step down allocates nothing.
 */
final class Rounds {
  /**
   * Steps that were taken together.
   *
   * @param nanos of the steps alone
   * @param allocatedBytes on the heap, see {@link HeapMeter}
   */
  record Round(int steps, long nanos, long allocatedBytes) {}

  private final HeapMeter heap = new HeapMeter();
  private final List<Round> rounds = new ArrayList<>();
  private long[] nanos = new long[1 << 12];
  private int steps;
  private int before;
  private long allocatedBefore;

  void begin() {
    before = steps;
    allocatedBefore = heap.bytes();
  }

  void step(long took) {
    // So many that no round of a measured phase comes to it.
    if (steps == nanos.length) nanos = Arrays.copyOf(nanos, 2 * steps);
    nanos[steps++] = took;
  }

  /** Steps of the round that is under way. */
  int taken() {
    return steps - before;
  }

  Round end() {
    long allocated = heap.bytes() - allocatedBefore;
    long all = Arrays.stream(nanos, before, steps).sum();
    Round round = new Round(steps - before, all, allocated);
    rounds.add(round);
    return round;
  }

  void clear() {
    rounds.clear();
    steps = 0;
  }

  List<Round> all() {
    return rounds;
  }

  /** Steps of all rounds. */
  int steps() {
    return steps;
  }

  /** A figure of each round. */
  double[] each(ToDoubleFunction<Round> figure) {
    return rounds.stream().mapToDouble(figure).toArray();
  }

  /** The middle and the slowest of steps. */
  List<Metric> times(String what) {
    double[] millis = Arrays.stream(nanos, 0, steps).mapToDouble(n -> n / 1e6).toArray();
    return Latency.metrics(what + ", ", millis);
  }

  /** What was allocated, next to what it would be if each step allocated its results. */
  String allocated(String step, long results, Profile profile, GarbageCount collections) {
    return "%s expected if each of %s allocated its results, %s measured; %s"
        .formatted(
            Quantity.bytes((double) results * steps),
            Quantity.many(steps, step),
            Quantity.bytes(allocated(profile)),
            collections.words());
  }

  /**
   * Heap bytes of all rounds. Where scopes know it, by them: the first round has the recorder's own
   * trees, too.
   */
  private long allocated(Profile profile) {
    if (profile.level().compareTo(Level.ALLOCATION) < 0) {
      return rounds.stream().mapToLong(Round::allocatedBytes).sum();
    }
    return profile.tree().nodes().stream()
        .mapToLong(CallTree.Node::selfAllocatedBytes)
        .filter(bytes -> bytes > 0)
        .sum();
  }

  /** Heap bytes a step. */
  Metric allocated(String what) {
    double[] each = each(round -> (double) round.allocatedBytes() / round.steps());
    return Metric.of("allocated per " + what, "B", Better.LOWER, each);
  }
}
