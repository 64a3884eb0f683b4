package dev.ridgeline.cli.train;

import dev.ridgeline.cli.profile.GarbageCount;
import dev.ridgeline.cli.profile.Outcome;
import dev.ridgeline.cli.profile.Progress;
import dev.ridgeline.cli.profile.Steadiness;
import dev.ridgeline.cli.profile.Workload;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.tensor.Device;
import dev.ridgeline.tensor.Ops;
import dev.ridgeline.tensor.Tensor;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.grad.Grad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The gradients of one product again and again, as SmallMind's profiler of allocations computes
 * them: {@code C = A·B} with A of 128×256 and B of 256×128. Here B is kept a row per output.
 */
final class BackwardWorkload implements Workload {
  private static final int ROWS = 128;
  private static final int INPUTS = 256;
  private static final int OUTPUTS = 128;
  private static final long SEED = 42;

  /** Results of one iteration: a gradient of A and one of B. */
  private static final long RESULT_BYTES = 4L * (ROWS * INPUTS + INPUTS * OUTPUTS);

  /** Norm-wise, of f32 against double. */
  private static final double TOLERANCE = 1e-5;

  private static final Scope ITERATION = Scope.of("iteration");
  private static final Scope BY_A = Scope.of("gradient of A");
  private static final Scope BY_B = Scope.of("gradient of B");

  /**
   * What is run.
   *
   * @param iterations of a round
   * @param atLeast seconds to measure, in whole rounds; 0 to count them
   */
  record Plan(int workers, int iterations, int rounds, double atLeast, double warmUp) {}

  private final Plan plan;
  private final Device device;
  private final Ops ops;
  private final Grad grad;
  private final float[] numbersOfA = numbers(ROWS * INPUTS, 0);
  private final float[] numbersOfB = numbers(OUTPUTS * INPUTS, 1);
  private final float[] numbersOfC = numbers(ROWS * OUTPUTS, 2);
  private final List<Tensor> all = new ArrayList<>();
  private final Tensor a;
  private final Tensor dc;
  private final Tensor transposed;
  private final Tensor da;
  private final Tensor db;
  private final Rounds rounds = new Rounds();
  private final GarbageCount collections = new GarbageCount();
  private final Steadiness steadiness = new Steadiness();

  /** Why it is not warm; null when it is, or was not warmed up. */
  private String cold;

  private volatile boolean measuring;
  private volatile boolean cancelled;

  BackwardWorkload(Plan plan) {
    this.plan = plan;
    this.device = Device.cpu(plan.workers());
    this.ops = new Ops(device);
    this.grad = new Grad(device);
    a = tensor("a", ROWS, INPUTS);
    dc = tensor("gradients", ROWS, OUTPUTS);
    da = tensor("gradients", ROWS, INPUTS);
    db = tensor("gradients", OUTPUTS, INPUTS);
    Tensor b = tensor("weights", OUTPUTS, INPUTS);
    device.write(a, numbersOfA, 0);
    device.write(b, numbersOfB, 0);
    device.write(dc, numbersOfC, 0);
    transposed = device.training().matrix("packed weights", INPUTS, OUTPUTS);
    all.add(transposed);
    grad.packTransposed(transposed, b);
  }

  private Tensor tensor(String owner, int rows, int columns) {
    Tensor tensor = device.allocate(owner, TensorType.F32, rows, columns);
    all.add(tensor);
    return tensor;
  }

