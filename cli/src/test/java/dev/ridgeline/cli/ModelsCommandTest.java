package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import com.sun.net.httpserver.HttpServer;
import dev.ridgeline.cli.line.ExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code models}, {@code pull} and {@code cache} on a cache of their own. */
@Execution(CONCURRENT)
class ModelsCommandTest {
  private static final String SYNTH = "synth:minilm-l6:q4_0";

  @TempDir private Path cache;

  private Answer ridgeline(Object... args) {
    Object[] all = new Object[args.length + 2];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = "--cache";
    all[args.length + 1] = cache;
    return Answer.of(all);
  }

  private static JsonNode json(Answer answer) {
    assertThat(answer.code()).as(answer.err()).isZero();
    return JsonMapper.shared().readTree(answer.out());
  }

  @Test
  void theKnownModelsAreListed() {
    Answer answer = ridgeline("models");
    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .hasLineCount(9)
        .containsPattern("all-minilm-l6-v2 +embed +384 +512 +Apache-2.0 +no; 83.1 MB to fetch\n")
        .containsPattern("bge-small-zh-v1.5 +embed +512 +512 +MIT +no; 55.4 MB to fetch\n")
        .containsPattern("stories15m +generate +288 +256 +MIT +no; 112 MB to fetch\n")
        .containsPattern(
            "smollm2-360m-instruct +chat +960 +8,192 +Apache-2.0 +no; 386 MB to fetch\n")
        .containsPattern(
            "qwen2.5-0.5b-instruct +chat +896 +32,768 +Apache-2.0 +no; 676 MB to fetch\n")
        .endsWith("\nto chat: ridgeline chat -m smollm2-360m-instruct\n");
    JsonNode first = json(ridgeline("models", "--json")).get("models").get(0);
    assertThat(first.get("name").asString()).isEqualTo("all-minilm-l6-v2");
    assertThat(first.get("pooling").asString()).isEqualTo("mean");
    assertThat(first.get("cached")).isEmpty();
  }

  @Test
  void aModelIsPulledListedCheckedAndCleared() throws IOException {
    Answer pulled = ridgeline("pull", SYNTH);
    assertThat(pulled.code()).as(pulled.err()).isZero();
    assertThat(pulled.err()).isEmpty();
    Path file = Path.of(pulled.out().strip());
    assertThat(file).isRegularFile().hasFileName("minilm-l6.q4_0.gguf");

    assertThat(ridgeline("models").out()).containsPattern(SYNTH + " +embed +384 +512 ");
    assertThat(ridgeline("cache").out()).contains(SYNTH, " in " + cache);
    assertThat(ridgeline("cache", "--verify").out()).contains("sound");
    JsonNode entry = json(ridgeline("cache", "--json")).get("entries").get(0);
    assertThat(entry.get("sha256").asString()).hasSize(64);
    assertThat(entry.get("bytes").asLong()).isEqualTo(Files.size(file));

    var time = Files.getLastModifiedTime(file);
    byte[] content = Files.readAllBytes(file);
    content[content.length - 1]++;
    Files.write(file, content);
    Files.setLastModifiedTime(file, time);
    Answer damaged = ridgeline("cache", "--verify");
    assertThat(damaged.code()).isEqualTo(ExitCode.BAD_ANSWER);
    assertThat(damaged.out()).contains("damaged: ridgeline cache clear " + SYNTH);

    assertThat(ridgeline("cache", "clear", "e5-small-v2").code()).isEqualTo(2);
    Answer cleared = ridgeline("cache", "clear", "synth:minilm-l6");
    assertThat(cleared.out()).startsWith("cleared 1 model, ");
    assertThat(file).doesNotExist();
    assertThat(ridgeline("cache").out()).startsWith("no models in " + cache);
    assertThat(ridgeline("cache", "clear").out()).isEqualTo("cleared 0 models, 0 B\n");
  }

  @Test
  void aFileOfTheHubIsPulledOnce() throws IOException {
    byte[] content = "GGUF and more".getBytes();
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/acme/m/resolve/main/m.gguf",
        exchange -> {
          exchange.sendResponseHeaders(200, content.length);
          exchange.getResponseBody().write(content);
          exchange.close();
        });
    server.start();
    String hub = "http://127.0.0.1:" + server.getAddress().getPort();
    Answer first = ridgeline("pull", "hf:acme/m/m.gguf", "--hub", hub);
    Answer missing = ridgeline("pull", "hf:acme/m/other.gguf", "--hub", hub);
    server.stop(0);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(Path.of(first.out().strip())).hasBinaryContent(content);
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.err()).hasLineCount(1).contains("there is no such file");
    Answer offline = ridgeline("pull", "hf:acme/m/m.gguf", "--hub", hub);
    assertThat(offline).isEqualTo(first);
    // It is no model that could be opened, and must not hide the others.
    assertThat(ridgeline("models").out()).containsPattern("hf:acme/m/m.gguf +– +– +– +– +13 B\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          pull minilm                    | no model 'minilm'; did you mean all-minilm-l6-v2?
          pull e5-small-v2:q9            | 'e5-small-v2:q9': no type 'q9'; there are f32
          pull synth:gpt-9               | no shape 'gpt-9'; there are minilm-l6
          pull /no/such.gguf             | /no/such.gguf: no such file
          pull hf:a/b                    | 'hf:a/b': write hf:OWNER/REPO/FILE.gguf
          pull hf:a/b/c.gguf --hub ftp:x | 'ftp:x': not the address of a hub
          pull hf:a/b/c.gguf --hub http://127.0.0.1:99999 | :99999': not the address of a hub
          pull                           | Missing required parameter: 'MODEL'
          cache empty                    | cache 'empty': only 'clear' can be done
          cache clear nothing            | no model 'nothing' in
          models all                     | unexpected argument 'all'
          """)
  void aBadQuestionIsOneLine(String words, String reason) {
    Answer answer = ridgeline((Object[]) words.split(" "));
    assertThat(answer.code()).as(answer.err()).isEqualTo(2);
    assertThat(answer.err()).startsWith("ridgeline: ").contains(reason).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
    assertThat(cache.resolve("models"))
        .satisfiesAnyOf(
            models -> assertThat(models).doesNotExist(),
            models -> assertThat(models).isEmptyDirectory());
  }

  @ParameterizedTest
  @ValueSource(strings = {"cache", "cache --json", "cache --verify", "cache clear"})
  void aFileInPlaceOfTheCacheIsOneLine(String words) throws IOException {
    Path file = Files.writeString(cache.resolve("plain"), "");
    for (Path folder : List.of(file, file.resolve("below"))) {
      List<Object> line = new ArrayList<>(List.of((Object[]) words.split(" ")));
      line.addAll(List.of("--cache", folder));
      Answer answer = Answer.of(line.toArray());
      assertThat(answer.code()).as(answer.err()).isEqualTo(ExitCode.BAD_QUESTION);
      assertThat(answer.out()).isEmpty();
      assertThat(answer.err())
          .isEqualTo("ridgeline: %s: is a file, but models are kept in a folder\n".formatted(file));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"models", "pull", "cache"})
  void helpHasExamples(String command) {
    assertThat(Answer.of(command, "--help").out()).contains("Examples:", "RIDGELINE_CACHE");
  }
}
