package dev.ridgeline.cli.train;

import dev.ridgeline.cli.workload.HeapMeter;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.lang.management.CompilationMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How long each step took and what rounds of them allocated. Taking a step down allocates nothing.
 */
final class Rounds {
  private static final CompilationMXBean JIT = ManagementFactory.getCompilationMXBean();

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

  /** What the JIT has compiled since the process began, in ms. */
  static long compiled() {
    return JIT == null ? 0 : JIT.getTotalCompilationTime();
  }

  /** A figure of each round. */
  double[] each(ToDoubleFunction<Round> figure) {
    return rounds.stream().mapToDouble(figure).toArray();
  }

  /** The middle and the slowest of steps. */
  List<Metric> times(String what) {
    double[] sorted = Arrays.stream(nanos, 0, steps).mapToDouble(n -> n / 1e6).sorted().toArray();
    return List.of(
        Metric.of(what + ", p50", "ms", Better.LOWER, sorted[(sorted.length - 1) / 2]),
        Metric.of(
            what + ", p99", "ms", Better.LOWER, sorted[(int) Math.ceil(0.99 * sorted.length) - 1]));
  }

  /**
   * Heap bytes of all rounds. Where scopes know it, by them: the first round has the recorder's own
   * trees, too.
   */
  long allocated(Profile profile) {
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
