package dev.ridgeline.lab.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Ends the trial of a session whose own process was killed, with all that the trial started, and
 * what that left in the background.
 *
 * <p>A shell that reads which process runs now, a line each, and sleeps in between. Its input ends
 * with this process, however that ends: then it ends the one that it was told of last.
 */
final class Watchdog implements AutoCloseable {
  private final Process shell;

  private Watchdog(Process shell) {
    this.shell = shell;
  }

  /** One for this process. */
  static Watchdog begin() throws IOException {
    String script;
    try (InputStream in = Watchdog.class.getResourceAsStream("watchdog.sh")) {
      script = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    }
    return new Watchdog(
        new ProcessBuilder("/bin/sh", "-c", script)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start());
  }

  void watch(Process trial, Mark mark) {
    tell(trial.pid() + " " + mark.entry());
  }

  void rest() {
    tell("none");
  }

  ProcessHandle shell() {
    return shell.toHandle();
  }

  private void tell(String line) {
    try {
      OutputStream in = shell.getOutputStream();
      in.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
      in.flush();
    } catch (IOException _) {
      // Somebody ended it: then only what was killed with us ends with us.
    }
  }

  @Override
  public void close() {
    try {
      shell.getOutputStream().close();
    } catch (IOException _) {
      // It is gone already.
    }
  }
}
