package dev.ridgeline.cli.profile;

import java.io.PrintWriter;

/** One line that says where a long command is, drawn over itself; silent where nobody looks. */
public final class Progress implements AutoCloseable {
  private static final String ERASE = "\r\033[K";

  private final PrintWriter terminal;
  private boolean drawn;

  private Progress(PrintWriter terminal) {
    this.terminal = terminal;
  }

  /** A line on a terminal. */
  public static Progress on(PrintWriter terminal) {
    return new Progress(terminal);
  }

  /** Nothing at all. */
  public static Progress silent() {
    return new Progress(null);
  }

  /** Shows a step: {@code warming up 3/12 matmul 512}. */
  public void show(String phase, int step, int steps, String what) {
    if (terminal == null) return;
    terminal.print(ERASE + phase + " " + step + "/" + steps + " " + what);
    terminal.flush();
    drawn = true;
  }

  /** Shows what has no steps. */
  public void show(String what) {
    if (terminal == null) return;
    terminal.print(ERASE + what);
    terminal.flush();
    drawn = true;
  }

  /** Leaves the line empty. */
  @Override
  public void close() {
    if (!drawn) return;
    terminal.print(ERASE);
    terminal.flush();
    drawn = false;
  }
}
