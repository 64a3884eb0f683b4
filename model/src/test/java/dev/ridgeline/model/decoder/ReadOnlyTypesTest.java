package dev.ridgeline.model.decoder;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A model of types that are only read says what the same model in f32 says, in each family. */
class ReadOnlyTypesTest {
  @TempDir Path folder;

  /** Assembled kernels may round the rows that they multiply to bytes. */
  @ParameterizedTest
  @CsvSource({"scalar, 1e-5", "vector, 1e-5", "assembled, 3e-2"})
  void logitsAreThoseOfItsNumbers(String family, double tolerated) throws Exception {
    String said = run(family);
    assertThat(said.lines().toList()).as(said).hasSize(5);
    for (String line : said.lines().toList()) {
      String[] words = line.split(" ");
      assertThat(Double.parseDouble(words[1])).as(line).isLessThanOrEqualTo(tolerated);
    }
  }

  /** A process chooses its kernels once. */
  private String run(String family) throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xlog:disable",
                "--add-modules=jdk.incubator.vector",
                "--enable-native-access=ALL-UNNAMED",
                "-Dridgeline.kernels=" + family,
                "-cp",
                System.getProperty("java.class.path"),
                ReadOnlyTypes.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(said).isZero();
      return said;
    } finally {
      process.destroyForcibly();
    }
  }
}
