package dev.ridgeline.cli.report;

import dev.ridgeline.cli.Terminal;
import dev.ridgeline.lab.history.Since;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.nio.file.Path;
import java.util.List;

/** A run as a terminal shows it. */
public final class Screen {
  private Screen() {}

  /** What is said of the last run like it. */
  private static List<String> since(RunDirectory run) {
    Path folder = run.path().toAbsolutePath().getParent();
    return Since.line(run.run(), new Runs(folder)).stream().toList();
  }

  /** What a terminal of this kind shows of a run. */
  public static String of(Report report, RunDirectory run, Terminal terminal, int top, Column by) {
    var style = new Console.Style(terminal.columns(), terminal.colours(), terminal.output());
    return Console.draw(report, style, top, by, new Console.Around(since(run), Drawing.open(run)));
  }
}
