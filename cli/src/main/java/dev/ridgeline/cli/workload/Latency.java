package dev.ridgeline.cli.workload;

import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.Arrays;
import java.util.List;

/** How long something took, time and again. */
public final class Latency {
  private Latency() {}

  /**
   * The middle and the slowest.
   *
   * @param what is timed, which the names begin with: {@code a step, }
   */
  public static List<Metric> metrics(String what, double... millis) {
    double[] sorted = Arrays.stream(millis).sorted().toArray();
    return List.of(
        Metric.of(what + "p50", "ms", Better.LOWER, quantile(sorted, 0.5)),
        Metric.of(what + "p99", "ms", Better.LOWER, quantile(sorted, 0.99)));
  }

  private static double quantile(double[] sorted, double quantile) {
    int index = (int) Math.ceil(quantile * sorted.length) - 1;
    return sorted[Math.clamp(index, 0, sorted.length - 1)];
  }
}
