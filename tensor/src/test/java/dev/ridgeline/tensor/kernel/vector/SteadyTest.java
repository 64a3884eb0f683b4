package dev.ridgeline.tensor.kernel.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Once compiled, no operation allocates: no vector is ever boxed. In a JVM of its own, as a program
 * has it: what C2 inlines depends on all that ran before, and tests before this one run everything.
 *
 * <p>In one JVM of many C2 fails to inline the last stores of a tile and boxes them until the end;
 * a second JVM tells that from a defect of ours, which both would show.
 */
@Isolated("counts what threads allocate once the JIT is done")
@Tag("own-jvm")
class SteadyTest {
  private static final String CLEAN = "clean batches in a row: 3; the last allocated 0";

  @Test
  void warmKernelsAllocateNothing() throws Exception {
    String first = run();
    if (!first.contains(CLEAN)) assertThat(run()).as("before it: %s", first).contains(CLEAN);
  }

  private static String run() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:disable",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Steady.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
