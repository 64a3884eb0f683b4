package dev.ridgeline.lab.history.trend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.SampleRun;
import dev.ridgeline.lab.chart.ChartText;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.Likeness;
import dev.ridgeline.lab.history.Selection;
import dev.ridgeline.report.Text;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TrendTest {
  /** Runs newest first; from the sixtieth on 8 % slower, of another revision and plan. */
  private static List<Kept> runs(int count) {
    Random random = new Random(1);
    List<Kept> kept = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean slow = i >= 60;
      double rate = (slow ? 92 : 100) * (1 + 0.01 * random.nextGaussian());
      Run run = SampleRun.at(SampleRun.of("embed", rate), 60 * i);
      run = SampleRun.changed(run, slow ? "bbb" : "aaa", Map.of("strategy", slow ? "fine" : "x"));
      kept.addFirst(kept(run, "run-%03d".formatted(i)));
    }
    return kept;
  }

  private static Kept kept(Run run, String name) {
    return new Kept(new RunDirectory(Path.of("runs", name)), run);
  }

  private static List<Trend> trends(List<Kept> runs) {
    return Trend.of(runs, Selection.ALL::metricOf);
  }

  @Test
  void aChangeLiesBetweenTwoRunsAndTheirRevisions() {
    Trend trend = trends(runs(100)).getFirst();
    assertThat(trend.points()).extracting(Trend.Point::run).startsWith("run-000", "run-001");
    Trend.Change change = trend.changes().getFirst();
    assertThat(trend.changes()).hasSize(1);
    assertThat(change.index()).isEqualTo(60);
    assertThat(change.before()).isBetween(99.5, 100.5);
    assertThat(change.change().contains(-0.08)).isTrue();
    assertThat(trend.worse(change)).isTrue();
    assertThat(TrendText.before(trend, change)).isEqualTo("last before  run-059 (aaa)");
    assertThat(TrendText.after(trend, change)).isEqualTo("first after  run-060 (bbb)");
    assertThat(trend.noise()).isBetween(0.005, 0.02);
  }

  @Test
  void onlyComparableRunsAreOneSeries() {
    List<Kept> runs = runs(30);
    Run other = SampleRun.worked(SampleRun.of("embed", 5), "texts", "8");
    runs.add(kept(other, "other"));
    runs.add(kept(SampleRun.worked(SampleRun.of("embed", 5), "file", "elsewhere"), "moved"));
    assertThat(trends(runs)).extracting(trend -> trend.points().size()).containsExactly(31, 1);
  }

  @Test
  void aKindIsEqualForComparableRunsAndNoOthers() {
    Run run = SampleRun.of("embed", 5);
    List<Run> others =
        List.of(
            SampleRun.changed(run, "else", Map.of("strategy", "fine")),
            SampleRun.worked(run, "file", "elsewhere"),
            SampleRun.worked(run, "texts", "8"),
            SampleRun.of("generate", 5));
    for (Run other : others) {
      assertThat(Likeness.kind(run).equals(Likeness.kind(other)))
          .isEqualTo(Likeness.of(run, other).isComparable());
    }
  }

  @Test
  void aPlotFitsItsWidthAndHasADotForEveryRunThatIsAlone() {
    Trend trend = trends(runs(100)).getFirst();
    for (int width : new int[] {60, 80, 120}) {
      for (boolean letters : new boolean[] {true, false}) {
        assertThat(console(trend, width, letters))
            .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(width));
      }
    }
    String plot = String.join("\n", ChartText.lines(TrendChart.of(trend), 80, true));
    assertThat(plot).matches("[\\x20-\\x7e\\n]+").contains("o").contains("11-15 10:00");
    List<Trend> few = trends(runs(5));
    String five = String.join("\n", ChartText.lines(TrendChart.of(few.getFirst()), 80, true));
    assertThat(five.chars().filter(c -> c == 'o')).hasSize(5);
    assertThat(TrendText.summary(few.getFirst())).endsWith("too few to tell a change");
  }

  @Test
  void oneRunAndEqualRunsCanBeDrawn() throws IOException {
    for (double value : new double[] {0, 7, 1e-9, 1e300}) {
      for (int count : new int[] {1, 2, 12}) {
        List<Kept> runs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          runs.addFirst(kept(SampleRun.at(SampleRun.of("embed", value), i), "run-" + i));
        }
        Trend trend = trends(runs).getFirst();
        assertThat(console(trend, 80, false)).hasSizeGreaterThan(15);
        assertThat(page(List.of(trend))).doesNotContain("NaN").doesNotContain("Infinity");
        assertThat(trend.changes()).isEmpty();
      }
    }
  }

  @Test
  void runsThatAreFarFromTheirLevelAndNotBackYetAreTold() {
    List<Kept> runs = runs(60);
    Random random = new Random(2);
    for (int i = 0; i < 10; i++) {
      double rate = 40 * Math.exp(0.4 * random.nextGaussian());
      runs.addFirst(kept(SampleRun.at(SampleRun.of("embed", rate), 60 * (60 + i)), "late-" + i));
    }
    Trend trend = trends(runs).getFirst();
    assertThat(trend.changes().isEmpty() ? TrendText.lately(trend) : "told by a change")
        .isNotEmpty();
    assertThat(TrendText.lately(trends(runs(60)).getFirst())).isEmpty();
  }

  @Test
  void aPageNeedsNothingElseAndEscapesWhatItIsGiven() throws IOException {
    List<Kept> runs = runs(100);
    Run odd = SampleRun.worked(SampleRun.of("<b>&\"", 5), "model", "</script>");
    runs.add(kept(odd, "<i>"));
    String page = page(trends(runs));
    assertThat(page)
        .doesNotContain("http://")
        .doesNotContain("https://")
        .doesNotContain("<b>")
        .doesNotContain("<i>")
        .contains("run-059 (aaa)")
        .contains("class=\"mark worse\"");
    // 101 runs, and one in the legend of each chart.
    assertThat(page.split("<circle class=\"s0\"", -1)).hasSize(104);
  }

  @Test
  void jsonHoldsEveryPointAndChange() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    TrendJson.write(trends(runs(100)), out);
    String json = out.toString(StandardCharsets.UTF_8);
    assertThat(json)
        .contains("\"schema\" : \"ridgeline.trend\"")
        .contains("\"lastBefore\" : \"run-059\"")
        .contains("\"word\" : \"worse\"");
    assertThat(json.split("\"revision\"", -1)).hasSize(101);
  }

  private static List<String> console(Trend trend, int width, boolean letters) {
    return ConsoleText.lines(TrendDocument.of("", List.of(trend)), width, letters);
  }

  private static String page(List<Trend> trends) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlPage.write(TrendDocument.of("embedded", trends), out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
