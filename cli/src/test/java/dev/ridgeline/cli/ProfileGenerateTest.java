package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.report.Series;
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
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The workload {@code generate}, and the models among the kernels. */
class ProfileGenerateTest {
  @TempDir private Path folder;
  private Path model;

  @BeforeEach
  void makeTheModel() {
    model = TinyDecoder.write(folder.resolve("tiny.gguf"));
  }

  private Answer ridgeline(Object... words) {
    List<Object> args = new ArrayList<>(Arrays.asList(words));
    args.addAll(List.of("--runs", folder.resolve("runs")));
    return Answer.of(args.toArray());
  }

  private RunDirectory last() {
    return new Runs(folder.resolve("runs")).find("last");
  }

  @Test
  void prefillAndDecodeAreApartAndPositionsAreTold() {
    Answer answer =
        ridgeline(
            "profile",
            "generate",
            "-m",
            model,
            "-p",
            "the old man",
            "-n",
            60,
            "--iterations",
            2,
            "--warm-up",
            0,
            "--workers",
            1,
            "--seed",
            2,
            "--full");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith(model + " · 1 prompt of ")
        .contains("position", "attention");
    Run run = last().run();
    assertThat(run.metrics().stream().map(Metric::name))
        .contains("decode", "prefill", "to the first token", "a token, p50", "a token, p99")
        .contains("allocated per token", "weights read per token", "load", "tokens generated")
        .contains("sampling, share of decode", "detokenizing, share of decode")
        .contains("load, map", "load, repack", "load, plan");
    assertThat(run.metrics().getFirst().samples()).hasSize(2);
    Series series = run.series().getFirst();
    assertThat(series.labels()).startsWith("0–31", "32–63");
    assertThat(series.parts().stream().map(Series.Part::name))
        .containsExactly("attention", "the rest");
    CallTree tree = last().profile().tree();
    assertThat(tree.find("generate").calls()).isEqualTo(2);
    assertThat(tree.find("generate", "prefill").calls()).isEqualTo(2);
    assertThat(tree.find("generate", "decode", "sample").calls())
        .isEqualTo(tree.find("generate", "decode").calls());
    assertThat(tree.find("load")).as("measured is what was warmed up").isNull();
    assertThat(run.plan()).containsEntry("sequences", "1").containsKey("kernels");
    assertThat(run.plan().get("sampling"))
        .startsWith("temperature 0.8, top-k 40")
        .endsWith("seed 2");
    assertThat(answer.out())
        .contains("sampling, share of decode", "  load", "sampling: temperature 0.8");
    assertThat(last().profile().ledger().stream().map(entry -> entry.owner())).contains("kv cache");
  }

  @Test
  void theWeightsThatAPassReadsAreNearlyAllThatItsProductsDeclare() {
    ridgeline(
        "generate", "--profile=time", "-m", model, "--iterations", 1, "--warm-up", 0, "-n", 9);
    Metric weights =
        last().run().metrics().stream()
            .filter(metric -> metric.name().equals("weights read per token"))
            .findFirst()
            .orElseThrow();
    CallTree.Node decode = last().profile().tree().find("generate", "decode");
    double declared = matmulBytes(decode) / 1e6 / decode.calls();
    assertThat(weights.median()).isBetween(0.9 * declared, declared);
  }

  private static long matmulBytes(CallTree.Node node) {
    if (node.name().equals("matmul")) return node.work().bytes();
    return node.children().stream().mapToLong(ProfileGenerateTest::matmulBytes).sum();
  }

  @Test
  void aPassOfManySequencesIsNotCalledAToken() throws IOException {
    Path prompts = Files.writeString(folder.resolve("prompts"), "the\nold\nman\n");
    Answer answer =
        ridgeline(
            "profile",
            "generate",
            "-m",
            model,
            "--prompts",
            prompts,
            "--batch",
            2,
            "--iterations",
            1,
            "--warm-up",
            0,
            "-n",
            4);
    assertThat(answer.code()).as(answer.err()).isZero();
    Run run = last().run();
    assertThat(run.title())
        .contains(" · 3 prompts of ", " in all, 2 together · up to 4 more each · ");
    assertThat(run.metrics().stream().map(Metric::name))
        .contains("a pass of up to 2 sequences, p50", "weights read per pass")
        .doesNotContain("a token, p50", "weights read per token");
    assertThat(run.series().getFirst().unit()).isEqualTo("ms/pass");
    assertThat(run.series().getFirst().note()).contains("as many for each pass.");
  }

  @Test
  void theBundledPromptIsTheDefaultAndFitsEveryContext() {
    Answer answer =
        ridgeline(
            "generate", "--profile=time", "-m", model, "--iterations", 1, "--warm-up", 0, "-n", 4);
    assertThat(answer.code()).as(answer.err()).isZero();
    Run run = last().run();
    assertThat(run.workload()).containsEntry("prompts", "1, bundled");
    assertThat(run.title()).contains("of 64 tokens");
    ridgeline("profile", "generate", "-m", model, "--iterations", 2, "--warm-up", 0, "-n", 4);
    assertThat(last().run().outputDigest()).isEqualTo(run.outputDigest());
  }

