package dev.ridgeline.lab.compare;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;

/** What two runs took in all; a user's own program states no other metrics. */
final class ProgramTotals {
  private ProgramTotals() {}

  static List<Change> of(Profile base, Profile current) {
    List<Change> totals = new ArrayList<>(taken(base, current));
    long one = Gates.calls(base.tree().root());
    add(totals, "calls of scopes", "", one, Gates.calls(current.tree().root()), 1);
    return totals;
  }

  /** Time and memory of all that was recorded. */
  static List<Change> taken(Profile base, Profile current) {
    List<Change> totals = new ArrayList<>();
    add(totals, "total time", "s", base.wallNanos(), current.wallNanos(), 1e9);
    add(totals, "CPU time", "s", base.system().cpuNanos(), current.system().cpuNanos(), 1e9);
    CallTree.Node one = base.tree().root();
    CallTree.Node other = current.tree().root();
    add(totals, "allocated in scopes", "MB", one.allocatedBytes(), other.allocatedBytes(), 1e6);
    return totals;
  }

  private static void add(
      List<Change> totals, String name, String unit, long base, long current, double per) {
    if (base == Profile.UNKNOWN || current == Profile.UNKNOWN) return;
    totals.add(new Change(name, unit, Better.LOWER, base / per, current / per));
  }
}
