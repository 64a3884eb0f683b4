package dev.ridgeline.tensor.kernel.vector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fresh JVMs of every kind compute the same bits. */
@Execution(CONCURRENT)
@Tag("own-jvm")
class SameBitsTest {

  private static final Map<Integer, String> INTERPRETED = new TreeMap<>();

  @BeforeAll
  static void interpret() throws Exception {
    Map<Integer, Process> started = new TreeMap<>();
    for (int lanes : new int[] {4, 8, 16}) started.put(lanes, workout(1, lanes, "-Xint"));
    for (var each : started.entrySet()) INTERPRETED.put(each.getKey(), said(each.getValue()));
  }

  /**
   * Compilers that begin early and are waited for have compiled every kernel within a few rounds.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 8, 16})
  void interpreterAndCompilersAgree(int lanes) throws Exception {
    Process first =
        workout(12, lanes, "-XX:TieredStopAtLevel=1", "-XX:CompileThresholdScaling=0.1", "-Xbatch");
    Process both = workout(50, lanes, "-XX:CompileThresholdScaling=0.2", "-Xbatch");
    String interpreted = INTERPRETED.get(lanes);
    assertThat(interpreted).startsWith(lanes + " lanes products ");
    assertThat(said(first)).isEqualTo(interpreted);
    assertThat(said(both)).isEqualTo(interpreted);
  }

  /**
   * Registers of 128 bits, as on ARM: nothing wider is there for C2 to use.
   *
   * <p>Few rounds, since each fma is a call there.
   */
  @Test
  void aProcessorWithoutAvxAgrees() throws Exception {
    Process without =
        workout(
            3,
            4,
            "-XX:+IgnoreUnrecognizedVMOptions",
            "-XX:UseAVX=0",
            "-XX:CompileThresholdScaling=0.02",
            "-Xbatch");
    assertThat(said(without)).isEqualTo(INTERPRETED.get(4));
  }

  @Test
  void theWidthOfVectorsCannotBeSeenInProducts() {
    assertThat(INTERPRETED.values().stream().map(said -> said.split(" ")[3]).distinct()).hasSize(1);
  }

  private static Process workout(int rounds, int lanes, String... flags) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of(flags));
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-Xlog:disable",
            "--add-modules=jdk.incubator.vector",
            "--enable-native-access=ALL-UNNAMED",
            "-Dridgeline.lanes=" + lanes,
            "-cp",
            System.getProperty("java.class.path"),
            Workout.class.getName(),
            Integer.toString(rounds)));
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static String said(Process process) throws Exception {
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
