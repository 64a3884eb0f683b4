package dev.ridgeline.bench;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Sampling;
import dev.ridgeline.profiler.Scope;
import java.util.Arrays;

/**
 * The same work of about 100,000 scopes a second without a session, with one, and with one that
 * samples stacks, interleaved: what each costs the program from end to end. Arguments: scopes
 * (200,000), rounds (9).
 */
public final class SamplingCost {
  private static final Scope OUTER = Scope.of("outer");
  private static final Scope INNER = Scope.of("inner");

  private static final long WORK_NANOS = 10_000;

  /** As many as take {@link #WORK_NANOS} here. */
  private static int steps = 3_000;

  private static volatile long sink = 1;

  private SamplingCost() {}

  private enum Arm {
    NOTHING(null),
    TIME(Options.of(Level.TIME)),
    SAMPLED(Options.of(Level.TIME).withSampling(Sampling.NONE.withCpu().withAllocations()));

    private final Options options;

    Arm(Options options) {
      this.options = options;
    }
  }

  public static void main(String[] args) {
    int scopes = args.length > 0 ? Integer.parseInt(args[0]) : 200_000;
    int rounds = args.length > 1 ? Integer.parseInt(args[1]) : 9;
    for (int i = 0; i < 20; i++) steps = (int) (steps * WORK_NANOS / workNanos());
    Arm[] arms = Arm.values();
    for (Arm arm : arms) run(arm, scopes / 2);
    double[][] nanos = new double[arms.length][rounds];
    for (int round = 0; round < rounds; round++) {
      // Another arm begins each time: the first of a round has no advantage.
      for (int i = 0; i < arms.length; i++) {
        int arm = (i + round) % arms.length;
        nanos[arm][round] = run(arms[arm], scopes);
      }
    }
    // From the last: sorting the first would part its rounds from the others'.
    for (int arm = arms.length - 1; arm >= 0; arm--) {
      double[] ratio = new double[rounds];
      for (int round = 0; round < rounds; round++)
        ratio[round] = nanos[arm][round] / nanos[0][round];
      System.out.printf(
          "%-8s %,.0f scopes/s · time against none %.4f (%.4f to %.4f)%n",
          arms[arm], 1e9 * scopes / median(nanos[arm]), median(ratio), ratio[0], ratio[rounds - 1]);
    }
  }

  private static double run(Arm arm, int scopes) {
    if (arm.options != null) Profiler.start(arm.options);
    long start = System.nanoTime();
    try (var _ = Profiler.scope(OUTER)) {
      for (int i = 0; i < scopes; i++) {
        try (var _ = Profiler.scope(INNER)) {
          work();
        }
      }
    }
    long nanos = System.nanoTime() - start;
    if (arm.options == null) return nanos;
    Profile profile = Profiler.stop();
    if (arm == Arm.SAMPLED && profile.samples().cpu().stream().noneMatch(SamplingCost::inScope)) {
      throw new AssertionError("no sample found its scope");
    }
    return nanos;
  }

  private static boolean inScope(Samples.Cpu row) {
    return row.lane() >= 0;
  }

  private static void work() {
    long x = sink;
    for (int i = 0; i < steps; i++) {
      // A chain that no compiler shortens.
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    sink = x;
  }

  private static double workNanos() {
    long best = Long.MAX_VALUE;
    for (int i = 0; i < 2_000; i++) {
      long start = System.nanoTime();
      work();
      best = Math.min(best, System.nanoTime() - start);
    }
    return best;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
