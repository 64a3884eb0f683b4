package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The page as a reader meets it: in a real browser, with mouse and keyboard. */
class HtmlInBrowserTest {
  @TempDir static Path folder;
  private static Chromium browser;
  private Path page;

  @BeforeAll
  static void startBrowser() throws Exception {
    Optional<Path> installed = Chromium.installed();
    Assumptions.assumeTrue(
        installed.isPresent(), "skipped: no chromium here (install it, or set CHROMIUM)");
    browser = new Chromium(installed.get());
  }

  @AfterAll
  static void stopBrowser() throws Exception {
    if (browser != null) browser.close();
  }

  @AfterEach
  void thePageAsksTheNetworkForNothingAndComplainsOfNothing() {
    assertThat(browser.requests()).containsExactly(page.toUri().toString());
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void theAnswerStandsFirst() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    open(report);
    assertThat(browser.text("h1")).isEqualTo(report.headline().title());
    assertThat(browser.text("#figures"))
        .contains("471 texts/s ±3 %", "median of 5", "noisy: steal 8 %");
    assertThat(browser.text("#dominates")).startsWith("rows takes ").contains("thread time");
    assertThat(browser.text("#findings"))
        .contains("allocation-in-hot-scope", "<b>times</b>", "wins ~90 ms", "ridgeline ab");
    assertThat(browser.text("#facts")).contains("Debian 12", "gemm q8_0");
    assertThat(browser.text("#cost")).contains("corrected", "±0.4\u00a0ns per scope");
  }

