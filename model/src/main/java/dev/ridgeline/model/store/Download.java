package dev.ridgeline.model.store;

import dev.ridgeline.model.store.Part.Version;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLHandshakeException;

/**
 * One file on its way from a hub. What arrived is kept when the line breaks, and gone on with by
 * the next try or the next process, as long as the server still has the same file.
 */
final class Download {
  private static final byte[] MAGIC = {'G', 'G', 'U', 'F'};
  private static final String OTHERWISE =
      "; set HF_ENDPOINT to a mirror, or give the path of a .gguf file";
  private static final int BUFFER = 1 << 16;
  private static final int MOST_DAMAGED = 2;
  private static final Pattern CONTENT_RANGE =
      Pattern.compile("bytes (\\d{1,18})-\\d+/(\\d{1,18})");

  private final ModelName.OnHub name;
  private final URI address;
  private final Requests requests;
  private final Patience patience;
  private final Progress progress;
  private final Part part;

  /** How far any try came; a try that comes no further was in vain. */
  private long furthest;

  /** How often it came whole and wrong. */
  private int damaged;

  Download(
      ModelName.OnHub name,
      URI address,
      Requests requests,
      Path folder,
      Patience patience,
      Progress progress) {
    this.name = name;
    this.address = address;
    this.requests = requests;
    this.patience = patience;
    this.progress = progress;
    this.part = new Part(folder);
  }

  /** What another try may mend, perhaps after the pause that the server asks for. */
  private static final class Passing extends IOException {
    private final Duration pause;

    Passing(String message, Duration pause) {
      super(message);
      this.pause = pause;
    }

    Passing(String message) {
      this(message, Duration.ZERO);
    }

    Passing(String message, IOException cause) {
      super(message, cause);
      this.pause = Duration.ZERO;
    }
  }

  /** This machine cannot keep the file: no other try helps. */
  private static final class Unwritable extends RuntimeException {
    Unwritable(IOException cause) {
      super(cause);
    }

    IOException cause() {
      return (IOException) getCause();
    }
  }

  /**
   * Brings the file.
   *
   * @throws Cache.Unfinished when it gave up, and what arrived is worth keeping
   * @throws IOException when the file cannot be written
   */
  Cache.Made run() throws IOException {
    furthest = part.length();
    for (int vain = 0; ; ) {
      long before = furthest;
      try {
        attempt();
        return finish();
      } catch (Unwritable e) {
        throw e.cause();
      } catch (InterruptedIOException e) {
        if (Thread.currentThread().isInterrupted()) throw unfinished("interrupted", e);
        vain = pause(e, furthest > before ? 1 : vain + 1);
      } catch (Cache.Unfinished e) {
        throw e;
      } catch (SSLHandshakeException e) {
        throw new StoreException(
            "%s: %s cannot prove who it is: %s".formatted(name, requests.host(), e.getMessage()),
            e);
      } catch (IOException e) {
        vain = pause(e, furthest > before ? 1 : vain + 1);
      }
    }
  }

  private int pause(IOException reason, int vain) throws IOException {
    String why = words(reason);
    Duration asked = reason instanceof Passing passing ? passing.pause : Duration.ZERO;
    boolean tooLong = asked.compareTo(patience.longestPause()) > 0;
    // Who asks for an hour is tried once more after a minute, in case it is only a number.
    if (vain >= patience.tries() || tooLong && vain > 1) {
      throw unfinished("%s, %d times in a row%s".formatted(why, vain, OTHERWISE), reason);
    }
    Duration pause = patience.pauseAfter(vain);
    if (asked.compareTo(pause) > 0) pause = tooLong ? patience.longestPause() : asked;
    String when = pause.toSeconds() == 0 ? "" : " in %d s".formatted(pause.toSeconds());
    progress.step("pulling %s: %s; trying again%s".formatted(name, why, when));
    try {
      Thread.sleep(pause);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw unfinished("interrupted", reason);
    }
    return vain;
  }

  private Cache.Unfinished unfinished(String why, IOException cause) throws IOException {
    String kept =
        part.length() == 0 ? "" : "; what arrived is kept, the same command goes on from there";
    return new Cache.Unfinished(
        "%s: cannot fetch it from %s: %s%s".formatted(name, requests.way(), why, kept), cause);
  }

  /** The client's own words are often none at all. */
  private static String words(IOException failure) {
    for (Throwable e = failure; e != null; e = e.getCause()) {
      if (e instanceof UnresolvedAddressException) return "no such host";
      if (e.getMessage() != null && !e.getMessage().isBlank()) return e.getMessage();
    }
    return failure instanceof ConnectException
        ? "no connection"
        : failure.getClass().getSimpleName();
  }

  private void attempt() throws IOException {
    long have = part.length();
    if (have > 0 && have == part.version().size()) return;
    try (var answer = requests.get(address, part.wanted())) {
      switch (answer.status()) {
        case 200 -> receive(answer, 0, answer.length("content-length"));
        case 206 -> receiveRest(answer, have);
        case 416 -> {
          part.discard();
          throw new Passing("the part that is here does not fit the file there");
        }
        default -> refuse(answer);
      }
    }
  }

