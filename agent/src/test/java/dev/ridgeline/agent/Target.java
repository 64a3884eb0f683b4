package dev.ridgeline.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A real JVM with the agent in it.
 *
 * @param folder where it runs, and where runs are kept
 * @param settings of the JVM
 */
record Target(Path folder, List<String> settings) {
  static final Path AGENT = Path.of("target", "ridgeline-agent.jar").toAbsolutePath();
  static final Path JAVA = Path.of(System.getProperty("java.home"), "bin", "java");

  /** Most programs end before the second compiler or another collector would pay. */
  private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  static final Path PROGRAMS = Path.of("target", "test-classes").toAbsolutePath();

  Target(Path folder) {
    this(folder, QUICK);
  }

  /** With the settings that a JVM has by itself, the second compiler among them. */
  static Target usual(Path folder) {
    return new Target(folder, List.of());
  }

  /** What a program that ended has left. */
  record Ended(int code, String out, String err, Path runs) {
    /** The one run. */
    RunDirectory run() {
      List<RunDirectory> all = new Runs(runs).list();
      assertThat(all).as(err).hasSize(1);
      return all.getFirst();
    }

    CallTree tree() {
      return run().profile().tree();
    }
  }

  /** Runs a program with the agent's options to its end. */
  Ended run(String options, String... program) throws IOException, InterruptedException {
    return end(start(options, program));
  }

  Process start(String options, String... program) throws IOException {
    return start(List.of("-javaagent:" + AGENT + "=" + options), program);
  }

  /** Starts a program without the agent. */
  Process startPlain(String... program) throws IOException {
    return start(List.of(), program);
  }

  private Process start(List<String> agent, String... program) throws IOException {
    List<String> command = new ArrayList<>(List.of(JAVA.toString()));
    command.addAll(settings);
    command.addAll(agent);
    if (!program[0].startsWith("-")) command.addAll(List.of("-cp", PROGRAMS + ":" + profiler()));
    command.addAll(List.of(program));
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().remove("JAVA_TOOL_OPTIONS");
    builder.environment().put("RIDGELINE_RUNS", runs().toString());
    builder.redirectOutput(folder.resolve("out.txt").toFile());
    builder.redirectError(folder.resolve("err.txt").toFile());
    return builder.start();
  }

  private static Path profiler() {
    try {
      var source = CallTree.class.getProtectionDomain().getCodeSource().getLocation();
      return Path.of(source.toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  Ended end(Process process) throws IOException, InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor();
      throw new AssertionError("did not end; it said: " + read("out.txt") + read("err.txt"));
    }
    return new Ended(process.exitValue(), read("out.txt"), read("err.txt"), runs());
  }

  /** Waits until the program has said something. */
  void await(Process process, String text) throws IOException, InterruptedException {
    for (int i = 0; i < 3_000 && process.isAlive(); i++) {
      if (read("out.txt").contains(text)) return;
      Thread.sleep(10);
    }
    throw new AssertionError("never said " + text + ": " + read("out.txt") + read("err.txt"));
  }

  Path runs() {
    return folder.resolve("runs");
  }

  private String read(String file) throws IOException {
    return Files.readString(folder.resolve(file), StandardCharsets.UTF_8);
  }
}
