package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.ExitCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code train}: what it leaves, what it says, and what it refuses. */
class TrainCommandTest {
  @TempDir private Path folder;
  private Path config;
  private Path out;

  @BeforeEach
  void write() throws IOException {
    config = TinyTraining.write(folder, 10);
    out = folder.resolve("out");
  }

  private Answer train(Object... more) {
    Object[] words = new Object[more.length + 5];
    System.arraycopy(new Object[] {"train", "-c", config, "--out", out}, 0, words, 0, 5);
    System.arraycopy(more, 0, words, 5, more.length);
    return Answer.of(words);
  }

  @Test
  void aTrainingSaysHowItWentAndWhatToDoNext() throws IOException {
    Answer answer = train("--workers", 2);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.err()).isEmpty();
    List<String> lines = answer.out().lines().toList();
    assertThat(lines).as(answer.out()).hasSize(8);
    assertThat(lines.getFirst())
        .startsWith("tiny · llama, 1 layer of 16, 8,256 parameters · ")
        .endsWith("10 steps of 4 × 16 tokens · coarse, 4 shards of 1 sequence, 2 workers");
    assertThat(lines.get(1))
        .startsWith("step 4/10 · loss 5.")
        .contains(" · evaluation 5.", " left");
    assertThat(lines.get(2)).startsWith("step 8/10 · loss 5.");
    assertThat(lines.get(3)).startsWith("step 10/10 · loss 5.").endsWith(" tokens/s");
    assertThat(lines.get(4)).startsWith("10 steps in ").contains("evaluation 5.");
    assertThat(lines.get(5)).isEqualTo("  model   " + out.resolve("tiny.gguf"));
    assertThat(lines.get(6)).isEqualTo("  report  " + out.resolve("report.html"));
    assertThat(lines.get(7))
        .isEqualTo("  next    ridgeline generate -m %s -p the -n 13", out.resolve("tiny.gguf"));
    try (var files = Files.list(out.resolve("checkpoints"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("step-000009.checkpoint", "step-000010.checkpoint");
    }
    assertThat(Files.readString(out.resolve("report.html")))
        .contains("nats per token after 10 of 10 steps", "<h2>Samples</h2>", "<pre><b>the</b>")
        .contains("&quot;shape&quot;: &quot;llama&quot;")
        .doesNotContain("{{", "NaN");
    assertThat(Answer.of("generate", "-m", out.resolve("tiny.gguf"), "-p", "the", "-n", 3).code())
        .isZero();
  }

  @Test
  void aTerminalHasALineThatIsDrawnOverAndSamplesAboveIt() {
    System.setProperty("ridgeline.terminal", "out,err");
    try {
      Answer answer = train();
      assertThat(answer.code()).as(answer.err()).isZero();
      assertThat(answer.err())
          .startsWith("\r\033[Kreading texts.txt")
          .contains("\r\033[Kstep 1/10 · loss 5.", " tokens/s · ", " left · ")
          .containsPattern(" left · [\\d.,]+ [MG]B\r")
          .endsWith("\r\033[K")
          .doesNotContain("\n");
      assertThat(answer.out()).contains("\n    the", "\nstep 4/10 · ");
    } finally {
      System.clearProperty("ridgeline.terminal");
    }
  }

  @Test
  void whatCannotBeGoneOnWithIsTold() throws IOException {
    Answer answer = train("--resume");
    assertThat(answer.code()).isZero();
    assertThat(answer.err())
        .isEqualTo("ridgeline: %s has no checkpoint to resume from: starting over\n", out);
    config = TinyTraining.write(folder, 12);
    for (Object[] words : new Object[][] {{"--resume"}, {"--resume", "--validate"}}) {
      answer = train(words);
      assertThat(answer.code()).isEqualTo(ExitCode.BAD_QUESTION);
      assertThat(answer.err()).contains("belongs to another configuration (steps are part of it");
    }
  }

  @Test
  void aModelOfTooManyNumbersIsRefusedWhereItIsOnlyLookedAt() throws IOException {
    String text = Files.readString(config);
    String large = "\"dim\": 8192, \"layers\": 80";
    Files.writeString(config, text.replace("\"dim\": 16, \"layers\": 1", large));
    Answer answer = train("--validate");
    assertThat(answer.code()).as(answer.out()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(answer.err()).hasLineCount(1).contains(" parameters are too many");
  }

  @Test
  void jsonIsTheJournal() throws IOException {
    Answer answer = train("--json");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).isEqualTo(Files.readString(out.resolve("journal.jsonl")));
    assertThat(answer.out().lines().filter(line -> line.startsWith("{\"kind\":\"step\"")))
        .hasSize(10);
  }

  @Test
  void quietSaysWhereTheModelIs() {
    assertThat(train("--quiet")).isEqualTo(new Answer(0, out.resolve("tiny.gguf") + "\n", ""));
  }

  @Test
  void aPageThatCannotBeWrittenIsNoFailure() throws IOException {
    Files.createDirectories(out.resolve("report.html"));
    Answer answer = train("--quiet");
    assertThat(answer.code()).isZero();
    assertThat(answer.out()).isEqualTo(out.resolve("tiny.gguf") + "\n");
    assertThat(answer.err())
        .hasLineCount(1)
        .startsWith("ridgeline: no page: " + out.resolve("report.html"));
  }

  @Test
  void aFolderThatHasATrainingIsNotWrittenOver() throws IOException {
    train("--quiet");
    byte[] model = Files.readAllBytes(out.resolve("tiny.gguf"));
    Answer again = train();
    assertThat(again.code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(again.err())
        .isEqualTo("ridgeline: %s: already has a training: --resume continues it\n", out);
    assertThat(again.out()).isEmpty();
    Answer resumed = train("--resume");
    assertThat(resumed.code()).as(resumed.err()).isZero();
    assertThat(resumed.out())
        .contains("all 10 steps were done before · loss 5.", "evaluation 5.")
        .doesNotContain("tokens/s");
    assertThat(Files.readAllBytes(out.resolve("tiny.gguf"))).isEqualTo(model);
  }

  @ParameterizedTest
  @CsvSource({"fine, 1", "fine, 3", "coarse, 1", "coarse, 2"})
  void eachStrategyWritesTheSameModel(String strategy, int workers) throws IOException {
    train("--quiet");
    Path other = folder.resolve("other");
    Answer answer =
        Answer.of(
            "train", "-c", config, "--out", other, "--strategy", strategy, "--workers", workers);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).contains(" · %s, 4 shards".formatted(strategy));
    assertThat(other.resolve("tiny.gguf")).hasSameBinaryContentAs(out.resolve("tiny.gguf"));
  }

  @Test
  void validatingSaysWhatWouldBeTrainedAndWritesNothing() {
    Answer answer = train("--validate", "--workers", 2);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out().lines().map(line -> line.strip().split(" ")[0]))
        .containsExactly(config + ":", "model", "data", "steps", "computes", "memory");
    assertThat(answer.out())
        .contains("texts.txt: 741 tokens in 1 document, 667 to train on, 74 to evaluate on")
        .contains("10 of 4 × 16 tokens", "coarse, 4 shards", "optimizer ");
    assertThat(out).doesNotExist();
    JsonNode json = JsonMapper.builder().build().readTree(train("--validate", "--json").out());
    assertThat(json.get("steps").asInt()).isEqualTo(10);
    assertThat(json.get("tokensPerStep").asInt()).isEqualTo(64);
    assertThat(json.get("memory").get("gradients").asLong()).isPositive();
    assertThat(out).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void badConfigurationsAreOneLineThatNamesThePlace(boolean validate) throws IOException {
    String[][] wrong = {
      {", \"stepps\": 3", "tiny.json:7: ", "stepps"},
      {", \"optimizer\": {\"rate\": \"fast\"}", "tiny.json:7: ", "rate"},
      {", \"shards\": 9", "tiny.json:", "shards"},
      {", \"tokenizer\": {\"from\": \"no.gguf\"}", "no.gguf"},
    };
    for (String[] each : wrong) {
      TinyTraining.write(folder, 10, each[0]);
      Answer answer = validate ? train("--validate") : train();
      assertThat(answer.code()).as(answer.out()).isEqualTo(ExitCode.BAD_QUESTION);
      assertThat(answer.err()).hasLineCount(1).contains(Arrays.copyOfRange(each, 1, each.length));
      assertThat(answer.out()).isEmpty();
      assertThat(out).doesNotExist();
    }
  }

  @Test
  void badTextsAreOneLine() throws IOException {
    byte[] latin = "caf\u00e9".repeat(99).getBytes(StandardCharsets.ISO_8859_1);
    Object[][] wrong = {
      {new byte[0], "texts.txt"},
      {latin, "is not UTF-8 at byte 3"},
      {"a".getBytes(StandardCharsets.UTF_8), "texts.txt: "},
      {"quite too short.".getBytes(StandardCharsets.UTF_8), "a sequence of 16 needs 17"},
    };
    for (Object[] each : wrong) {
      Files.write(folder.resolve("texts.txt"), (byte[]) each[0]);
      for (Answer answer : List.of(train("--validate"), train())) {
        assertThat(answer.code()).as(answer.out()).isEqualTo(ExitCode.BAD_QUESTION);
        assertThat(answer.err()).hasLineCount(1).contains((String) each[1]);
        assertThat(out).doesNotExist();
      }
    }
    Files.delete(folder.resolve("texts.txt"));
    assertThat(train().err())
        .matches(
            "ridgeline: \\S+/tiny\\.json:\\d+: data\\.files: \\S+/texts\\.txt: no such file .*\n")
        .contains("examples/README.md");
  }

  @Test
  void aLossThatIsNoNumberIsABadAnswer() throws IOException {
    train("--quiet");
    Path model = out.resolve("tiny.gguf");
    byte[] bytes = Files.readAllBytes(model);
    for (int i = 1; i <= 2; i++) bytes[bytes.length - i] = (byte) 0xff; // half of it is enough
    Files.write(model, bytes);
    Files.writeString(
        folder.resolve("on.json"),
        """
        {"model": {"file": "out/tiny.gguf"}, "data": {"files": "texts.txt"},
         "batch": 4, "length": 16, "steps": 3}
        """);
    Path on = folder.resolve("on");
    Answer answer = Answer.of("train", "-c", folder.resolve("on.json"), "--out", on);
    assertThat(answer.code()).as(answer.out()).isEqualTo(ExitCode.BAD_ANSWER);
    assertThat(answer.err())
        .hasLineCount(1)
        .startsWith("ridgeline: step 1: loss is NaN, first in weights ")
        .endsWith("; the last checkpoint is unchanged\n");
    assertThat(on.resolve("on.gguf")).doesNotExist();
  }

  @Test
  void whatHasNoConfigurationOrAnotherStrategyIsRefused() {
    assertThat(Answer.of("train").err())
        .isEqualTo("ridgeline: no configuration: give -c FILE; --list-configs lists examples\n");
    assertThat(train("--strategy", "rough").code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(train("--workers", 0).code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(out).doesNotExist();
  }

  @Test
  void theExamplesAreListedAndRight() throws IOException {
    Answer answer = Answer.of("train", "--list-configs");
    assertThat(answer.code()).as(answer.err()).isZero();
    List<String> lines = answer.out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).contains("shakespeare.json  llama, 5 layers of 128 · 500 steps of ");
    assertThat(lines.get(1)).contains("stories.json  llama, 4 layers of 160 · ");
  }

  @Test
  void shakespeareCanBeTrainedAsItComes() {
    Path config = Path.of("..", "examples", "shakespeare.json");
    Answer answer = Answer.of("train", "-c", config, "--out", folder.resolve("out"), "--validate");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("173,142 tokens in 1 document");
  }
}
