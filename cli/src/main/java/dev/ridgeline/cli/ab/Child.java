package dev.ridgeline.cli.ab;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import dev.ridgeline.cli.Problem;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Interruption;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The one process that runs at a time; whoever stops the session ends it, with all it started, and
 * so does whoever kills it.
 */
public final class Child implements AutoCloseable {
  private static final int GRACE_SECONDS = 2;
  private static final int GRACE_MILLIS = 200;

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

  private volatile boolean stopped;
  private volatile Process running;
  private Warden warden;

  /** What a process left. */
  public record Ended(int code, String out, String err) {}

  /** Ends what runs, and lets nothing more begin. */
  public void stop() {
    stopped = true;
    Process process = running;
    if (process != null) end(process);
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
    if (stopped) throw new Stopped();
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
      if (warden == null) warden = Warden.begin();
      Process process = builder.start();
      warden.watch(process);
      running = process;
      try (var _ = Interruption.tidies(() -> end(process))) {
        if (stopped) end(process);
        if (mostSeconds > 0 && !process.waitFor((long) (1e3 * mostSeconds), MILLISECONDS)) {
          throw new Problem("still runs after %.0f s".formatted(mostSeconds));
        }
        int code = process.waitFor();
        // Ctrl-C reaches the trial as well, and may end it before this process hears of it.
        if (code > 128 && !stopped) Thread.sleep(GRACE_MILLIS);
        if (stopped) throw new Stopped();
        return new Ended(code, text(output), text(err));
      } finally {
        end(process);
        warden.rest();
        running = null;
      }
    } catch (IOException e) {
      throw new Problem("cannot start %s: %s".formatted(command.getFirst(), e.getMessage()), e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new Stopped();
    }
  }

  private static String text(Path file) throws IOException {
    return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
  }

  private static void end(Process process) {
    List<ProcessHandle> all = process.descendants().toList();
    if (!process.isAlive() && all.isEmpty()) return;
    process.destroy();
    all.forEach(ProcessHandle::destroy);
    try {
      if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly();
      all.forEach(ProcessHandle::destroyForcibly);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    if (warden != null) warden.close();
  }
}
