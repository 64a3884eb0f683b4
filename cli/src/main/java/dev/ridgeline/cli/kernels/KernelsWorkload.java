package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.profile.Outcome;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.cli.profile.Workload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Report.Fact;
import dev.ridgeline.report.Report.Figure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;

/** Kernels one after the other, each warmed up, then measured in turns within a budget. */
public final class KernelsWorkload implements Workload {
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
    this.mode = mode;
    this.benches = kernels.stream().map(Bench::new).toList();
    this.nanosEach = budget.toNanos() / kernels.size();
    this.seed = seed;
  }

  @Override
  public String title() {
    return "kernels, " + mode.label() + " · " + mode.description();
  }

  @Override
  public void warmUp(Progress progress) {
    int step = 0;
    for (Bench bench : benches) {
      progress.show("warming up", ++step, benches.size(), bench.kernel().name());
      bench.warmUp((long) (nanosEach * WARM_UP));
    }
  }

  @Override
  public void measure(Progress progress) {
    long turn = (long) (nanosEach * (1 - WARM_UP) / ROUNDS);
    for (int round = 1; round <= ROUNDS; round++) {
      progress.show("measuring, round", round, ROUNDS, "");
      try (var all = Profiler.scope(ALL)) {
        for (Bench bench : benches) bench.measure(turn);
      }
    }
  }

  @Override
  public Outcome outcome(Profile profile) {
    CallTree.Node all = profile.tree().find(ALL.name());
    Map<String, Double> metrics = new LinkedHashMap<>();
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    for (Bench bench : benches) {
      String name = bench.kernel().name();
      samples.put(name, bench.samples());
      metrics.put(name + ", ns per call", bench.medianNanos());
      metrics.put(name + ", warm-up calls", (double) bench.warmUpCalls());
    }
    return new Outcome(
        figures(all),
        facts(),
        metrics,
        samples,
        Digest.of(kernels()),
        benches.stream().map(bench -> bench.firstWrong(seed)).filter(Objects::nonNull).toList());
  }

  private List<Kernel> kernels() {
    return benches.stream().map(Bench::kernel).toList();
  }

  private List<Figure> figures(CallTree.Node all) {
    List<Figure> figures = new ArrayList<>();
    CallTree.Node fastest = largest(all, CallTree.Node::gigaflopsPerSecond);
    figures.add(figure("%.1f GFLOP/s", fastest.gigaflopsPerSecond(), fastest.name()));
    CallTree.Node widest = largest(all, CallTree.Node::gigabytesPerSecond);
    figures.add(figure("%.1f GB/s", widest.gigabytesPerSecond(), widest.name()));
    for (Bench bench : benches) {
      if (bench.kernel() instanceof ParallelMatMul parallel) speedUp(parallel, all, figures);
    }
    if (all.allocatedBytes() != Profile.UNKNOWN) {
      figures.add(figure("%,.0f B", allocatedPerCall(all), "allocated per kernel call"));
    }
    return figures;
  }

  private static CallTree.Node largest(CallTree.Node all, ToDoubleFunction<CallTree.Node> column) {
    return all.children().stream().max(Comparator.comparingDouble(column)).orElseThrow();
  }

  private static void speedUp(ParallelMatMul parallel, CallTree.Node all, List<Figure> figures) {
    double alone = average(all, parallel.alone());
    double together = average(all, parallel.name());
    if (alone == 0 || together == 0) return;
    String label = parallel.alone() + " on " + parallel.threads() + " threads against one";
    figures.add(figure("%.2f×", alone / together, label));
  }

  private static double average(CallTree.Node all, String name) {
    for (CallTree.Node child : all.children()) {
      if (child.name().equals(name)) return child.averageNanos();
    }
    return 0;
  }

  private static double allocatedPerCall(CallTree.Node all) {
    long calls = all.children().stream().mapToLong(CallTree.Node::calls).sum();
    long bytes = all.children().stream().mapToLong(CallTree.Node::allocatedBytes).sum();
    return (double) bytes / calls;
  }

  private static Figure figure(String format, double value, String label) {
    return new Figure(String.format(Locale.ROOT, format, value), label);
  }

  private List<Fact> facts() {
    long most = benches.stream().mapToLong(Bench::warmUpCalls).max().orElseThrow();
    long least = benches.stream().mapToLong(Bench::warmUpCalls).min().orElseThrow();
    List<String> cold =
        benches.stream().filter(b -> !b.warm()).map(b -> b.kernel().name()).toList();
    return List.of(
        new Fact("mode", mode.label() + ": " + mode.description()),
        new Fact("kernels", benches.size() + ", in " + ROUNDS + " rounds"),
        new Fact("seed", Long.toString(seed)),
        new Fact(
            "warm-up",
            "%,d to %,d calls a kernel, not in the profile".formatted(least, most)
                + (cold.isEmpty() ? "; all stable" : "; not stable: " + String.join(", ", cold))));
  }

  @Override
  public void close() {
    for (Bench bench : benches) bench.kernel().close();
  }
}
