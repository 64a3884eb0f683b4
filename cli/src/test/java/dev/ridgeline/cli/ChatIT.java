package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.ridgeline.tensor.gguf.Gguf;
import dev.ridgeline.tensor.gguf.GgufTensor;
import dev.ridgeline.tensor.gguf.GgufWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** From nothing to a conversation, with a server that answers as the hub does. */
@Execution(CONCURRENT)
class ChatIT {
  private static final String FILE =
      "/HuggingFaceTB/SmolLM2-360M-Instruct-GGUF/resolve/main/smollm2-360m-instruct-q8_0.gguf";

  @TempDir private Path folder;
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private byte[] model;
  private String digest;

  @BeforeEach
  void startTheHub() throws Exception {
    model = Files.readAllBytes(talking(folder.resolve("talking.gguf")));
    digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(model));
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
  }

  @AfterEach
  void stopTheHub() {
    server.stop(0);
  }

  /** Random weights whose file says how turns are written. */
  private static Path talking(Path path) {
    Path mute = TinyDecoder.write(path.resolveSibling("mute.gguf"));
    try (Gguf file = Gguf.open(mute)) {
      GgufWriter writer = new GgufWriter().putAll(file.metadata());
      writer.put("tokenizer.chat_template", "{{'<|im_start|>' + message['role']}}");
      for (GgufTensor tensor : file.tensors()) {
        long[] shape = tensor.shape().stream().mapToLong(Long::longValue).toArray();
        writer.tensor(tensor.name(), tensor.type(), shape, GgufWriter.Source.of(tensor.data()));
      }
      writer.write(path);
    }
    return path;
  }

  /** The hub itself knows the digest; the bytes lie elsewhere. */
  private void answer(HttpExchange exchange) throws IOException {
    String path = exchange.getRequestURI().getPath();
    asked.add(path);
    if (path.equals(FILE)) {
      exchange.getResponseHeaders().add("X-Linked-Etag", '"' + digest + '"');
      exchange.getResponseHeaders().add("X-Linked-Size", Integer.toString(model.length));
      exchange.getResponseHeaders().add("Location", "/blobs/1");
      exchange.sendResponseHeaders(302, -1);
    } else if (path.equals("/blobs/1")) {
      exchange.sendResponseHeaders(200, model.length);
      exchange.getResponseBody().write(model);
    } else {
      exchange.sendResponseHeaders(404, -1);
    }
    exchange.close();
  }

  @Test
  void whatModelsAndChatSayCanBeTyped() {
    String toChat = "ridgeline chat -m smollm2-360m-instruct";
    assertThat(bash("ridgeline models").out()).endsWith("\nto chat: " + toChat + "\n");
    Outcome without = bash("ridgeline chat");
    assertThat(without.code()).isEqualTo(2);
    assertThat(without.err()).startsWith("ridgeline: no model: " + toChat + " (").hasLineCount(1);

    String script = "printf 'hello\\n' | " + toChat + " -n 8";
    Outcome first = bash(script);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(first.out()).hasSizeGreaterThan(2);
    assertThat(asked).containsExactly(FILE, "/blobs/1");

    server.stop(0);
    assertThat(bash(script)).isEqualTo(new Outcome(0, first.out(), ""));
    assertThat(bash("ridgeline models").out())
        .containsPattern("smollm2-360m-instruct +chat .* q8_0 [0-9.]+ [kM]B\n");
    // The same file by its name on the hub is no second one.
    assertThat(bash("ridgeline pull hf:" + FILE.substring(1).replace("/resolve/main", "")).err())
        .isEmpty();
    assertThat(bash("ridgeline generate -m smollm2-360m-instruct -p 'the man' -n 4").code())
        .isZero();
    assertThat(bash("ridgeline cache clear smollm2-360m-instruct").out())
        .startsWith("cleared 1 model, ");
  }

  @Test
  void anotherDigestThanTheHubStatesIsRefused() {
    model[model.length - 1]++;
    Outcome outcome = bash("echo hello | ridgeline chat -m smollm2-360m-instruct");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().toList().getLast())
        .startsWith(
            "ridgeline:"
                + " hf:HuggingFaceTB/SmolLM2-360M-Instruct-GGUF/smollm2-360m-instruct-q8_0.gguf:"
                + " from 127.0.0.1:")
        .contains("arrived damaged 2 times", "should be " + digest);
    assertThat(bash("ridgeline cache").out()).startsWith("no models in ");
  }

  /** A limit on the size of files fails as a full disk does, in the middle of a write. */
  @Test
  void aFullDiskIsOneLineAndLeavesNoFolder() {
    bash("ridgeline --version"); // what the first start prepares must not meet the limit
    Outcome outcome =
        bash("ulimit -f %d; ridgeline pull smollm2-360m-instruct".formatted(model.length / 2048));
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err()).hasLineCount(1).contains("File too large");
    assertThat(folder.resolve("cache/work")).doesNotExist();
    assertThat(folder.resolve("cache/models")).doesNotExist();
  }

  @Test
  void aHubThatCannotBeReachedIsOneLineWithAWayOut() {
    server.stop(0);
    Outcome outcome = bash("echo hello | ridgeline chat -m smollm2-360m-instruct");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err().lines().toList().getLast())
        .startsWith("ridgeline: hf:HuggingFaceTB/SmolLM2-360M-Instruct-GGUF/")
        .contains("from 127.0.0.1:")
        .endsWith(
            "5 times in a row; set HF_ENDPOINT to a mirror, or give the path of a .gguf file");
  }

  private Outcome bash(String script) {
    var environment = new HashMap<String, String>();
    environment.put("RIDGELINE_NO_BUILD", "1");
    environment.put("RIDGELINE_CACHE", folder.resolve("cache").toString());
    environment.put("RIDGELINE_JAVA", System.getProperty("java.home"));
    environment.put("HF_ENDPOINT", "http://127.0.0.1:" + server.getAddress().getPort());
    for (String proxy : List.of("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY")) {
      environment.put(proxy, null);
    }
    String launcher = "ridgeline() { '" + FakeMachine.launcher() + "' \"$@\"; }\n";
    return Outcome.ofShell(folder, environment, launcher + script);
  }
}
