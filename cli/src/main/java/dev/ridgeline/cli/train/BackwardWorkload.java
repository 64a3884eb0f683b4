package dev.ridgeline.cli.train;

import dev.ridgeline.cli.kernels.Kernel;
import dev.ridgeline.cli.kernels.Kernels;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.GarbageCount;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Steadiness;
import dev.ridgeline.cli.workload.Workload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The gradients of one product again and again, as SmallMind's profiler of allocations computes
 * them: {@code C = A·B} with A of 128×256 and B of 256×128. Here B is kept a row per output.
 */
final class BackwardWorkload implements Workload {
  private static final long SEED = 42;
  private static final Scope ITERATION = Scope.of("iteration");

  /**
   * What is run.
   *
   * @param iterations of a round
   * @param atLeast seconds to measure, in whole rounds; 0 to count them
   */
  record Plan(int workers, int iterations, int rounds, double atLeast, double warmUp) {}

  private final Plan plan;
  private final Kernel product;
  private final Rounds rounds = new Rounds();
  private final GarbageCount collections = new GarbageCount();
  private final Steadiness steadiness = new Steadiness();

  /** Why it is not warm; null when it is, or was not warmed up. */
  private String cold;

  private volatile boolean measuring;
  private volatile boolean cancelled;

  BackwardWorkload(Plan plan) {
    this.plan = plan;
    this.product = Kernels.matmulBackward(plan.workers(), SEED);
  }

  @Override
  public String name() {
    return "train-matmul-backward";
  }

  @Override
  public String title() {
    return "gradients of %s · %s, %s · %s"
        .formatted(
            product.shape(),
            Quantity.many(plan.iterations(), "iteration"),
            plan.atLeast() > 0 ? plan.atLeast() + " s" : "%,d times".formatted(plan.rounds()),
            Quantity.many(plan.workers(), "worker"));
  }

  @Override
  public void warmUp(Progress progress) {
    long start = System.nanoTime();
    do {
      progress.step("warming up, round %d".formatted(steadiness.rounds() + 1));
      Rounds.Round round = round();
      rounds.clear();
      steadiness.add(round.nanos(), round.steps(), round.allocatedBytes(), Rounds.compiled());
      cold = steadiness.cold();
    } while (cold != null && System.nanoTime() - start < plan.warmUp() * 1e9);
  }

  private Rounds.Round round() {
    rounds.begin();
    for (int i = 0; i < plan.iterations() && !cancelled; i++) {
      long from = System.nanoTime();
      try (var _ = Profiler.scope(ITERATION)) {
        product.run();
      }
      rounds.step(System.nanoTime() - from);
    }
    return rounds.end();
  }

  @Override
  public void measure(Progress progress) {
    measuring = true;
    long start = System.nanoTime();
    for (int i = 0; more(i, System.nanoTime() - start) && !cancelled; i++) {
      progress.step("measuring, round", i + 1, Math.max(i + 1, plan.rounds()), "");
      collections.begin();
      round();
      collections.end();
    }
    measuring = false;
  }

  private boolean more(int done, long nanos) {
    if (plan.atLeast() == 0) return done < plan.rounds();
    return done < 2 || nanos < plan.atLeast() * 1e9;
  }

  @Override
  public boolean cancel() {
    if (!measuring || cancelled) return false;
    cancelled = true;
    return true;
  }

  @Override
  public Outcome outcome(Profile profile) {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("product", product.shape());
    configuration.put("iterations", "%d a round".formatted(plan.iterations()));
    configuration.put("seed", Long.toString(SEED));
    configuration.put("warm-up, at most", plan.warmUp() + " s");
    Map<String, String> ran = new LinkedHashMap<>();
    ran.put("workers", Integer.toString(plan.workers()));
    ran.putAll(product.device().plan());
    return new Outcome(
        configuration,
        ran,
        conditions(profile),
        metrics(profile),
        Kernels.digest(List.of(product)),
        Stream.ofNullable(product.firstWrong()).toList(),
        List.of(),
        rounds.steps());
  }

  private Map<String, String> conditions(Profile profile) {
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("warm-up", Quantity.many(steadiness.rounds(), "round") + ", not in the profile");
    conditions.put(
        "allocated",
        "%s expected if each of %s allocated its results, %s measured; %s"
            .formatted(
                Quantity.bytes((double) product.resultBytes() * rounds.steps()),
                Quantity.many(rounds.steps(), "iteration"),
                Quantity.bytes(rounds.allocated(profile)),
                collections.words()));
    if (cancelled) {
      conditions.put("interrupted", "after " + Quantity.many(rounds.steps(), "iteration"));
    }
    if (cold != null) conditions.put(Run.COLD, cold);
    return conditions;
  }

  private List<Metric> metrics(Profile profile) {
    List<Metric> metrics = new ArrayList<>();
    if (rounds.steps() > 0) {
      CallTree.Node iteration = profile.tree().find(ITERATION.name());
      double flops = (double) iteration.work().flops() / iteration.calls();
      metrics.add(
          Metric.of(
              "gradients",
              "iterations/s",
              Better.HIGHER,
              rounds.each(round -> 1e9 * round.steps() / round.nanos())));
      metrics.add(
          Metric.of(
              "computed",
              "GFLOP/s",
              Better.HIGHER,
              rounds.each(round -> flops * round.steps() / round.nanos())));
      metrics.addAll(rounds.times("an iteration"));
      metrics.add(rounds.allocated("iteration"));
    }
    metrics.add(
        Metric.of(
            "expected per iteration if allocated", "B", Better.NEITHER, product.resultBytes()));
    metrics.add(collections.metric());
    return metrics;
  }

  @Override
  public void close() {
    product.close();
  }
}
