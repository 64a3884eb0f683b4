package dev.ridgeline.lab.process;

import java.io.IOException;
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
  private static final String SCRIPT =
      """
      trap '' INT TERM HUP
      end() {
        for child in $(ps -e -o pid= -o ppid= | awk -v parent="$1" '$2 == parent { print $1 }'); do
          end "$child"
        done
        kill -9 "$1" 2>/dev/null
      }
      running=none
      while read -r process entry; do running=$process mark=$entry; done
      [ "$running" = none ] && exit
      end "$running"
      # Again, for what was just becoming another program.
      for look in 1 2 3; do
        for process in $(grep -lzxF "$mark" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3); do
          kill -9 "$process" 2>/dev/null
        done
        sleep 0.1
      done
      """;

  private final Process shell;

  private Watchdog(Process shell) {
    this.shell = shell;
  }

  /** One for this process. */
  static Watchdog begin() throws IOException {
    return new Watchdog(
        new ProcessBuilder("/bin/sh", "-c", SCRIPT)
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
