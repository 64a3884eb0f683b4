package dev.ridgeline.model.store;

import static dev.ridgeline.model.store.ScriptedServer.file;
import static dev.ridgeline.model.store.ScriptedServer.head;
import static dev.ridgeline.model.store.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.model.store.ScriptedServer.Behaviour;
import dev.ridgeline.model.store.ScriptedServer.FileBehaviour;
import dev.ridgeline.model.store.ScriptedServer.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Downloads over a line that breaks in every way that was thought of. */
@Timeout(120)
@Execution(CONCURRENT)
class PullTest {
  private static final ModelName.OnHub NAME =
      (ModelName.OnHub) ModelName.of("hf:acme/some-model/some model Q8_0.gguf");
  private static final int SIZE = 300_000;

  /** Longer than a busy machine makes anything wait. */
  private static final Duration LONG = Duration.ofSeconds(20);

  @TempDir private Path folder;
  private Patience patience = patience(LONG, LONG);
  private final byte[] content = model(1);
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> steps = new ArrayList<>();
  private ScriptedServer server;
  private Cache cache;

  @BeforeEach
  void emptyCache() {
    cache = new Cache(folder.resolve("cache"));
  }

  @AfterEach
  void closeServer() throws IOException {
    if (server != null) server.close();
  }

  private static byte[] model(long seed) {
    byte[] content = new byte[SIZE];
    new Random(seed).nextBytes(content);
    System.arraycopy("GGUF".getBytes(), 0, content, 0, 4);
    return content;
  }

