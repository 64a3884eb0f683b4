package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.GarbageCount;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.tensor.Device;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The same operation twice: once with new tensors for its results on every call, once with the same
 * tensors again. Calls are fixed in number, so bytes can be predicted. Tensors lie outside the
 * heap: what they take is what the ledger has.
 */
final class AllocationStudy implements Workload {
  private static final Scope ALL = Scope.of("allocation");

  private final List<Arm> arms;
  private final long warmUpNanos;
  private final long seed;

  /**
   * One operation in one of both variants.
   *
   * @param kept how many sets of results there are in the end
   */
  private record Arm(Bench bench, int calls, int kept, GarbageCount collections) {
    static Arm of(Kernel kernel, int calls, int kept) {
      return new Arm(new Bench(kernel), calls, kept, new GarbageCount());
    }

    long expectedBytes() {
      return kept * bench.kernel().resultBytes();
    }

    String name() {
      return bench.kernel().name();
    }

    void measure() {
      if (kept > 1) bench.kernel().release();
      collections.begin();
      for (int i = 0; i < calls; i++) bench.call();
      collections.end();
    }

    /** What its results take in the end. */
    long taken(Profile profile) {
      return profile.ledger().stream()
          .filter(entry -> entry.owner().equals(name()))
          .mapToLong(Profile.LedgerEntry::bytes)
          .sum();
    }
  }

  /** An operation, the arm that allocates first. */
  private record Pair(String what, Arm allocating, Arm reusing) {
    static Pair of(String what, int calls, long seed, Function<Room, Kernel> maker) {
      return new Pair(
          what,
          Arm.of(kernel(what, seed, maker).as(what + ", allocating", calls), calls, calls),
          Arm.of(kernel(what, seed, maker).as(what + ", reusing", 1), calls, 1));
    }

    private static Kernel kernel(String what, long seed, Function<Room, Kernel> maker) {
      return maker.apply(new Room(Device.cpu(1), what, seed));
    }
  }

  private final List<Pair> pairs;

  AllocationStudy(Duration budget, long seed) {
    this.seed = seed;
    this.pairs =
        List.of(
            Pair.of("matmul backward", 100, seed, Kernels::matmulBackward),
            Pair.of("training step", 50, seed, room -> Training.step(room, 32, 256)));
    this.arms =
        pairs.stream().flatMap(pair -> Stream.of(pair.allocating(), pair.reusing())).toList();
    this.warmUpNanos = budget.toNanos() / (2 * arms.size());
  }

  @Override
  public String name() {
    return Mode.ALLOCATION.workload();
  }

  @Override
  public Level least() {
    return Level.ALLOCATION;
  }

  @Override
  public String title() {
    return "kernels, allocation · %s · seed %d".formatted(Mode.ALLOCATION.description, seed);
  }

  /** Twice: the second variant makes the JIT think again about what it compiled for the first. */
  @Override
  public void warmUp(Progress progress) {
    int step = 0;
    for (int i = 0; i < 2; i++) {
      for (Arm arm : arms) {
        progress.step("warming up", ++step, 2 * arms.size(), arm.name());
        arm.bench.warmUp(warmUpNanos);
        progress.log(arm.bench.warmUpResult());
      }
    }
  }

  @Override
  public void measure(Progress progress) {
    progress.step("measuring");
    try (var _ = Profiler.scope(ALL)) {
      arms.forEach(Arm::measure);
    }
  }

  @Override
  public Outcome outcome(Profile profile) {
    Map<String, String> configuration = new LinkedHashMap<>();
    Map<String, String> conditions = new LinkedHashMap<>();
    List<Metric> savings = new ArrayList<>();
    List<Metric> metrics = new ArrayList<>();
    List<Metric> details = new ArrayList<>();
    configuration.put("mode", "allocation: " + Mode.ALLOCATION.description);
    configuration.put("seed", Long.toString(seed));
    CallTree tree = profile.tree();
    for (Pair pair : pairs) {
      Arm allocating = pair.allocating();
      long bytes = allocating.taken(profile);
      configuration.put(
          pair.what(),
          "%s, %d calls of each variant"
              .formatted(allocating.bench.kernel().shape(), allocating.calls));
      double saved = bytes == 0 ? 0 : 100.0 * (bytes - pair.reusing().taken(profile)) / bytes;
      savings.add(Metric.of(pair.what() + ", saved by reuse", "%", Better.HIGHER, saved));
      details.add(bytes(pair.what() + ", expected", allocating.expectedBytes(), Better.NEITHER));
      for (Arm arm : List.of(allocating, pair.reusing())) {
        metrics.add(bytes(arm.name(), arm.taken(profile), Better.LOWER));
        conditions.put(arm.name(), words(arm, profile, tree.find(ALL.name(), arm.name())));
      }
    }
    return new Outcome(
        configuration,
        kernels().getFirst().device().plan(),
        conditions,
        Stream.of(savings, metrics, details).flatMap(List::stream).toList(),
        Kernels.digest(kernels()),
        kernels().stream().map(kernel -> kernel.firstWrong(seed)).filter(Objects::nonNull).toList(),
        List.of(),
        0);
  }

  private List<Kernel> kernels() {
    return arms.stream().map(arm -> arm.bench.kernel()).toList();
  }

  private static String words(Arm arm, Profile profile, CallTree.Node scope) {
    return "%s expected, %s measured outside the heap; %s on it; %s"
        .formatted(
            Quantity.bytes(arm.expectedBytes()),
            Quantity.bytes(arm.taken(profile)),
            Quantity.bytes(scope.allocatedBytes()),
            arm.collections.words());
  }

  private static Metric bytes(String name, long bytes, Better better) {
    return Metric.of(name, "MB", better, bytes / 1e6);
  }

  @Override
  public void close() {
    kernels().forEach(Kernel::close);
  }
}
