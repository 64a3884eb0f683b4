package dev.ridgeline.cli.foreign;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.Format;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.Runs;
import java.util.List;

/**
 * What is left of a program that ended before its agent could write: the last copy, drawn here as
 * the agent would have drawn it.
 */
record Salvage(Runs runs, List<Format> formats, Drawing.Manner manner) {
  private static final int SIGNALLED = 128;

  /** The runs that could be kept. */
  List<RunDirectory> keep() {
    List<RunDirectory> saved = runs.salvage();
    saved.forEach(this::draw);
    return saved;
  }

  private void draw(RunDirectory run) {
    Profile profile = run.profile();
    Report report = RunReport.of(run.run(), profile);
    for (Format format : formats) {
      // A recording is made, not drawn, and was not finished.
      boolean drawn = format != Format.JFR && format != Format.JSON && !format.fileName().isEmpty();
      if (!drawn || format.refusal(profile) != null) continue;
      run.write(format.fileName(), Drawing.content(format, report, manner));
    }
  }

  /** What became of the recording, in a sentence about whoever ended so. */
  static String told(String who, List<RunDirectory> kept) {
    return who
        + (kept.isEmpty()
            ? " before anything was copied, first done after 10 s: nothing is kept"
            : ": what was copied before is kept");
  }

  /** How a program ended whose shutdown hooks did not run. */
  static String ending(int code) {
    return code > SIGNALLED
        ? "the program was killed (exit code %d)".formatted(code)
        : "the program halted without its shutdown hooks (exit code %d)".formatted(code);
  }
}
