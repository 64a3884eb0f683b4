package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** Experiments through the real launcher, killed and stopped. */
@Execution(CONCURRENT)
class ExperimentIT {
  @TempDir private Path folder;

  private List<String> command(String line, String budget) throws IOException {
    Path file = folder.resolve("mine.json");
    Files.writeString(
        file,
        """
        {"ridgeline": "plan", "version": 1, "name": "mine", "budget": "%s",
        "command": "%s", "arms": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}
        """
            .formatted(budget, line));
    return List.of(FakeMachine.launcher().toString(), "experiment", "run", file.toString());
  }

  @Test
  void aKillAtAnyMomentLeavesNothingHalfWritten() throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    List<String> quick = command("sleep 0.01", "2s");
    assertThat(Outcome.of(folder, Map.of(), quick).code()).isZero();
    Path first = records().getFirst();
    byte[] before = Files.readAllBytes(first.resolve("sweep.json"));
    for (int i = 0; i < 3; i++) {
      Process process =
          new ProcessBuilder(quick)
              .directory(folder.toFile())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      process.waitFor(300 + random.nextInt(2000), TimeUnit.MILLISECONDS);
      process.destroyForcibly().waitFor();
      for (Path record : records()) {
        for (String file : List.of("sweep.json", "report.html", "run.json")) {
          assertThat(record.resolve(file)).as("seed %d", seed).isNotEmptyFile();
        }
        assertThat(new RunDirectory(record).run().name()).isEqualTo("experiment-mine");
      }
    }
    assertThat(Files.readAllBytes(first.resolve("sweep.json"))).isEqualTo(before);
  }

  @Test
  void whatIsSwitchedOffChangesNoResultAndIsInThePlan() throws IOException {
    TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    TinyDecoder.write(folder.resolve("decoder.gguf"));
    String embed = "embed a b -m tiny.gguf";
    String generate = "generate -m decoder.gguf -n 8 -p ab";
    Run embedded = profiled("", embed);
    Run generated = profiled("", generate);
    assertThat(embedded.plan()).doesNotContainKey("without");
    // Embedding has no cache that could be left out.
    same(profiled("fusion,buffer-reuse,kv-cache", embed), embedded, "fusion, buffer-reuse");
    same(profiled("kv-cache,fusion", generate), generated, "kv-cache, fusion");
    same(profiled("batching,buffer-reuse", generate), generated, "batching, buffer-reuse");
  }

  private static void same(Run one, Run other, String without) {
    assertThat(one.outputDigest()).isNotEmpty().isEqualTo(other.outputDigest());
    assertThat(one.plan()).containsEntry("without", without);
  }

  private Run profiled(String without, String workload) throws IOException {
    List<String> command = new ArrayList<>(List.of(FakeMachine.launcher().toString(), "profile"));
    command.addAll(List.of(workload.split(" ")));
    command.addAll(List.of("--iterations", "1", "--warm-up", "0", "--formats", "none"));
    String runs = "runs-" + workload.hashCode() + without.hashCode();
    command.addAll(List.of("--ceilings", "none", "--runs", runs));
    Map<String, String> environment =
        without.isEmpty() ? Map.of() : Map.of("JAVA_TOOL_OPTIONS", "-Dridgeline.ablate=" + without);
    Outcome outcome = Outcome.of(folder, environment, command);
    assertThat(outcome.code()).as(outcome.err()).isZero();
    return new Runs(folder.resolve(runs)).list().getFirst().run();
  }

  @Test
  void aSwitchThatIsNoneIsOneLine() {
    TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    Outcome outcome =
        Outcome.of(
            folder,
            Map.of("JAVA_TOOL_OPTIONS", "-Dridgeline.ablate=fuzion"),
            List.of(FakeMachine.launcher().toString(), "embed", "a", "-m", "tiny.gguf"));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.err()).contains("-Dridgeline.ablate=fuzion: there is kv-cache, fusion");
  }

  @Test
  void aSignalEndsItWithTheAnswerOverWholeRounds() throws Exception {
    Path out = folder.resolve("out");
    Process process =
        new ProcessBuilder(command("sleep 0.05", "1m"))
            .directory(folder.toFile())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    while (process.isAlive() && !begun()) Thread.sleep(50);
    process.destroy();
    assertThat(process.waitFor(20, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(out).content().contains("stopped");
    assertThat(records()).hasSize(1);
  }

  /** Whether three rounds are over: three pilots, then three trials each. */
  private boolean begun() throws IOException {
    Path runs = folder.resolve("runs");
    if (!Files.exists(runs)) return false;
    try (Stream<Path> all = Files.walk(runs)) {
      return all.anyMatch(path -> path.getFileName().toString().equals("013"));
    } catch (java.io.UncheckedIOException _) {
      return false; // something was just renamed
    }
  }

  private List<Path> records() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("runs"))) {
      return all.filter(path -> !path.getFileName().toString().startsWith(".")).toList();
    }
  }
}
