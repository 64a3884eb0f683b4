package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The workload {@code train}: rounds of steps, and a training as a whole. */
class ProfileTrainTest {
  @TempDir private Path folder;
  private Path config;

  @BeforeEach
  void write() throws IOException {
    config = TinyTraining.write(folder, 10);
  }

  private Answer ridgeline(Object... words) {
    List<Object> args = new ArrayList<>(Arrays.asList(words));
    args.addAll(List.of("--runs", folder.resolve("runs"), "--warm-up", 0));
    return Answer.of(args.toArray());
  }

  private RunDirectory last() {
    return new Runs(folder.resolve("runs")).find("last");
  }

  /** Names from the root to the first scope of this name, without those of tasks. */
  private List<String> way(String name) {
    CallTree.Node found =
        last().profile().tree().nodes().stream()
            .filter(node -> node.name().equals(name) && node.depth() > 4)
            .findFirst()
            .orElseThrow();
    List<String> way = new ArrayList<>();
    for (CallTree.Node node = found; node != null; node = node.parent()) {
      if (!node.isTask()) way.addFirst(node.name());
    }
    return way;
  }

  @Test
  void roundsOfStepsAreMeasuredAndNothingIsKept() throws IOException {
    Answer answer =
        ridgeline(
            "profile", "train", "-c", config, "--steps", 3, "--iterations", 2, "--workers", 2);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith("tiny · llama, 1 layer of 16, ")
        .contains("3 steps of 4 × 16 tokens, 2 times")
        .containsPattern("samples/s( ±[^(]*)?( \\(.*\\))? trained");
    Run run = last().run();
    assertThat(run.metrics().stream().map(Metric::name))
        .startsWith("trained", "trained tokens", "a step, p50", "a step, p99", "allocated per step")
        .contains("garbage collected", "results of a step", "loss");
    assertThat(run.metrics().getFirst().samples()).hasSize(2);
    assertThat(run.units()).isEqualTo(2 * 3 * 4);
    assertThat(run.plan())
        .containsEntry("strategy", "coarse")
        .containsEntry("shards", "4 of 1 sequence")
        .containsKeys("workers", "kernels");
    assertThat(run.conditions().get("allocated"))
        .contains(" expected if each of 6 steps allocated its results, ", " measured; ");
    assertThat(run.outputDigest()).startsWith("sha256:");
    try (var files = Files.list(folder)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("texts.txt", "tiny.json", "runs");
    }
  }

  @Test
  void theTreeLeadsFromTheEpochToTheOperation() {
    ridgeline("profile", "train", "-c", config, "--steps", 3, "--iterations", 2, "--workers", 1);
    CallTree tree = last().profile().tree();
    assertThat(tree.find("epoch", "batch").calls()).isEqualTo(6);
    assertThat(tree.find("epoch", "batch", "data").calls()).isEqualTo(6);
    assertThat(tree.find("epoch", "batch", "step").calls()).isEqualTo(6);
    assertThat(way("forward"))
        .containsSubsequence("epoch", "batch", "step", "parallel region", "shard", "forward");
    assertThat(way("heads backward"))
        .containsSubsequence("shard", "backward", "layer 0", "attention", "heads backward");
    assertThat(way("cross entropy")).containsSubsequence("shard", "loss", "cross entropy");
    assertThat(way("adamw")).containsSubsequence("step", "optimizer", "adamw");
    for (String part : List.of("clip", "optimizer", "pack")) {
      assertThat(tree.find("epoch", "batch", "step", part).calls()).as(part).isEqualTo(6);
    }
    assertThat(
            tree.nodes().stream()
                .filter(node -> node.name().equals("matmul backward"))
                .allMatch(node -> node.work().flops() > 0 && node.work().bytes() > 0))
        .isTrue();
  }

