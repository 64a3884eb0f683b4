package dev.ridgeline.lab.history;

import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * Which runs are meant; an empty text means any.
 *
 * @param name beginning of the run's name: {@code embed}
 * @param metric a part of a metric's name
 * @param machine a part of the line that describes machine and JVM
 * @param revision beginning of the source revision
 * @param since when it began at the earliest
 */
public record Selection(
    String name, String metric, String machine, String revision, Instant since) {
  public static final Selection ALL = new Selection("", "", "", "", Instant.MIN);

  /** The same with another metric. */
  public Selection of(String metric) {
    return new Selection(name, metric, machine, revision, since);
  }

  /** Whether a run is meant. */
  public boolean matches(Run run) {
    return run.name().startsWith(name)
        && run.revision().startsWith(revision)
        && !run.started().isBefore(since)
        && contains(run.machine().line(), machine)
        && (metric.isEmpty() || metricOf(run).isPresent());
  }

  /**
   * The metric that is meant, else the most important one. A name that is exactly so goes before
   * one that only contains it. That of one arm among others has to be named in full.
   */
  public Optional<Metric> metricOf(Run run) {
    if (metric.isEmpty()) return History.level(run);
    return run.metrics().stream()
        .filter(each -> each.name().equalsIgnoreCase(metric))
        .findFirst()
        .or(() -> History.compares(run) ? Optional.empty() : containing(run));
  }

  private Optional<Metric> containing(Run run) {
    return run.metrics().stream().filter(each -> contains(each.name(), metric)).findFirst();
  }

  private static boolean contains(String text, String part) {
    return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
  }
}
