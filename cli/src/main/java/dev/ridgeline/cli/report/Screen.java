package dev.ridgeline.cli.report;

import dev.ridgeline.cli.Terminal;
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

/** A run as a terminal shows it. */
public final class Screen {
  private Screen() {}

  /** What is said of the last run like it. */
  private static List<String> since(RunDirectory run) {
    Path folder = run.path().toAbsolutePath().getParent();
    return Since.line(run.run(), new Runs(folder)).stream().toList();
  }

  /** All that a terminal of this kind shows of a run. */
  public static String full(
      Report report, RunDirectory run, Terminal terminal, int top, Column by) {
    return Console.draw(report, style(terminal), top, by, around(run, ""));
  }

  /** The answer, on one screen. */
  public static String first(Report report, RunDirectory run, Terminal terminal) {
    return FirstScreen.draw(report, style(terminal), around(run, " --full"));
  }

  private static Console.Style style(Terminal terminal) {
    return new Console.Style(terminal.columns(), terminal.colours(), terminal.output());
  }

  private static Console.Around around(RunDirectory run, String options) {
    return new Console.Around(since(run), Drawing.open(run, options));
  }
}
