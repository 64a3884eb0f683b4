package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** A JVM without the module jdk.jfr. */
@Execution(ExecutionMode.CONCURRENT)
class NoFlightRecorderTest {
  @TempDir Path folder;

  /** What runs there. */
  static final class Program {
    public static void main(String[] args) {
      Options options = Options.of(Level.TIME).withoutCalibration();
      Profiler.start(options);
      Profiler.scope(Scope.of("work")).close();
      System.out.println(Profiler.stop().tree().find("work").calls());
      try {
        Profiler.start(options.withSampling(Sampling.NONE.withCpu()));
      } catch (IllegalStateException e) {
        System.out.println(e.getMessage());
      }
      System.out.println(Profiler.running());
    }
  }

  @Test
  void scopesNeedNoneAndSamplesSayThatTheyDo() throws Exception {
    Path out = folder.resolve("out.txt");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--limit-modules",
                "java.management,jdk.management",
                "-cp",
                place(Profiler.class) + File.pathSeparator + place(Program.class),
                Program.class.getName())
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start();
    if (!process.waitFor(60, TimeUnit.SECONDS)) process.destroyForcibly().waitFor();
    assertThat(Files.readString(out, StandardCharsets.UTF_8))
        .isEqualTo(
            """
            1
            no flight recorder in this JVM: sampling needs the module jdk.jfr
            false
            """);
  }

  private static Path place(Class<?> type) throws Exception {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
