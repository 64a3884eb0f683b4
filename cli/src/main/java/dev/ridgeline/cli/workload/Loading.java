package dev.ridgeline.cli.workload;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A model, and what loading it took. What is warmed up is what is measured; so loading has a
 * session of its own.
 */
public record Loading<T>(T model, CallTree.Node steps) {
  public static <T> Loading<T> of(Supplier<T> opening) {
    List<T> opened = new ArrayList<>();
    Profile profile = Recording.session(Options.of(Level.TIME), () -> opened.add(opening.get()));
    return new Loading<>(opened.getFirst(), profile.tree().find("load"));
  }

  /** All of it, and each step. */
  public List<Metric> metrics() {
    List<Metric> metrics = new ArrayList<>();
    metrics.add(Metric.of("load", "ms", Better.LOWER, steps.totalNanos() / 1e6));
    for (CallTree.Node step : steps.children()) {
      metrics.add(Metric.of("load, " + step.name(), "ms", Better.LOWER, step.totalNanos() / 1e6));
    }
    return metrics;
  }
}
