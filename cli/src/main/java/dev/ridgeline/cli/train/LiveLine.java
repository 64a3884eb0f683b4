package dev.ridgeline.cli.train;

import dev.ridgeline.report.Text;
import java.io.PrintWriter;

/** A line at the bottom of a terminal, drawn over itself a few times a second at most. */
final class LiveLine {
  private static final String ERASE = "\r\033[K";
  private static final long NANOS = 200_000_000;

  private final PrintWriter terminal;
  private final int columns;
  private long last = System.nanoTime() - NANOS;
  private boolean drawn;

  LiveLine(PrintWriter terminal, int columns) {
    this.terminal = terminal;
    this.columns = columns;
  }

  /** Whether it is time to draw: who asks before saves making a text that nobody sees. */
  boolean due() {
    return System.nanoTime() - last >= NANOS;
  }

  void draw(String line) {
    // A line that breaks cannot be erased.
    terminal.print(ERASE + Text.fit(line, columns - 1));
    terminal.flush();
    drawn = true;
    last = System.nanoTime();
  }

  /** Leaves the line empty, for what is printed above it; then it is due again. */
  void erase() {
    if (!drawn) return;
    last = System.nanoTime() - NANOS;
    terminal.print(ERASE);
    terminal.flush();
    drawn = false;
  }
}
