package dev.ridgeline.lab.compare;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;

/** What two whole programs took: a user's own program states no metrics of its own. */
final class ProgramTotals {
  private ProgramTotals() {}

  static List<Change> of(Profile base, Profile current) {
    List<Change> totals = new ArrayList<>();
    add(totals, "total time", "s", base.wallNanos(), current.wallNanos(), 1e9);
    add(totals, "CPU time", "s", base.system().cpuNanos(), current.system().cpuNanos(), 1e9);
    CallTree.Node one = base.tree().root();
    CallTree.Node other = current.tree().root();
    add(totals, "allocated in scopes", "MB", one.allocatedBytes(), other.allocatedBytes(), 1e6);
    add(totals, "calls of scopes", "", Gates.calls(one), Gates.calls(other), 1);
    return totals;
  }

  private static void add(
      List<Change> totals, String name, String unit, long base, long current, double per) {
    if (base == Profile.UNKNOWN || current == Profile.UNKNOWN) return;
    totals.add(new Change(name, unit, Better.LOWER, base / per, current / per));
  }
}
