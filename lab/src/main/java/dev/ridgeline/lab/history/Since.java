package dev.ridgeline.lab.history;

import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.Runs;
import java.util.List;
import java.util.Optional;

/** How a run compares with the last one like it, in a line: no verdict, but where to look. */
public final class Since {
  private Since() {}

  /** The line, or empty where there is no run like it yet. */
  public static Optional<String> line(Run run, Runs runs) {
    if (run.metrics().isEmpty()) return Optional.empty();
    History history = History.of(runs);
    List<History.Kept> earlier = history.like(run);
    Metric now = run.metrics().getFirst();
    for (History.Kept kept : earlier) {
      Optional<Metric> then = History.same(kept.run(), now);
      if (then.isEmpty() || !(then.get().median() > 0)) continue;
      double change = now.median() / then.get().median() - 1;
      return Optional.of(words(run, kept, now, change, history.drift(run)));
    }
    return Optional.empty();
  }

  private static String words(
      Run run, History.Kept last, Metric metric, double change, double drift) {
    Likeness likeness = Likeness.of(last.run(), run);
    StringBuilder line = new StringBuilder();
    line.append(
        "last run (%s) %s %s"
            .formatted(last.directory().name(), metric.name(), Quantity.change(change)));
    if (Double.isNaN(drift)) {
      line.append("; how much equal runs differ here is not known yet");
    } else if (Math.abs(change) <= drift) {
      line.append(", inside this machine's drift of ±" + Quantity.percent(drift));
    } else {
      line.append(", more than this machine's drift of ±" + Quantity.percent(drift));
    }
    if (!likeness.plan().isEmpty()) line.append("; another plan: " + likeness.plan().getFirst());
    return line.append("; `ridgeline ab` proves changes").toString();
  }
}