  @Test
  void strategiesAndWorkersChangeThePlanAndNoBit() {
    Object[] words = {"profile", "train", "-c", config, "--steps", 3, "--iterations", 1};
    ridgeline(with(words, "--workers", 1, "--strategy", "fine"));
    Run one = last().run();
    ridgeline(with(words, "--workers", 3, "--strategy", "coarse"));
    Run other = last().run();
    assertThat(other.outputDigest()).isEqualTo(one.outputDigest());
    assertThat(one.plan()).containsEntry("strategy", "fine").containsEntry("workers", "1");
    assertThat(other.plan()).containsEntry("strategy", "coarse").containsEntry("workers", "3");
    ridgeline("profile", "train", "-c", config, "--steps", 4, "--iterations", 1);
    assertThat(last().run().outputDigest()).isNotEqualTo(one.outputDigest());
  }

  private static Object[] with(Object[] words, Object... more) {
    Object[] all = Arrays.copyOf(words, words.length + more.length);
    System.arraycopy(more, 0, all, words.length, more.length);
    return all;
  }

  @Test
  void aTrainingWithProfileIsTheTrainingAndAProfile() {
    Path out = folder.resolve("out");
    Path plain = folder.resolve("plain");
    Answer answer = ridgeline("train", "-c", config, "--out", out, "--profile");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(Answer.of("train", "-c", config, "--out", plain).code()).isZero();
    assertThat(out.resolve("tiny.gguf")).hasSameBinaryContentAs(plain.resolve("tiny.gguf"));
    assertThat(out).isDirectoryContaining("glob:**/report.html");
    Run run = last().run();
    CallTree tree = last().profile().tree();
    assertThat(tree.find("epoch", "batch").calls()).isEqualTo(10);
    assertThat(tree.find("epoch", "evaluation").calls()).isEqualTo(3);
    assertThat(tree.find("epoch", "checkpoint")).isNotNull();
    assertThat(run.metrics().stream().map(Metric::name)).contains("trained", "loss", "evaluation");
    assertThat(run.conditions()).containsEntry("model", out.resolve("tiny.gguf").toString());
    Answer again = ridgeline("train", "-c", config, "--out", out, "-p=time", "--resume");
    assertThat(again.code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(again.err())
        .isEqualTo("ridgeline: %s: all steps are done, none is left to measure\n", out);
  }

  @Test
  void thePresetOfSmallMindsProductForetellsAndMeasures() {
    Answer answer = ridgeline("profile", "train", "--preset", "matmul-backward", "--iterations", 2);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).startsWith("gradients of 128×256 @ 256×128 · 100 iterations, 2 times");
    Run run = last().run();
    assertThat(run.conditions().get("allocated"))
        .startsWith("52.4 MB expected if each of 200 iterations allocated its results, ");
    assertThat(metric(run, "expected per iteration if allocated")).isEqualTo(262_144);
    assertThat(last().profile().tree().find("iteration").calls()).isEqualTo(200);
    assertThat(last().profile().tree().find("iteration", "gradient of A", "matmul").work().flops())
        .isGreaterThanOrEqualTo(200L * 2 * 128 * 256 * 128);
  }

  private static double metric(Run run, String name) {
    return run.metrics().stream()
        .filter(metric -> metric.name().equals(name))
        .findFirst()
        .orElseThrow()
        .median();
  }

  @Test
  void thePresetsTrainOnBundledTexts() {
    for (String preset : List.of("small", "smallmind")) {
      Answer answer =
          ridgeline("profile", "train", "--preset", preset, "--steps", 2, "--iterations", 2);
      assertThat(answer.code()).as(answer.err()).isZero();
      assertThat(answer.out()).startsWith(preset + " · ");
    }
    assertThat(last().run().workload())
        .containsEntry("batch", "32 × 32 tokens")
        .containsEntry("data", "bundled texts");
    assertThat(last().run().workload().get("model")).startsWith("gpt2, 2 layers of 256, ");
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    assertThat(ridgeline("profile", "train", "-c", config, "--preset", "small").err())
        .isEqualTo("ridgeline: -c or --preset, not both\n");
    assertThat(ridgeline("profile", "train", "-c", config, "--steps", 2, "--resume").err())
        .startsWith("ridgeline: --resume: rounds of steps are measured and nothing is kept");
    assertThat(ridgeline("profile", "train", "--steps", 0).err()).contains("--steps 0: at least 1");
    assertThat(ridgeline("profile", "embed", "--steps", 3).err())
        .isEqualTo("ridgeline: --steps belongs to train\n");
  }
}
