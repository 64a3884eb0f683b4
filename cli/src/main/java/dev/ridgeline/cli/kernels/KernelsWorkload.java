package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;

/** Kernels one after the other, each warmed up, then measured in turns within a budget. */
final class KernelsWorkload extends RepeatedWorkload {
  /** The share of the budget that warming up may take. */
  private static final double WARM_UP = 0.4;

  /** Every kernel gets its time in so many turns: a bad moment of the machine hits all of them. */
  private static final int ROUNDS = 5;

  private static final Scope ALL = Scope.of("kernels");

  private final Mode mode;
  private final List<Bench> benches;
  private final long nanosEach;
  private final long seed;

  KernelsWorkload(Mode mode, List<Kernel> kernels, Duration budget, long seed) {
    super(mode.workload(), new Amount(1, ROUNDS, 0, 0, Pace.unbounded(System::nanoTime)));
    this.mode = mode;
    this.benches = kernels.stream().map(Bench::new).toList();
    this.nanosEach = budget.toNanos() / kernels.size();
    this.seed = seed;
  }

  @Override
  public String title() {
    String count = benches.size() == 1 ? "1 kernel" : benches.size() + " kernels";
    return "kernels, %s · %s, f32 · %s · seed %d"
        .formatted(mode.label(), count, mode.description, seed);
  }

  /** Each for itself: a kernel is warm when it is steady, whatever the others are. */
  @Override
  protected Pace.Speed warm(int index, Progress progress) {
    int step = 0;
    for (Bench bench : benches) {
      progress.step("warming up", ++step, benches.size(), bench.kernel().name());
      bench.warmUp((long) (nanosEach * WARM_UP));
      progress.log(bench.warmUpResult());
    }
    return new Pace.Speed(0, 0);
  }

  @Override
  protected String doubt() {
    return null;
  }

  @Override
  protected double round(int index) {
    long turn = (long) (nanosEach * (1 - WARM_UP) / ROUNDS);
    try (var _ = Profiler.scope(ALL)) {
      for (Bench bench : benches) bench.measure(turn);
    }
    return 0;
  }

  @Override
  public Outcome outcome(Profile profile) {
    return new Outcome(
        configuration(),
        plan(),
        conditions(),
        metrics(profile.tree().find(ALL.name())),
        Kernels.digest(kernels()),
        kernels().stream().map(kernel -> kernel.firstWrong(seed)).filter(Objects::nonNull).toList(),
        List.of(),
        0); // every kernel runs for the same time, not for the same work
  }

  private List<Kernel> kernels() {
    return benches.stream().map(Bench::kernel).toList();
  }

  private Map<String, String> configuration() {
    Map<String, String> shapes = new LinkedHashMap<>();
    shapes.put("mode", mode.label() + ": " + mode.description);
    shapes.put("seed", Long.toString(seed));
    shapes.put("budget", "%.3f s".formatted(nanosEach * benches.size() / 1e9));
    for (Kernel kernel : kernels()) shapes.put(kernel.name(), kernel.shape());
    return shapes;
  }

  private Map<String, String> plan() {
    Map<String, String> plan = new LinkedHashMap<>(benches.getFirst().kernel().device().plan());
    for (Kernel kernel : kernels()) {
      int workers = workers(kernel);
      if (workers > 1) plan.put("workers of " + kernel.name(), Integer.toString(workers));
    }
    plan.put("measured", "the same time for every kernel, in " + ROUNDS + " rounds");
    return plan;
  }

  private Map<String, String> conditions() {
    long most = benches.stream().mapToLong(Bench::warmUpCalls).max().orElseThrow();
    long least = benches.stream().mapToLong(Bench::warmUpCalls).min().orElseThrow();
    List<String> cold =
        benches.stream().filter(b -> !b.warm()).map(b -> b.kernel().name()).toList();
    String stable = cold.isEmpty() ? "all became stable" : "not stable: " + String.join(", ", cold);
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put(
        "warm-up",
        "%,d to %,d calls per kernel, not in the profile; %s".formatted(least, most, stable));
    if (2 * cold.size() > benches.size()) {
      conditions.put(
          Run.COLD,
          "%d of %d kernels were not stable yet when measured"
              .formatted(cold.size(), benches.size()));
    }
    if (isCancelled()) conditions.put("interrupted", interruption());
    return conditions;
  }

  /**
   * The largest product, its speed-up and what moves most bytes first: they are what a reader asks
   * for. Not the fastest, which would be another one from run to run.
   */
  private List<Metric> metrics(CallTree.Node all) {
    List<Metric> rates = new ArrayList<>(benches.stream().map(bench -> bench.rate(all)).toList());
    List<Metric> first = new ArrayList<>();
    largest(all, bench -> bench.kernel().name().matches("matmul \\d+")).ifPresent(first::add);
    speedUp().ifPresent(first::add);
    largest(all, bench -> bench.rate(all).unit().equals(Bench.GBS)).ifPresent(first::add);
    // The first one decides where two runs are held against each other: a rate, whatever was asked.
    if (first.isEmpty()) first.add(rates.getFirst());
    if (all.allocatedBytes() != Profile.UNKNOWN) first.add(allocated(all));
    rates.removeAll(first);
    first.addAll(rates);
    return first;
  }

  /** By the bytes that it touches; of several, the first one. */
  private Optional<Metric> largest(CallTree.Node all, Predicate<Bench> which) {
    return benches.stream()
        .filter(which)
        .max(Comparator.comparingDouble(bench -> bytes(bench.in(all))))
        .map(bench -> bench.rate(all));
  }

  private static double bytes(CallTree.Node kernel) {
    return (double) kernel.work().bytes() / kernel.calls();
  }

  private Optional<Metric> speedUp() {
    for (Bench bench : benches) {
      String name = bench.kernel().name();
      if (!name.endsWith(Catalogue.PARALLEL)) continue;
      String one = name.substring(0, name.length() - Catalogue.PARALLEL.length());
      for (Bench alone : benches) {
        if (alone.kernel().name().equals(one)) {
          String against = "%s, %d workers against 1".formatted(one, workers(bench.kernel()));
          return Optional.of(alone.against(bench, against));
        }
      }
    }
    return Optional.empty();
  }

  private static int workers(Kernel kernel) {
    return kernel.device().batches();
  }

  private static Metric allocated(CallTree.Node all) {
    List<CallTree.Node> each = all.children();
    long calls = each.stream().mapToLong(CallTree.Node::calls).sum();
    long bytes = each.stream().mapToLong(CallTree.Node::allocatedBytes).sum();
    return Metric.of("allocated per call", "B", Better.LOWER, (double) bytes / calls);
  }

  @Override
  public void close() {
    for (Bench bench : benches) bench.kernel().close();
  }
}
