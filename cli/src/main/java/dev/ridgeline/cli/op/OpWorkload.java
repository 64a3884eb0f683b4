package dev.ridgeline.cli.op;

import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.cli.workload.Outcome;
import dev.ridgeline.cli.workload.Pace;
import dev.ridgeline.cli.workload.RepeatedWorkload;
import dev.ridgeline.lab.bound.Operation;
import dev.ridgeline.lab.bound.OperationTrial;
import dev.ridgeline.lab.bound.Part;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One operation, or a part of it, again and again. */
final class OpWorkload extends RepeatedWorkload {
  /** The metric that tells parts apart. */
  static final String TIME = "time of one";

  private static final Scope ALL = Scope.of("op");

  /** Runs of a stretch take so long together at least: memory can be faster for a moment. */
  private static final long TOGETHER_NANOS = 1_500_000;

  /**
   * Stretches of which the fastest is a sample: whatever else ran made the others slower, never
   * this one faster.
   */
  private static final int TRIES = 8;

  /** Warm-up goes in stretches until two in a row bring nothing. */
  private static final long STRETCH_NANOS = 80_000_000;

  private static final double BETTER = 0.97;

  /**
   * What is run.
   *
   * @param beyond whether data comes from memory
   */
  record Plan(Operation operation, Part part, boolean beyond, int workers, Amount amount) {}

  private final Plan plan;
  private final OperationTrial trial;
  private final List<Double> nanos = new ArrayList<>();
  private double best = Double.POSITIVE_INFINITY;
  private int settled;
  private long done;

  OpWorkload(Plan plan) {
    super("op", plan.amount());
    this.plan = plan;
    this.trial = new OperationTrial(plan.operation(), plan.part(), plan.beyond(), plan.workers());
  }

  @Override
  public String title() {
    return "%s · %s · %s from %s · %s"
        .formatted(
            plan.operation(),
            plan.part().word(),
            Quantity.bytes(trial.bytes()),
            plan.part() == Part.COMPUTE ? "the nearest cache" : plan.beyond() ? "memory" : "caches",
            Quantity.many(plan.workers(), "worker"));
  }

  @Override
  protected Pace.Speed warm(int index, Progress progress) {
    List<Double> samples = new ArrayList<>();
    long begin = System.nanoTime();
    long last = begin;
    do {
      trial.run();
      long now = System.nanoTime();
      samples.add((double) (now - last));
      last = now;
    } while (last - begin < STRETCH_NANOS);
    double now = Median.of(samples.stream().mapToDouble(Double::doubleValue).toArray());
    settled = now < BETTER * best ? 0 : settled + 1;
    best = Math.min(best, now);
    return new Pace.Speed(0, best / 1e9);
  }

  /** An operation alone is warm sooner than a model. */
  @Override
  protected String doubt() {
    return settled < 2 ? "stretches were still getting faster" : null;
  }

  @Override
  protected int fewest() {
    return 3;
  }

  @Override
  protected double round(int index) {
    try (var _ = Profiler.scope(ALL)) {
      nanos.add(fastest() / (stretch() * trial.share()));
    }
    done += (long) stretch() * TRIES;
    return 0;
  }

  /** Runs of a stretch. */
  private int stretch() {
    return (int) Math.clamp(TOGETHER_NANOS / best + 1, 1, 1 << 20);
  }

  private double fastest() {
    int times = stretch();
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < TRIES; i++) {
      long start = System.nanoTime();
      for (int k = 0; k < times; k++) trial.run();
      fastest = Math.min(fastest, System.nanoTime() - start);
    }
    return fastest;
  }

  @Override
  public Outcome outcome(Profile profile) {
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("operation", plan.operation().toString());
    configuration.put("part", plan.part().word());
    configuration.put("bytes", Quantity.bytes(trial.bytes()));
    configuration.put("data from", plan.beyond() ? "memory" : "caches");
    configuration.put(
        "measured",
        "%s s, the fastest of %d stretches of %d per sample"
            .formatted(asked.atLeast(), TRIES, stretch()));
    Map<String, String> conditions = new LinkedHashMap<>();
    conditions.put("warm-up", "until two stretches brought nothing, not in the profile");
    float[] result = trial.result();
    return new Outcome(
        configuration,
        trial.plan(),
        conditions,
        metrics(),
        result == null ? "" : "#%08x".formatted(Arrays.hashCode(result)),
        wrong(result),
        List.of(),
        done * trial.share());
  }

  private List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    double[] all = nanos.stream().mapToDouble(Double::doubleValue).toArray();
    metrics.add(
        Metric.of(TIME, "µs", Better.LOWER, Arrays.stream(all).map(each -> each / 1e3).toArray()));
    if (plan.part() != Part.COMPUTE) {
      double bytes = trial.bytes();
      metrics.add(
          Metric.of(
              "moved", "GB/s", Better.HIGHER, Arrays.stream(all).map(n -> bytes / n).toArray()));
    }
    double operations = plan.operation().operations();
    if (plan.part() != Part.READ && operations > 0) {
      double[] rates = Arrays.stream(all).map(n -> operations / n).toArray();
      metrics.add(Metric.of("computed", "GFLOP/s", Better.HIGHER, rates));
    }
    return metrics;
  }

  private static List<String> wrong(float[] result) {
    if (result == null) return List.of();
    for (float number : result) {
      if (!Float.isFinite(number)) return List.of("a result is " + number);
    }
    return List.of();
  }

  @Override
  public void close() {
    trial.close();
  }
}
