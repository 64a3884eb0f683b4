package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.model.generate.Completion;
import dev.ridgeline.model.generate.Generator;
import dev.ridgeline.model.generate.Sampling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every way in and out of {@code generate}, and what it refuses. */
class GenerateCommandTest {
  private static final String PROMPT = "the old man said";

  @TempDir private static Path models;
  @TempDir private Path folder;

  private static Path model;

  @BeforeAll
  static void makeTheModel() {
    model = TinyDecoder.write(models.resolve("tiny.gguf"));
  }

  private static Typed generate(Object... args) {
    return generate("", args);
  }

  private static Typed generate(String input, Object[] args) {
    List<Object> words = new ArrayList<>(List.of("generate", "-m", model, "--workers", 1));
    words.addAll(Arrays.asList(args));
    return Typed.of(input, words.toArray());
  }

  private static String expected(String prompt, int tokens) {
    return completion(prompt, tokens).text();
  }

  private static Completion completion(String prompt, int tokens) {
    try (Generator generator = Generator.open(model)) {
      return generator.generate(prompt, Sampling.GREEDY.withMaxTokens(tokens));
    }
  }

  // Ways in.

  @Test
  void theCompletionAloneIsPrinted() {
    Typed typed = generate("-p", PROMPT, "-n", 12, "--temperature", 0, "--quiet");
    assertThat(typed.err()).isEmpty();
    assertThat(typed.code()).isZero();
    assertThat(typed.out()).isEqualTo(expected(PROMPT, 12) + "\n");
  }

  @Test
  void everyWayInGivesTheSameText() throws IOException {
    Object[] how = {"-n", 12, "--temperature", 0};
    String expected = expected(PROMPT, 12) + "\n";
    Path file = Files.writeString(folder.resolve("prompt.txt"), PROMPT + "\n");
    assertThat(generate(PROMPT + "\n", how).out()).isEqualTo(expected);
    assertThat(generate("-n", 12, "--temperature", 0, "--prompt-file", file).out())
        .isEqualTo(expected);
    assertThat(generate("the", "old", "man", "said", "-n", 12, "--temperature", 0).out())
        .isEqualTo(expected);
  }

  @Test
  void manyPromptsGetTheTextsTheyGetAloneInTheirOrder() throws IOException {
    List<String> prompts = List.of("the old man said", "one", "some of them were", "a \"b\", c");
    StringBuilder json = new StringBuilder();
    for (String prompt : prompts) {
      json.append(JsonMapper.shared().writeValueAsString(Map.of("id", 1, "q", prompt)) + "\n");
    }
    Path lines = Files.write(folder.resolve("prompts.txt"), prompts);
    Path objects = Files.writeString(folder.resolve("prompts.jsonl"), json);
    Object[] how = {"--prompts", lines, "--batch", 3, "-n", 9, "--temperature", 0};
    String out = generate(how).out();
    List<String> all = out.lines().toList();
    assertThat(all).hasSize(prompts.size());
    for (int i = 0; i < prompts.size(); i++) {
      JsonNode line = JsonMapper.shared().readTree(all.get(i));
      Completion alone = completion(prompts.get(i), 9);
      assertThat(line.propertyNames())
          .containsExactly("index", "prompt", "text", "tokens", "finish");
      assertThat(line.get("index").asInt()).isEqualTo(i);
      assertThat(line.get("prompt").asString()).isEqualTo(prompts.get(i));
      assertThat(line.get("text").asString()).isEqualTo(alone.text());
      assertThat(line.get("tokens").asInt()).isEqualTo(alone.ids().length);
      assertThat(line.get("finish").asString()).isEqualToIgnoringCase(alone.finish().name());
    }
    how[1] = objects;
    List<Object> withField = new ArrayList<>(Arrays.asList(how));
    withField.addAll(List.of("--field", "q"));
    assertThat(generate(withField.toArray()).out()).isEqualTo(out);
    withField.addAll(List.of("--format", "text"));
    assertThat(generate(withField.toArray()).out()).startsWith(expected(prompts.getFirst(), 9));
  }

  @Test
  void madeUpPromptsHaveTheirLengthAndDiffer() {
    Object[] how = {"--inferences", 3, "--prompt-tokens", 17, "--tokens", 5, "--format", "jsonl"};
    Typed typed = generate(how);
    assertThat(typed.code()).as(typed.err()).isZero();
    List<String> prompts =
        typed
            .out()
            .lines()
            .map(line -> JsonMapper.shared().readTree(line).get("prompt").asString())
            .toList();
    assertThat(prompts).hasSize(3).doesNotHaveDuplicates();
    assertThat(generate(how).out()).as("the same seed").isEqualTo(typed.out());
    assertThat(generate("--inferences", 1, "--prompt-tokens", TinyDecoder.CONTEXT).err())
        .contains("the prompt has 128 tokens, the context holds 128");
  }

  // Ways out.

  @Test
  void aFileIsWrittenWholeOrNotAtAll() throws IOException {
    Path file = Files.writeString(folder.resolve("text.txt"), "precious");
    Typed typed = generate("-p", PROMPT, "-n", 5, "--temperature", 0, "-o", file, "--force");
    assertThat(typed.out()).isEmpty();
    assertThat(file).hasContent(expected(PROMPT, 5) + "\n");
    Path bad = Files.writeString(folder.resolve("bad.txt"), "good\n\nbad\n");
    refused("line 2: no text", "--prompts", bad, "-o", file, "--force");
    refused("text.txt: exists already; --force replaces it", "-p", "a", "-o", file);
    assertThat(file).hasContent(expected(PROMPT, 5) + "\n");
  }

