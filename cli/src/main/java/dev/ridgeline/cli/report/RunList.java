package dev.ridgeline.cli.report;

import dev.ridgeline.lab.history.History;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;

/** The runs of a folder, newest first, a line each. */
final class RunList {
  private RunList() {}

  static void print(Runs runs, int top, PrintWriter out) {
    List<RunDirectory> all = runs.list();
    if (all.isEmpty()) {
      out.println("no runs in " + runs.folder() + " yet; make one: ridgeline profile");
      return;
    }
    List<RunDirectory> shown = all.subList(0, Math.min(top, all.size()));
    int width = shown.stream().mapToInt(run -> run.name().length()).max().orElseThrow();
    for (RunDirectory run : shown) out.println(Text.left(run.name(), width) + "  " + describe(run));
    int more = all.size() - shown.size();
    if (more > 0) out.println("… and " + more + " older: --top " + all.size());
  }

  /** One broken file must not hide the others. */
  private static String describe(RunDirectory directory) {
    try {
      Run run = directory.run();
      Optional<Metric> first = History.level(run);
      if (first.isEmpty()) return run.title();
      String value = Quantity.number(first.get().median()) + " " + first.get().unit();
      return "%s %s · %s".formatted(value, first.get().name(), run.title());
    } catch (FileException e) {
      return "unreadable: " + e.getMessage();
    }
  }
}
