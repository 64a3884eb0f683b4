package dev.ridgeline.cli.train;

import dev.ridgeline.cli.kernels.Kernel;
import dev.ridgeline.cli.kernels.Kernels;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.GarbageCount;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The gradients of one product again and again, as SmallMind's profiler of allocations computes
 * them: {@code C = A·B} with A of 128×256 and B of 256×128. Here B is kept a row per output.
 */
final class BackwardWorkload extends RepeatedWorkload {
  private static final long SEED = 42;
  private static final Scope ITERATION = Scope.of("iteration");

  private final int workers;
  private final Kernel product;
  private final Rounds rounds = new Rounds();
  private final GarbageCount collections = new GarbageCount();

  /**
   * @param amount iterations of a round, and rounds
   */
  BackwardWorkload(int workers, Amount amount) {
    super("train-matmul-backward", amount);
    this.workers = workers;
    this.product = Kernels.matmulBackward(workers, SEED);
  }

  @Override
  public String title() {
    return "gradients of %s · %s, %s · %s%s"
        .formatted(
            product.shape(),
            Quantity.many(asked.units(), "iteration"),
            times(),
            Quantity.many(workers, "worker"),
            ending());
  }

  @Override
  protected Pace.Speed warm(int index, Progress progress) {
    Rounds.Round round = iterations();
    rounds.clear();
    took(round.nanos(), round.steps(), round.allocatedBytes());
    return new Pace.Speed(0, round.nanos() / 1e9 / round.steps());
  }

  private Rounds.Round iterations() {
    rounds.begin();
    for (int i = 0; i < asked.units() && !isCancelled(); i++) {
      long from = System.nanoTime();
      try (var _ = Profiler.scope(ITERATION)) {
        product.run();
      }
      rounds.step(System.nanoTime() - from);
    }
    return rounds.end();
  }

  @Override
  protected double round(int index) {
    collections.begin();
    Rounds.Round round = iterations();
    collections.end();
    return round.nanos() / 1e9;
  }

  @Override
  protected String interruption() {
    return "after " + Quantity.many(rounds.steps(), "iteration");
  }

  @Override
  public Outcome outcome(Profile profile) {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("product", product.shape());
    configuration.put("iterations", "%d a round".formatted(asked.units()));
    configuration.put("seed", Long.toString(SEED));
    configuration.put("warm-up, at most", asked.warmUp() + " s");
    Map<String, String> ran = new LinkedHashMap<>();
    ran.put("workers", Integer.toString(workers));
    ran.putAll(product.device().plan());
    Map<String, String> conditions = conditions("iteration", "--steps");
    conditions.put(
        "allocated", rounds.allocated("iteration", product.resultBytes(), profile, collections));
    return new Outcome(
        configuration,
        ran,
        conditions,
        metrics(profile),
        Kernels.digest(List.of(product)),
        Stream.ofNullable(product.firstWrong()).toList(),
        List.of(),
        rounds.steps());
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
