package dev.ridgeline.cli.line;

import dev.ridgeline.profiler.file.OneLine;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.Text;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a long command is: one line drawn over itself where somebody looks, and every step with its
 * moment for {@code run.log}.
 */
public final class Progress implements dev.ridgeline.model.store.Progress, AutoCloseable {
  private static final String ERASE = "\r\033[K";

  /** Often enough to be seen moving. */
  private static final long REDRAW_NANOS = 100_000_000;

  private final PrintWriter terminal;
  private final int columns = Terminal.detect().columns();

  /** Where nobody looks but somebody may read it later, or null. */
  private final PrintWriter lines;

  private final long lineNanos;
  private long lastLine;
  private final long begin = System.nanoTime();
  private final List<String> log = new ArrayList<>();
  private boolean drawn;
  private long lastDrawn = begin - REDRAW_NANOS;
  private String current = "";

  /** When the first bytes of a step were there, and how many; 0 before that. */
  private long transferBegan;

  private long transferBeganAt;

  private Progress(PrintWriter terminal, PrintWriter lines, long lineNanos) {
    this.terminal = terminal;
    this.lines = lines;
    this.lineNanos = lineNanos;
    this.lastLine = begin;
  }

  /** Drawn where standard error is a terminal; else only what the user should know is told. */
  public static Progress of(PrintWriter err) {
    return Terminal.detect().errors() ? on(err) : notices(err);
  }

  /** Drawn on a terminal. */
  public static Progress on(PrintWriter terminal) {
    return new Progress(terminal, null, 0);
  }

  /** Not drawn; what the user should know is still told. */
  public static Progress notices(PrintWriter err) {
    return new Progress(null, err, Long.MAX_VALUE);
  }

  /** Not drawn, and nothing is told. */
  public static Progress silent() {
    return new Progress(null, null, 0);
  }

  /** A line now and then instead of one that is drawn over. */
  public static Progress lines(PrintWriter err, long everyNanos) {
    return new Progress(null, err, everyNanos);
  }

  /** A step begins: {@code warming up 3/12 matmul 512}. */
  public void step(String phase, int number, long count, String what) {
    step("%s %d/%d %s".formatted(phase, number, count, what).strip());
  }

  @Override
  public void step(String what) {
    log(what);
    current = OneLine.of(what);
    transferBegan = 0;
    long now = System.nanoTime();
    if (lines != null && now - lastLine >= lineNanos) {
      lastLine = now;
      print(lines, what);
    }
    draw(current);
  }

  @Override
  public void bytes(long done, long total) {
    long now = System.nanoTime();
    if (transferBegan == 0 || done < transferBeganAt) {
      transferBegan = now;
      transferBeganAt = done;
    }
    if (due()) draw(current + "  " + transfer(done, total, (now - transferBegan) / 1e9));
  }

  /** {@code 37.1 MB of 83.0 MB · 12.3 MB/s · 4 s left}. What was there before does not count. */
  private String transfer(long done, long total, double seconds) {
    StringBuilder line = new StringBuilder(Quantity.bytes(done));
    if (total > 0) line.append(" of ").append(Quantity.bytes(total));
    if (seconds < 0.5 || done <= transferBeganAt) return line.toString();
    double rate = (done - transferBeganAt) / seconds;
    line.append(" · ").append(Quantity.bytes(rate)).append("/s");
    if (total > done) {
      line.append(" · ").append(Quantity.left((total - done) / rate)).append(" left");
    }
    return line.toString();
  }

  /** In a line that stays. */
  @Override
  public void note(String what) {
    log(what);
    erase();
    PrintWriter err = terminal == null ? lines : terminal;
    if (err != null) print(err, what);
  }

  private static void print(PrintWriter err, String what) {
    err.println("ridgeline: " + OneLine.of(what));
    err.flush();
  }

  /** Keeps something that is not worth showing. */
  public void log(String what) {
    double seconds = (System.nanoTime() - begin) / 1e9;
    log.add(String.format(Locale.ROOT, "%8.3f s  %s", seconds, what));
  }

  /** Every step so far, a line each. */
  public List<String> log() {
    return List.copyOf(log);
  }

  /** Whether somebody looks. */
  public boolean seen() {
    return terminal != null;
  }

  /** Whether it is time to draw again: asking first saves making a text that nobody sees. */
  public boolean due() {
    return seen() && System.nanoTime() - lastDrawn >= REDRAW_NANOS;
  }

  /** Draws what is not worth keeping. */
  public void draw(String line) {
    if (!seen()) return;
    // A line that breaks cannot be erased.
    terminal.print(ERASE + Text.fit(line, columns - 1));
    terminal.flush();
    drawn = true;
    lastDrawn = System.nanoTime();
  }

  /** Leaves the line empty, for what is printed above it; then it is due again. */
  public void erase() {
    if (!drawn) return;
    terminal.print(ERASE);
    terminal.flush();
    drawn = false;
    lastDrawn = begin - REDRAW_NANOS;
  }

  @Override
  public void close() {
    erase();
  }
}
