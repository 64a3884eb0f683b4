package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.CallTree.Region;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import java.util.List;

/** What a report says about its own numbers, in the same words in every format. */
final class Explanation {
  static final String WAITS =
      "(waits): handed tasks to other threads; its self time is mostly waiting for them.";
  static final String UNKNOWN =
      "?: allocation that the JVM does not tell (virtual threads); it is not zero.";

  /** What {@link #region} says. */
  static final List<String> REGION =
      List.of("wall ms", "busy ms", "threads", "imbalance", "in use", "tasks");

  private Explanation() {}

  static String percentages(Report report) {
    Profile profile = report.profile();
    long threads = profile.lanes().stream().mapToLong(Lane::threads).sum();
    return "Percentages are of the %s thread time summed over %s; wall time was %s."
        .formatted(
            Quantity.time(Column.threadNanos(report)),
            Quantity.many(threads, "thread"),
            Quantity.time(profile.wallNanos()));
  }

  static String correction(Report report) {
    double raw = report.profile().threadNanos();
    double cost = raw - Column.threadNanos(report);
    return "Times are corrected: the recorder's own %s (%s) is subtracted, ±%s ns a call remains."
        .formatted(
            Quantity.time(cost),
            Quantity.percent(raw == 0 ? 0 : cost / raw),
            Quantity.fixed(Math.abs(report.profile().calibration().residualNanos()), 1));
  }

  static String floor(Report report) {
    return "*: calls shorter than the %s a scope costs here; mostly error."
        .formatted(Quantity.time(report.profile().calibration().scopeNanos()));
  }

  static String sound(Report report) {
    double steal = report.profile().system().stealFraction();
    double raw = report.profile().threadNanos();
    double cost = raw == 0 ? 0 : (raw - Column.threadNanos(report)) / raw;
    return "yes: every scope closed · recorder's cost %s%s"
        .formatted(
            Quantity.percent(cost), steal < 0 ? "" : " · CPU steal " + Quantity.percent(steal));
  }

  /** Of a parallel region; what matters most first. */
  static List<String> region(Node node) {
    Region region = node.region();
    double wall = node.correctedTotalNanos();
    double busy = 0;
    for (Node child : node.children()) if (child.isTask()) busy += child.correctedTotalNanos();
    boolean offered = wall > 0 && region.threads() > 0;
    return List.of(
        Quantity.fixed(wall / 1e6, 1),
        Quantity.fixed(busy / 1e6, 1),
        Quantity.count(region.threads()),
        Double.isNaN(region.imbalance()) ? Cells.NOTHING : Quantity.fixed(region.imbalance(), 2),
        offered ? Quantity.percent(busy / (wall * region.threads())) : Cells.NOTHING,
        Quantity.count(region.tasks()));
  }
}