  private static String sha256(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  private void serve(Behaviour... behaviours) throws IOException {
    if (server != null) server.close();
    server = new ScriptedServer(behaviours);
  }

  private static Patience patience(Duration answer, Duration stall) {
    return new Patience(LONG, answer, stall, 3, Duration.ofMillis(2), Duration.ofMillis(20));
  }

  private Path pull() {
    return pull(server.address());
  }

  private Path pull(String endpoint) {
    Progress progress =
        new Progress() {
          @Override
          public void step(String what) {
            steps.add(what);
          }
        };
    var models = new Models(cache, Hub.of(endpoint, environment, patience), null, null, null);
    return models.resolve(NAME, progress);
  }

  private void refused(String... reasons) {
    assertThatThrownBy(this::pull)
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith(NAME.toString())
        .hasMessageContainingAll(reasons)
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
    assertThat(cache.entries()).noneMatch(Cache.Entry::finished);
  }

  private List<Integer> rangesAskedFor() {
    return server.requests().stream().map(Request::rangeStart).toList();
  }

  /**
   * At most what the server sent; what the client had not handed on when the line broke is lost.
   */
  private void goneOnFrom(int most, int request) {
    assertThat(rangesAskedFor().get(request)).isBetween(1, most);
  }

  @Test
  void aFileArrivesWholeAndIsAskedForOnce() throws IOException {
    serve(file(content));
    Path file = pull();
    assertThat(file).hasBinaryContent(content);
    assertThat(pull()).isEqualTo(file);
    assertThat(server.requests()).hasSize(1);
    assertThat(server.requests().getFirst().target())
        .isEqualTo("/acme/some-model/resolve/main/some%20model%20Q8_0.gguf");
    assertThat(cache.entries())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.name()).isEqualTo(NAME.toString());
              assertThat(entry.digest()).isEqualTo(sha256(content));
            });
  }

  @Test
  void aLineThatDropsIsGoneOnWith() throws IOException {
    serve(file(content).dropsAfter(70_000));
    assertThat(pull()).hasBinaryContent(content);
    assertThat(rangesAskedFor()).hasSizeGreaterThanOrEqualTo(5).isSorted();
    goneOnFrom(70_000, 1);
    assertThat(server.requests().get(1).header("if-range")).isEqualTo("\"v1\"");
  }

  @Test
  void aLineThatStallsIsGoneOnWith() throws IOException {
    patience = patience(LONG, Duration.ofMillis(300));
    serve(file(content).stallsAfter(100_000), file(content));
    assertThat(pull()).hasBinaryContent(content);
    goneOnFrom(100_000, 1);
    assertThat(steps).anyMatch(step -> step.contains("nothing arrived for 0.3 s"));
  }

  @Test
  void aLineThatNeverAnswersIsGivenUp() throws IOException {
    patience = patience(Duration.ofMillis(500), LONG);
    serve((_, _) -> Thread.sleep(60_000));
    refused("3 times in a row");
    assertThat(server.requests()).hasSize(3);
  }

  @Test
  void theNextProcessGoesOnWhereThisOneGaveUp() throws IOException {
    serve(file(content).dropsAfter(200_000), status("503 Service Unavailable"));
    refused("answer 503", "what arrived is kept");
    assertThat(cache.entries())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.name()).isEqualTo(NAME.toString());
              assertThat(entry.finished()).isFalse();
              assertThat(entry.size()).isPositive();
            });
    serve(file(content));
    assertThat(pull()).hasBinaryContent(content);
    goneOnFrom(200_000, 0);
    assertThat(cache.entries()).singleElement().matches(Cache.Entry::finished);
  }

  @Test
  void aServerThatKnowsNoRangesSendsEverythingAgain() throws IOException {
    serve(file(content).ignoresRanges().dropsAfter(120_000), file(content).ignoresRanges());
    assertThat(pull()).hasBinaryContent(content);
    goneOnFrom(120_000, 1);
  }

  @Test
  void aServerThatAlwaysDropsAtOnePlaceIsGivenUp() throws IOException {
    serve(file(content).ignoresRanges().dropsAfter(120_000));
    refused("3 times in a row");
    assertThat(server.requests()).hasSizeBetween(3, 4);
  }

  @Test
  void twoVersionsOfAFileNeverMix() throws IOException {
    byte[] newer = model(2);
    serve(file(content).dropsAfter(120_000), file(newer).tagged("\"v2\""));
    assertThat(pull()).hasBinaryContent(newer);
    serve(file(content));
  }

  /** A server that answers with the rest of another version although it was asked not to. */
  @Test
  void aRestWithAnotherTagIsThrownAway() throws IOException {
    byte[] newer = model(2);
    Behaviour careless =
        (request, out) -> {
          int from = request.rangeStart();
          out.write(
              head(
                  "206 Partial Content",
                  "ETag: \"v2\"",
                  "Content-Length: " + (SIZE - from),
                  "Content-Range: bytes %d-%d/%d".formatted(from, SIZE - 1, SIZE)));
          out.write(newer, from, SIZE - from);
        };
    serve(file(content).dropsAfter(120_000), careless, file(newer).tagged("\"v2\""));
    assertThat(pull()).hasBinaryContent(newer);
    goneOnFrom(120_000, 1);
    assertThat(rangesAskedFor().getLast()).isEqualTo(-1);
  }

  @Test
  void aRestThatBeginsElsewhereIsThrownAway() throws IOException {
    Behaviour elsewhere =
        (_, out) -> {
          out.write(
              head(
                  "206 Partial Content",
                  "ETag: \"v1\"",
                  "Content-Length: 10",
                  "Content-Range: bytes 5-14/" + SIZE));
          out.write(content, 5, 10);
        };
    serve(file(content).dropsAfter(120_000), elsewhere, file(content));
    assertThat(pull()).hasBinaryContent(content);
  }

  @Test
  void withoutATagNothingIsGoneOnWith() throws IOException {
    serve(file(content).tagged(null).dropsAfter(120_000), file(content).tagged(null));
    assertThat(pull()).hasBinaryContent(content);
    assertThat(rangesAskedFor()).containsExactly(-1, -1);
  }

  @Test
  void aWeakTagIsNone() throws IOException {
    FileBehaviour weak = file(content).tagged("W/\"v1\"");
    serve(weak.dropsAfter(120_000), weak);
    assertThat(pull()).hasBinaryContent(content);
    assertThat(rangesAskedFor()).containsExactly(-1, -1);
  }

  @Test
  void aPartThatIsLargerThanTheFileIsThrownAway() throws IOException {
    byte[] shorter = java.util.Arrays.copyOf(content, 1_000);
    FileBehaviour linked = file(shorter).tagged(null).linked("\"v2\"");
    serve(file(content).tagged(null).linked("\"v2\"").dropsAfter(120_000), linked);
    assertThat(pull()).hasBinaryContent(shorter);
    goneOnFrom(120_000, 1);
    assertThat(rangesAskedFor().getLast()).isEqualTo(-1);
  }

  @Test
  void aDamagedFileIsFetchedAgain() throws IOException {
    String digest = '"' + sha256(content) + '"';
    byte[] damaged = content.clone();
    damaged[SIZE / 2] ^= 1;
    serve(file(damaged).linked(digest), file(content).linked(digest));
    assertThat(pull()).hasBinaryContent(content);
    assertThat(steps).anyMatch(step -> step.contains("it arrived damaged"));
  }

  @Test
  void aFileThatIsAlwaysDamagedIsRefused() throws IOException {
    byte[] damaged = content.clone();
    damaged[SIZE / 2] ^= 1;
    serve(file(damaged).linked('"' + sha256(content) + '"'));
    refused("damaged 2 times", sha256(damaged), sha256(content));
    assertThat(server.requests()).hasSize(2);
    assertThat(cache.entries()).isEmpty();
  }

  @Test
  void whatIsNotAGgufFileIsRefused() throws IOException {
    byte[] other = content.clone();
    other[0] = 'X';
    serve(file(other));
    refused("not a GGUF file");
    assertThat(cache.entries()).isEmpty();
  }

  @Test
  void aWebPageIsNoModel() throws IOException {
    serve(
        (_, out) -> {
          out.write(head("200 OK", "Content-Type: text/html; charset=utf-8", "Content-Length: 6"));
          out.write("<html>".getBytes());
        });
    refused("answers with a web page");
  }

  @Test
  void aFileOfUnknownLengthIsTakenOnlyIfItsEndIsMarked() throws IOException {
    serve(
        (_, out) -> {
          out.write(head("200 OK"));
          out.write(content);
        });
    refused("does not say how long it is");
    serve(
        (_, out) -> {
          out.write(head("200 OK", "Transfer-Encoding: chunked"));
          out.write((Integer.toHexString(SIZE) + "\r\n").getBytes());
          out.write(content);
          out.write("\r\n0\r\n\r\n".getBytes());
        });
    assertThat(pull()).hasBinaryContent(content);
  }

  @Test
  void aMissingFileIsSaidToBeMissing() throws IOException {
    serve(status("404 Not Found"));
    refused("there is no such file");
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aClosedRepositoryAsksForAToken() throws IOException {
    serve(status("401 Unauthorized"));
    refused("HF_TOKEN");
    assertThat(server.requests()).hasSize(1);
    environment.put("HF_TOKEN", "hf_secret");
    refused("the token in HF_TOKEN does not open it");
    assertThat(server.requests().getLast().header("authorization")).isEqualTo("Bearer hf_secret");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"500 Oops", "502 Bad Gateway", "503 Busy", "429 Too Many Requests", "408 Slow"})
  void whatMayPassIsTriedAgain(String status) throws IOException {
    serve(status(status, "Retry-After: 0"), status(status), file(content));
    assertThat(pull()).hasBinaryContent(content);
    assertThat(server.requests()).hasSize(3);
  }

  @Test
  void whoAsksForDaysIsTriedOnceMore() throws IOException {
    serve(status("429 Too Many Requests", "Retry-After: 86400"));
    refused("answer 429, asking for a pause of 86,400 s, 2 times in a row");
    assertThat(server.requests()).hasSize(2);
    assertThat(steps).anyMatch(step -> step.contains("86,400 s; trying again"));
  }

  @Test
  void whatDoesNotPassIsGivenUp() throws IOException {
    serve(status("500 Oops"));
    refused("answer 500", "3 times in a row");
    assertThat(server.requests()).hasSize(3);
    assertThat(cache.entries()).isEmpty();
  }

  @Test
  void noServerIsOneLine() throws IOException {
    serve(file(content));
    String address = server.address();
    server.close();
    assertThatThrownBy(() -> pull(address))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("3 times in a row");
  }

  @Test
  void theTokenStaysWithTheHub() throws IOException {
    environment.put("HF_TOKEN", "hf_secret");
    try (var store = new ScriptedServer(file(content).tagged(null))) {
      String digest = '"' + sha256(content) + '"';
      serve(
          status("307 Temporary Redirect", "Location: /elsewhere"),
          status(
              "302 Found",
              "Location: " + store.address() + "/bytes",
              "X-Linked-Size: " + SIZE,
              "X-Linked-ETag: " + digest));
      assertThat(pull()).hasBinaryContent(content);
      assertThat(server.requests())
          .extracting(request -> request.header("authorization"))
          .containsExactly("Bearer hf_secret", "Bearer hf_secret");
      assertThat(server.requests().get(1).target()).isEqualTo("/elsewhere");
      assertThat(store.requests()).singleElement();
      assertThat(store.requests().getFirst().headers()).doesNotContainKey("authorization");
    }
  }

  @Test
  void theHubsDigestCountsBehindRedirectsToo() throws IOException {
    byte[] damaged = content.clone();
    damaged[9] ^= 1;
    try (var store = new ScriptedServer(file(damaged).dropsAfter(99_999))) {
      serve(
          status(
              "302 Found",
              "Location: " + store.address() + "/bytes",
              "X-Linked-ETag: \"" + sha256(content) + '"'));
      refused("damaged 2 times");
      assertThat(store.requests()).hasSizeGreaterThanOrEqualTo(8);
    }
  }

  @Test
  void redirectsInCirclesEnd() throws IOException {
    serve(status("302 Found", "Location: /again"));
    assertThatThrownBy(this::pull).hasMessageContaining("redirects in circles");
    serve(status("302 Found", "Location: file:///etc/passwd"));
    assertThatThrownBy(this::pull).hasMessageContaining("redirects to nowhere");
  }

  @Test
  void aTokenDoesNotTravelOnAnOpenLine() throws IOException {
    environment.put("HF_TOKEN", "hf_secret");
    serve(file(content));
    environment.put("http_proxy", server.address());
    assertThat(pull("http://mirror.invalid/hub/")).hasBinaryContent(content);
    Request request = server.requests().getFirst();
    assertThat(request.target())
        .startsWith("http://mirror.invalid/hub/acme/some-model/resolve/main/");
    assertThat(request.headers()).doesNotContainKey("authorization");
  }

  @Test
  void aProxyIsToldNameAndPassword() throws IOException {
    serve(status("407 Who", "Proxy-Authenticate: Basic realm=\"x\""), file(content));
    environment.put("HTTP_PROXY", "http://jane:p%40ss@127.0.0.1:" + server.port());
    assertThat(pull("http://mirror.invalid")).hasBinaryContent(content);
    assertThat(server.requests().getLast().header("proxy-authorization"))
        .isEqualTo("Basic amFuZTpwQHNz");
  }

  @Test
  void aProxyThatDoesNotAnswerIsNamed() throws IOException {
    serve(file(content));
    server.close();
    environment.put("http_proxy", "http://jane:secret@127.0.0.1:" + server.port());
    assertThatThrownBy(() -> pull("http://mirror.invalid"))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining(
            "from mirror.invalid through the proxy 127.0.0.1:%d: ".formatted(server.port()))
        .hasMessageNotContaining("secret");
  }

  @Test
  void theSecondPassOverTheBytesIsTheCheck() throws IOException {
    serve(file(content));
    pull();
    assertThat(steps).containsExactly("pulling " + NAME, "checking " + NAME);
  }

  @Test
  void aFileThatCannotBeWrittenLeavesNothing() throws IOException {
    serve(file(content));
    // A folder where the part should be: every write fails, whoever runs the test.
    Path work = cache.folder().resolve("work/hf/acme/some-model/some model Q8_0.gguf");
    Files.createDirectories(work.resolve("part/in the way"));
    assertThatThrownBy(this::pull).isInstanceOf(StoreException.class);
    assertThat(work).doesNotExist();
    assertThat(cache.entries()).isEmpty();
  }

  /** Whatever a server does, what ends up in the cache is the file or nothing. */
  @Test
  void anyMixtureOfMisbehavioursEndsWithTheFileOrNothing() throws IOException {
    String digest = '"' + sha256(content) + '"';
    for (int round = 0; round < 60; round++) {
      long seed = 4_000 + round;
      Random random = new Random(seed);
      Behaviour[] script = new Behaviour[1 + random.nextInt(6)];
      for (int i = 0; i < script.length; i++) {
        byte[] sent = content.clone();
        if (random.nextInt(4) == 0) sent[random.nextInt(SIZE)] ^= 0x40;
        FileBehaviour behaviour =
            file(sent).linked(digest).tagged(random.nextBoolean() ? "\"v1\"" : null);
        script[i] =
            switch (random.nextInt(5)) {
              case 0 -> behaviour;
              case 1 -> behaviour.dropsAfter(random.nextInt(SIZE));
              case 2 -> behaviour.ignoresRanges().dropsAfter(random.nextInt(SIZE));
              case 3 -> status("503 Busy");
              default -> behaviour.ignoresRanges();
            };
      }
      serve(script);
      cache = new Cache(folder.resolve("cache" + round));
      try {
        assertThat(pull()).as("seed %d", seed).hasBinaryContent(content);
      } catch (StoreException e) {
        assertThat(cache.entries()).as("seed %d", seed).noneMatch(Cache.Entry::finished);
        serve(file(content).linked(digest));
        assertThat(pull()).as("seed %d, next time", seed).hasBinaryContent(content);
      }
    }
  }
}
