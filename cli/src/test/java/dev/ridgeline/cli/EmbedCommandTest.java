package dev.ridgeline.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.ridgeline.model.Embedder;
import dev.ridgeline.model.Strategy;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every way in and out of {@code embed}, and what it refuses. */
class EmbedCommandTest {
  private static final List<String> TEXTS = List.of("one text", "zwei", "a \"third\", with, marks");

  @TempDir private static Path models;
  @TempDir private Path folder;

  private Path model;

  @BeforeEach
  void makeTheModel() {
    model = models.resolve("tiny.gguf");
    if (!Files.exists(model)) TinyModel.bert(model, Map.of());
  }

  @Test
  void theHelpSaysWhatAutoChooses() {
    Matcher said =
        Pattern.compile("fine for one text, packed for a few and coarse from (\\d+) texts on")
            .matcher(Answer.of("embed", "--help").out().replaceAll("\\s+", " "));
    assertThat(said.find()).isTrue();
    int coarse = Integer.parseInt(said.group(1));
    Tiling preset = Tiling.preset(null);
    assertThat(Strategy.AUTO.chosen(1, 2, preset)).isEqualTo(Strategy.FINE);
    assertThat(Strategy.AUTO.chosen(2, 2, preset)).isEqualTo(Strategy.PACKED);
    assertThat(Strategy.AUTO.chosen(coarse - 1, 2, preset)).isEqualTo(Strategy.PACKED);
    assertThat(Strategy.AUTO.chosen(coarse, 2, preset)).isEqualTo(Strategy.COARSE);
    assertThat(Strategy.AUTO.chosen(coarse, 3, preset)).as("two each").isEqualTo(Strategy.PACKED);
  }

  // Ways in.

  @Test
  void everyWayInGivesTheSameVectors() throws IOException {
    byte[] lines = (String.join("\n", TEXTS) + "\n").getBytes(UTF_8);
    StringBuilder json = new StringBuilder();
    for (String text : TEXTS) {
      json.append(JsonMapper.shared().writeValueAsString(Map.of("id", 7, "text", text)));
      json.append("\n");
    }
    byte[] objects = json.toString().getBytes(UTF_8);
    Path lineFile = Files.write(folder.resolve("texts.txt"), lines);
    Path objectFile = Files.write(folder.resolve("texts.jsonl"), objects);
    String expected = jsonl(TEXTS.toArray());
    assertThat(jsonl("--input", lineFile)).isEqualTo(expected);
    assertThat(withoutFields(jsonl("--input", objectFile, "--field", "text"))).isEqualTo(expected);
    assertThat(jsonl(lines)).isEqualTo(expected);
    assertThat(jsonl(lines, "--input", "-")).isEqualTo(expected);
    assertThat(withoutFields(jsonl(objects, "--field", "text"))).isEqualTo(expected);
    assertThat(jsonl(("\uFEFF" + String.join("\r\n", TEXTS)).getBytes(UTF_8))).isEqualTo(expected);
  }

  private static String withoutFields(String lines) {
    assertThat(lines.lines()).allMatch(line -> line.contains(",\"fields\":{\"id\":7},"));
    return lines.replace("\"fields\":{\"id\":7},", "");
  }

  @Test
  void manyTextsKeepTheirOrder() throws IOException {
    List<String> texts = IntStream.range(0, 1_300).mapToObj(i -> "text no. " + i).toList();
    Path file = Files.write(folder.resolve("texts.txt"), texts);
    List<float[]> vectors = vectors(jsonl("--input", file, "--batch", 7));
    assertThat(vectors).hasSize(texts.size());
    try (Embedder embedder = Embedder.open(model)) {
      for (int i : new int[] {0, 1, 511, 512, 513, 1_024, 1_299}) {
        assertThat(vectors.get(i)).as("text %d", i).isEqualTo(embedder.embed(texts.get(i)));
      }
    }
  }

  // Ways out.

