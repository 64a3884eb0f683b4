package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.format.Difference;
import dev.ridgeline.report.format.DifferenceGraph;
import dev.ridgeline.report.format.FlameGraph;
import dev.ridgeline.report.format.Measure;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Flame graphs as a reader meets them: opened in a browser, alone or on a page. */
class FlameGraphInBrowserTest {
  private static final String VISIBLE =
      "Array.from(document.querySelectorAll('.box')).filter(b => b.style.display !== 'none')";

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
  void thePictureAsksTheNetworkForNothingAndComplainsOfNothing() {
    assertThat(browser.requests()).containsExactly(page.toUri().toString());
    assertThat(browser.complaints()).isEmpty();
  }

  @Test
  void aClickZoomsAndEscapeGoesBack() {
    open("flame.svg", out -> FlameGraph.write(Rehearsal.profile().tree(), Measure.TIME, out));
    int all = number(VISIBLE + ".length");
    browser.evaluate("document.documentElement.flame.zoom('layer 3')");
    assertThat(number(VISIBLE + ".length")).isLessThan(all).isGreaterThan(3);
    assertThat(
            browser
                .evaluate(VISIBLE + ".map(b => b.querySelector('title').textContent).join()")
                .asString())
        .contains("all threads", "forward", "layer 3", "gelu")
        .doesNotContain("layer 4");
    // What is zoomed to is as wide as the picture, and so is all above it.
    assertThat(
            number(
                VISIBLE
                    + ".filter(b => +b.querySelector('rect').getAttribute('width') ==="
                    + " 1180).length"))
        .isEqualTo(4);
    browser.key("Escape");
    assertThat(number(VISIBLE + ".length")).isEqualTo(all);
    browser.click(".box[data-d='3']");
    assertThat(number(VISIBLE + ".length")).isLessThan(all);
  }

  @Test
  void searchMarksBoxesAndSaysTheirShare() {
    CallTree tree = Rehearsal.profile().tree();
    open("flame.svg", out -> FlameGraph.write(tree, Measure.TIME, out));
    browser.evaluate("document.documentElement.flame.search('GELU')");
    long gelu = tree.nodes().stream().filter(node -> node.name().equals("gelu")).count();
    double share =
        tree.nodes().stream()
                .filter(node -> node.name().equals("gelu"))
                .mapToLong(CallTree.Node::threadNanos)
                .sum()
            / (double) tree.root().threadNanos();
    assertThat(number("document.querySelectorAll('.hit').length")).isEqualTo((int) gelu);
    assertThat(browser.text(".found"))
        .isEqualTo("“GELU”: %d boxes, %.1f %%".formatted(gelu, 100 * share));
  }

  @Test
  void thePictureFollowsTheReadersColourScheme() {
    String paper = "getComputedStyle(document.querySelector('.paper')).fill";
    open("flame.svg", out -> FlameGraph.write(Rehearsal.profile().tree(), Measure.TIME, out));
    assertThat(browser.evaluate(paper).asString()).isEqualTo("rgb(255, 255, 255)");
    browser.prefer("dark", false);
    assertThat(browser.evaluate(paper).asString()).isEqualTo("rgb(17, 21, 26)");
    browser.prefer("light", false);
  }

  @Test
  void theDifferenceWorksOnItsPageAndAlone() {
    Difference difference =
        Difference.of(SampleReports.named("a", "b").tree(), SampleReports.named("b", "c").tree());
    DifferenceGraph.Names names = new DifferenceGraph.Names("old", "new");
    open("difference.html", out -> DifferenceGraph.html(difference, names, out));
    assertThat(browser.text("table")).contains("main › a", "only before", "main › c", "only after");
    assertThat(number("document.querySelectorAll('.gone').length")).isEqualTo(1);
    assertThat(number("document.querySelectorAll('.new').length")).isEqualTo(1);
    browser.evaluate("document.querySelector('svg').flame.zoom('c')");
    assertThat(number(VISIBLE + ".length")).isEqualTo(3);
    open("difference.svg", out -> DifferenceGraph.svg(difference, names, out));
    browser.evaluate("document.documentElement.flame.zoom('a')");
    assertThat(number(VISIBLE + ".length")).isEqualTo(3);
  }

  private void open(String file, WholeFile.Content content) {
    page = folder.resolve(file);
    WholeFile.write(page, content);
    browser.open(page);
  }

  private static int number(String expression) {
    return browser.evaluate(expression).asInt();
  }
}