  @Test
  void madeUpPromptsAreARoundEach() {
    Answer answer =
        ridgeline(
            "profile",
            "generate",
            "-m",
            model,
            "--inferences",
            3,
            "--tokens",
            5,
            "--iterations",
            2,
            "--warm-up",
            0);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(last().run().workload()).containsEntry("prompts", "3 prompts of 32 tokens, made up");
    assertThat(last().run().title())
        .contains(" · 3 made-up prompts of 32 tokens, one by one · up to 5 more each, 2 times · ");
    assertThat(last().profile().tree().find("generate").calls()).isEqualTo(6);
    assertThat(last().run().metrics().getFirst().samples()).hasSize(6);
    assertThat(last().run().conditions().get("ended")).startsWith("6 × as many tokens");
    String twice = last().run().outputDigest();
    ridgeline(
        "profile",
        "generate",
        "-m",
        model,
        "--inferences",
        3,
        "--tokens",
        5,
        "--for",
        0.000001,
        "--warm-up",
        0);
    assertThat(last().profile().tree().find("generate").calls()).as("whole passes").isEqualTo(3);
    assertThat(last().run().outputDigest()).isEqualTo(twice);
  }

  @Test
  void whereNoTokenIsDecodedNothingIsSaidOfDecoding() {
    Answer answer =
        ridgeline(
            "profile",
            "generate",
            "-m",
            model,
            "-n",
            1,
            "--iterations",
            2,
            "--warm-up",
            0,
            "--full");
    assertThat(last().run().metrics().stream().map(Metric::name))
        .startsWith("prefill")
        .doesNotContain("decode", "weights read per token", "allocated per token");
    assertThat(answer.out()).contains("2  tokens generated");
  }

  @Test
  void aSummaryForProgramsSaysWhatRanHowItWentAndWhetherItIsSound() throws IOException {
    String story = "the old man went to the sea and the sea went to the old man again";
    Path prompts = Files.writeString(folder.resolve("prompts"), (story + "\n").repeat(3));
    Answer answer =
        ridgeline(
            "profile",
            "generate",
            "--json",
            "-m",
            model,
            "--prompts",
            prompts,
            "--iterations",
            1,
            "--warm-up",
            0,
            "--context",
            100);
    assertThat(answer.code()).as(answer.err()).isZero();
    JsonNode json = JsonMapper.shared().readTree(answer.out());
    assertThat(json.path("sound").stringValue()).isEqualTo(soundBy(json));
    assertThat(json.path("plan").path("sampling").stringValue()).contains("seed 1");
    assertThat(json.path("plan").path("kv cache").stringValue()).startsWith("f16, ");
    assertThat(json.path("conditions").path("warm-up").stringValue()).startsWith("1 round");
    assertThat(json.path("conditions").path("ended").stringValue())
        .isEqualTo("3 × the context is full");
    assertThat(json.path("conditions").path("prompt tokens read").stringValue())
        .as("prompts that begin alike")
        .endsWith(", the others shared");
  }

  /** What findings and results that were checked make of a run. */
  private static String soundBy(JsonNode json) {
    List<String> severities = json.path("findings").findValuesAsString("severity");
    if (!json.path("wrong").isEmpty() || severities.contains("UNSOUND")) return "no";
    return severities.contains("DOUBTFUL") ? "doubtful" : "yes";
  }

  @Test
  void enhancedRunsTheSmallAndTheMediumModelBesideTheKernels() {
    Answer answer =
        ridgeline(
            "profile",
            "--enhanced",
            "--filter",
            "softmax 256,model",
            "--budget",
            0.2,
            "--cache",
            folder.resolve("cache"));
    assertThat(answer.code()).as(answer.err()).isZero();
    CallTree tree = last().profile().tree();
    assertThat(tree.find("small model", "generate").calls()).isEqualTo(3);
    assertThat(tree.find("medium model", "generate", "decode", "layer 3", "ffn")).isNotNull();
    assertThat(tree.find("kernels", "softmax 256")).isNotNull();
    Run run = last().run();
    assertThat(run.series()).hasSize(2);
    assertThat(run.workload()).containsKey("small model, model");
    assertThat(run.plan().get("small model, owned")).contains("kv cache ", "weights ");
  }

  @Test
  void anEncoderIsRefused() {
    Path bert = TinyModel.bert(folder.resolve("bert.gguf"), Map.of());
    Answer answer = ridgeline("profile", "generate", "-m", bert);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).hasLineCount(1).contains("bert makes embeddings, not text");
  }
}
