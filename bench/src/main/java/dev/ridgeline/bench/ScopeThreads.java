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
    for (Level level : new Level[] {Level.TIME, Level.ALLOCATION}) {
      run(level, 1, calls / 5);
      run(level, threads, calls / 5);
      double[] one = new double[pairs];
      double[] many = new double[pairs];
      double[] ratio = new double[pairs];
      for (int pair = 0; pair < pairs; pair++) {
        one[pair] = run(level, 1, calls);
        many[pair] = run(level, threads, calls);
        ratio[pair] = many[pair] / one[pair];
      }
      System.out.printf(
          "%-10s 1 thread %.1f ns/scope · %d threads %.1f · ratio of pairs %.3f (%.3f to %.3f) · "
              + "%,d calls in %d runs, none lost%n",
          level,
          median(one),
          threads,
          median(many),
          median(ratio),
          ratio[0],
          ratio[pairs - 1],
          (1L + threads) * calls * pairs,
          2 * pairs);
    }
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
                    loop(calls);
                    nanos[index] = System.nanoTime() - start;
                  }));
    }
    for (Thread thread : all) thread.join();
    Profile profile = Profiler.stop();
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

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