  @Test
  void theBarShowsWhichPartIsBeingRead() throws Exception {
    open(SampleReports.of(Rehearsal.profile()));
    String current =
        "[...document.querySelectorAll('#sections [aria-current]')].map(a => a.hash).join()";
    // What is marked follows in the next frame.
    String then = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))";
    assertThat(browser.evaluate(current).asString()).isEqualTo("#summary");
    browser.evaluate("document.getElementById('tree').scrollIntoView()");
    browser.evaluate(then + ".then(() => 1)");
    assertThat(browser.evaluate(current).asString()).isEqualTo("#tree");
    browser.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
    browser.evaluate(then + ".then(() => 1)");
    assertThat(browser.evaluate(current).asString()).isEqualTo("#machine");
    browser.evaluate("scrollTo(0, 0)");
    browser.evaluate(then + ".then(() => 1)");
    assertThat(browser.evaluate(current).asString()).isEqualTo("#summary");
  }

  @Test
  void whereCeilingsAreKnownThePageTellsHowFarScopesAreFromThem() throws Exception {
    open(RooflineReportTest.model().report(Machines.ZEN_4));
    assertThat(browser.text("#hot-rows")).contains("reached", "limited by", "to win", "29\u00a0%");
    browser.click("#hot-by [data-value=name]");
    assertThat(browser.text("#hot-rows")).contains("297.0", "DRAM");
    assertThat(browser.text("#layers")).contains("decode › layer 0–2", "attention", "total");
    assertThat(browser.text("#roofline .point title")).contains("ffn › up", "29 % of DRAM");
    assertThat(browser.text("#sections")).contains("Layers", "Roofline");
    open(SampleReports.named("a"));
    assertThat(browser.text("#sections")).doesNotContain("Layers", "Roofline");
    assertThat(browser.text("#hot-rows")).doesNotContain("reached");
  }

  @Test
  void aCommandIsCopiedWithOneClick() throws Exception {
    open(SampleReports.named("a"));
    browser.evaluate(
        "navigator.clipboard.writeText = text => { window.copied = text; return Promise.resolve();"
            + " }");
    browser.click("#findings .command button");
    assertThat(browser.text("#findings .command button")).isEqualTo("Copied");
    assertThat(browser.evaluate("window.copied").asString())
        .isEqualTo("ridgeline ab --only softmax 'a & b' \"c\"");
  }

  @Test
  void whatWaitsForItsTasksAndWhatIsTooShortIsMarked() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    open(report);
    browser.type("#hot-filter", "^(rows|up|gelu|write float)$");
    browser.evaluate(
        "(() => { const s = document.getElementById('hot-top'); s.value = '100';"
            + " s.dispatchEvent(new Event('change')); })()");
    String rows = "[...document.querySelectorAll('#hot-rows tr[data-node]')]";
    for (JsonNode row :
        browser.evaluate(
            rows + ".map(r => [r.dataset.node, r.textContent, r.querySelector('.scope').title])")) {
      CallTree.Node node = numbered(report).get(row.path(0).asInt());
      String text = row.path(1).asString();
      assertThat(text.contains("⇢ task")).as(text).isEqualTo(node.isTask());
      assertThat(text.contains("waits")).as(text).isEqualTo(Evidence.waits(node));
      String path = row.path(2).asString();
      assertThat(path.contains(" ⇉ ")).as(path).isEqualTo(isHandedOver(node));
      assertThat(text.contains("below floor"))
          .as(text)
          .isEqualTo(node.belowFloor(report.profile().calibration()));
    }
    assertThat(browser.text("#hot-rows")).contains("⇢ task", "waits", "below floor");
  }

  /** Whether a step of the way to a node went to another thread. */
  private static boolean isHandedOver(CallTree.Node node) {
    for (CallTree.Node at = node; at.parent() != null; at = at.parent()) {
      if (at.isTask() && at.parent().parent() != null) return true;
    }
    return false;
  }

  @Test
  void aClickZoomsAndEscapeShowsEverythingAgain() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    open(report);
    int ffn = index(report, report.tree().find("embed", "forward", "layer 0", "ffn"));
    double before = clickNode(ffn);
    assertThat(zoomedTo()).isEqualTo(ffn);
    assertThat(box(ffn).path("width").asDouble()).isGreaterThan(3 * before);
    assertThat(browser.text("#flame-path")).contains("forward", "layer 0", "ffn");
    browser.key("Escape");
    assertThat(zoomedTo()).isZero();
    assertThat(box(ffn).path("width").asDouble()).isCloseTo(before, within(0.01));

    clickNode(ffn);
    browser.click("#flame-reset");
    assertThat(zoomedTo()).isZero();

    clickNode(ffn);
    browser.click("#flame-path button:nth-of-type(3)");
    assertThat(zoomedTo()).isEqualTo(index(report, report.tree().find("embed", "forward")));
  }

  @Test
  void widthsAreSharesOfThreadTimeOrOfAllocatedBytes() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    open(report);
    browser.click("#clock [data-value=raw]");
    CallTree.Node attention = report.tree().find("embed", "forward", "layer 2", "attention");
    CallTree.Node root = report.tree().root();
    double whole = box(0).path("width").asDouble();
    double byTime = box(index(report, attention)).path("width").asDouble() / whole;
    assertThat(byTime)
        .isCloseTo((double) attention.threadNanos() / root.threadNanos(), within(1e-4));
    browser.click("#flame-metric [data-value=allocation]");
    double byAllocation = box(index(report, attention)).path("width").asDouble() / whole;
    assertThat(byAllocation)
        .isCloseTo(
            sum(attention, CallTree.Node::selfAllocatedBytes)
                / sum(root, CallTree.Node::selfAllocatedBytes),
            within(1e-4));
    assertThat(byAllocation).isNotCloseTo(byTime, within(0.01));
  }

  @Test
  void flameAndIcicleAreMirrored() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    open(report);
    int forward = index(report, report.tree().find("embed", "forward"));
    assertThat(box(forward).path("y").asDouble()).isGreaterThan(box(0).path("y").asDouble());
    browser.click("#flame-shape [data-value=flame]");
    assertThat(box(forward).path("y").asDouble()).isLessThan(box(0).path("y").asDouble());
    clickNode(forward);
    assertThat(zoomedTo()).isEqualTo(forward);
  }

  @Test
  void searchMarksWhatMatchesAndTellsItsShare() throws Exception {
    Report report = SampleReports.random(21, 400, 3, Level.ALLOCATION);
    open(report);
    for (String text : List.of("attention|softmax", "NORM <&>", "プール", "layer 1$", "[ffn")) {
      browser.type("#flame-search", text);
      Pattern pattern =
          Pattern.compile(text.startsWith("[") ? "\\[ffn" : text, Pattern.CASE_INSENSITIVE);
      double expected =
          matched(report.tree().root(), pattern)
              / sum(report.tree().root(), CallTree.Node::correctedSelfNanos);
      JsonNode share =
          browser.evaluate("Number(document.getElementById('flame-found').dataset.share)");
      assertThat(share.asDouble()).as(text).isCloseTo(expected, within(1e-6));
    }
    browser.type("#flame-search", "attention");
    List<CallTree.Node> seen =
        numbered(report).stream()
            .skip(1)
            .filter(n -> box(index(report, n)).path("width").asDouble() > 12)
            .limit(40)
            .toList();
    assertThat(seen).hasSizeGreaterThan(10);
    String marked = null;
    for (CallTree.Node node : seen) {
      String color = colorOf(index(report, node));
      boolean match = node.name().contains("attention");
      if (marked == null && match) marked = color;
      if (match) assertThat(color).as(node.toString()).isEqualTo(marked);
      else assertThat(color).as(node.toString()).isNotEqualTo(marked);
    }
    assertThat(marked).isNotNull();
    browser.key("Escape");
    assertThat(browser.text("#flame-found")).isEmpty();
  }

  @Test
  void aSlashGoesToTheSearch() throws Exception {
    open(SampleReports.named("a"));
    browser.key("/");
    assertThat(browser.evaluate("document.activeElement.id").asString()).isEqualTo("flame-search");
    assertThat(browser.evaluate("document.activeElement.value").asString()).isEmpty();
  }

  @Test
  void hoveringTellsAllNumbers() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    open(report);
    CallTree.Node forward = report.tree().find("embed", "forward");
    JsonNode box = scrolledBox(index(report, forward));
    browser.move(box.path("x").asDouble() + 5, box.path("y").asDouble() + 5);
    browser.settle();
    assertThat(browser.text("#tip"))
        .startsWith("forward")
        .contains("thread time", "self", "calls12", "p99", "allocated");
    browser.move(2, 2);
    browser.settle();
    assertThat(browser.evaluate("document.getElementById('tip').hidden").asBoolean()).isTrue();
  }

  @Test
  void everyColumnSortsBothWays() throws Exception {
    Report report = SampleReports.random(33, 500, 2, Level.ALLOCATION);
    open(report);
    List<CallTree.Node> nodes = numbered(report);
    for (var column : columns(report).entrySet()) {
      String head = "#hot-rows th[data-key=" + column.getKey() + "]";
      List<Double> all =
          nodes.stream()
              .skip(1)
              .map(n -> column.getValue().applyAsDouble(n))
              .filter(v -> !Double.isNaN(v))
              .sorted()
              .toList();
      for (String way : List.of("descending", "ascending")) {
        if (!way.equals(sortOf(head))) browser.click(head + " button");
        assertThat(sortOf(head)).as(column.getKey()).isEqualTo(way);
        List<Double> expected = (way.equals("ascending") ? all : all.reversed()).subList(0, 15);
        List<Double> shown =
            shownRows().stream().map(i -> column.getValue().applyAsDouble(nodes.get(i))).toList();
        assertThat(shown).as(column.getKey() + " " + way).isEqualTo(expected);
      }
    }
    assertThat(
            browser.evaluate("document.querySelectorAll('#hot-rows [aria-sort]').length").asInt())
        .isEqualTo(1);
    browser.click("#hot-rows th[data-key=name] button");
    List<String> names = shownRows().stream().map(i -> nodes.get(i).name()).toList();
    assertThat(names).isSortedAccordingTo(Comparator.comparing(n -> n.charAt(0)));
  }

  @Test
  void unknownAllocationIsNeverZeroAndStandsLast() throws Exception {
    Report report = SampleReports.random(5, 300, 3, Level.ALLOCATION);
    assertThat(report.tree().nodes())
        .anyMatch(n -> n.allocatedBytes() < 0)
        .anyMatch(n -> n.allocatedBytes() >= 0);
    open(report);
    List<CallTree.Node> nodes = numbered(report);
    browser.evaluate(
        "(() => { const s = document.getElementById('hot-top'); s.value = 'Infinity';"
            + " s.dispatchEvent(new Event('change')); })()");
    for (int turn = 0; turn < 2; turn++) {
      browser.click("#hot-rows th[data-key=allocated] button");
      assertThat(nodes.get(shownRows().getFirst()).allocatedBytes()).isNotNegative();
      browser.evaluate("document.getElementById('hot-rows').scrollTop = 1e9");
      browser.settle();
      assertThat(nodes.get(shownRows().getLast()).allocatedBytes()).isNegative();
      assertThat(browser.text("#hot-rows tbody tr[data-node]:nth-last-child(2)"))
          .contains("unknown");
    }
  }

  @Test
  void columnsWithoutDataAreNotThere() throws Exception {
    open(SampleReports.named("a", "b"));
    assertThat(
            browser
                .evaluate(
                    "[...document.querySelectorAll('#hot-rows thead th')].map(h =>"
                        + " h.dataset.key).join(' ')")
                .asString())
        .isEqualTo("name self share calls total average min max p50 p99");
    assertThat(browser.text("#allocators")).contains("not recorded");
    assertThat(
            browser
                .evaluate(
                    "document.querySelector('#flame-metric [data-value=allocation]').disabled")
                .asBoolean())
        .isTrue();
    assertThat(browser.text("#machine")).contains("unknown");
  }

  @Test
  void numberedScopesAreOneRowUntilTheyAreUnfolded() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    show(report);
    CallTree folded = report.folded().tree();
    CallTree.Node layers = folded.find("embed", "forward", "layer 0–5");
    assertThat(browser.text("#hot-count"))
        .contains(" of %d\u00a0rows".formatted(folded.nodes().size()));
    browser.type("#hot-filter", "^layer 1$");
    assertThat(shownRows()).as("a member finds its family").hasSize(1);
    assertThat(browser.text("#hot-rows tr[data-node] .scope")).isEqualTo(layers.name());
    assertThat(browser.text("#hot-rows tr[data-node] td:nth-of-type(3)"))
        .isEqualTo(Long.toString(layers.calls()));
    browser.click("#hot-by [data-value=place]");
    assertThat(browser.text("#hot-rows tr[data-node] .scope")).isEqualTo("layer 1");
    browser.click("#hot-by [data-value=fold]");
    assertThat(browser.text("#hot-rows tr[data-node] .scope")).isEqualTo(layers.name());
  }

  @Test
  void theTableFiltersAndLimits() throws Exception {
    Report report = SampleReports.random(8, 400, 2, Level.TIME);
    open(report);
    browser.type("#hot-filter", "^gelu");
    assertThat(shownRows())
        .isNotEmpty()
        .allMatch(i -> numbered(report).get(i).name().startsWith("gelu"));
    browser.type("#hot-filter", "");
    assertThat(shownRows()).hasSize(15);
    browser.click("#hot-by [data-value=name]");
    long distinct = report.tree().nodes().stream().map(CallTree.Node::name).distinct().count();
    assertThat(browser.text("#hot-count")).contains("15 of " + distinct);
  }

  @Test
  void rawAndCorrectedTimesAreBothThere() throws Exception {
    open(SampleReports.named("a"));
    String self = "#hot-rows tr[data-node='2'] td:nth-of-type(1)";
    assertThat(browser.text(self)).isEqualTo("0.474");
    browser.click("#clock [data-value=raw]");
    assertThat(browser.text(self)).isEqualTo("0.500");
    assertThat(browser.text("#cost")).startsWith("Times are raw");
    browser.click("#clock [data-value=corrected]");
    assertThat(browser.text(self)).isEqualTo("0.474");
  }

  @Test
  void theThemeFollowsTheSystemUntilItIsChosen() throws Exception {
    open(SampleReports.named("a"));
    browser.evaluate("localStorage.clear()");
    browser.open(page);
    browser.prefer("light", false);
    String light = background();
    String lightNode = colorOf(2);
    browser.prefer("dark", false);
    String dark = background();
    assertThat(dark).isNotEqualTo(light);
    assertThat(colorOf(2)).isNotEqualTo(lightNode);
    browser.click("#theme");
    assertThat(background()).isEqualTo(light);
    assertThat(colorOf(2)).isEqualTo(lightNode);
    browser.click("#theme");
    assertThat(background()).isEqualTo(dark);
    browser.evaluate("localStorage.clear()");
    browser.prefer("light", false);
  }

  @Test
  void theTimelineZoomsPansAndResets() throws Exception {
    open(SampleReports.of(Rehearsal.profile()));
    assertThat(browser.text("#timeline-note"))
        .contains("No event was dropped", "garbage collection");
    JsonNode canvas =
        browser.evaluate(
            "(() => { const c = document.getElementById('timeline-canvas');"
                + " c.scrollIntoView({block: 'center'}); const b = c.getBoundingClientRect();"
                + " return {x: b.x, y: b.y, width: b.width, height: b.height}; })()");
    double x = canvas.path("x").asDouble() + canvas.path("width").asDouble() / 2;
    double y = canvas.path("y").asDouble() + canvas.path("height").asDouble() / 2;
    double whole = span();
    browser.click(x, y);
    browser.wheel(x, y, -200);
    double zoomed = span();
    assertThat(zoomed).isLessThan(whole * 0.9);
    double from = from();
    browser.drag(x, x - 100, y);
    assertThat(span()).isCloseTo(zoomed, within(1.0));
    assertThat(from()).isGreaterThan(from);
    browser.key("Escape");
    assertThat(span()).isCloseTo(whole, within(1.0));
    browser.move(canvas.path("x").asDouble() + 300, canvas.path("y").asDouble() + 38 + 20 + 7);
    browser.settle();
    assertThat(browser.text("#tip")).startsWith("embed").contains("main", "took");
  }

  @Test
  void droppedEventsAreTold() throws Exception {
    open(SampleReports.random(4, 200, 3, Level.TRACE));
    assertThat(browser.text("#timeline-note")).contains("3\u00a0events were dropped");
  }

  @Test
  void withoutATraceThePageSaysHowToRecordOne() throws Exception {
    open(SampleReports.random(4, 200, 2, Level.ALLOCATION));
    assertThat(browser.evaluate("document.querySelectorAll('#timeline canvas').length").asInt())
        .isZero();
    assertThat(browser.text("#timeline")).contains("level TRACE");
  }

  @Test
  void theCallTreeOpensAndCloses() throws Exception {
    Report report = SampleReports.of(Rehearsal.profile());
    open(report);
    browser.click("#tree-close");
    assertThat(treeRows()).isEqualTo(1);
    browser.click("#tree-rows .twist");
    CallTree.Node embed = report.tree().find("embed");
    assertThat(treeRows()).isEqualTo(1 + embed.children().size());
    browser.click("#tree-hot");
    assertThat(treeRows()).isGreaterThan(10);
    assertThat(browser.text("#regions")).contains("imbalance", "qkv");
  }

  @Test
  void namesAreTextAndNeverMarkup() throws Exception {
    open(SampleReports.named("</script><img src=x onerror=alert(1)>", "<b>bold</b>", "&amp;"));
    assertThat(
            browser
                .evaluate(
                    "document.images.length + document.querySelectorAll('main b b, #hot-rows"
                        + " b').length")
                .asInt())
        .isZero();
    assertThat(browser.text("#hot-rows"))
        .contains("</script><img src=x onerror=alert(1)>", "<b>bold</b>", "&amp;");
  }

  @Test
  void anEmptyProfileSaysSo() throws Exception {
    var some = SampleReports.named("a").profile();
    open(
        SampleReports.of(
            new dev.ridgeline.profiler.Profile(
                some.level(),
                some.started(),
                some.wallNanos(),
                List.of(),
                List.of(),
                List.of(),
                some.calibration(),
                some.system(),
                List.of(),
                some.slips(),
                some.samples(),
                List.of(),
                Profile.Waits.NONE)));
    assertThat(browser.text("#dominates")).isEqualTo("Nothing was recorded.");
  }

  @Test
  void fiftyThousandNodesZoomSearchAndScroll() throws Exception {
    Report report = SampleReports.random(5, 50_000, 4, Level.TRACE);
    assertThat(report.tree().nodes()).hasSizeGreaterThan(45_000);
    open(report);
    browser.prefer("light", true);
    int region = index(report, report.tree().find("main", "region"));
    double before = clickNode(region);
    assertThat(zoomedTo()).isEqualTo(region);
    assertThat(box(region).path("width").asDouble()).isGreaterThan(before);
    browser.key("Escape");
    assertThat(zoomedTo()).isZero();
    assertThat(box(region).path("width").asDouble()).isCloseTo(before, within(0.01));
    browser.prefer("light", false);
    browser.type("#flame-search", "softmax");
    double expected =
        matched(report.tree().root(), Pattern.compile("softmax"))
            / sum(report.tree().root(), CallTree.Node::correctedSelfNanos);
    assertThat(
            browser
                .evaluate("Number(document.getElementById('flame-found').dataset.share)")
                .asDouble())
        .isCloseTo(expected, within(1e-6));
    browser.evaluate(
        "(() => { const s = document.getElementById('hot-top'); s.value = 'Infinity';"
            + " s.dispatchEvent(new Event('change')); document.getElementById('hot-rows').scrollTop"
            + " = 1e9; })()");
    browser.settle();
    assertThat(shownRows()).hasSizeBetween(10, 100);
    double least =
        report.tree().nodes().stream()
            .mapToDouble(CallTree.Node::correctedSelfNanos)
            .min()
            .orElseThrow();
    assertThat(numbered(report).get(shownRows().getLast()).correctedSelfNanos()).isEqualTo(least);
    assertThat(browser.evaluate("document.querySelectorAll('*').length").asInt())
        .as("elements")
        .isLessThan(5_000);
  }

  // ---- what the page shows

  /** Opens a page with every place in a row of its own, as the tree has them. */
  private void open(Report report) throws Exception {
    show(report);
    browser.evaluate("document.querySelector('#hot-by [data-value=place]').click()");
  }

  private void show(Report report) throws Exception {
    page = Files.createTempFile(folder, "report", ".html");
    try (Writer out = Files.newBufferedWriter(page)) {
      Html.write(report, out);
    }
    browser.open(page);
  }

  private static JsonNode box(int node) {
    return browser.evaluate("ridgeline.boxOf(" + node + ")");
  }

  private static JsonNode scrolledBox(int node) {
    browser.evaluate("document.getElementById('flame').scrollIntoView({block: 'center'})");
    return box(node);
  }

  /** Clicks a node of the flame graph; returns how wide it was. */
  private static double clickNode(int node) {
    JsonNode box = scrolledBox(node);
    double width = box.path("width").asDouble();
    browser.click(box.path("x").asDouble() + width / 2, box.path("y").asDouble() + 8);
    return width;
  }

  private static int zoomedTo() {
    return browser.evaluate("Number(document.getElementById('flame-canvas').dataset.root)").asInt();
  }

  /** The colour near a node's lower right corner, where no text stands. */
  private static String colorOf(int node) {
    return browser
        .evaluate(
            """
            (() => {
              const c = document.getElementById('flame-canvas');
              const at = c.getBoundingClientRect();
              const b = ridgeline.boxOf(%d);
              const pixel = new OffscreenCanvas(1, 1).getContext('2d', {willReadFrequently: true});
              pixel.drawImage(c, -Math.round(b.x - at.x + b.width - 4), -Math.round(b.y - at.y + 16));
              return pixel.getImageData(0, 0, 1, 1).data.join();
            })()
            """
                .formatted(node))
        .asString();
  }

  private static String background() {
    return browser.evaluate("getComputedStyle(document.body).backgroundColor").asString();
  }

  private static String sortOf(String head) {
    return browser
        .evaluate("document.querySelector('%s').getAttribute('aria-sort')".formatted(head))
        .asString("");
  }

  private static List<Integer> shownRows() {
    List<Integer> rows = new ArrayList<>();
    browser
        .evaluate(
            "[...document.querySelectorAll('#hot-rows tr[data-node]')].map(r =>"
                + " Number(r.dataset.node))")
        .forEach(r -> rows.add(r.asInt()));
    return rows;
  }

  private static int treeRows() {
    return browser.evaluate("document.querySelectorAll('#tree-rows tr[data-node]').length").asInt();
  }

  private static double from() {
    return browser
        .evaluate("Number(document.getElementById('timeline-canvas').dataset.from)")
        .asDouble();
  }

  private static double span() {
    return browser
            .evaluate("Number(document.getElementById('timeline-canvas').dataset.to)")
            .asDouble()
        - from();
  }

  // ---- what the tree says

  /** The values behind the columns, NaN where there is none. */
  private static Map<String, ToDoubleFunction<CallTree.Node>> columns(Report report) {
    Map<String, ToDoubleFunction<CallTree.Node>> columns = new LinkedHashMap<>();
    columns.put("calls", n -> n.calls() + n.open());
    columns.put("total", CallTree.Node::correctedTotalNanos);
    columns.put("self", CallTree.Node::correctedSelfNanos);
    columns.put("share", CallTree.Node::correctedSelfNanos);
    columns.put("average", n -> n.correctedTotalNanos() / (n.calls() + n.open()));
    columns.put("min", n -> corrected(n, n.minNanos()));
    columns.put("p50", n -> corrected(n, n.percentileNanos(0.5)));
    columns.put("p99", n -> corrected(n, n.percentileNanos(0.99)));
    columns.put("max", n -> corrected(n, n.maxNanos()));
    columns.put("allocated", n -> known(n, n.allocatedBytes()));
    columns.put(
        "allocated_per_call", n -> known(n, (double) n.allocatedBytes() / (n.calls() + n.open())));
    columns.put("gigabytes", n -> rate(n.work().bytes(), n, report));
    columns.put("gigaflops", n -> rate(n.work().flops(), n, report));
    return columns;
  }

  private static double known(CallTree.Node node, double value) {
    return node.allocatedBytes() < 0 ? Double.NaN : value;
  }

  private static double corrected(CallTree.Node node, long nanos) {
    return nanos - (node.totalNanos() - node.correctedTotalNanos()) / (node.calls() + node.open());
  }

  private static double rate(long work, CallTree.Node node, Report report) {
    boolean measurable =
        work > 0
            && node.correctedTotalNanos() > 0
            && !node.belowFloor(report.profile().calibration());
    return measurable ? work / node.correctedTotalNanos() : Double.NaN;
  }

  private static List<CallTree.Node> numbered(Report report) {
    List<CallTree.Node> nodes = new ArrayList<>(List.of(report.tree().root()));
    nodes.addAll(report.tree().nodes());
    return nodes;
  }

  private static int index(Report report, CallTree.Node node) {
    return numbered(report).indexOf(node);
  }

  private static double sum(CallTree.Node top, ToDoubleFunction<CallTree.Node> self) {
    double sum = 0;
    List<CallTree.Node> stack = new ArrayList<>(List.of(top));
    while (!stack.isEmpty()) {
      CallTree.Node node = stack.removeLast();
      if (node.parent() != null) sum += self.applyAsDouble(node);
      stack.addAll(node.children());
    }
    return sum;
  }

  /** Corrected thread time of the outermost nodes that match. */
  private static double matched(CallTree.Node top, Pattern pattern) {
    double sum = 0;
    List<CallTree.Node> stack = new ArrayList<>(top.children());
    while (!stack.isEmpty()) {
      CallTree.Node node = stack.removeLast();
      if (pattern.matcher(node.name()).find()) sum += sum(node, CallTree.Node::correctedSelfNanos);
      else stack.addAll(node.children());
    }
    return sum;
  }
}
