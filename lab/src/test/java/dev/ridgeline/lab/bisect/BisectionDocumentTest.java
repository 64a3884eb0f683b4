package dev.ridgeline.lab.bisect;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.document.MarkdownText;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentJson;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A search as a document, and as a record that it is drawn from again. */
class BisectionDocumentTest {
  @TempDir private Path folder;

  private static Bisection search(double change) {
    var machine =
        new SimulatedMachine(32, 21, change, (random, _) -> 0.005 * random.nextGaussian(), 1);
    return machine.search(300, 1);
  }

  private static String page(Bisection it) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    HtmlPage.write(BisectionDocument.of(it), out);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void theAnswerIsTheLargestLineAndWhatWasTriedHasAName() throws IOException {
    Bisection it = search(0.1);
    String page = page(it);
    assertThat(page)
        .contains("<p class=\"verdict worse\">" + BisectionText.headline(it) + "</p>")
        .contains("halfway between the ends", "The band is where it changed.", "<h2>steps</h2>")
        .doesNotContain("undecided</text>", "A dashed line");
    String found = it.commit().name().substring(0, Math.min(7, it.commit().name().length()));
    assertThat(page).contains(">" + found + "</text>");
  }

  @Test
  void whereNothingWasTriedThereIsNoWordOfSteps() throws IOException {
    Bisection it = search(0);
    assertThat(it.answer()).isEqualTo(Answer.NO_DIFFERENCE);
    assertThat(page(it))
        .doesNotContain("<h2>steps</h2>", "halfway", "band is")
        .containsOnlyOnce("<p class=\"verdict\">" + it.answer().word());
  }

  @Test
  void whatIsReadBackIsDrawnTheSame() throws IOException {
    for (double change : new double[] {0.1, 0}) {
      Bisection it = search(change);
      try (var out = Files.newOutputStream(folder.resolve(BisectionJson.FILE))) {
        BisectionJson.write(it, out);
      }
      write(BisectionJson.ENDS, it.ends());
      if (it.confirmation() != null) write(BisectionJson.CONFIRMATION, it.confirmation());
      Bisection read = BisectionJson.read(folder);
      Document document = BisectionDocument.of(it);
      assertThat(ConsoleText.lines(BisectionDocument.of(read)))
          .isEqualTo(ConsoleText.lines(document));
      assertThat(MarkdownText.lines(BisectionDocument.of(read)))
          .isEqualTo(MarkdownText.lines(document));
      assertThat(page(read)).isEqualTo(page(it));
    }
  }

  private void write(String name, Experiment it) throws IOException {
    Path session = Files.createDirectories(folder.resolve(name));
    try (var out = Files.newOutputStream(session.resolve(ExperimentJson.FILE))) {
      ExperimentJson.write(it, out);
    }
  }
}
