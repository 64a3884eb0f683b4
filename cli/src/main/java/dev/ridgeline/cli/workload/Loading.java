package dev.ridgeline.cli.workload;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;

/** What loading a model took. */
public final class Loading {
  private Loading() {}

  /** All of it, and each step. */
  public static List<Metric> metrics(CallTree.Node load) {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(Metric.of("load", "ms", Better.LOWER, load.totalNanos() / 1e6));
    for (CallTree.Node step : load.children()) {
      metrics.add(Metric.of("load, " + step.name(), "ms", Better.LOWER, step.totalNanos() / 1e6));
    }
    return metrics;
  }
}
