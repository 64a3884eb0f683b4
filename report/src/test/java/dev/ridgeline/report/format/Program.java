package dev.ridgeline.report.format;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A program that tests run to hear a second opinion; where it is absent, they are skipped. */
record Program(String name) {
  private static final int PATIENCE_SECONDS = 120;

  /** The program of this name, or a skipped test that says which package has it. */
  static Program of(String name, String packageName) {
    boolean there =
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    assumeTrue(there, name + " is not installed (package " + packageName + ")");
    return new Program(name);
  }

  /** What it prints, on both channels; anything but exit code 0 fails. */
  String run(Path folder, Path input, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(name));
    command.addAll(arguments);
    try {
      Path output = Files.createTempFile(folder, "output", ".txt");
      Process process =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectInput(input == null ? new File("/dev/null") : input.toFile())
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new AssertionError(command + " does not end");
      }
      String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
      if (process.exitValue() != 0) throw new AssertionError(command + " failed: " + text);
      return text;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  String run(Path folder, String... arguments) {
    return run(folder, null, List.of(arguments));
  }
}