  private void receiveRest(Requests.Answer answer, long have) throws IOException {
    String said = answer.header("content-range");
    Matcher range = CONTENT_RANGE.matcher(said == null ? "" : said);
    boolean fits = range.matches() && Long.parseLong(range.group(1)) == have && have > 0;
    long total = fits ? Long.parseLong(range.group(2)) : -1;
    if (!fits || !version(answer, total).continues(part.version())) {
      part.discard();
      throw new Passing("the file changed meanwhile");
    }
    receive(answer, have, total);
  }

  private static Version version(Requests.Answer answer, long total) {
    String tag = answer.header("etag");
    String linked = answer.linkedTag();
    return new Version(tag == null ? "" : tag, linked == null ? "" : linked, total);
  }

  private void receive(Requests.Answer answer, long from, long total) throws IOException {
    String type = answer.header("content-type");
    if (type != null && type.startsWith("text/html")) {
      throw new StoreException(
          "%s: %s answers with a web page; does a login or a proxy stand between?"
              .formatted(name, requests.host()));
    }
    if (total >= 0 && answer.linkedSize() >= 0 && total != answer.linkedSize()) {
      throw new Passing("two sizes for one file");
    }
    long size = total >= 0 ? total : answer.linkedSize();
    boolean framed = "chunked".equalsIgnoreCase(answer.header("transfer-encoding"));
    Version version = version(answer, size);
    if (size < 0 && !framed && version.digest() == null) {
      throw new StoreException(
          "%s: %s does not say how long it is".formatted(name, requests.host()));
    }
    if (from == 0) writing(() -> part.begin(version));
    copy(answer.response().body(), from, size);
    if (size >= 0 && part.length() < size) {
      throw new Passing("ended after %,d of %,d bytes".formatted(part.length(), size));
    }
  }

  private void copy(InputStream body, long from, long size) throws IOException {
    byte[] buffer = new byte[BUFFER];
    long done = from;
    try (var in = new StallGuard(body, patience.stall());
        var out = append()) {
      for (int read; (read = in.read(buffer)) >= 0; ) {
        int count = read;
        writing(() -> out.write(buffer, 0, count));
        done += read;
        furthest = Math.max(furthest, done);
        progress.bytes(done, size);
        if (size >= 0 && done > size) break; // finish() will refuse it
      }
    } catch (HttpTimeoutException e) {
      throw e;
    } catch (IOException e) {
      throw new Passing("the line broke after %,d bytes".formatted(done), e);
    }
  }

  private OutputStream append() {
    try {
      return Files.newOutputStream(
          part.file(), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new Unwritable(e);
    }
  }

  private interface Writing {
    void run() throws IOException;
  }

  private static void writing(Writing action) {
    try {
      action.run();
    } catch (IOException e) {
      throw new Unwritable(e);
    }
  }

  private Cache.Made finish() throws IOException {
    Version version = part.version();
    String digest = null;
    String wrong = null;
    if (version.size() >= 0 && part.length() != version.size()) {
      wrong = "%,d bytes arrived of %,d".formatted(part.length(), version.size());
    } else if (!beginsAsGguf()) {
      part.discard();
      throw new StoreException(name + ": what arrived is not a GGUF file");
    } else if (version.digest() != null) {
      progress.step("checking " + name);
      digest = Sha256.of(part.file(), progress);
      if (!digest.equals(version.digest())) {
        wrong = "it arrived damaged";
        damaged++;
        furthest = 0; // what comes now is new again
      }
    }
    if (wrong == null) return new Cache.Made(part.file(), digest);
    part.discard();
    if (damaged == MOST_DAMAGED) {
      throw new StoreException(
          "%s: from %s: arrived damaged %d times: its SHA-256 is %s, and should be %s"
              .formatted(name, requests.host(), damaged, digest, version.digest()));
    }
    throw new Passing(wrong);
  }

  private boolean beginsAsGguf() throws IOException {
    try (InputStream in = Files.newInputStream(part.file())) {
      return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
    }
  }

  private void refuse(Requests.Answer answer) throws IOException {
    int status = answer.status();
    String why =
        switch (status) {
          case 401, 403 ->
              requests.hasToken()
                  ? "the token in HF_TOKEN does not open it (is it private, or are its terms not"
                      + " accepted yet?)"
                  : "no such repository, or one that is private or gated: set HF_TOKEN";
          case 404 -> "there is no such file";
          default -> "answer " + status;
        };
    if (status == 408 || status == 429 || status >= 500) {
      long seconds = Math.max(0, answer.length("retry-after"));
      String wish = seconds == 0 ? "" : ", asking for a pause of %,d s".formatted(seconds);
      throw new Passing(why + wish, Duration.ofSeconds(seconds));
    }
    throw unfinished(why, null);
  }
}
