package dev.ridgeline.lab.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.document.Document.Drawing;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Document.Figure;
import dev.ridgeline.lab.document.Document.Note;
import dev.ridgeline.lab.document.Document.Part;
import dev.ridgeline.lab.document.Table.Row;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** One document in three media: each shows the same, in its own way. */
@Execution(CONCURRENT)
class DocumentTest {
  private static final Table SPEEDS =
      new Table(
          "metric",
          "in the order of the alphabet",
          List.of("", "A", "B", ""),
          List.of(
              Row.of(Tone.WORSE, "time, s", "9", "10.5", "slower"),
              Row.of(Tone.PLAIN, "waiting | sleeping, s", "100", "1", "inconclusive")));

  private static Document document(Part... parts) {
    return new Document(
        "old <i> against new",
        "slower",
        Tone.WORSE,
        "by 3 %",
        List.of("a side failed"),
        List.of(parts));
  }

  private static String page(Document document) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlPage.write(document, out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theConsoleBeginsWithTheAnswerAndKeepsColumnsTogether() {
    Document document =
        document(new Fact("Why", "it is"), new Fact("Seed", "7").detail(), SPEEDS)
            .keptIn("runs/x", "a.json");
    assertThat(ConsoleText.lines(document))
        .containsExactly(
            "a side failed",
            "",
            "slower: by 3 %",
            "",
            "  Asked   old <i> against new",
            "  Why     it is",
            "",
            "  metric                   A     B",
            "  time, s                  9  10.5  slower",
            "  waiting | sleeping, s  100     1  inconclusive",
            "",
            "  Record  runs/x/a.json",
            "  Open    runs/x/report.html");
  }

  @Test
  void markdownEscapesAllButWhatIsToBeTyped() {
    Document document = document(new Fact("Prove", "a *b* `c`", true), SPEEDS);
    assertThat(MarkdownText.lines(document))
        .containsExactly(
            "### slower",
            "",
            "**a side failed**",
            "",
            "by 3 %",
            "",
            "- Asked: old &lt;i> against new",
            "- Prove: `a *b* 'c'`",
            "",
            "| metric | A | B |  |",
            "|---|--:|--:|---|",
            "| time, s | 9 | 10.5 | slower |",
            "| waiting \\| sleeping, s | 100 | 1 | inconclusive |");
  }

  @Test
  void aPageHasTheDetailsToo() throws IOException {
    String page =
        page(
            document(
                new Fact("Why", "it is"),
                new Fact("Seed", "<7>").detail(),
                SPEEDS,
                Fact.beware("few rounds")));
    assertThat(page)
        .contains("<h1>old &lt;i&gt; against new</h1>", "<p class=\"warning\">a side failed</p>")
        .contains("<p class=\"verdict worse\">slower</p>", "<p>by 3 %</p>")
        .contains("<dt>Seed</dt><dd>&lt;7&gt;</dd>", "<tr class=\"worse\">", "<h2>metric</h2>")
        .contains("<dd class=\"warning\">few rounds</dd>", "in the order of the alphabet")
        .contains("style-src 'unsafe-inline'\">");
    assertThat(page.split("<dl", -1)).as("facts in a row are one list").hasSize(3);
    assertThat(page.split("</dl>", -1)).hasSize(3);
  }

  @Test
  void scriptsRunOnlyWhereADrawingHasOne() throws IOException {
    assertThat(page(document(new Note("<script>")))).doesNotContain("script-src", "<script>");
    assertThat(page(document(new Drawing(() -> "<script>1</script>")))).contains("script-src");
  }

  @Test
  void aRecordIsALinkThatNoNameBreaks() throws IOException {
    Table trials =
        new Table(
            "trials",
            "",
            List.of("arm", Table.RECORD),
            List.of(Row.of(Tone.ASIDE, "a", "arms/50% #1"), Row.of(Tone.ASIDE, "b", "")));
    assertThat(page(document(trials)))
        .contains("<td><a href=\"./arms/50%25 %231/\">arms/50% #1</a></td>")
        .contains("<td class=\"words\">b</td><td></td>");
  }

  @Test
  void barsAreDrawnOnAPageAndBlocksElsewhere() throws IOException {
    Table table =
        new Table(
            "self", "", List.of("", "now", ""), List.of(Row.withBar(0.25, 1, "a › b › c", "4")));
    assertThat(page(document(table)))
        .contains("<td class=\"bars\"><i style=\"width:25.0%\"></i><b class=\"more\"")
        .doesNotContain("█");
    assertThat(ConsoleText.lines(document(table))).contains("  a › b › c    4  ████████████");
  }

  @Test
  void aLongPathKeepsItsPhaseAndItsEnd() {
    String path = "embed › pass › " + "layer › ".repeat(8) + "matmul";
    Table table = new Table("", "", List.of("scope"), List.of(Row.of(Tone.PLAIN, path)));
    assertThat(ConsoleText.lines(document(table)).getLast())
        .startsWith("  pass › …layer › ")
        .endsWith(" › matmul")
        .hasSizeLessThanOrEqualTo(46);
  }

  @Test
  void aFigureIsDrawnInEveryMedium() throws IOException {
    Chart chart =
        Chart.ofNames(
            "Speeds", "s", new Series("a", Drawn.DOTS, List.of(new Point(0, 1, 1, 1, "b"))));
    Document document = document(new Figure(chart));
    assertThat(ConsoleText.lines(document, 60, true))
        .contains("Speeds")
        .anyMatch(l -> l.contains("o"));
    assertThat(MarkdownText.lines(document)).contains("#### Speeds", "```text", "```");
    assertThat(page(document)).contains("<h2>Speeds</h2>", "<svg class=\"chart\"");
    Document detail = document(new Figure(chart).detail());
    assertThat(ConsoleText.lines(detail)).doesNotContain("Speeds");
    assertThat(page(detail)).contains("<svg");
  }

  @Test
  void aRowMustFitItsColumns() {
    List<Row> rows = List.of(Row.of(Tone.PLAIN, "1", "2"));
    assertThatThrownBy(() -> new Table("t", "", List.of("a"), rows)).hasMessageContaining("below");
  }
}