  @Test
  void aJsonLineHasTheIndexAndTheVectorAndNothingElse() {
    String out = jsonl(TEXTS.toArray());
    String number = "-?\\d+\\.\\d+(E-\\d+)?";
    String array = "\\[" + number + "(," + number + "){" + (TinyModel.WIDTH - 1) + "}\\]";
    List<String> lines = out.lines().toList();
    assertThat(lines).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(lines.get(i)).matches("\\{\"index\":" + i + ",\"embedding\":" + array + "\\}");
    }
    assertThat(out).endsWith("}\n");
    assertVectors(vectors(out));
  }

  @Test
  void jsonIsOneDocument() {
    JsonNode json = JsonMapper.shared().readTree(embed(TEXTS.toArray()).text());
    assertThat(json.get("model").asString()).isEqualTo(model.toString());
    assertThat(json.get("dimensions").asInt()).isEqualTo(TinyModel.WIDTH);
    List<float[]> vectors = new ArrayList<>();
    for (JsonNode vector : json.get("embeddings")) vectors.add(vector(vector));
    assertVectors(vectors);
  }

  @Test
  void csvHasAHeadAndALinePerText() {
    List<String> lines = embed("--format", "csv", TEXTS).text().lines().toList();
    assertThat(lines.getFirst()).startsWith("index,e0,e1,").endsWith(",e31");
    List<float[]> vectors = new ArrayList<>();
    for (String line : lines.subList(1, lines.size())) {
      String[] cells = line.split(",");
      assertThat(cells[0]).isEqualTo(Integer.toString(vectors.size()));
      float[] vector = new float[cells.length - 1];
      for (int i = 0; i < vector.length; i++) vector[i] = Float.parseFloat(cells[i + 1]);
      vectors.add(vector);
    }
    assertVectors(vectors);
  }

  @Test
  void npyIsAnArrayThatNumPyReads() {
    byte[] bytes = embed("--format", "npy", TEXTS).out();
    ByteBuffer file = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(Arrays.copyOf(bytes, 8)).containsExactly(0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0);
    int head = 10 + file.getShort(8);
    assertThat(head % 64).isZero();
    String dictionary = new String(bytes, 10, head - 10, US_ASCII);
    assertThat(dictionary)
        .startsWith("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 32), }")
        .endsWith(" \n");
    assertThat(bytes).hasSize(head + 3 * 32 * 4);
    List<float[]> vectors = new ArrayList<>();
    file.position(head);
    for (int i = 0; i < 3; i++) {
      float[] vector = new float[32];
      for (int j = 0; j < 32; j++) vector[j] = file.getFloat();
      vectors.add(vector);
    }
    assertVectors(vectors);
  }

  private void assertVectors(List<float[]> vectors) {
    try (Embedder embedder = Embedder.open(model)) {
      List<float[]> expected = embedder.embed(TEXTS);
      assertThat(vectors).hasSameSizeAs(expected);
      for (int i = 0; i < vectors.size(); i++) {
        assertThat(vectors.get(i)).as("text %d", i).isEqualTo(expected.get(i));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "jsonl", "csv", "npy"})
  void aFileHoldsWhatWouldBePrinted(String format) {
    Path file = folder.resolve("vectors");
    Result toFile = embed("--format", format, "-o", file, TEXTS);
    assertThat(toFile.text()).isEmpty();
    assertThat(file).hasBinaryContent(embed("--format", format, TEXTS).out());
  }

  @ParameterizedTest
  @ValueSource(strings = {"json", "jsonl", "csv", "npy"})
  void aRunThatFailsLeavesTheOldFileAndNothingElse(String format) throws IOException {
    Path file = Files.writeString(folder.resolve("vectors"), "precious");
    List<String> texts = new ArrayList<>(IntStream.range(0, 600).mapToObj(i -> "t" + i).toList());
    texts.add("x".repeat(100));
    Path input = Files.write(folder.resolve("texts.txt"), texts);
    Result result = embed("--format", format, "-o", file, "--force", "--input", input);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.err()).hasLineCount(1).contains("texts.txt, line 601 has 102 tokens");
    assertThat(file).hasContent("precious");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(file, input);
    }
  }

  @Test
  void similaritySortsTheOthersByTheirCosineToTheFirst() {
    Result result = embed("--similarity", "same words", "zzzz 9", "same words");
    assertThat(result.code()).as(result.err()).isZero();
    List<String> lines = result.text().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.getFirst()).isEqualTo(" 1.0000  same words");
    assertThat(lines.getLast()).matches(" ?-?\\d\\.\\d{4}  zzzz 9");
  }

  private static final String ANIMALS =
      "a cat sat\n\nzzzz 9999\nthe cat sits\n12345\n\tcat\u001b[31m\n";

  /** Distances of random weights mean nothing, but are those of the vectors. */
  @Test
  void linesOfAFileAreRankedByTheirCosineToTheQuery() throws IOException {
    Path file = Files.writeString(folder.resolve("docs.txt"), ANIMALS);
    Result result = embed("--similarity", "the cat", "--input", file, "--skip-empty");
    assertThat(result.code()).as(result.err()).isZero();
    List<String> rows = result.text().lines().toList();
    assertThat(rows).hasSize(5).allMatch(row -> row.matches("[13456]  ( |-)\\d\\.\\d{4}  .+"));
    assertThat(rows)
        .filteredOn(row -> row.startsWith("3 "))
        .first()
        .asString()
        .endsWith("  zzzz 9999");
    // Nothing in a text steers the terminal.
    assertThat(result.text()).doesNotContain("\u001b", "\t");
    List<String> lines = ANIMALS.lines().toList();
    try (Embedder embedder = Embedder.open(model)) {
      float[] query = embedder.embed("the cat");
      double last = 2;
      for (String row : rows) {
        double cosine = Embedder.cosine(query, embedder.embed(lines.get(row.charAt(0) - '0' - 1)));
        assertThat(row.substring(3, 10)).isEqualTo("%7.4f".formatted(cosine));
        assertThat(cosine).isLessThanOrEqualTo(last);
        last = cosine;
      }
    }
    String[] same = {"--similarity", "the cat", "--skip-empty", "--quiet"};
    assertThat(embed(same, "--input", file, "-k", 2).text().lines())
        .containsExactlyElementsOf(rows.subList(0, 2));
    assertThat(embed(ANIMALS.getBytes(UTF_8), same, "--input", "-").text())
        .isEqualTo(result.text());
    Path out = folder.resolve("ranked.txt");
    assertThat(embed(same, "--input", file, "-o", out).code()).isZero();
    assertThat(out).hasContent(result.text());
  }

  @Test
  void tenLinesOfAFileAreEnoughUnlessMoreAreAskedFor() throws IOException {
    Path file = folder.resolve("docs.txt");
    Files.write(file, IntStream.range(0, 60).mapToObj(i -> "text no. " + i).toList());
    List<String> all =
        embed("--similarity", "no. 7", "--input", file, "-k", 1_000).text().lines().toList();
    assertThat(all).hasSize(60);
    assertThat(embed("--similarity", "no. 7", "--input", file).text().lines())
        .containsExactlyElementsOf(all.subList(0, 10));
    Object[] many = IntStream.range(0, 20).mapToObj(i -> "text no. " + i).toArray();
    assertThat(embed("--similarity", "no. 7", many).text()).hasLineCount(20);
    assertThat(embed("--similarity", "no. 7", many, "-k", 3).text()).hasLineCount(3);
  }

  @Test
  void fieldsOfJsonLinesComeBack() throws IOException {
    String big = "{\"id\":12345678901234567890,\"x\":0.1234567890123456789,";
    String lines =
        big
            + "\"text\":\"a cat\",\"tags\":[\"é\",null]}\n"
            + "{\"text\":\"zzzz\"}\n"
            + "{\"half\":\"\\ud800\",\"text\":\"9 \\\"9\\\"\"}\n";
    Path file = Files.writeString(folder.resolve("docs.jsonl"), lines);
    String fields = big + "\"tags\":[\"é\",null]}";
    List<String> vectors = jsonl("--input", file, "--field", "text").lines().toList();
    assertThat(vectors.getFirst())
        .startsWith("{\"index\":0,\"fields\":" + fields + ",\"embedding\":[");
    assertThat(vectors.get(1)).startsWith("{\"index\":1,\"embedding\":[");
    assertThat(vectors.get(2)).startsWith("{\"index\":2,\"fields\":{\"half\":\"\\uD800\"},");
    assertThat(jsonl("--input", file, "--field", "text", "--iterations", 2).lines())
        .containsExactlyElementsOf(vectors);

    Object[] asked = {"--similarity", "a cat", "--input", file, "--field", "text"};
    List<String> ranked = embed(asked, "--format", "jsonl").text().lines().toList();
    assertThat(ranked).hasSize(3);
    assertThat(ranked.getFirst())
        .isEqualTo(
            "{\"index\":0,\"line\":1,\"score\":1.0,\"text\":\"a cat\",\"fields\":" + fields + "}");
    assertThat(ranked).anyMatch(row -> row.matches("\\{\"index\":1,\"line\":2,.*\"zzzz\"}"));
    JsonNode json = JsonMapper.shared().readTree(embed(asked, "--format", "json").text());
    assertThat(json.get("query").asString()).isEqualTo("a cat");
    assertThat(json.get("model").asString()).isEqualTo(model.toString());
    assertThat(json.get("results")).hasSize(3);
    for (int i = 0; i < 3; i++) {
      assertThat(json.get("results").get(i)).isEqualTo(JsonMapper.shared().readTree(ranked.get(i)));
    }
  }

  @Test
  void aQueryWithNothingToCompareIsOneLine() throws IOException {
    Path empty = Files.createFile(folder.resolve("docs.txt"));
    refused(embed("--similarity", "cat", "--input", empty), "no text in " + empty);
    Path lines = Files.writeString(folder.resolve("lines.txt"), "cat\n");
    refused(embed("--similarity", " ", "--input", lines), "the query is empty");
    refused(embed("--similarity", "\u200b", "--input", lines), "the query is empty");
    refused(
        embed("--similarity", "x".repeat(100), "--input", lines),
        "the query has 102 tokens, the model takes 40; --truncate");
    refused(embed("--similarity", "--input", lines), "compares lines with the first");
    refused(embed("--similarity", "cat", "--input", folder), folder.toString());
  }

  @Test
  void theOthersAreDocumentsForAFirstTextThatIsAQuery() throws IOException {
    Path asking =
        TinyModel.bert(folder.resolve("asking.gguf"), Map.of("query", "ask: ", "document", "d "));
    Object[] others = {"zzzz 9", "same words"};
    String byTask = embed(asking, "--similarity", "--task", "query", "words", others).text();
    String byHand = embed(asking, "--similarity", "ask: words", "d zzzz 9", "d same words").text();
    assertThat(byTask).hasLineCount(2).isEqualTo(byHand.replace("  d ", "  "));
    assertThat(embed(asking, "--similarity", "--task", "document", "words", others).text())
        .isEqualTo(embed(asking, "--similarity", "--prefix", "d ", "words", others).text());
    Path lines = Files.write(folder.resolve("lines.txt"), List.of("zzzz 9", "same words"));
    Object[] fromFile = {"--similarity", "--task", "query", "words", "--input"};
    assertThat(embed(asking, fromFile, lines).text().lines())
        .map(row -> row.substring(3))
        .containsExactlyElementsOf(byTask.lines().toList());
    Path bare = TinyModel.bert(folder.resolve("bare.gguf"), Map.of("query", "ask: "));
    assertThat(embed(bare, "--similarity", "--task", "query", "words", others).text())
        .isEqualTo(embed(bare, "--similarity", "ask: words", others).text());
    refused(
        embed(asking, "--similarity", "--task", "dance", "words", others),
        asking + ": no task 'dance'");
  }

  @Test
  void bothSidesOfASymmetricTaskAreAlike() {
    Path gemma = TinyModel.gemma(folder.resolve("gemma.gguf"));
    String prompt = "task: clustering | query: ";
    assertThat(embed(gemma, "--similarity", "--task", "clustering", "a", "b").text())
        .isEqualTo(embed(gemma, "--similarity", "--prefix", prompt, "a", "b").text());
  }

  // Options.

  @Test
  void emptyTextsAreSkippedAndTheOthersKeepTheirIndex() throws IOException {
    // The zero-width space is something, but no token.
    String lines = "\none\n \ntwo\n\u200b\n\n";
    Path file = Files.writeString(folder.resolve("texts.txt"), lines);
    List<String> vectors = jsonl("one", "two").lines().toList();
    Result result = embed("--skip-empty", "--input", file, "--format", "jsonl");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).isEqualTo("ridgeline: skipped 4 empty texts\n");
    assertThat(result.text().lines())
        .containsExactly(
            vectors.getFirst().replace("\"index\":0", "\"index\":1"),
            vectors.getLast().replace("\"index\":1", "\"index\":3"));
    Result quiet = embed("--skip-empty", "--quiet", "--input", file, "--format", "csv");
    assertThat(quiet.err()).isEmpty();
    assertThat(quiet.text().lines().map(line -> line.split(",")[0]))
        .containsExactly("index", "1", "3");
    refused(embed("--skip-empty", "--format", "jsonl", " ", ""), "no text: nothing to embed");
  }

  @Test
  void wherePositionTellsTheTextAGapIsMarked() throws IOException {
    Path file = Files.writeString(folder.resolve("texts.txt"), "\none\n\u200b\n");
    JsonNode json = JsonMapper.shared().readTree(embed("--skip-empty", "--input", file).text());
    assertThat(json.get("embeddings")).hasSize(3);
    assertThat(json.get("embeddings").get(0).isNull()).isTrue();
    assertThat(json.get("embeddings").get(1)).hasSize(TinyModel.WIDTH);
    assertThat(json.get("embeddings").get(2).isNull()).isTrue();
    byte[] npy = embed("--skip-empty", "--input", file, "--format", "npy").out();
    assertThat(new String(npy, US_ASCII)).contains("(3, 32)");
    ByteBuffer numbers = ByteBuffer.wrap(npy).order(ByteOrder.LITTLE_ENDIAN);
    numbers.position(npy.length - 3 * 32 * 4);
    float[] rows = new float[3 * 32];
    numbers.asFloatBuffer().get(rows);
    for (int i = 0; i < rows.length; i++) {
      assertThat(Float.isNaN(rows[i])).as("number %d", i).isEqualTo(i / 32 != 1);
    }
  }

  @Test
  void iterationsStrategyWorkersAndBatchChangeNoBit() {
    String expected = jsonl(TEXTS.toArray());
    assertThat(jsonl("--iterations", 3, TEXTS)).isEqualTo(expected);
    for (String strategy : new String[] {"fine", "coarse", "packed", "auto"}) {
      assertThat(jsonl("--strategy", strategy, "--workers", 3, "--batch", 2, TEXTS))
          .as(strategy)
          .isEqualTo(expected);
    }
  }

  @Test
  void truncateCutsWhatIsTooLong() {
    String cut = jsonl("--truncate", "x".repeat(100));
    assertThat(cut).isEqualTo(jsonl("x".repeat(TinyModel.CONTEXT - 2)));
  }

  @Test
  void aPrefixIsPutBeforeEveryText() {
    assertThat(jsonl("--prefix", "query: ", "a", "b")).isEqualTo(jsonl("query: a", "query: b"));
  }

  @Test
  void vectorsThatMayBeCutAreCutAndMadeLengthOneAgain() {
    Path gemma = TinyModel.gemma(folder.resolve("gemma.gguf"));
    float[] whole = vectors(embed(gemma, "--format", "jsonl", "a text").text()).getFirst();
    float[] cut =
        vectors(embed(gemma, "--format", "jsonl", "--dimensions", 8, "a text").text()).getFirst();
    assertThat(cut).hasSize(8);
    double length = 0;
    for (int i = 0; i < 8; i++) length += whole[i] * whole[i];
    for (int i = 0; i < 8; i++) {
      assertThat((double) cut[i]).isCloseTo(whole[i] / Math.sqrt(length), within(1e-6));
    }
    refused(embed("--dimensions", 8, "a text"), "was not trained to be cut, it gives 32");
    for (int other : new int[] {64, 7, 31}) {
      refused(embed(gemma, "--dimensions", other, "a text"), "gives 32, 16, 8");
    }
  }

  @Test
  void aTaskPutsTheModelsOwnPromptBeforeEveryText() {
    Map<String, String> prompts = Map.of("query", "ask: ", "document", "");
    Path asking = TinyModel.bert(folder.resolve("asking.gguf"), prompts);
    String plain = embed(asking, "--format", "jsonl", "ask: a", "ask: b").text();
    assertThat(embed(asking, "--format", "jsonl", "--task", "Query", "a", "b").text())
        .isEqualTo(plain);
    assertThat(embed(asking, "--format", "jsonl", "--task", "query", "--prefix", "x ", "a").text())
        .isEqualTo(embed(asking, "--format", "jsonl", "x a").text());
    assertThat(embed(asking, "--format", "jsonl", "--task", "document", "a").text())
        .isEqualTo(embed(asking, "--format", "jsonl", "a").text());
    Result unknown = embed(asking, "--task", "dance", "a");
    refused(unknown, "no task 'dance'; this model has ");
    assertThat(unknown.err()).contains("query", "document");
    refused(embed("--task", "query", "a"), "this model has no prompts");
  }

  @Test
  void anEmbeddingGemmaKnowsTheTasksOfItsModelCard() {
    Path gemma = TinyModel.gemma(folder.resolve("gemma.gguf"));
    Object[] asked = {"--format", "jsonl", "--truncate", "--task"};
    assertThat(embed(gemma, asked, "document", "a").text())
        .isEqualTo(embed(gemma, "--format", "jsonl", "title: none | text: a").text());
    assertThat(embed(gemma, asked, "clustering", "a").text())
        .isEqualTo(embed(gemma, "--format", "jsonl", "task: clustering | query: a").text());
    refused(
        embed(gemma, "--task", "dance", "a"),
        "no task 'dance'; this model has query, document, question-answering, fact-checking,");
  }

  @Test
  void aMadeUpModelIsNamedByItsShape() {
    Path cache = folder.resolve("cache");
    Result result =
        run(
            new byte[0],
            "embed",
            "-m",
            "synth:minilm-l6",
            "--cache",
            cache,
            "--format",
            "jsonl",
            "a");
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(vectors(result.text()).getFirst()).hasSize(384);
    assertThat(cache.resolve("models")).isNotEmptyDirectory();
    assertThat(result.err()).isEmpty();
    Result again = run(new byte[0], "embed", "-m", "synth:minilm-l6", "--cache", cache, "a");
    assertThat(again.err()).isEmpty();
    JsonNode json = JsonMapper.shared().readTree(again.text());
    assertThat(json.get("model").asString()).isEqualTo("synth:minilm-l6:q8_0");
    refused(
        run(new byte[0], "embed", "-m", "synth:minilm-l6", "--cache", cache, "--task", "x", "a"),
        "ridgeline: synth:minilm-l6: task 'x': this model has no prompts");
  }

  @Test
  void aKnownModelIsNamedWithItsType() {
    Path jars = Path.of(System.getProperty("user.home"), ".m2", "repository", "dev", "langchain4j");
    assumeTrue(Files.isDirectory(jars), "no jars of models in " + jars);
    Result result =
        run(
            new byte[0],
            "embed",
            "-m",
            "bge-small-en-v1.5:q4_0",
            "--cache",
            folder.resolve("cache"),
            "--format",
            "jsonl",
            "--task",
            "query",
            "a");
    assumeTrue(!result.err().contains("Maven"), "the model cannot be fetched: " + result.err());
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(vectors(result.text()).getFirst()).hasSize(384);
  }

  // Bad use.

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a --workers 0                   | --workers 0: at least 1
          a --workers 100000              | --workers 100000: at most 512
          a --batch 0                     | --batch 0: at least 1
          a --batch 2147483647            | --batch 2147483647: at most 65536
          a --iterations 0                | --iterations 0: at least 1
          a --dimensions 0                | --dimensions 0: at least 1
          a --strategy best               | option '--strategy': 'best' is none of fine, coarse, packed, auto
          a --format xml                  | option '--format': 'xml' is none of json, jsonl, csv, npy
          a --input texts.txt             | texts as arguments or from --input, not both
          a --field text                  | --field belongs to --input
          a b --similarity --format csv   | --similarity prints no vectors: --format json or jsonl, not csv
          a b --similarity --iterations 2 | --similarity prints no vectors: leave --iterations out
          a --similarity                  | --similarity compares texts with the first: give two, or lines by --input
          a b --similarity --input f      | --similarity compares --input with one text, not 2: quote it
          a b --similarity -k 0           | --top 0: at least 1
          a -k 3                          | --top belongs to --similarity
          a --similarity --input none.txt | no such file: none.txt
          --input none.txt                | no such file: none.txt
          a -m all-minilm-l6-v3           | no model 'all-minilm-l6-v3'; did you mean all-minilm-l6-v2?
          a -m gpt-7                      | no model 'gpt-7'; known are all-minilm-l6-v2,
          a -m all-minilm-l6-v2:q3        | no type 'q3'; there are f32,
          a -m synth:huge                 | no shape 'huge'; there are minilm-l6
          a -m none.gguf                  | none.gguf: no such file
          a --profile=loud                | --profile loud: time, allocation or trace
          a --profile -- b                | --profile: not with --
          a --profile --format csv        | unknown option '--format'
          """)
  void aBadQuestionIsOneLine(String words, String why) {
    List<Object> args = new ArrayList<>(List.of("embed", "--cache", folder.resolve("cache")));
    // The model is small so that only what is wrong is met.
    if (!words.contains("-m ")) args.addAll(List.of("-m", model));
    args.addAll(Arrays.asList(words.split(" ")));
    refused(run(new byte[0], args.toArray()), why);
  }

  @Test
  void aTextThatCannotBeEmbeddedIsNamedByNumberOrLine() throws IOException {
    refused(embed("a", ""), "text 2 is empty; --skip-empty goes on without it");
    refused(embed(" "), "the text is empty; --skip-empty");
    refused(embed("\u200b"), "the text is empty; --skip-empty");
    refused(embed("a", "x".repeat(100)), "text 2 has 102 tokens, the model takes 40; --truncate");
    Path lines = Files.writeString(folder.resolve("texts.txt"), "a\nb\n \nc\n");
    refused(embed("--input", lines), "texts.txt, line 3: no text; --skip-empty goes on without it");
    refused(embed("a\n\nb\n".getBytes(UTF_8)), "standard input, line 2: no text");
    refused(embed(new byte[0]), "no text: nothing to embed");
    refused(embed(new byte[0], "--format", "npy"), "no text: nothing to embed");
  }

  @Test
  void inputThatIsNotWhatItShouldBeNamesItsLine() {
    refused(
        embed("good\nh\u00e9\nmore\n".getBytes(ISO_8859_1)), "standard input: not UTF-8 at line 2");
    String good = "{\"text\":\"a\"}\n";
    refused(
        embed((good + "{\"txt\":\"b\"}").getBytes(UTF_8), "--field", "text"),
        "line 2: no field 'text'");
    refused(
        embed((good + "{\"text\":7}").getBytes(UTF_8), "--field", "text"),
        "line 2: field 'text' is not text");
    refused(
        embed((good + "{\"text\":\" \"}").getBytes(UTF_8), "--field", "text"), "line 2: no text");
    for (String bad : new String[] {"{\"text\":", "plain", "{\"text\":\"a\"} more"}) {
      refused(embed((good + bad).getBytes(UTF_8), "--field", "text"), "line 2: not JSON");
    }
    for (String empty : new String[] {"", "{\"text\":null}"}) {
      refused(embed((good + empty + "\n").getBytes(UTF_8), "--field", "text"), "line 2: no text");
    }
    for (String other : new String[] {"[1]", "null"}) {
      refused(embed((good + other + "\n").getBytes(UTF_8), "--field", "text"), "line 2: no field");
    }
  }

  @Test
  void jsonLinesNeedTheNameOfTheirField() throws IOException {
    Path lines = Files.writeString(folder.resolve("texts.JSONL"), "{\"text\":\"a\"}\n");
    refused(embed("--input", lines), "texts.JSONL: which field of its lines is the text? --field");
    Path plain = Files.writeString(folder.resolve("texts.txt"), "{\"text\":\"a\"}\n");
    assertThat(vectors(jsonl("--input", plain))).hasSize(1);
  }

  @Test
  void aModelThatMakesNoEmbeddingsIsRefused() throws IOException {
    Path stories = Path.of("..", "..", "shared", "data", "stories260K.gguf");
    assumeTrue(Files.exists(stories), "no " + stories);
    refused(embed(stories, "a"), "llama makes text, not embeddings: use generate");
    Path text = Files.writeString(folder.resolve("notes.gguf"), "no model");
    refused(embed(text, "a"), "notes.gguf: is not a GGUF file");
    refused(embed(folder.resolve("."), "a"), "is a folder");
  }

  @Test
  void aPlaceThatCannotBeWrittenIsOneLine() {
    refused(embed("-o", folder.resolve("none/vectors"), "a"), "none/vectors");
    refused(embed("-o", folder, "a"), folder.toString());
  }

  // How it is run.

  private record Result(int code, byte[] out, String err) {
    String text() {
      return new String(out, UTF_8);
    }
  }

  private static void refused(Result result, String why) {
    assertThat(result.err()).hasLineCount(1).startsWith("ridgeline: ").contains(why);
    assertThat(result.code()).isEqualTo(2);
    assertThat(result.out()).isEmpty();
  }

  private String jsonl(Object... args) {
    Result result = embed("--format", "jsonl", args);
    assertThat(result.code()).as(result.err()).isZero();
    assertThat(result.err()).isEmpty();
    return result.text();
  }

  /** The first argument may be the model, or what standard input holds. */
  private Result embed(Object... args) {
    List<Object> words = new ArrayList<>(List.of("embed"));
    List<Object> flat = new ArrayList<>();
    for (Object arg : args) flatten(arg, flat);
    byte[] in = new byte[0];
    Path used = model;
    if (flat.getFirst() instanceof Path path) used = path;
    for (Object word : flat) {
      if (word instanceof byte[] bytes) in = bytes;
      else if (word != used) words.add(word);
    }
    words.addAll(List.of("-m", used));
    return run(in, words.toArray());
  }

  private static void flatten(Object arg, List<Object> into) {
    switch (arg) {
      case List<?> list -> into.addAll(list);
      case Object[] array -> {
        for (Object each : array) flatten(each, into);
      }
      default -> into.add(arg);
    }
  }

  /** Vectors go to the process' standard output, bytes as they are. */
  private static Result run(byte[] in, Object... args) {
    var input = System.in;
    PrintStream output = System.out;
    var out = new ByteArrayOutputStream();
    try {
      System.setIn(new ByteArrayInputStream(in));
      System.setOut(new PrintStream(out, true, UTF_8));
      Answer answer = Answer.of(args);
      out.writeBytes(answer.out().getBytes(UTF_8));
      return new Result(answer.code(), out.toByteArray(), answer.err());
    } finally {
      System.setIn(input);
      System.setOut(output);
    }
  }

  private static List<float[]> vectors(String jsonl) {
    return jsonl
        .lines()
        .map(line -> vector(JsonMapper.shared().readTree(line).get("embedding")))
        .toList();
  }

  private static float[] vector(JsonNode array) {
    float[] vector = new float[array.size()];
    for (int i = 0; i < vector.length; i++) vector[i] = Float.parseFloat(array.get(i).asString());
    return vector;
  }
}
