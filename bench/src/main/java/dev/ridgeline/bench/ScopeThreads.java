package dev.ridgeline.bench;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CyclicBarrier;

/**
 * The same scopes on one thread and on many, interleaved: whether a call is lost, and whether
 * threads slow each other down. Arguments: threads (all cores), calls each (10,000,000), pairs (7).
 *
 * <p>Cores that all work clock lower and share more, whatever they run. The line {@code clock}
 * shows that: two readings of the clock in place of a scope, in the same rounds.
 */
public final class ScopeThreads {
  private static final Scope OUTER = Scope.of("outer");
  private static final Scope INNER = Scope.of("inner");

  private ScopeThreads() {}

  public static void main(String[] args) throws Exception {
    int threads =
        args.length > 0 ? Integer.parseInt(args[0]) : Runtime.getRuntime().availableProcessors();
    int calls = args.length > 1 ? Integer.parseInt(args[1]) : 10_000_000;
    int pairs = args.length > 2 ? Integer.parseInt(args[2]) : 7;
    Level[] levels = {Level.OFF, Level.TIME, Level.ALLOCATION};
    double[][] one = new double[levels.length][pairs];
    double[][] many = new double[levels.length][pairs];
    for (Level level : levels) {
      run(level, 1, calls / 5);
      run(level, threads, calls / 5);
    }
    for (int pair = 0; pair < pairs; pair++) {
      for (int i = 0; i < levels.length; i++) {
        one[i][pair] = run(levels[i], 1, calls);
        many[i][pair] = run(levels[i], threads, calls);
      }
    }
    for (int i = 0; i < levels.length; i++) {
      print(levels[i], threads, one[i], many[i]);
    }
    System.out.printf(
        "%,d scopes in %d runs, none lost%n", 2L * (1 + threads) * calls * pairs, 4 * pairs);
  }

  private static void print(Level level, int threads, double[] one, double[] many) {
    double[] ratio = new double[one.length];
    for (int i = 0; i < one.length; i++) ratio[i] = many[i] / one[i];
    double typical = median(ratio);
    System.out.printf(
        "%-10s 1 thread %.1f ns · %d threads %.1f ns · ratio of pairs %.3f (%.3f to %.3f)%n",
        level == Level.OFF ? "clock × 2" : level,
        median(one),
        threads,
        median(many),
        typical,
        ratio[0],
        ratio[ratio.length - 1]);
  }

  /** Mean cost per scope over the threads; a lost call ends the run. */
  private static double run(Level level, int threads, int calls) throws Exception {
    Profiler.start(Options.of(level));
    CyclicBarrier together = new CyclicBarrier(threads);
    long[] nanos = new long[threads];
    List<Thread> all = new ArrayList<>();
    for (int t = 0; t < threads; t++) {
      int index = t;
      all.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      together.await();
                    } catch (Exception e) {
                      throw new IllegalStateException(e);
                    }
                    long start = System.nanoTime();
                    if (level == Level.OFF) clock(calls);
                    else loop(calls);
                    nanos[index] = System.nanoTime() - start;
                  }));
    }
    for (Thread thread : all) thread.join();
    Profile profile = Profiler.stop();
    if (level == Level.OFF) return Arrays.stream(nanos).average().orElseThrow() / calls;
    long recorded = profile.tree().find("outer", "inner").calls();
    if (recorded != (long) threads * calls) {
      throw new AssertionError("%d of %d calls".formatted(recorded, (long) threads * calls));
    }
    return Arrays.stream(nanos).average().orElseThrow() / calls;
  }

  private static void loop(int calls) {
    try (var _ = Profiler.scope(OUTER)) {
      for (int i = 0; i < calls; i++) {
        try (var _ = Profiler.scope(INNER)) {}
      }
    }
  }

  private static void clock(int calls) {
    long sum = 0;
    for (int i = 0; i < calls; i++) sum += System.nanoTime() - System.nanoTime();
    if (sum == 42) System.out.println("keeps the readings alive");
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
