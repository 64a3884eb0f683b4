package dev.ridgeline.cli.report;

import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A run without a profile, as one that was imported: what was measured, and what is known of it.
 */
final class RunFigures {
  private RunFigures() {}

  static List<String> lines(Run run) {
    List<String> lines = new ArrayList<>();
    lines.add(Text.clean(run.title()));
    lines.add(Text.clean(run.machine().line()));
    lines.add("");
    int width = run.metrics().stream().mapToInt(m -> Text.width(name(m))).max().orElse(0);
    for (Metric metric : run.metrics()) {
      String value = Quantity.number(metric.median()) + " " + Text.clean(metric.unit());
      int samples = metric.samples().size();
      lines.add(
          "  %s  %s%s"
              .formatted(
                  Text.left(name(metric), width),
                  value.strip(),
                  samples == 1 ? "" : ", median of " + samples));
    }
    lines.add("");
    lines.add("  started " + run.started());
    if (!run.revision().isEmpty()) lines.add("  revision " + Text.clean(run.revision()));
    for (Map<String, String> facts : List.of(run.workload(), run.plan(), run.conditions())) {
      facts.forEach((name, value) -> lines.add("  " + Text.clean(name + ": " + value)));
    }
    lines.add("");
    lines.add("  recorded without a profile: there are no hot paths to show");
    return lines;
  }

  private static String name(Metric metric) {
    return Text.clean(metric.name());
  }
}
