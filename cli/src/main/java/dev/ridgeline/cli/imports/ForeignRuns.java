package dev.ridgeline.cli.imports;

import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.lab.history.index.RunIndex;
import dev.ridgeline.lab.imports.Measurements;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.Runs;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The measurements of a file, put beside our runs. */
final class ForeignRuns {
  private ForeignRuns() {}

  /** Reads all of a file, then writes what is not there yet, and tells of each. */
  static void add(Path file, Runs runs, PrintWriter out) {
    Measurements read = Measurements.read(file);
    Rehearsal.endsHere();
    // Who imports the same file at the same time finds all of it there, or nothing.
    try (var _ = FolderLock.of(RunIndex.folder(runs).resolve("import.lock"))) {
      add(read, runs, out);
    }
  }

  private static void add(Measurements read, Runs runs, PrintWriter out) {
    Set<Run> known = known(runs, read.tool());
    List<Run> added = read.runs().stream().filter(known::add).toList();
    List<RunDraft> drafts = new ArrayList<>();
    try {
      // All of them are on the disk before the first has a name.
      for (Run run : added) {
        RunDraft draft = runs.begin(run.name(), run.started());
        drafts.add(draft);
        draft.write(run);
      }
      for (int i = 0; i < drafts.size(); i++) tell(drafts.get(i).commit(), added.get(i), out);
    } finally {
      drafts.forEach(RunDraft::close);
    }
    int there = read.runs().size() - added.size();
    out.println(
        "%s of %s in %s%s"
            .formatted(
                Quantity.many(added.size(), "run"),
                read.tool(),
                runs.folder(),
                there == 0 ? "" : "; " + there + " were there already"));
  }

  /** What was imported before: a file that grows is imported again and again. */
  private static Set<Run> known(Runs runs, String tool) {
    Set<Run> known = new HashSet<>();
    for (RunDirectory directory : runs.list()) {
      if (!directory.name().contains("-" + tool)) continue;
      try {
        known.add(directory.run());
      } catch (FileException _) {
        // One that is damaged is not there.
      }
    }
    return known;
  }

  private static void tell(RunDirectory directory, Run run, PrintWriter out) {
    Metric first = run.metrics().getFirst();
    out.println(
        "%s  %s %s %s · %s"
            .formatted(
                directory.name(),
                first.name(),
                Quantity.number(first.median()),
                Text.clean(first.unit()),
                Text.clean(run.title())));
  }
}
