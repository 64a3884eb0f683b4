package dev.ridgeline.model.store;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A program of this machine that brings files: found on the PATH, started without a shell, and
 * ended when it takes too long.
 */
record Program(String name, Map<String, String> environment) {
  /** Long enough for a hundred megabytes over a slow line. */
  static final Duration PATIENCE = Duration.ofMinutes(30);

  /** What {@link #run} answers when patience was at its end. */
  static final int TOO_LONG = -1;

  /** Where it is, or null. */
  Path find() {
    for (String folder : environment.getOrDefault("PATH", "").split(":")) {
      try {
        Path program = Path.of(folder).resolve(name).toAbsolutePath();
        if (Files.isExecutable(program) && !Files.isDirectory(program)) return program;
      } catch (InvalidPathException _) {
        // Not a folder, then.
      }
    }
    return null;
  }

  /** Where all that it says goes when it runs in a folder. */
  Path log(Path folder) {
    return folder.resolve(name + ".log");
  }

  /** Runs it in a folder and answers the code that it ended with. */
  int run(Path program, Path folder, Duration patience, List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(program.toString()));
    command.addAll(arguments);
    var builder =
        new ProcessBuilder(command)
            .directory(folder.toFile()) // no project is there that could be meant
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log(folder).toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    // The launcher may have found a JDK that neither JAVA_HOME nor the PATH knows.
    builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
    Process process = builder.start();
    Thread tidying = new Thread(() -> tidy(process, folder));
    try {
      Runtime.getRuntime().addShutdownHook(tidying);
      boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      // Whoever told this process to end need not hear that its child was ended, too.
      if (!remove(tidying)) new CountDownLatch(1).await();
      return ended ? process.exitValue() : TOO_LONG;
    } catch (InterruptedException e) {
      remove(tidying);
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + name + " was running");
    } finally {
      end(process);
    }
  }

  /** Of a process that is told to end, its child must not stay behind, nor what it wrote. */
  private static void tidy(Process process, Path folder) {
    end(process);
    try {
      if (!process.waitFor(2, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
      Tree.delete(folder);
    } catch (IOException | InterruptedException _) {
      // Whoever comes next deletes it.
    }
  }

  /** False when it is too late: the JVM is ending. */
  private static boolean remove(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      return false;
    }
  }

  private static void end(Process process) {
    process.descendants().forEach(ProcessHandle::destroy);
    process.destroy();
  }
}
