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
    var child = new Child(builder, folder);
    Thread tidying = new Thread(child::tidy);
    // Before it is started: a signal may come at any time.
    if (!add(tidying)) untilTheEnd();
    try {
      Process process = child.start();
      boolean ended = process.waitFor(patience.toMillis(), TimeUnit.MILLISECONDS);
      // Whoever told this process to end need not hear that its child was ended, too.
      if (!remove(tidying)) untilTheEnd();
      return ended ? process.exitValue() : TOO_LONG;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while " + name + " was running");
    } finally {
      remove(tidying);
      child.end();
    }
  }

  /** False when it is too late: the JVM is ending. */
  private static boolean add(Thread hook) {
    try {
      Runtime.getRuntime().addShutdownHook(hook);
      return true;
    } catch (IllegalStateException _) {
      return false;
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

  /** Of the JVM, which has begun. */
  private static void untilTheEnd() throws InterruptedIOException {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while the JVM was ending");
    }
  }

  /** A process that does not outlive this one: once told to end, it is never started. */
  private static final class Child {
    private final ProcessBuilder builder;
    private final Path folder;
    private Process process;
    private boolean tooLate;

    Child(ProcessBuilder builder, Path folder) {
      this.builder = builder;
      this.folder = folder;
    }

    synchronized Process start() throws IOException {
      if (tooLate) untilTheEnd();
      return process = builder.start();
    }

    synchronized void end() {
      if (process == null) return;
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }

    /** Of a process that is told to end, its child must not stay behind, nor what it wrote. */
    synchronized void tidy() {
      tooLate = true;
      try {
        if (process != null) {
          end();
          if (!process.waitFor(2, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
        }
        Tree.delete(folder);
      } catch (IOException | InterruptedException _) {
        // Whoever comes next deletes it.
      }
    }
  }
}
