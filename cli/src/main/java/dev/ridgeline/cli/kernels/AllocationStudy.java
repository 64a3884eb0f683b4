package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.profile.GarbageCount;
import dev.ridgeline.cli.profile.Outcome;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.cli.profile.Workload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The same operation twice: once with new arrays for its results on every call, once with the same
 * arrays again. Calls are fixed in number, so that bytes can be foretold.
 */
final class AllocationStudy implements Workload {
  private static final Scope ALL = Scope.of("allocation");

  private final List<Pair> pairs;
  private final long warmUpNanos;
  private final long seed;

  /** One operation in both variants. */
  private static final class Pair {
    final String what;
    final int iterations;
    final long expectedBytes;
    final Bench allocating;
    final Bench reusing;
    final GarbageCount allocatingCollections = new GarbageCount();
    final GarbageCount reusingCollections = new GarbageCount();

    Pair(String what, int iterations, long bytesPerCall, Kernel allocating, Kernel reusing) {
      this.what = what;
      this.iterations = iterations;
      this.expectedBytes = iterations * bytesPerCall;
      this.allocating = new Bench(allocating);
      this.reusing = new Bench(reusing);
    }

    Stream<Bench> benches() {
      return Stream.of(allocating, reusing);
    }
  }

  AllocationStudy(Duration budget, long seed) {
    this.seed = seed;
    var product = new MatMulBackward(128, 256, 128, seed, Memory.ALLOCATING);
    var step = new TrainingStep(32, 256, seed, Memory.ALLOCATING);
    this.pairs =
        List.of(
            new Pair(
                "matmul backward",
                100,
                product.resultBytes(),
                product,
                new MatMulBackward(128, 256, 128, seed, Memory.REUSING)),
            new Pair(
                "training step",
                50,
                step.resultBytes(),
                step,
                new TrainingStep(32, 256, seed, Memory.REUSING)));
    this.warmUpNanos = budget.toNanos() / (4 * pairs.size());
  }

  private List<Bench> benches() {
    return pairs.stream().flatMap(Pair::benches).toList();
  }

  @Override
  public String name() {
    return "kernels-allocation";
  }

  @Override
  public Level least() {
    return Level.ALLOCATION;
  }

  @Override
  public String title() {
    return "kernels, allocation · %s · seed %d".formatted(Mode.ALLOCATION.description(), seed);
  }

  /** Twice: the second variant makes the JIT think again about what it compiled for the first. */
  @Override
  public void warmUp(Progress progress) {
    int step = 0;
    List<Bench> twice = Stream.of(benches(), benches()).flatMap(List::stream).toList();
    for (Bench bench : twice) {
      progress.show("warming up", ++step, twice.size(), bench.kernel().name());
      bench.warmUp(warmUpNanos);
      progress.note(bench.warmUpResult());
    }
  }

  @Override
  public void measure(Progress progress) {
    progress.show("measuring");
    try (var _ = Profiler.scope(ALL)) {
      for (Pair pair : pairs) {
        run(pair.allocating, pair.iterations, pair.allocatingCollections);
        run(pair.reusing, pair.iterations, pair.reusingCollections);
      }
    }
  }

  private static void run(Bench bench, int iterations, GarbageCount collections) {
    collections.begin();
    for (int i = 0; i < iterations; i++) bench.call();
    collections.end();
  }

  @Override
  public Outcome outcome(Profile profile) {
    CallTree tree = profile.tree();
    Map<String, String> configuration = new LinkedHashMap<>();
    Map<String, String> plan = new LinkedHashMap<>();
    List<Metric> savings = new ArrayList<>();
    List<Metric> metrics = new ArrayList<>();
    List<Metric> details = new ArrayList<>();
    configuration.put("mode", "allocation: " + Mode.ALLOCATION.description());
    configuration.put("seed", Long.toString(seed));
    for (Pair pair : pairs) {
      long allocating = bytes(tree, pair.allocating);
      long reusing = bytes(tree, pair.reusing);
      configuration.put(
          pair.what,
          "%s, %d calls of each variant"
              .formatted(pair.allocating.kernel().shape(), pair.iterations));
      plan.put(
          pair.allocating.kernel().name(),
          "%s expected (the results), %s measured (with array headers); %s"
              .formatted(
                  mebibytes(pair.expectedBytes),
                  mebibytes(allocating),
                  pair.allocatingCollections.words()));
      plan.put(
          pair.reusing.kernel().name(),
          "0 B expected, %s measured; %s"
              .formatted(mebibytes(reusing), pair.reusingCollections.words()));
      double saved = allocating == 0 ? 0 : 100.0 * (allocating - reusing) / allocating;
      savings.add(Metric.of(pair.what + ", saved by reuse", "%", Better.HIGHER, saved));
      metrics.add(bytes(pair.allocating.kernel().name(), allocating, Better.LOWER));
      details.add(bytes(pair.what + ", expected", pair.expectedBytes, Better.NEITHER));
      details.add(bytes(pair.reusing.kernel().name(), reusing, Better.LOWER));
    }
    return new Outcome(
        configuration,
        plan,
        Map.of(),
        Stream.of(savings, metrics, details).flatMap(List::stream).toList(),
        Digest.of(benches().stream().map(Bench::kernel).toList()),
        benches().stream().map(bench -> bench.firstWrong(seed)).filter(Objects::nonNull).toList(),
        List.of(),
        0);
  }

  private static Metric bytes(String name, long bytes, Better better) {
    return Metric.of(name, "MiB", better, bytes / 1048576.0);
  }

  private static long bytes(CallTree tree, Bench bench) {
    return tree.find(ALL.name(), bench.kernel().name()).allocatedBytes();
  }

  private static String mebibytes(long bytes) {
    return bytes < 10_240
        ? String.format(Locale.ROOT, "%,d B", bytes)
        : String.format(Locale.ROOT, "%.1f MiB", bytes / 1048576.0);
  }
}
