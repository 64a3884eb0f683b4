package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Region;
import dev.ridgeline.report.roofline.Bound;
import java.util.ArrayList;
import java.util.List;

/** What a report says about its own numbers, in the same words in every format. */
final class Explanation {
  private static final String WAITS =
      "†: handed tasks to other threads; its self time is mostly waiting for them.";
  private static final String UNKNOWN =
      "?: allocation that the JVM does not tell (virtual threads); it is not zero.";

  private Explanation() {}

  static String percentages(Report report) {
    Profile profile = report.profile();
    long threads = profile.lanes().stream().mapToLong(Lane::threads).sum();
    if (!WaitWords.shown(report)) {
      return "Percentages are of the %s thread time summed over %s; wall time was %s."
          .formatted(
              Quantity.time(Column.threadNanos(report)),
              Quantity.many(threads, "thread"),
              Quantity.time(profile.wallNanos()));
    }
    return ("Percentages are of the %s that %s ran, out of %s thread time; wall time was %s."
            + " Waiting is estimated from %s at what threads do, one every %s.")
        .formatted(
            Quantity.time(Column.runningNanos(report)),
            Quantity.many(threads, "thread"),
            Quantity.time(Column.threadNanos(report)),
            Quantity.time(profile.wallNanos()),
            Quantity.many(profile.waits().looks(), "look"),
            Quantity.time(profile.waits().everyNanos()));
  }

  /** What the times of a table add up to. */
  static String total(Report report) {
    Profile profile = report.profile();
    long threads = profile.lanes().stream().mapToLong(Lane::threads).sum();
    String waited =
        WaitWords.shown(report)
            ? ", plus " + Quantity.time(report.tree().root().threadWaitingNanos()) + " waiting"
            : "";
    return "on %s%s in %s of wall time; the profiler's own %s is subtracted"
        .formatted(
            Quantity.many(threads, "thread"),
            waited,
            Quantity.time(profile.wallNanos()),
            Quantity.percent(costShare(report)));
  }

  static String correction(Report report) {
    double cost = report.profile().threadNanos() - Column.threadNanos(report);
    return "Times are corrected: the recorder's own %s (%s) is subtracted, ±%s ns a call remains."
        .formatted(
            Quantity.time(cost),
            Quantity.percent(costShare(report)),
            Quantity.fixed(Math.abs(report.profile().calibration().residualNanos()), 1));
  }

  /** The recorder's own part of the time as it was measured. */
  private static double costShare(Report report) {
    double raw = report.profile().threadNanos();
    return raw == 0 ? 0 : (raw - Column.threadNanos(report)) / raw;
  }

  /** What follows the name of a scope whose numbers need a word of caution. */
  static String mark(Node node, Report report) {
    String tasks = Evidence.waits(node) ? "†" : Evidence.handsOver(node) ? "‡" : "";
    String mark = tasks + (belowFloor(node, report) ? "*" : "");
    return mark.isEmpty() ? "" : " " + mark;
  }

  static boolean belowFloor(Node node, Report report) {
    return node.belowFloor(report.profile().calibration());
  }

  /** What the columns under the machine's ceilings mean, where they are shown. */
  static List<String> bounds(List<Node> rows, Report report) {
    boolean any = false;
    boolean assumed = false;
    for (Node row : rows) {
      Bound bound = report.bounds().of(row);
      if (bound == null) continue;
      any = true;
      assumed |= bound.level() != null && bound.told() != Bound.Told.COUNTED;
    }
    if (!any) return List.of();
    String words = "Reached and to win count a scope with all inside it, against declared work.";
    return List.of(
        assumed ? words + " Cache levels are assumed from declared bytes, not counted." : words);
  }

  /** The words for the marks that occur among these scopes. */
  static List<String> legend(List<Node> rows, Report report) {
    List<String> legend = new ArrayList<>();
    if (rows.stream().anyMatch(row -> belowFloor(row, report))) legend.add(floor(report));
    if (rows.stream().anyMatch(Evidence::waits)) legend.add(WAITS);
    if (rows.stream().anyMatch(Evidence::handsOver)) legend.add(handsOver(report));
    boolean unknown = rows.stream().anyMatch(row -> row.allocatedBytes() == Profile.UNKNOWN);
    boolean recorded = report.profile().level().compareTo(Level.ALLOCATION) >= 0;
    if (unknown && recorded) legend.add(UNKNOWN);
    return legend;
  }

  private static String handsOver(Report report) {
    long dispatch = report.profile().pools().stream().mapToLong(Profile.Pool::dispatchNanos).sum();
    String all = dispatch > 0 ? " (all dispatch: " + Quantity.time(dispatch) + ")" : "";
    return "‡: handed tasks over and did some itself; its self time is what lies between: handing"
        + " over%s, work of its own or no CPU, not waiting for them.".formatted(all);
  }

  private static String floor(Report report) {
    return "*: calls shorter than the %s a scope costs here; mostly error."
        .formatted(Quantity.time(report.profile().calibration().scopeNanos()));
  }

  static String sound(Report report) {
    double steal = report.profile().system().stealFraction();
    return "yes: every scope closed · recorder's cost %s%s"
        .formatted(
            Quantity.percent(costShare(report)),
            steal < 0 ? "" : " · CPU steal " + Quantity.percent(steal));
  }

  /** At once, over the region's time; all that ever were where no call has ended. */
  static String threads(Region region) {
    double threads = Double.isNaN(region.atOnce()) ? region.threads() : region.atOnce();
    return threads == Math.rint(threads)
        ? Quantity.count((long) threads)
        : Quantity.fixed(threads, 1);
  }
}
