package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.lab.jit.Objdump;
import dev.ridgeline.report.run.Runs;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufWriter;
import dev.ridgeline.tensor.kernel.assembled.AssembledKernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures;
import dev.ridgeline.tensor.kernel.assembled.Tier;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
        .contains("  f32         3  142,592  570 kB  100.0 %")
        .contains("  memory for the weights as they are: 570 kB")
        .containsPattern("  token_embd.weight  +f32   256 × 300 +307 kB  53.9 %\\n")
        .endsWith("  … and 1 smaller: --top 3\n");
    assertThat(answer.out().lines()).allMatch(line -> line.length() <= 100);
  }

  @Test
  void typesThatAreOnlyReadAreShown() {
    Path path = folder.resolve("read.gguf");
    MemorySegment blocks = MemorySegment.ofArray(new byte[220]);
    new GgufWriter()
        .put("general.architecture", "llama")
        .put("general.file_type", 12)
        .tensor("a", TensorType.Q3_K, new long[] {256, 2}, GgufWriter.Source.of(blocks))
        .tensor("b", TensorType.MXFP4, new long[] {64}, GgufWriter.Source.of(blocks.asSlice(0, 34)))
        .write(path);
    Answer answer = Answer.of("inspect", path);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).startsWith("read.gguf · llama · q3_k_m · ").contains("  mxfp4  ");
  }

  /** 2 layers × 4 heads of 32, keys and values, 128 tokens, two bytes each, and a margin each. */
  @Test
  void aDecoderSaysWhatItTakesToGenerate() {
    Path small = TinyDecoder.write(folder.resolve("small.gguf"));
    assertThat(Answer.of("inspect", small).out())
        .containsPattern(
            "  memory to generate: [\\d.]+ MB = angles .* \\+ kv cache [\\d.]+ kB \\+ weights .*"
                + " \\+ weights \\(mapped\\) 262 kB \\+ workspace ");
    JsonNode json = JsonMapper.shared().readTree(Answer.of("inspect", small, "--json").out());
    assertThat(json.path("command").asString()).isEqualTo("generate");
    assertThat(json.path("memoryBytes").path("kv cache").asLong())
        .isBetween(2 * 4 * 32 * 2 * 128 * 2L, 2 * 4 * 32 * 2 * 128 * 2 + 4_096L);
    assertThat(Answer.of("inspect", model()).out()).doesNotContain("to generate");
  }

  @Test
  void memoryIsWhatAProfileShowsAsOwned() {
    Path decoder = TinyDecoder.write(folder.resolve("small.gguf"));
    assertThat(planned(decoder))
        .isEqualTo(owned("generate", "-m", decoder, "-n", 2, "--iterations", 1, "--warm-up", 0));
    Path encoder = TinyModel.bert(folder.resolve("tiny.gguf"), Map.of());
    assertThat(planned(encoder))
        .isEqualTo(owned("embed", "-m", encoder, "--iterations", 1, "--warm-up", 0, "a", "b c"));
  }

  private static Map<String, Long> planned(Path model) {
    JsonNode json = JsonMapper.shared().readTree(Answer.of("inspect", model, "--json").out());
    Map<String, Long> owners = new TreeMap<>();
    json.path("memoryBytes").forEachEntry((owner, bytes) -> owners.put(owner, bytes.asLong()));
    return owners;
  }

  private Map<String, Long> owned(Object... words) {
    List<Object> args = new ArrayList<>(List.of("profile"));
    args.addAll(Arrays.asList(words));
    args.addAll(List.of("--runs", folder.resolve("runs")));
    Answer answer = Answer.of(args.toArray());
    assertThat(answer.code()).as(answer.err()).isZero();
    Map<String, Long> owners = new TreeMap<>();
    new Runs(folder.resolve("runs"))
        .find("last")
        .profile()
        .ledger()
        .forEach(entry -> owners.put(entry.owner(), entry.highWaterBytes()));
    return owners;
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
            "memory to embed: [\\d.]+ MB = weights [\\d.]+ MB \\+ weights \\(mapped\\) 13.2 MB"
                + " \\+ workspace [\\d.]+ MB\n");
    assertThat(Answer.of("inspect", "all-minilm").err()).contains("no model 'all-minilm'");
  }

  private Path model() {
    return SmallModel.write(folder.resolve("model.gguf"));
  }

  @Test
  void assembledKernelsAreListedAndTakenApart() {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "assembled code cannot run here: " + obstacle);
    Answer list = Answer.of("inspect", "--kernel", "all");
    assertThat(list.code()).isZero();
    assertThat(list.out().lines())
        .anyMatch(line -> line.matches("f32-" + Tier.here().word() + "-\\d+x32 .* bytes .*"));
    String id = list.out().lines().findFirst().orElseThrow().split(" ")[0];
    Answer one = Answer.of("inspect", "--kernel", id);
    assertThat(one.out()).startsWith(id + ": ");
    assertThat(one.out().lines().count()).isGreaterThan(5);
    assertThat(Answer.of("inspect", "--kernel", "softmax").out()).startsWith("softmax-");
    JsonNode json =
        JsonMapper.shared().readTree(Answer.of("inspect", "--kernel", id, "--json").out());
    assertThat(json.at("/kernels/0/id").asString()).isEqualTo(id);
    assertThat(json.at("/kernels/0/code").asString()).matches("[0-9a-f]{20,}");
  }

  @Test
  void aKernelThatIsNoneAndNoModelAreOneLine() {
    assumeTrue(AssembledKernels.obstacle(CpuFeatures.here()) == null, "nothing is assembled here");
    assertThat(Answer.of("inspect", "--kernel", "q9").err())
        .startsWith("ridgeline: --kernel q9: no such kernel; there are ");
    assertThat(Answer.of("inspect").err())
        .isEqualTo("ridgeline: no model: name one, or --kernel all\n");
    assertThat(Answer.of("inspect", "--kernel", "all", "x.gguf").err())
        .startsWith("ridgeline: --kernel: shows no model");
  }

  /** With 256-bit vectors the same kernel has other code. */
  @Test
  void whatTheJitMadeIsListedAndCompared() {
    assumeTrue(Objdump.instructions(new byte[] {(byte) 0xc3}, 0) != null, "objdump is missing");
    Answer all = Answer.of("inspect", "--jit", "Activations", "--json", "--", "op", "gelu");
    assertThat(all.code()).as(all.err()).isZero();
    JsonNode tail = null;
    for (JsonNode method : JsonMapper.shared().readTree(all.out()).path("methods")) {
      if (method.path("method").asString().equals("Activations::tail")) tail = method;
    }
    assertThat(tail.path("compiler").asString()).isEqualTo("c2");
    assertThat(tail.path("code").asString()).contains("vfmadd");
    assertThat(tail.path("counts").path("instructions").asInt()).isGreaterThan(100);
    Answer difference =
        Answer.of(
            "inspect", "--jit", "Activations::tail", "--against=-XX:UseAVX=1", "--", "op", "gelu");
    assertThat(difference.code()).as(difference.err()).isZero();
    assertThat(difference.out())
        .startsWith("A: as it is; B: -XX:UseAVX=1\n")
        .contains("\n  Activations::tail ");
    assertThat(difference.out().lines().filter(line -> line.startsWith("- ")))
        .anyMatch(line -> line.matches(".*\\b[yz]mm\\d.*"));
    assertThat(difference.out().lines().filter(line -> line.startsWith("+ ")))
        .anyMatch(line -> line.matches(".*\\bxmm\\d.*"))
        .noneMatch(line -> line.matches(".*\\b[yz]mm\\d.*"));
  }

  @Test
  void aJavaProgramOfOnesOwnIsAskedWhatTheJitMadeOfIt() throws IOException {
    assumeTrue(Objdump.instructions(new byte[] {(byte) 0xc3}, 0) != null, "objdump is missing");
    Path source =
        Files.writeString(
            folder.resolve("Sum.java"),
            """
            class Sum {
              static int sum;
              static void add(int n) { for (int i = 0; i < n; i++) sum += i ^ n; }
              public static void main(String[] args) {
                for (int i = 0; i < 100_000; i++) add(1_000);
                System.out.println(sum);
              }
            }
            """);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Answer answer = Answer.of("inspect", "--jit", "Sum::add", "--", java, source);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("Sum::add  ", "  c2  ").contains("    ret");
    Answer again =
        Answer.of("inspect", "--jit", "Sum::add", "--against", "again", "--", java, source);
    assertThat(again.code()).as(again.err()).isZero();
    assertThat(again.out()).startsWith("A: as it is; B: again\n").contains("Sum::add ");
  }

  @Test
  void aQuestionAboutTheJitThatCannotBeAnsweredIsOneLine() {
    assertThat(Answer.of("inspect", "--jit", "Activations").err())
        .isEqualTo(
            "ridgeline: --jit: say what runs the method: ridgeline inspect --jit Activations -- op"
                + " gelu\n");
    assertThat(Answer.of("inspect", "--jit", "a b", "--", "op", "gelu").err())
        .isEqualTo("ridgeline: --jit a b: not a class, nor a Class::method\n");
    assertThat(Answer.of("inspect", "--jit", "Activations", "--", "op", "banana").err())
        .contains("'banana'")
        .hasLineCount(1);
    assertThat(Answer.of("inspect", "--jit", "NoSuchKernel", "--", "op", "gelu").err())
        .startsWith("ridgeline: --jit NoSuchKernel: nothing of it was compiled")
        .hasLineCount(1);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    assertThat(Answer.of("inspect", "--jit", "Sum::add", "--", java, "-XX:Bogus", "Sum").err())
        .startsWith("ridgeline: --jit: the command ended with code 1: ")
        .contains("Bogus")
        .hasLineCount(1);
    assertThat(Answer.of("inspect", "--jit", "all", "--kernel", "all", "--", "op", "gelu").err())
        .isEqualTo("ridgeline: --kernel: not with --jit\n");
    assertThat(Answer.of("inspect", "--against", "-Xint").err())
        .isEqualTo("ridgeline: --against: goes with --jit\n");
  }
}
