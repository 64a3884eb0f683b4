package dev.ridgeline.cli.profile;

import dev.ridgeline.profiler.file.OneLine;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Where a long command is: one line drawn over itself where somebody looks, and every step with its
 * moment for {@code run.log}.
 */
public final class Progress implements AutoCloseable {
  private static final String ERASE = "\r\033[K";

  private final PrintWriter terminal;

  /** Where nobody looks but somebody may read it later, or null. */
  private final PrintWriter lines;

  private final long lineNanos;
  private long lastLine;
  private final long begin = System.nanoTime();
  private final List<String> log = new ArrayList<>();
  private boolean drawn;

  private Progress(PrintWriter terminal, PrintWriter lines, long lineNanos) {
    this.terminal = terminal;
    this.lines = lines;
    this.lineNanos = lineNanos;
    this.lastLine = begin;
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
  public void show(String phase, int step, long steps, String what) {
    show("%s %d/%d %s".formatted(phase, step, steps, what).strip());
  }

  /** Something begins. */
  public void show(String what) {
    note(what);
    long now = System.nanoTime();
    if (lines != null && now - lastLine >= lineNanos) {
      lastLine = now;
      print(lines, what);
    }
    if (terminal == null) return;
    terminal.print(ERASE + what);
    terminal.flush();
    drawn = true;
  }

  /** Something that the user should know and did not ask for, in a line that stays. */
  public void tell(String what) {
    note(what);
    close();
    PrintWriter err = terminal == null ? lines : terminal;
    if (err != null) print(err, what);
  }

  private static void print(PrintWriter err, String what) {
    err.println("ridgeline: " + OneLine.of(what));
    err.flush();
  }

  /** Something worth keeping and not worth showing. */
  public void note(String what) {
    double seconds = (System.nanoTime() - begin) / 1e9;
    log.add(String.format(Locale.ROOT, "%8.3f s  %s", seconds, what));
  }

  /** What those below tell of long work (fetching, measuring), on this line. */
  public dev.ridgeline.model.store.Progress asSteps() {
    return new dev.ridgeline.model.store.Progress() {
      @Override
      public void step(String what) {
        show(what);
      }

      @Override
      public void note(String what) {
        tell(what);
      }
    };
  }

  /** Every step so far, a line each. */
  public List<String> log() {
    return List.copyOf(log);
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
