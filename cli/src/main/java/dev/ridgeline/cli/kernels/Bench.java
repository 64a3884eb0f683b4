package dev.ridgeline.cli.kernels;

import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** One kernel on the bench: warmed up, measured, and its result checked. */
final class Bench {
  /** Batches whose medians have to agree within {@link #TOLERANCE} before a kernel is warm. */
  private static final int WINDOW = 4;

  private static final double TOLERANCE = 0.1;

  /** A warm-up that fits so many batches has seen enough to tell a trend from noise. */
  private static final int BATCHES = 16;

  private static final int BATCH_CALLS = 1024;

  /** Elements of the output that are compared with their reference after a run. */
  private static final int CHECKED = 64;

  static final String GFLOPS = "GFLOP/s";
  static final String GBS = "GB/s";

  private final Kernel kernel;
  private final Scope scope;
  private final Work work;

  /** Mean nanoseconds of a call, for each time it was measured. */
  private final List<Double> samples = new ArrayList<>();

  private WarmUp warmUp = new WarmUp(WINDOW, TOLERANCE);

  Bench(Kernel kernel) {
    this.kernel = kernel;
    this.scope = Scope.of(kernel.name());
    this.work = kernel.work();
  }

  Work work() {
    return work;
  }

  Kernel kernel() {
    return kernel;
  }

  /** One call in the kernel's scope. */
  void call() {
    try (var frame = Profiler.scope(scope)) {
      kernel.run();
      frame.work(work.bytes(), work.flops());
    }
  }

  /** Calls until the kernel is warm or the budget is spent, but enough to tell. */
  void warmUp(long budgetNanos) {
    warmUp = new WarmUp(WINDOW, TOLERANCE);
    long begin = System.nanoTime();
    for (int batch = 1; !warmUp.stable(); batch++) {
      if (batch > WINDOW && System.nanoTime() - begin > budgetNanos) return;
      warmUp.add(batch(budgetNanos / BATCHES), jitMillis());
    }
  }

  private double[] batch(long nanos) {
    double[] calls = new double[BATCH_CALLS];
    int count = 0;
    long begin = System.nanoTime();
    long last = begin;
    do {
      call();
      long now = System.nanoTime();
      calls[count++] = now - last;
      last = now;
    } while (count < BATCH_CALLS && last - begin < nanos);
    return Arrays.copyOf(calls, count);
  }

  private static long jitMillis() {
    var compiler = ManagementFactory.getCompilationMXBean();
    return compiler == null || !compiler.isCompilationTimeMonitoringSupported()
        ? 0
        : compiler.getTotalCompilationTime();
  }

  /** Calls for a while, at least once; the mean of a call becomes a sample. */
  void measure(long budgetNanos) {
    long calls = 0;
    long begin = System.nanoTime();
    long elapsed;
    do {
      call();
      calls++;
      elapsed = System.nanoTime() - begin;
    } while (elapsed < budgetNanos);
    samples.add((double) elapsed / calls);
  }

  /**
   * How fast it was, round by round, in what limits it: arithmetic where there is much of it for
   * each byte, else bytes.
   */
  Metric rate() {
    boolean arithmetic = work.flops() > 2 * work.bytes();
    double amount = arithmetic ? work.flops() : work.bytes();
    double[] rates = samples.stream().mapToDouble(nanos -> amount / nanos).toArray();
    return Metric.of(kernel.name(), arithmetic ? GFLOPS : GBS, Better.HIGHER, rates);
  }

  /** How many times as fast another one is, round by round. */
  Metric against(Bench other, String name) {
    double[] ratios = new double[samples.size()];
    for (int i = 0; i < ratios.length; i++) ratios[i] = samples.get(i) / other.samples.get(i);
    return Metric.of(name, "×", Better.HIGHER, ratios);
  }

  /** Whether the last warm-up ended because the kernel was warm, not because time was up. */
  boolean warm() {
    return warmUp.stable();
  }

  /** {@code matmul 512: warm after 43 calls}. */
  String warmUpResult() {
    return "%s: %s after %,d calls"
        .formatted(kernel.name(), warm() ? "warm" : "not stable", warmUpCalls());
  }

  long warmUpCalls() {
    return warmUp.calls();
  }

  /** The first of some elements, chosen at random, that differs from its reference, or null. */
  String firstWrong(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    float[][] output = kernel.output();
    for (int i = 0; i < CHECKED; i++) {
      int row = random.nextInt(output.length);
      int column = random.nextInt(output[row].length);
      Kernel.Reference reference = kernel.reference(row, column);
      if (!reference.admits(output[row][column])) {
        return "%s [%d][%d] is %s and should be %s ± %s"
            .formatted(
                kernel.name(),
                row,
                column,
                output[row][column],
                reference.value(),
                reference.tolerance());
      }
    }
    return null;
  }
}
