package dev.ridgeline.cli.report;

import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.lab.history.Since;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.FirstScreen;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.nio.file.Path;
import java.util.List;

/**
 * How much of a run a terminal shows.
 *
 * @param full all there is to tell; otherwise the answer, on one screen
 * @param top how many rows of a full table
 * @param by what sorts a full table
 */
public record Screen(boolean full, int top, Column by) {
  public String draw(Report report, RunDirectory run, Terminal terminal) {
    var style = new Console.Style(terminal.columns(), terminal.colours(), terminal.output());
    return full
        ? Console.draw(report, style, top, by, around(run, ""))
        : FirstScreen.draw(report, style, around(run, " --full"));
  }

  private static Console.Around around(RunDirectory run, String options) {
    return new Console.Around(since(run), Drawing.open(run, options));
  }

  /** What is said of the last run like it. */
  private static List<String> since(RunDirectory run) {
    Path folder = run.path().toAbsolutePath().getParent();
    return Since.line(run.run(), new Runs(folder)).stream().toList();
  }
}
