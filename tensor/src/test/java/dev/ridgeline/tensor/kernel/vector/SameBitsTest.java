package dev.ridgeline.tensor.kernel.vector;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fresh JVMs of every kind compute the same bits. */
class SameBitsTest {

  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16})
  void interpreterAndCompilersAgree(int lanes) throws Exception {
    String interpreted = workout(1, lanes, "-Xint");
    assertThat(interpreted).startsWith(lanes + " lanes products ");
    assertThat(workout(60, lanes, "-XX:TieredStopAtLevel=1")).isEqualTo(interpreted);
    assertThat(workout(200, lanes, "-XX:+TieredCompilation")).isEqualTo(interpreted);
  }

  @Test
  void theWidthOfVectorsCannotBeSeenInProducts() throws Exception {
    String wide = workout(2, 16, "-XX:+TieredCompilation");
    String narrow = workout(2, 8, "-XX:+TieredCompilation");
    assertThat(narrow.split(" ")[3]).isEqualTo(wide.split(" ")[3]);
  }

  private static String workout(int rounds, int lanes, String flag) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            flag,
            "-Xlog:disable",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-Dridgeline.lanes=" + lanes,
            "-cp",
            System.getProperty("java.class.path"),
            Workout.class.getName(),
            Integer.toString(rounds)));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try {
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
      assertThat(process.exitValue()).as(said).isZero();
      return said.lines()
          .filter(line -> line.contains(" lanes products "))
          .findFirst()
          .orElse(said);
    } finally {
      process.destroyForcibly();
    }
  }
}
