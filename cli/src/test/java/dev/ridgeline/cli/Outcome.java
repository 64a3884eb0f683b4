package dev.ridgeline.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What a process left behind. */
record Outcome(int code, String out, String err) {

  /**
   * Runs a command to its end with only these variables added, or removed where null. Each command
   * that ridgeline prints or writes there starts.
   */
  static Outcome of(Path folder, Map<String, String> environment, List<String> command) {
    Instant began = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Outcome outcome = unchecked(folder, environment, command);
    String launcher = FakeMachine.launcher().toString();
    if (command.stream().noneMatch(word -> word.contains(launcher))
        && !launcher.equals(environment.get("ridgeline"))) {
      return outcome;
    }
    StartedCommands.check(
        outcome.out + "\n" + outcome.err + "\n" + PrintedFiles.below(folder, began),
        words -> StartedCommands.rehearse(folder, environment, words));
    return outcome;
  }

  /** The same of a script for bash, which hears its signals wherever these tests were started. */
  static Outcome ofShell(Path folder, Map<String, String> environment, String script) {
    // What a shell starts in the background, or nohup, is deaf to some, and so are its children.
    return of(
        folder, environment, List.of("env", "--default-signal=INT,HUP", "bash", "-c", script));
  }

  /** The same for whatever it prints. */
  static Outcome unchecked(Path folder, Map<String, String> environment, List<String> command) {
    try {
      // Files, not pipes: a process that outlives its parent could keep a pipe open for ever.
      Path out = Files.createTempFile("out", ".txt");
      Path err = Files.createTempFile("err", ".txt");
      var builder =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      change(builder.environment(), environment);
      Process process = builder.start();
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError(command + " did not end; it said: " + Files.readString(err));
      }
      var outcome = new Outcome(process.exitValue(), Files.readString(out), Files.readString(err));
      Files.delete(out);
      Files.delete(err);
      return outcome;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** Sets variables, and removes those that are null. */
  static void change(Map<String, String> environment, Map<String, String> changes) {
    changes.forEach(
        (name, value) -> {
          if (value == null) environment.remove(name);
          else environment.put(name, value);
        });
  }

  /** The id of a process that is no more. */
  static long dead() {
    try {
      Process process = new ProcessBuilder("true").start();
      process.waitFor();
      return process.pid();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
