package dev.ridgeline.lab.history;

import dev.ridgeline.lab.stats.Drift;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Earlier runs of a folder, as far as they are like a run: the same work on the same machine.
 *
 * @param runs where they are
 */
public record History(Runs runs) {
  /** Older than so many runs of a kind is no news. */
  private static final int FAR = 40;

  public static History of(Runs runs) {
    return new History(runs);
  }

  /** A run and where it is. */
  public record Kept(RunDirectory directory, Run run) {}

  /**
   * Whether a run holds sides or arms against each other. Its metrics are those of each of them:
   * its answer is its title.
   */
  public static boolean compares(Run run) {
    String name = run.name();
    return name.equals("ab") || name.equals("bisect") || name.startsWith("experiment-");
  }

  /** Whether a directory holds a run to compare; one that cannot be read, so that it is told. */
  public static boolean isComparable(RunDirectory directory) {
    try {
      return !compares(directory.run());
    } catch (FileException _) {
      return true;
    }
  }

  /** The most important metric, where a run has one that stands for all of it. */
  public static Optional<Metric> level(Run run) {
    return compares(run) ? Optional.empty() : run.metrics().stream().findFirst();
  }

  /** Runs of the same work on the same machine that began before this one, newest first. */
  public List<Kept> like(Run run) {
    List<Kept> all = new ArrayList<>();
    int read = 0;
    for (RunDirectory directory : runs.list()) {
      if (!directory.name().contains("-" + run.name()) || read++ == FAR) continue;
      Optional<Run> kept = read(directory);
      if (kept.isEmpty() || !kept.get().started().isBefore(run.started())) continue;
      if (Likeness.of(kept.get(), run).isComparable()) all.add(new Kept(directory, kept.get()));
    }
    return all;
  }

  /**
   * By how much the most important metric of equal runs before this one differs here, as a factor
   * minus one; NaN when too few are known.
   */
  public double drift(Run run) {
    List<Run> all = like(run).stream().map(Kept::run).toList();
    List<Double> ratios = new ArrayList<>();
    for (int i = 1; i < all.size(); i++) {
      Run later = all.get(i - 1);
      Run earlier = all.get(i);
      if (!Likeness.of(earlier, later).isRepetition()) continue;
      double ratio = Math.log(first(later) / first(earlier));
      if (Double.isFinite(ratio)) ratios.add(ratio);
    }
    double[] logs = ratios.stream().mapToDouble(Double::doubleValue).toArray();
    var range = Drift.range(logs);
    return range.isPresent() ? Math.expm1(range.getAsDouble()) : Double.NaN;
  }

  private static double first(Run run) {
    return run.metrics().isEmpty() ? Double.NaN : run.metrics().getFirst().median();
  }

  /** The most important metric of both, or empty where they have none in common. */
  static Optional<Metric> same(Run run, Metric metric) {
    return run.metrics().stream()
        .filter(each -> each.name().equals(metric.name()) && each.unit().equals(metric.unit()))
        .findFirst();
  }

  /** A damaged file is no reason to say nothing of the others. */
  private static Optional<Run> read(RunDirectory directory) {
    try {
      return Optional.of(directory.run());
    } catch (FileException _) {
      return Optional.empty();
    }
  }
}
