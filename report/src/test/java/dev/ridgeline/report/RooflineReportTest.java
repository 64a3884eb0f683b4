package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunReport;
import dev.ridgeline.report.run.SampleRuns;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

/** What reports show of a machine's ceilings. */
class RooflineReportTest {
  private static final long MB = 1_000_000;

  static Made model() {
    Made made = Made.profile().idle(-1, "decode", 100, 600, 0);
    for (int i = 0; i < 3; i++) {
      int layer = 1 + 6 * i;
      made.idle(0, "layer " + i, 100, 200, 1);
      made.idle(layer, "attention", 100, 60, 0);
      made.working(layer + 1, "qkv", 300, 50, 300 * 4 * MB, 300 * 8 * MB);
      made.working(layer + 1, "heads", 100, 10, 100 * MB, 100 * MB);
      made.idle(layer, "ffn", 100, 139, 0);
      made.working(layer + 4, "up", 100, 139, 100 * 12 * MB, 100 * 24 * MB);
    }
    return made;
  }

  @Test
  void theScreenShowsTheThreeColumnsWithinAHundredCells() {
    String screen =
        Console.draw(model().report(Machines.ZEN_4), Console.Style.terminal(100), 15, List.of());
    String plain = screen.replaceAll("\\u001b\\[[0-9;]*m", "");
    assertThat(plain.lines())
        .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(100));
    assertThat(plain).containsPattern("self ms .* reached +limited by +to win ms");
    assertThat(plain).containsPattern("layer 0–2 › ffn › up .* 29 % +DRAM +297");
    assertThat(plain.replaceAll("\\s+", " ")).contains("Cache levels are assumed");
  }

  @Test
  void theScreenSumsUpALayerInALine() {
    String screen =
        Console.draw(model().report(Machines.ZEN_4), Console.Style.plain(100), 15, List.of());
    assertThat(screen.replaceAll("\\s+", " "))
        .contains(
            "Layers decode › layer 0–2: attention qkv 25 % · heads 5 % · ffn 70 % · in all 600 ms,"
                + " 42 % of what is allowed");
  }

  @Test
  void whatProvesSeveralFindingsIsPrintedOnce() {
    String screen =
        Console.draw(model().report(Machines.ZEN_4), Console.Style.plain(200), 15, List.of());
    assertThat(screen.split("ridgeline ab", -1)).hasSize(2);
  }

  @Test
  void aCommandStandsWholeOnItsLine() {
    String screen =
        Console.draw(model().report(Machines.ZEN_4), Console.Style.plain(40), 15, List.of());
    assertThat(screen.lines().map(String::strip)).contains("ridgeline ab --a-rev HEAD -- embed");
  }

  @Test
  void withoutCeilingsNothingIsSaidAboutThem() {
    String screen = Console.draw(model().report(), Console.Style.plain(100), 15, List.of());
    assertThat(screen).doesNotContain("reached", "limited by", "to win", "Reached");
    assertThat(Top.draw(model().report())).doesNotContain("reached", "to win");
    assertThat(Markdown.draw(model().report(), 15, 6)).doesNotContain("reached", "to win");
  }

  @Test
  void integerRatesHaveAColumnOfTheirOwn() {
    Made made = Made.profile().working(-1, "dot", 10, 10, 10, new Work(MB, 0, 3000 * MB));
    assertThat(Markdown.draw(made.report(), 15, 6)).contains("GOP/s").doesNotContain("GFLOP/s");
  }

  @Test
  void filesTellTheBoundsAndTakeLayersApart() {
    Report report = model().report(Machines.ZEN_4);
    assertThat(Top.draw(report))
        .containsPattern("297\\.00 ms +29% DRAM +\\S+ ms +\\S+ ms +8\\.63 GB/s  decode › layer 0–2")
        .contains("Layers: decode › layer 0–2", "  ffn\n", "    qkv\n", "  total\n");
    assertThat(Markdown.draw(report, 15, 6))
        .contains(
            "| reached | limited by | to win ms |", "## decode › layer 0–2", "| total | 600.0 |");
  }

  @Test
  void thePlotIsOnePictureWithAPointForEachScope() throws Exception {
    Document picture = parse(RooflinePlot.draw(model().report(Machines.ZEN_4)));
    var groups = picture.getElementsByTagName("g");
    // A point and a mark in the legend for each.
    assertThat(groups.getLength()).isEqualTo(2 * 3);
    assertThat(groups.item(0).getTextContent()).contains("ffn › up", "29 % of DRAM");
    assertThat(picture.getDocumentElement().getTextContent())
        .contains("f32 compute 120 GFLOP/s", "int8 compute 480 GOP/s", "L2 100 GB/s", "DRAM 30.0");
  }

  @Test
  void namesInThePlotStayNames() throws Exception {
    Report report =
        Made.profile()
            .working(-1, "</svg><script>&\u0000\"'\uD83D", 10, 10, MB, 10 * MB)
            .report(Machines.ZEN_4);
    Document picture = parse(RooflinePlot.draw(report));
    assertThat(picture.getElementsByTagName("script").getLength()).isZero();
    assertThat(picture.getDocumentElement().getTextContent()).contains("</svg><script>&");
  }

  @Test
  void aPlotWithoutAPointHasItsRoofs() throws Exception {
    Report report = Made.profile().working(-1, "copy", 10, 10, MB, 0).report(Machines.ZEN_4);
    Document picture = parse(RooflinePlot.draw(report));
    assertThat(picture.getElementsByTagName("g").getLength()).isZero();
    assertThat(picture.getDocumentElement().getTextContent()).contains("not shown: 1 scope");
  }

  @Test
  void theAnswerSaysWhatTheMachineAllows() {
    Report report = ran(Metric.of("embedded", "texts/s", Better.HIGHER, 98, 100, 104), 100);
    assertThat(report.headline().figures())
        .startsWith(
            new Report.Figure("100 texts/s ±4 %", "embedded, median of 3"),
            new Report.Figure("25 %", "of the 400 this machine allows"));
    assertThat(report.headline().subtitle())
        .endsWith("measured today: f32 200 GFLOP/s, int8 960 GOP/s, DRAM 40.0 GB/s");
  }

  @Test
  void doubtStandsBesideTheFigureThatItConcerns() {
    Metric rate = Metric.of("embedded", "texts/s", Better.HIGHER, 88, 100, 104);
    Report noisy = ran(rate, 100, busy(Machines.ZEN_4), Made.profile().steal(0.08));
    assertThat(noisy.headline().figures())
        .startsWith(
            new Report.Figure("100 texts/s ±12 %", "embedded, median of 3", "noisy: steal 8 %"),
            new Report.Figure(
                "25 %", "of the 400 this machine allows", "noisy; ceilings of a busy machine"));
    assertThat(noisy.headline().subtitle())
        .endsWith(
            "measured today: f32 200 GFLOP/s, int8 960 GOP/s,"
                + " DRAM 40.0 GB/s (12 days old; busy machine)");
    String doubt = "100 texts/s ±12 % (noisy: steal 8 %)";
    assertThat(Console.draw(noisy, Console.Style.plain(100), 10, List.of())).contains(doubt);
    assertThat(Markdown.draw(noisy, 10, 3))
        .contains("- **100 texts/s ±12 %** (noisy: steal 8 %) embedded, median of 3");
    Metric size = Metric.of("held", "B", Better.LOWER, 88, 100, 104);
    assertThat(ran(size, 0, busy(Machines.ZEN_4), Made.profile().steal(0.08)).headline().figures())
        .as("no load changes a size")
        .containsExactly(new Report.Figure("100 B", "held, median of 3"));
  }

  /** With DRAM that was read by two cores while others were busy, twelve days before. */
  private static Ceilings busy(Ceilings quiet) {
    List<Ceilings.Memory> levels = new ArrayList<>(quiet.memory());
    Ceilings.Memory dram = levels.removeLast();
    Ceilings.Rate read = dram.all().read();
    Instant before = Instant.parse("2026-11-03T09:00:00Z");
    Ceilings.Rate busy = new Ceilings.Rate(read.typical(), read.low(), read.high(), before, true);
    var all = new Ceilings.Traffic(busy, dram.all().write(), dram.all().copy());
    levels.add(new Ceilings.Memory(dram.level(), dram.bytes(), dram.one(), all, dram.sheet()));
    return new Ceilings(quiet.measured(), quiet.cores(), quiet.compute(), levels);
  }

  @Test
  void aMetricThatIsNoRateOfTheUnitsIsNotCompared() {
    for (Metric other :
        List.of(
            Metric.of("decode", "tokens/s", Better.HIGHER, 140),
            Metric.of("a text", "ms", Better.LOWER, 100),
            Metric.of("speed-up", "×", Better.HIGHER, 100))) {
      assertThat(ran(other, 100).headline().figures()).as(other.name()).hasSize(1);
    }
    Metric rate = Metric.of("embedded", "texts/s", Better.HIGHER, 100);
    assertThat(ran(rate, 0).headline().figures()).hasSize(1);
  }

  @Test
  void aMetricNamedAfterAScopeIsComparedWithWhatItAllows() {
    // 125 a second over the 800 ms of op, where 100 was the rate over all.
    Report report = ran(Metric.of("op", "tokens/s", Better.HIGHER, 125), 100);
    assertThat(report.headline().figures())
        .contains(new Report.Figure("31 %", "of the 400 this machine allows"));
  }

  /** A second in which work was done that needs a quarter of it. */
  private static Report ran(Metric metric, double units) {
    return ran(metric, units, Machines.ZEN_4, Made.profile());
  }

  private static Report ran(Metric metric, double units, Ceilings ceilings, Made made) {
    Run any = SampleRuns.random(1);
    Run run =
        new Run(
            any.name(),
            any.title(),
            Instant.parse("2026-11-15T10:00:00Z"),
            any.command(),
            any.options(),
            any.machine(),
            any.revision(),
            any.workload(),
            any.plan(),
            any.conditions(),
            any.outputDigest(),
            List.of(metric),
            any.series(),
            units,
            ceilings);
    return RunReport.of(run, made.working(-1, "op", 10, 800, MB, 30_000 * MB).build());
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }
}
