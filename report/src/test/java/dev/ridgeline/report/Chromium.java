package dev.ridgeline.report;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A headless Chromium with one page, driven over the DevTools protocol as a user would. */
final class Chromium implements AutoCloseable {
  private static final JsonMapper JSON = JsonMapper.shared();
  private static final int PATIENCE_SECONDS = 120;

  private final Process process;
  private final Path home;
  private final WebSocket socket;
  private final String session;
  private final AtomicInteger ids = new AtomicInteger();
  private final Map<Integer, CompletableFuture<JsonNode>> waiting = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> complaints = new CopyOnWriteArrayList<>();
  private boolean moving;
  private volatile CompletableFuture<Void> loaded = new CompletableFuture<>();

  /** The browser of this machine: {@code CHROMIUM}, or the first known name on the path. */
  static Optional<Path> installed() {
    String given = System.getenv("CHROMIUM");
    if (given != null) return Optional.of(Path.of(given)).filter(Files::isExecutable);
    return Stream.of("chromium", "chromium-browser", "google-chrome")
        .flatMap(
            name ->
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  Chromium(Path browser) throws Exception {
    home = Files.createTempDirectory("chromium");
    process =
        new ProcessBuilder(
                browser.toString(),
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--remote-debugging-port=0",
                "--user-data-dir=" + home,
                "about:blank")
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(address(), new Messages())
            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    String target =
        send(null, "Target.createTarget", Map.of("url", "about:blank")).path("targetId").asString();
    session =
        send(null, "Target.attachToTarget", Map.of("targetId", target, "flatten", true))
            .path("sessionId")
            .asString();
    for (String domain : List.of("Page", "Runtime", "Network", "Log"))
      command(domain + ".enable", Map.of());
    size(1400, 900);
    prefer("light", false);
  }

  /**
   * The browser says on standard error where it listens; what follows there is read and dropped.
   */
  private URI address() throws IOException {
    BufferedReader errors = process.errorReader();
    String line;
    while ((line = errors.readLine()) != null) {
      int at = line.indexOf("ws://");
      if (at < 0) continue;
      Thread.ofVirtual().start(() -> errors.lines().forEach(rest -> {}));
      return URI.create(line.substring(at).trim());
    }
    throw new IOException("the browser ended before it listened");
  }

  /** Opens a page and waits until it is drawn; forgets the requests and complaints before it. */
  void open(Path page) {
    requests.clear();
    complaints.clear();
    loaded = new CompletableFuture<>();
    command("Page.navigate", Map.of("url", page.toUri().toString()));
    loaded.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    settle();
  }

  /** Waits until what was asked for has been drawn, animations included. */
  void settle() {
    String drawn = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))";
    evaluate("new Promise(done => setTimeout(() => " + drawn + ", " + (moving ? 400 : 0) + "))");
  }

  /** The value of a JavaScript expression, which may be a promise. */
  JsonNode evaluate(String expression) {
    JsonNode answer =
        command(
            "Runtime.evaluate",
            Map.of("expression", expression, "returnByValue", true, "awaitPromise", true));
    if (answer.has("exceptionDetails")) throw new AssertionError(expression + " failed: " + answer);
    return answer.path("result").path("value");
  }

  String text(String selector) {
    return evaluate("document.querySelector(" + JSON.writeValueAsString(selector) + ").textContent")
        .asString();
  }

  /** Clicks the middle of the first element that fits, after scrolling to it. */
  void click(String selector) {
    JsonNode box =
        evaluate(
            "(() => { const e = document.querySelector(%s); e.scrollIntoView({block: 'center'}); const b = e.getBoundingClientRect(); return {x: b.x + b.width / 2, y: b.y + b.height / 2}; })()"
                .formatted(JSON.writeValueAsString(selector)));
    click(box.path("x").asDouble(), box.path("y").asDouble());
  }

  void click(double x, double y) {
    move(x, y);
    for (String type : List.of("mousePressed", "mouseReleased")) mouse(type, x, y, 0);
    settle();
  }

  void move(double x, double y) {
    command("Input.dispatchMouseEvent", Map.of("type", "mouseMoved", "x", x, "y", y));
  }

  void drag(double fromX, double toX, double y) {
    move(fromX, y);
    mouse("mousePressed", fromX, y, 0);
    command(
        "Input.dispatchMouseEvent",
        Map.of("type", "mouseMoved", "x", toX, "y", y, "button", "left", "buttons", 1));
    mouse("mouseReleased", toX, y, 0);
    settle();
  }

