package dev.ridgeline.cli.report;

import dev.ridgeline.cli.Terminal;
import dev.ridgeline.report.Column;
import dev.ridgeline.report.Console;
import dev.ridgeline.report.Report;
import dev.ridgeline.report.run.Drawing;
import dev.ridgeline.report.run.RunDirectory;

/** A run as a terminal shows it. */
public final class Screen {
  private Screen() {}

  /** What a terminal of this kind shows of a run. */
  public static String of(Report report, RunDirectory run, Terminal terminal, int top, Column by) {
    var style = new Console.Style(terminal.columns(), terminal.colours(), terminal.output());
    return Console.draw(report, style, top, by, Drawing.open(run));
  }
}
