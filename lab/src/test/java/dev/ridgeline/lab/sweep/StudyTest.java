package dev.ridgeline.lab.sweep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.profiler.file.FileException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

/** A study as a file, a text and a page. */
@Execution(CONCURRENT)
class StudyTest {
  /** Ends a title, a cell, an attribute, a line; and steers a terminal. */
  private static final String HOSTILE = "</title><script>alert(1)</script>\" | x\n\u001b[31m&amp;";

  @TempDir private Path folder;

  private static Study study(boolean winner, String words) {
    PretendMachine machine = new PretendMachine(1, 0.01);
    Sweep sweep = machine.sweep(PretendMachine.arms(3), 60, winner, 1);
    return new Study(
        new Study.Setting(
            "test", words, Instant.EPOCH, List.of("ridgeline", words), sweep.metric(), 0.02, 60, 9),
        sweep.took(),
        sweep.rounds(),
        sweep.schedule().repeated(),
        sweep.stopped(),
        sweep.outcome(),
        sweep.winner(),
        new Answer(
            words,
            List.of(new Fact("Also", words)),
            List.of(words),
            List.of(new Table(words, List.of("arm", words), List.of(List.of(words, "1")))),
            List.of(
                new Chart(
                        words,
                        words,
                        words,
                        Scale.LOGARITHMIC,
                        Scale.LINEAR,
                        List.of(
                            new Series(
                                words,
                                Chart.Drawn.LINE,
                                List.of(new Point(1, 2, 1, 3, words), Point.of(2, Double.NaN))),
                            new Series("other", Chart.Drawn.DOTS, List.of(Point.of(1, 1))),
                            new Series(
                                "fits", "other", Chart.Drawn.CURVE, List.of(Point.of(1, 1)))),
                        List.of(new Chart.Mark(1.5, words), new Chart.Mark(Double.NaN, "")))
                    .withLevel(2, words)
                    .withLevel(Double.NaN, ""),
                Chart.ofNames(
                    words,
                    words,
                    new Series(words, Chart.Drawn.DOTS, List.of(new Point(0, 1, 1, 1, words)))))));
  }

  private static byte[] json(Study study) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    StudyJson.write(study, out);
    return out.toByteArray();
  }

  private static List<String> lines(Study study) {
    return ConsoleText.lines(StudyDocument.of(study));
  }

  private static List<String> markdown(Study study) {
    return MarkdownText.lines(StudyDocument.of(study));
  }

  private static String page(Study study) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlPage.write(StudyDocument.of(study), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  private Study read(byte[] bytes) throws IOException {
    Path file = folder.resolve(StudyJson.FILE);
    Files.write(file, bytes);
    return StudyJson.read(file);
  }

  @Test
  void whatIsReadBackIsDrawnTheSame() throws IOException {
    for (boolean winner : List.of(true, false)) {
      Study study = study(winner, "plain words");
      Study read = read(json(study));
      assertThat(lines(read)).isEqualTo(lines(study));
      assertThat(markdown(read)).isEqualTo(markdown(study));
      assertThat(page(read)).isEqualTo(page(study)).contains("<svg");
      assertThat(json(read)).isEqualTo(json(study));
      assertThat(read.winner()).isEqualTo(study.winner());
    }
  }

  @Test
  void aTrialHasAUnitAndAWayToItsRecord() throws IOException {
    String page = page(study(false, "plain words"));
    assertThat(page).contains("<th>rate, 1/s</th>").contains("1970-01-01 00:00:00 UTC");
    assertThat(page).containsPattern("<td><a href=\"[^\"]+/\">[^<]+</a></td></tr>");
  }

  @Test
  void whatNamesHoldNeitherBreaksThePageNorTheTerminal() throws IOException {
    Study study = read(json(study(true, HOSTILE)));
    assertThat(page(study)).doesNotContain("<script>", "\" |").contains("&lt;script&gt;");
    for (String line : lines(study)) assertThat(line).doesNotContain("\u001b", "\n");
    assertThat(markdown(study))
        .noneMatch(line -> line.contains("<script>") || line.contains("\u001b"))
        .filteredOn(line -> line.startsWith("|"))
        .allMatch(line -> line.replace("\\|", "").chars().filter(c -> c == '|').count() == 3);
  }

  @Test
  void aDamagedFileIsOneLine() throws IOException {
    String whole = new String(json(study(true, "words")), StandardCharsets.UTF_8);
    long seed = 5;
    Random random = new Random(seed);
    for (int i = 0; i < 2000; i++) {
      int at = random.nextInt(whole.length());
      int to = Math.min(whole.length(), at + 1 + random.nextInt(12));
      String bad =
          switch (random.nextInt(4)) {
            case 0 -> whole.substring(0, at);
            case 1 ->
                whole.substring(0, at)
                    + (char) (' ' + random.nextInt(90))
                    + whole.substring(at + 1);
            case 2 -> whole.substring(0, at) + whole.substring(to);
            default -> whole.substring(0, at) + whole.substring(at, to) + whole.substring(at);
          };
      try {
        Study study = read(bad.getBytes(StandardCharsets.UTF_8));
        lines(study);
        markdown(study);
        page(study);
      } catch (FileException e) {
        assertThat(e.getMessage())
            .as("seed %d, %d", seed, i)
            .contains(StudyJson.FILE)
            .hasLineCount(1);
      } catch (RuntimeException e) {
        fail("seed %d, damage %d".formatted(seed, i), e);
      }
    }
  }

  @Test
  void tooFewRoundsSayWhatItWouldTake() {
    PretendMachine machine = new PretendMachine(1, 0.01);
    Sweep sweep = machine.sweep(PretendMachine.arms(20), 60, true, 1);
    assertThat(sweep.winner().found()).isEqualTo(Winner.Found.TOO_FEW);
    Study study =
        new Study(
            new Study.Setting("test", "", Instant.EPOCH, List.of(), sweep.metric(), 0.02, 60, 1),
            sweep.took(),
            sweep.rounds(),
            0,
            false,
            sweep.outcome(),
            sweep.winner(),
            new Answer("", List.of(), List.of(), List.of(), List.of()));
    assertThat(String.join("\n", lines(study))).contains("--budget", "would do");
  }

  @Test
  void aTableWithoutColumnsOrWithALongRowIsRefused() {
    assertThatThrownBy(() -> new Table("t", List.of(), List.of()))
        .hasMessageContaining("no columns");
    assertThatThrownBy(() -> new Table("t", List.of("a"), List.of(List.of("1", "2"))))
        .hasMessageContaining("below");
  }
}
