package dev.ridgeline.cli.kernels;

import dev.ridgeline.cli.workload.Steadiness;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;

/** One kernel on the bench: warmed up, measured, and its result checked. */
final class Bench {
  /** A warm-up that fits so many batches has seen enough to tell a trend from noise. */
  private static final int BATCHES = 16;

  /** Looked at before the time may be up. */
  private static final int FEWEST = 4;

  static final String GFLOPS = "GFLOP/s";
  static final String GBS = "GB/s";

  private final Kernel kernel;
  private final Scope scope;

  /** Mean nanoseconds of a call, for each time it was measured. */
  private final List<Double> samples = new ArrayList<>();

  private Steadiness warmUp = new Steadiness(0);
  private long warmUpCalls;

  Bench(Kernel kernel) {
    this.kernel = kernel;
    this.scope = Scope.of(kernel.name());
  }

  Kernel kernel() {
    return kernel;
  }

  /** One call in the kernel's scope. */
  void call() {
    try (var _ = Profiler.scope(scope)) {
      kernel.run();
    }
  }

  /** Calls until the kernel is warm or the budget is spent, but enough to tell. */
  void warmUp(long budgetNanos) {
    warmUp = new Steadiness(0);
    warmUpCalls = 0;
    long begin = System.nanoTime();
    while (!warm()) {
      if (warmUp.rounds() >= FEWEST && System.nanoTime() - begin > budgetNanos) return;
      long from = System.nanoTime();
      long calls = calls(budgetNanos / BATCHES);
      // What a kernel allocates is what an allocating one is there for.
      warmUp.add(System.nanoTime() - from, calls, 0, Steadiness.compiledMillis());
      warmUpCalls += calls;
    }
  }

  /** Calls for a while, at least once. */
  private long calls(long nanos) {
    long calls = 0;
    long begin = System.nanoTime();
    do {
      call();
      calls++;
    } while (System.nanoTime() - begin < nanos);
    return calls;
  }

  /** Calls for a while; the mean of a call becomes a sample. */
  void measure(long budgetNanos) {
    long begin = System.nanoTime();
    long calls = calls(budgetNanos);
    samples.add((double) (System.nanoTime() - begin) / calls);
  }

  /**
   * How fast it was, round by round, in what limits it: arithmetic where there is much of it for
   * each byte, else bytes.
   *
   * @param around the scope that it was called in
   */
  Metric rate(CallTree.Node around) {
    CallTree.Node here = in(around);
    Work work = here.work();
    boolean arithmetic = work.flops() > 2 * work.bytes();
    double amount = (double) (arithmetic ? work.flops() : work.bytes()) / here.calls();
    double[] rates = samples.stream().mapToDouble(nanos -> amount / nanos).toArray();
    return Metric.of(kernel.name(), arithmetic ? GFLOPS : GBS, Better.HIGHER, rates);
  }

  /** Its scope. */
  CallTree.Node in(CallTree.Node around) {
    return around.children().stream()
        .filter(child -> child.name().equals(kernel.name()))
        .findFirst()
        .orElseThrow();
  }

  /** How many times as fast another one is, round by round. */
  Metric against(Bench other, String name) {
    double[] ratios = new double[samples.size()];
    for (int i = 0; i < ratios.length; i++) ratios[i] = samples.get(i) / other.samples.get(i);
    return Metric.of(name, "×", Better.HIGHER, ratios);
  }

  /** Whether the last warm-up ended because the kernel was warm, not because time was up. */
  boolean warm() {
    return warmUp.lacks().isEmpty();
  }

  /** {@code matmul 512: warm after 43 calls}. */
  String warmUpResult() {
    return "%s: %s after %,d calls"
        .formatted(kernel.name(), warm() ? "warm" : "not stable", warmUpCalls());
  }

  long warmUpCalls() {
    return warmUpCalls;
  }
}
