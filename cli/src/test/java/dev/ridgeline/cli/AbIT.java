package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Trials of workloads through the real launcher; verdicts that need time are measured in bench. */
@Execution(CONCURRENT)
class AbIT {
  @TempDir private Path folder;

  @BeforeEach
  void makeTheModel() {
    TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
  }

  private static List<String> command(String... words) {
    return Stream.concat(Stream.of(FakeMachine.launcher().toString(), "ab"), Stream.of(words))
        .toList();
  }

  private JsonNode tiny(String option, String value) {
    Outcome outcome =
        Outcome.of(
            folder,
            Map.of(),
            command(
                option,
                value,
                "--budget",
                "6s",
                "--json",
                "--",
                "embed",
                "a",
                "b",
                "-m",
                "tiny.gguf",
                "--iterations",
                "1",
                "--warm-up",
                "0"));
    assertThat(outcome.code()).as(outcome.err()).isZero();
    assertThat(outcome.err()).isEmpty();
    return JsonMapper.shared().readTree(outcome.out());
  }

  @Test
  void whatOnlyRepeatsTheDefaultHasNoEffect() throws IOException {
    JsonNode answer = tiny("--b", "--strategy packed");
    assertThat(answer.get("verdict").asString()).isEqualTo("no effect");
    assertThat(answer.get("why").asString()).contains("--strategy led to the same plan");
    Path record = onlyRecord();
    for (JsonNode trial : answer.get("trials")) {
      RunDirectory run = new RunDirectory(record.resolve(trial.get("directory").asString()));
      assertThat(run.hasProfile()).isTrue();
      Run kept = run.run();
      assertThat(kept.workload()).containsEntry("iterations", "1");
      assertThat(run.path().resolve("report.html")).doesNotExist();
    }
  }

  /** Here the session says how long each trial measures, and the pilots of the sides differ. */
  @Test
  void optionsThatComeToTheSamePlanHaveNoEffectHoweverLongItIsMeasured() {
    for (String[] sides :
        new String[][] {
          {"--strategy coarse", "--strategy auto"},
          {"--strategy packed --batch 32", "--strategy packed --batch 64"}
        }) {
      Outcome outcome =
          Outcome.of(
              folder,
              Map.of(),
              command(
                  "--a",
                  sides[0],
                  "--b",
                  sides[1],
                  "--budget",
                  "10s",
                  "--json",
                  "--",
                  "embed",
                  "--texts",
                  "32",
                  "--truncate",
                  "--workers",
                  "2",
                  "-m",
                  "tiny.gguf"));
      assertThat(outcome.code()).as(outcome.err()).isZero();
      JsonNode answer = JsonMapper.shared().readTree(outcome.out());
      assertThat(answer.get("verdict").asString()).as(sides[1]).isEqualTo("no effect");
      assertThat(answer.get("pairs").asInt()).isLessThanOrEqualTo(6);
    }
  }

  @Test
  void aDeadOptionHasNoEffect() {
    JsonNode answer = tiny("--b", "--texts 7");
    assertThat(answer.get("verdict").asString()).isEqualTo("no effect");
    assertThat(answer.get("why").asString()).contains("--texts was given and never read");
  }

  @Test
  void otherWorkersOrFlagsAreNeverWithoutEffect() {
    assertThat(tiny("--b", "--workers 1").get("verdict").asString()).isNotEqualTo("no effect");
    assertThat(tiny("--b-jvm", "-Dsome.flag=1").get("verdict").asString())
        .isNotEqualTo("no effect");
  }

  @Test
  void whatIsWrongWithASideIsOneLine() throws IOException {
    List<String> wrong =
        command("--b", "--workers none", "--", "embed", "a", "-m", "tiny.gguf", "--warm-up", "0");
    Outcome outcome = Outcome.of(folder, Map.of(), wrong);
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("B: ").contains("--workers").hasLineCount(1);
    try (Stream<Path> left = Files.list(folder.resolve("runs"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void aKillAtAnyMomentLeavesNothingHalfWritten() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> quick =
        command("--budget", "1s", "--a-command", "sleep 0.01", "--b-command", "true");
    assertThat(Outcome.of(folder, Map.of(), quick).code()).isZero();
    Path first = onlyRecord();
    byte[] before = Files.readAllBytes(first.resolve("experiment.json"));
    for (int i = 0; i < 4; i++) {
      Process process =
          new ProcessBuilder(quick)
              .directory(folder.toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.waitFor(300 + random.nextInt(2000), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      for (Path record : records()) {
        assertThat(record.resolve("experiment.json")).as("seed %d", seed).isNotEmptyFile();
        assertThat(new RunDirectory(record).run().name()).isEqualTo("ab");
      }
    }
    assertThat(Files.readAllBytes(first.resolve("experiment.json"))).isEqualTo(before);
  }

  @Test
  void aSignalEndsItWithTheVerdictOverWhatIsThere() throws Exception {
    List<String> slow =
        command("--budget", "1m", "--a-command", "sleep 0.05", "--b-command", "sleep 0.05");
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(slow)
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    Path runs = folder.resolve("runs");
    while (process.isAlive() && !begun(runs)) Thread.sleep(50);
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(process.descendants()).isEmpty();
    assertThat(out).content().contains("stopped");
    assertThat(onlyRecord().resolve("experiment.json")).isNotEmptyFile();
  }

  /** Whether a second trial of A is there, so that there is something to tell of. */
  private static boolean begun(Path runs) throws IOException {
    if (!Files.exists(runs)) return false;
    try (Stream<Path> all = Files.walk(runs)) {
      return all.anyMatch(path -> path.getFileName().toString().equals("005"));
    } catch (java.io.UncheckedIOException _) {
      return false; // something was just renamed
    }
  }

  private List<Path> records() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("runs"))) {
      return all.filter(path -> !path.getFileName().toString().startsWith(".")).toList();
    }
  }

  private Path onlyRecord() throws IOException {
    assertThat(records()).hasSize(1);
    return records().getFirst();
  }
}
