package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.lab.history.index.RunIndex;
import dev.ridgeline.report.Quantity;
import java.io.PrintWriter;

/**
 * How many runs are read that no index knows yet: one line drawn over itself, if somebody looks.
 */
final class IndexProgress implements RunIndex.Reading, AutoCloseable {
  private static final String ERASE = "\r\033[K";
  private static final long REDRAW_NANOS = 100_000_000;

  private final PrintWriter err;
  private final boolean drawn;
  private long last = System.nanoTime();
  private boolean dirty;

  private IndexProgress(PrintWriter err, boolean drawn) {
    this.err = err;
    this.drawn = drawn;
  }

  static IndexProgress on(PrintWriter err, Terminal terminal) {
    return new IndexProgress(err, terminal.errors());
  }

  @Override
  public synchronized void at(int done, int all) {
    long now = System.nanoTime();
    if (!drawn || now - last < REDRAW_NANOS) return;
    last = now;
    dirty = true;
    err.print(
        ERASE + "reading %s of %s once".formatted(Quantity.count(done), Quantity.many(all, "run")));
    err.flush();
  }

  /** Leaves the line empty. */
  @Override
  public synchronized void close() {
    if (dirty) err.print(ERASE);
    dirty = false;
    err.flush();
  }
}
