package dev.ridgeline.cli.ab;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Interruption;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The one process that runs at a time; whoever stops the session ends it, with all it started, and
 * so does whoever kills it.
 */
public final class Child implements AutoCloseable {
  private static final int GRACE_SECONDS = 2;
  private static final int GRACE_MILLIS = 200;

  /** More output than this is kept as a file, and only its end is read. */
  static final int MOST_BYTES = 128 << 20;

  /**
   * Options of JVMs are among the flags already, where they matter; a repository that git's own
   * hooks name would be taken for the one of the folder.
   */
  private static final List<String> OUTSIDE =
      List.of(
          "JAVA_TOOL_OPTIONS",
          "JDK_JAVA_OPTIONS",
          "_JAVA_OPTIONS",
          "GIT_DIR",
          "GIT_WORK_TREE",
          "GIT_INDEX_FILE");

  private final CountDownLatch stop = new CountDownLatch(1);
  private final int graceMillis;
  private volatile Started running;
  private Warden warden;

  public Child() {
    this(GRACE_MILLIS);
  }

  /** One that waits otherwise for the news of what ended its process. */
  Child(int graceMillis) {
    this.graceMillis = graceMillis;
  }

  /**
   * What a process left.
   *
   * @param out what it printed, or the end of that
   * @param err the same of its errors
   * @param seconds it took
   */
  public record Ended(int code, String out, String err, double seconds) {}

  /** A process, and what it and all that it starts is known by. */
  private record Started(Process process, Mark mark) {
    /** Ends it, with all it started, whatever of that was left behind. */
    void end() {
      List<ProcessHandle> all = new ArrayList<>(process.descendants().toList());
      all.addAll(mark.bearers());
      if (!process.isAlive() && all.isEmpty()) return;
      process.destroy();
      all.forEach(ProcessHandle::destroy);
      try {
        if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
        all.forEach(ProcessHandle::destroyForcibly);
        // What was about to start another is gone now; what it started is not.
        mark.bearers().forEach(ProcessHandle::destroyForcibly);
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Ends what runs, and lets nothing more begin. */
  public void stop() {
    stop.countDown();
    Started started = running;
    if (started != null) started.end();
  }

  /** Whether somebody did. */
  boolean stopped() {
    return stop.getCount() == 0;
  }

  /** Whether it was stopped, of which a process that failed may have heard before this one. */
  private boolean stoppedAfterAll() throws InterruptedException {
    return stop.await(graceMillis, MILLISECONDS);
  }

  /**
   * Runs a command to its end.
   *
   * @param output where its output is kept
   */
  public Ended run(List<String> command, Path output) throws Stopped {
    return run(command, null, 0, output);
  }

  /**
   * The same somewhere else, and not for ever: what takes too long is ended and a {@link Problem}.
   *
   * @param folder where it runs, or null for here
   * @param mostSeconds it may take, 0 for any time
   */
  public Ended run(List<String> command, Path folder, double mostSeconds, Path output)
      throws Stopped {
    if (stopped()) throw new Stopped();
    Path err = output.resolveSibling(output.getFileName() + ".err");
    try {
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(output.toFile())
              .redirectError(err.toFile());
      if (folder != null) builder.directory(folder.toFile());
      builder.environment().keySet().removeAll(OUTSIDE);
      // A trial that would measure the machine first would be no trial like the others.
      builder.environment().put("RIDGELINE_CEILINGS", "none");
      Mark mark = Mark.next();
      mark.on(builder.environment());
      if (warden == null) warden = Warden.begin();
      long begin = System.nanoTime();
      Process process = builder.start();
      Started started = new Started(process, mark);
      warden.watch(process, mark);
      running = started;
      try (var _ = Interruption.tidies(started::end)) {
        if (stopped()) started.end();
        if (mostSeconds > 0 && !process.waitFor((long) (1e3 * mostSeconds), MILLISECONDS)) {
          throw new Problem("still runs after %.0f s".formatted(mostSeconds));
        }
        int code = process.waitFor();
        double seconds = (System.nanoTime() - begin) / 1e9;
        // Ctrl-C reaches the trial as well, and may end it before this process hears of it.
        if (code > 128) stoppedAfterAll();
        if (stopped()) throw new Stopped();
        return new Ended(code, text(output), text(err), seconds);
      } finally {
        started.end();
        warden.rest();
        running = null;
      }
    } catch (IOException e) {
      throw refusal(command, e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Stopped();
    }
  }

  /** Ctrl-C ends also what the JVM starts processes by, which it takes for a failure to start. */
  private Problem refusal(List<String> command, IOException failure) throws Stopped {
    try {
      if (stoppedAfterAll()) throw new Stopped();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Stopped();
    }
    // The JVM goes on about its helper in further lines.
    String why = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    return new Problem("cannot start %s: %s".formatted(command.getFirst(), why), failure);
  }

  /** What a file holds, or the end of that. */
  static String text(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      long before = Math.max(0, Files.size(file) - MOST_BYTES);
      in.skipNBytes(before);
      String text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
      return before == 0 ? text : text.substring(text.indexOf('\n') + 1);
    }
  }

  @Override
  public void close() {
    if (warden != null) warden.close();
  }
}