  void wheel(double x, double y, double delta) {
    mouse("mouseWheel", x, y, delta);
    settle();
  }

  private void mouse(String type, double x, double y, double wheel) {
    command(
        "Input.dispatchMouseEvent",
        Map.of(
            "type",
            type,
            "x",
            x,
            "y",
            y,
            "button",
            wheel == 0 ? "left" : "none",
            "clickCount",
            wheel == 0 ? 1 : 0,
            "deltaX",
            0,
            "deltaY",
            wheel));
  }

  /** Presses a key: a letter, or a name such as {@code Escape}. */
  void key(String key) {
    Map<String, Object> event =
        key.length() == 1
            ? Map.of("key", key, "text", key)
            : Map.of("key", key, "windowsVirtualKeyCode", key.equals("Escape") ? 27 : 13);
    for (String type : List.of("keyDown", "keyUp")) {
      Map<String, Object> typed = new HashMap<>(event);
      typed.put("type", type);
      if (type.equals("keyUp")) typed.remove("text");
      command("Input.dispatchKeyEvent", typed);
    }
    settle();
  }

  /** Replaces the text of an input by typing. */
  void type(String selector, String text) {
    String quoted = JSON.writeValueAsString(selector);
    evaluate("document.querySelector(%s).focus()".formatted(quoted));
    evaluate("document.querySelector(%s).select()".formatted(quoted));
    if (text.isEmpty())
      command(
          "Input.dispatchKeyEvent",
          Map.of("type", "keyDown", "key", "Delete", "windowsVirtualKeyCode", 46));
    else command("Input.insertText", Map.of("text", text));
    settle();
  }

  void size(int width, int height) {
    command(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
  }

  /** What the reader's system asks of pages: a colour scheme, and whether things may move. */
  void prefer(String scheme, boolean motion) {
    moving = motion;
    command(
        "Emulation.setEmulatedMedia",
        Map.of(
            "features",
            List.of(
                Map.of("name", "prefers-color-scheme", "value", scheme),
                Map.of(
                    "name",
                    "prefers-reduced-motion",
                    "value",
                    motion ? "no-preference" : "reduce"))));
    settle();
  }

  /** What is in the window as a PNG. */
  byte[] screenshot() {
    return Base64.getDecoder()
        .decode(command("Page.captureScreenshot", Map.of("format", "png")).path("data").asString());
  }

  /** Addresses that the page asked for, the page itself included; inline data is no request. */
  List<String> requests() {
    return requests.stream().filter(url -> !url.startsWith("data:")).toList();
  }

  /** Console errors, warnings and exceptions since the page was opened. */
  List<String> complaints() {
    return List.copyOf(complaints);
  }

  private JsonNode command(String method, Map<String, ?> parameters) {
    return send(session, method, parameters);
  }

  private JsonNode send(String to, String method, Map<String, ?> parameters) {
    int id = ids.incrementAndGet();
    CompletableFuture<JsonNode> answer = new CompletableFuture<>();
    waiting.put(id, answer);
    Map<String, Object> message =
        new HashMap<>(Map.of("id", id, "method", method, "params", parameters));
    if (to != null) message.put("sessionId", to);
    socket.sendText(JSON.writeValueAsString(message), true).join();
    JsonNode reply = answer.orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS).join();
    if (reply.has("error")) throw new AssertionError(method + ": " + reply.path("error"));
    return reply.path("result");
  }

  private void received(JsonNode message) {
    if (message.has("id")) {
      waiting.remove(message.path("id").asInt()).complete(message);
      return;
    }
    JsonNode params = message.path("params");
    switch (message.path("method").asString("")) {
      case "Page.loadEventFired" -> loaded.complete(null);
      case "Network.requestWillBeSent" ->
          requests.add(params.path("request").path("url").asString());
      case "Runtime.exceptionThrown" -> complaints.add(params.toString());
      case "Log.entryAdded" -> complaints.add(params.path("entry").toString());
      case "Runtime.consoleAPICalled" -> complaints.add(params.path("args").toString());
      default -> {}
    }
  }

  @Override
  public void close() throws IOException {
    List<ProcessHandle> children = process.descendants().toList();
    socket.abort();
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) process.destroyForcibly();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    children.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle child : children)
      child.onExit().orTimeout(10, TimeUnit.SECONDS).exceptionally(e -> null).join();
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(file);
    }
  }

  private final class Messages implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean last) {
      text.append(part);
      if (last) {
        String whole = text.toString();
        text.setLength(0);
        received(JSON.readTree(whole));
      }
      from.request(1);
      return null;
    }
  }
}