  @Test
  void whatIsReadIsNotReplaced() throws IOException {
    Path prompts = Files.writeString(folder.resolve("precious.txt"), "a");
    refused("is read, and would be replaced", "--prompts", prompts, "-o", prompts);
    refused("is read, and would be replaced", "--prompt-file", prompts, "-o", prompts);
    refused("is read, and would be replaced", "-p", "a", "-o", model, "--force");
    assertThat(prompts).hasContent("a");
  }

  @Test
  void aFullContextIsACleanEnd() {
    Typed typed =
        generate("-p", PROMPT, "-n", 0, "--context", 40, "--format", "jsonl", "--seed", 3);
    assertThat(typed.code()).as(typed.err()).isZero();
    JsonNode line = JsonMapper.shared().readTree(typed.out());
    assertThat(line.get("finish").asString()).isIn("context", "end");
  }

  @Test
  void aStopStringEndsTheTextAndIsNoPartOfIt() {
    String whole = expected(PROMPT, 20);
    String stop = whole.substring(8, 11);
    Typed typed = generate("-p", PROMPT, "-n", 20, "--temperature", 0, "--stop", stop);
    assertThat(typed.out()).isEqualTo(whole.substring(0, whole.indexOf(stop)) + "\n");
  }

  @Test
  void emptyLinesAreLeftOutWhenThatIsAskedFor() throws IOException {
    Path lines = Files.writeString(folder.resolve("prompts.txt"), "one\n\nthe old man\n");
    refused("line 2: no text; --skip-empty goes on without it", "--prompts", lines);
    Typed typed = generate("--prompts", lines, "--skip-empty", "-n", 2);
    assertThat(typed.code()).as(typed.err()).isZero();
    assertThat(typed.out().lines().map(line -> JsonMapper.shared().readTree(line).path("index")))
        .extracting(JsonNode::asInt)
        .as("the index of the line")
        .containsExactly(0, 2);
    refused("--skip-empty belongs to --prompts", "-p", "a", "--skip-empty");
  }

  // What is refused.

  @Test
  void whatHasNoEndIsRefused() {
    refused("--inferences 2000000000: at most 1000000", "--inferences", 2_000_000_000);
    refused("tokens together", "--inferences", 1_000_000, "--prompt-tokens", 1_000);
    Path endless = Path.of("/dev/zero");
    assumeTrue(Files.exists(endless), "no /dev/zero here");
    refused("/dev/zero: a prompt has at most 67.1 MB", "--prompt-file", endless);
    refused("/dev/zero: a line of more than 67.1 MB", "--prompts", endless);
  }

  @Test
  void whatCannotBeReadOrWrittenIsNamed() {
    refused(folder + ": Is a directory", "--prompt-file", folder);
    Path full = Path.of("/dev/full");
    assumeTrue(Files.exists(full), "no /dev/full here");
    refused("/dev/full: No space left on device", "-p", "a", "-o", full);
  }

  @Test
  void badNumbersAreRefused() {
    refused("temperature -1.0", "-p", "a", "--temperature=-1");
    refused("'NaN' is not a number", "-p", "a", "--temperature", "NaN");
    refused("top-p 0", "-p", "a", "--top-p", 0);
    refused("top-k -1", "-p", "a", "--top-k=-1");
    refused("min-p 2.0", "-p", "a", "--min-p", 2);
    refused("repeat penalty 0.0", "-p", "a", "--repeat-penalty", 0);
    refused("--tokens -1: at least 0", "-p", "a", "-n=-1");
    refused("a context of 4096", "-p", "a", "--context", 4096);
    refused("--context 0: at least 1", "-p", "a", "--context", 0);
    refused("--workers 0: at least 1", "-p", "a", "--workers", 0);
    refused("--cache-type", "-p", "a", "--cache-type", "q8_0");
  }

  @Test
  void promptsComeFromOnePlace() {
    refused("prompts come from one place: arguments or --prompt", "-p", "a", "b");
    refused("--batch belongs to --prompts", "-p", "a", "--batch", 2);
    refused("--prompt-tokens belongs to --inferences", "-p", "a", "--prompt-tokens", 2);
    refused("--prompt '': is empty", "-p", "");
    refused("standard input: no prompt");
    refused("no such file", "--prompt-file", folder.resolve("none"));
  }

  @Test
  void aPromptThatFillsTheContextIsRefused() throws IOException {
    String tooMuch = "many words ".repeat(80);
    refused("the prompt has", "-p", tooMuch);
    Path prompts = Files.writeString(folder.resolve("long.txt"), "a\n\n" + tooMuch);
    refused("long.txt, line 3: the prompt has", "--prompts", prompts, "--skip-empty");
  }

  @Test
  void anEncoderIsRefused() {
    Path bert = TinyModel.bert(folder.resolve("bert.gguf"), Map.of());
    refused("bert makes embeddings, not text: use embed", "-m", bert, "-p", "a");
  }

  private static void refused(String why, Object... args) {
    List<Object> words = new ArrayList<>(List.of("generate"));
    if (!Arrays.asList(args).contains("-m")) words.addAll(List.of("-m", model));
    words.addAll(Arrays.asList(args));
    Typed typed = Typed.of("", words.toArray());
    assertThat(typed.err()).hasLineCount(1).startsWith("ridgeline: ").contains(why);
    assertThat(typed.code()).isEqualTo(2);
    assertThat(typed.out()).isEmpty();
  }
}
