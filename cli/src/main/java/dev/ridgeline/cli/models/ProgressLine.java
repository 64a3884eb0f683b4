package dev.ridgeline.cli.models;

import dev.ridgeline.cli.Terminal;
import dev.ridgeline.model.store.Progress;
import dev.ridgeline.profiler.file.OneLine;
import dev.ridgeline.report.Quantity;
import java.io.PrintWriter;

/** How far a model is on its way: one line drawn over itself, where somebody looks. */
public final class ProgressLine implements Progress, AutoCloseable {
  private static final String ERASE = "\r\033[K";
  private static final long REDRAW_NANOS = 100_000_000;

  private final PrintWriter out;
  private final boolean drawn;
  private final int columns;
  private String step = "";
  private long begin;
  private long beganAt;
  private long lastDrawn;

  private ProgressLine(PrintWriter out, boolean drawn, int columns) {
    this.out = out;
    this.drawn = drawn;
    this.columns = columns;
  }

  /** Drawn if a person looks at standard error. */
  public static ProgressLine on(PrintWriter err, Terminal terminal) {
    return new ProgressLine(err, terminal.errors(), terminal.columns());
  }

  @Override
  public void step(String what) {
    step = OneLine.of(what);
    begin = 0;
    draw(step);
  }

  @Override
  public void bytes(long done, long total) {
    long now = System.nanoTime();
    if (begin == 0 || done < beganAt) {
      begin = now;
      beganAt = done;
    }
    if (now - lastDrawn < REDRAW_NANOS) return;
    lastDrawn = now;
    draw(step + "  " + describe(done, total, (now - begin) / 1e9));
  }

  @Override
  public void note(String what) {
    draw("");
    out.println("ridgeline: " + OneLine.of(what));
    draw(step);
  }

  /** {@code 37.1 MB of 83.0 MB · 12.3 MB/s · 4 s left}. What was there before does not count. */
  private String describe(long done, long total, double seconds) {
    StringBuilder line = new StringBuilder(Quantity.bytes(done));
    if (total > 0) line.append(" of ").append(Quantity.bytes(total));
    if (seconds < 0.5 || done <= beganAt) return line.toString();
    double rate = (done - beganAt) / seconds;
    line.append(" · ").append(Quantity.bytes(rate)).append("/s");
    if (total > done)
      line.append(" · ").append(Quantity.left((total - done) / rate)).append(" left");
    return line.toString();
  }

  private void draw(String line) {
    if (!drawn) return;
    out.print(ERASE + (line.length() < columns ? line : line.substring(0, columns - 1)));
    out.flush();
  }

  /** Leaves the line empty. */
  @Override
  public void close() {
    draw("");
  }
}