  private static float[] numbers(int count, int salt) {
    Random random = new Random(SEED + salt);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) numbers[i] = (float) random.nextGaussian();
    return numbers;
  }

  @Override
  public String name() {
    return "train-matmul-backward";
  }

  @Override
  public String title() {
    return "gradients of %d×%d @ %d×%d · %s, %s · %s"
        .formatted(
            ROWS,
            INPUTS,
            INPUTS,
            OUTPUTS,
            Quantity.many(plan.iterations(), "iteration"),
            plan.atLeast() > 0 ? plan.atLeast() + " s" : "%,d times".formatted(plan.rounds()),
            Quantity.many(plan.workers(), "worker"));
  }

  @Override
  public void warmUp(Progress progress) {
    long start = System.nanoTime();
    do {
      progress.show("warming up, round %d".formatted(steadiness.rounds() + 1));
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
        try (var _ = Profiler.scope(BY_A)) {
          ops.matmul(da, dc, transposed, null);
        }
        try (var _ = Profiler.scope(BY_B)) {
          grad.matmul(db, null, dc, a);
        }
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
      progress.show("measuring, round", i + 1, Math.max(i + 1, plan.rounds()), "");
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
    float[] byA = read(da, ROWS, INPUTS);
    float[] byB = read(db, OUTPUTS, INPUTS);
    Map<String, String> configuration = new LinkedHashMap<>();
    configuration.put("product", "%d×%d @ %d×%d".formatted(ROWS, INPUTS, INPUTS, OUTPUTS));
    configuration.put("iterations", "%d a round".formatted(plan.iterations()));
    configuration.put("seed", Long.toString(SEED));
    configuration.put("warm-up, at most", plan.warmUp() + " s");
    Map<String, String> ran = new LinkedHashMap<>();
    ran.put("workers", Integer.toString(plan.workers()));
    ran.putAll(device.plan());
    return new Outcome(
        configuration,
        ran,
        conditions(profile),
        metrics(),
        "#%08x".formatted(31 * Arrays.hashCode(byA) + Arrays.hashCode(byB)),
        wrong(byA, byB),
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
                Quantity.bytes((double) RESULT_BYTES * rounds.steps()),
                Quantity.many(rounds.steps(), "iteration"),
                Quantity.bytes(rounds.allocated(profile)),
                collections.words()));
    if (cancelled) {
      conditions.put("interrupted", "after " + Quantity.many(rounds.steps(), "iteration"));
    }
    if (cold != null) conditions.put(Run.COLD, cold);
    return conditions;
  }

  private List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    if (rounds.steps() > 0) {
      double flops = 4.0 * ROWS * INPUTS * OUTPUTS;
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
        Metric.of("expected per iteration if allocated", "B", Better.NEITHER, RESULT_BYTES));
    metrics.add(collections.metric());
    return metrics;
  }

  private float[] read(Tensor tensor, int rows, int columns) {
    float[] numbers = new float[rows * columns];
    for (int row = 0; row < rows; row++) device.read(tensor, row, numbers, row * columns);
    return numbers;
  }

  private List<String> wrong(float[] byA, float[] byB) {
    List<String> wrong = new ArrayList<>();
    double[] referenceA = new double[ROWS * INPUTS];
    double[] referenceB = new double[OUTPUTS * INPUTS];
    for (int r = 0; r < ROWS; r++) {
      for (int o = 0; o < OUTPUTS; o++) {
        double c = numbersOfC[r * OUTPUTS + o];
        for (int i = 0; i < INPUTS; i++) {
          referenceA[r * INPUTS + i] += c * numbersOfB[o * INPUTS + i];
          referenceB[o * INPUTS + i] += c * numbersOfA[r * INPUTS + i];
        }
      }
    }
    compare("A", byA, referenceA, wrong);
    compare("B", byB, referenceB, wrong);
    return wrong;
  }

  private static void compare(String of, float[] got, double[] reference, List<String> wrong) {
    double squares = 0;
    double norm = 0;
    for (int i = 0; i < got.length; i++) {
      squares += (got[i] - reference[i]) * (got[i] - reference[i]);
      norm += reference[i] * reference[i];
    }
    double error = Math.sqrt(squares / norm);
    if (!(error <= TOLERANCE)) wrong.add("the gradient of %s is off by %s".formatted(of, error));
  }

  @Override
  public void close() {
    all.forEach(Tensor::close);
    device.close();
  }
}
