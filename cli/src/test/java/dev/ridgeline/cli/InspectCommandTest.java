package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.synth.SynthModel;
import dev.ridgeline.model.synth.SynthShape;
import dev.ridgeline.tensor.TensorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class InspectCommandTest {
  @TempDir private Path folder;

  @Test
  void aModelIsShownFromItsHeadlineToItsLargestTensors() {
    Answer answer = Answer.of("inspect", model(), "--top", 2);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith(
            "model.gguf · bert · f32 · 575 kB · 142,592 parameters · 32.0 bits each · GGUF 3\n")
        .contains("  tokenizer.ggml.tokens  string[300]  token token token")
        .contains("  f32          3         142,592     570 kB  100.0 %")
        .contains("  memory for the weights as they are: 570 kB")
        .contains("  token_embd.weight    f32    256 × 300                  307 kB   53.9 %")
        .endsWith("  … and 1 smaller: --top 3\n");
    assertThat(answer.out().lines()).allMatch(line -> line.length() <= 100);
  }

  /** 2 layers × 4 heads of 32, keys and values, 128 tokens, two bytes each. */
  @Test
  void aDecoderSaysWhatItTakesToGenerate() {
    Path small = folder.resolve("small.gguf");
    SynthModel.write(SynthShape.SMALL, TensorType.Q8_0, SynthModel.SEED, small, _ -> {});
    assertThat(Answer.of("inspect", small).out())
        .contains("KV cache f16 at context 128: 131 kB + workspace: about ");
    JsonNode json = JsonMapper.shared().readTree(Answer.of("inspect", small, "--json").out());
    assertThat(json.path("generate").path("cacheBytes").asLong())
        .isEqualTo(2 * 4 * 32 * 2 * 128 * 2);
    assertThat(Answer.of("inspect", model()).out()).doesNotContain("to generate");
  }

  @Test
  void anArrayThatIsCutShowsIt() {
    Path model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    assertThat(Answer.of("inspect", model).out())
        .containsPattern("tokenizer.ggml.token_type +i32\\[\\d+]  3 3 3 3 3 1 1 1 1 1 1 1 …\n");
  }

  @Test
  void memoryIsThatOfEachOwner() {
    Path model = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    JsonNode json = JsonMapper.shared().readTree(Answer.of("inspect", model, "--json").out());
    JsonNode owners = json.path("memoryBytes");
    assertThat(owners.path("workspace").asLong()).isPositive();
    assertThat(owners.path("weights").asLong()).isPositive();
    long sum = 0;
    for (JsonNode bytes : owners) sum += bytes.asLong();
    assertThat(json.path("memoryNeededBytes").asLong()).isEqualTo(sum);
  }

  @Test
  void nothingInAFileSteersTheTerminal() {
    assertThat(Answer.of("inspect", model()).out()).doesNotContain("\u001b");
  }

  @Test
  void programsGetEverything() {
    JsonNode json = JsonMapper.shared().readTree(Answer.of("inspect", model(), "--json").out());
    assertThat(json.path("schema").asString()).isEqualTo("ridgeline.inspect");
    assertThat(json.path("parameters").asLong()).isEqualTo(142_592);
    assertThat(json.path("weightBytes").asLong()).isEqualTo(4 * 142_592);
    assertThat(json.path("tensors")).hasSize(3);
    assertThat(json.path("tensors").path(0).path("shape").toString()).isEqualTo("[256,300]");
    JsonNode tokens = json.path("metadata").path("tokenizer.ggml.tokens");
    assertThat(tokens.path("count").asInt()).isEqualTo(300);
    assertThat(tokens.path("value")).hasSize(256);
    assertThat(json.path("metadata").path("bert.block_count").path("value").asInt()).isEqualTo(1);
  }

  @Test
  void aBadFileIsOneLine() throws IOException {
    Path text = Files.writeString(folder.resolve("text.gguf"), "Once upon a time");
    Answer answer = Answer.of("inspect", text);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).isEqualTo("ridgeline: " + text + ": is not a GGUF file\n");
    assertThat(Answer.of("inspect", folder.resolve("none")).err()).contains("no such file");
    assertThat(Answer.of("inspect", model(), "--top", 0).err()).contains("--top 0: at least 1");
  }

  @Test
  void aModelIsInspectedByItsName() {
    Answer answer = Answer.of("inspect", "synth:minilm-l6", "--cache", folder.resolve("cache"));
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .contains(" · bert · q8_0 · ")
        .contains("  384 × 30,522 ")
        .containsPattern(
            "memory needed: [\\d.]+ MB = weights [\\d.]+ MB \\+ weights \\(mapped\\) 13.2 MB"
                + " \\+ workspace [\\d.]+ MB\n");
    assertThat(Answer.of("inspect", "all-minilm").err()).contains("no model 'all-minilm'");
  }

  private Path model() {
    return SmallModel.write(folder.resolve("model.gguf"));
  }
}
