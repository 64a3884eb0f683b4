package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  @TempDir private static Path folder;
  private static String first;
  private static String second;

  @BeforeAll
  static void profileTwice() {
    for (int i = 0; i < 2; i++) {
      ridgeline("profile", "kernels", "--filter", "matmul 128", "--budget", "0.02");
    }
    List<RunDirectory> runs = new Runs(folder).list();
    first = runs.get(1).name();
    second = runs.get(0).name();
  }

  private static Answer ridgeline(Object... args) {
    Object[] all = new Object[args.length + 2];
    System.arraycopy(args, 0, all, 0, args.length);
    all[args.length] = "--runs";
    all[args.length + 1] = folder;
    return Answer.of(all);
  }

  @Test
  void twoRunsAreLaidSideBySide() {
    Answer answer = ridgeline("compare", first, second);
    assertThat(answer.err()).isEmpty();
    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .startsWith("inconclusive: ")
        .contains("  Asked  " + first + " → " + second + "\n")
        .contains("ridgeline ab")
        .contains("kernels › matmul 128")
        .contains("same: sha256:");
  }

  @Test
  void theRunBeforeTheLastHasAName() {
    assertThat(ridgeline("compare", "last~1", "last").out()).contains(first + " → " + second);
    assertThat(ridgeline("baseline", "set", "before", "last~1").out())
        .isEqualTo("before is " + first + "\n");
    assertThat(ridgeline("baseline", "remove", "before").code()).isZero();
    assertThat(ridgeline("report", "last~1").out()).contains(first);
    Answer none = ridgeline("report", "last~7");
    assertThat(none.code()).isEqualTo(2);
    assertThat(none.err())
        .startsWith("ridgeline: no run 'last~7': there are only ")
        .hasLineCount(1);
  }

  @Test
  void theVerdictStandsAtTheTopOfTheJson() {
    Answer answer = ridgeline("compare", first, "last", "--json");
    assertThat(answer.out()).startsWith("{\n  \"verdict\" : \"inconclusive\",");
  }

  @Test
  void aPageIsWrittenWholeAndNeverOverWhatWasRead() throws IOException {
    Path page = folder.resolve("difference.html");
    assertThat(ridgeline("compare", first, second, "--html", page).out()).contains("Open  " + page);
    assertThat(Files.readString(page)).startsWith("<!DOCTYPE html>").endsWith("</html>\n");
    Path read = folder.resolve(first).resolve("run.json");
    Answer refused = ridgeline("compare", first, second, "--html", read);
    assertThat(refused.code()).isEqualTo(2);
    assertThat(refused.err()).hasLineCount(1);
  }

  @Test
  void aBaselineHasANameUntilItIsTakenAway() {
    assertThat(ridgeline("baseline").out()).contains("no baselines yet");
    assertThat(ridgeline("baseline", "set", "main", first).out())
        .isEqualTo("main is " + first + "\n");
    assertThat(ridgeline("baseline").out()).startsWith("main  ");
    assertThat(ridgeline("compare", "main", "last").out()).contains("main → " + second);
    assertThat(ridgeline("baseline", "remove", "main").code()).isZero();
    Answer gone = ridgeline("baseline", "remove", "main");
    assertThat(gone.code()).isEqualTo(2);
    assertThat(gone.err()).isEqualTo("ridgeline: there is no baseline 'main'\n");
  }

  @Test
  void theLastRunIsTheLastThatCanBeComparedAndAnExperimentIsNoBaseline() {
    Run run = new RunDirectory(folder.resolve(first)).run();
    Runs runs = new Runs(folder);
    try (RunDraft draft = runs.begin("bisect", run.started().plusSeconds(3600))) {
      draft.write(
          new Run(
              "bisect",
              "found",
              run.started().plusSeconds(3600),
              run.command(),
              List.of(),
              run.machine(),
              "",
              Map.of(),
              Map.of(),
              Map.of(),
              "",
              run.metrics(),
              List.of(),
              0,
              Ceilings.NONE));
      RunDirectory made = draft.commit();
      Answer set = ridgeline("baseline", "set", "newest", "last");
      Answer compared = ridgeline("compare", "last~1", "last");
      Answer refused = ridgeline("baseline", "set", "trap", made.name());
      Runs.delete(made.path());
      ridgeline("baseline", "remove", "newest");
      assertThat(set.out()).isEqualTo("newest is " + second + "\n");
      assertThat(compared.out()).contains(first + " → " + second);
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.err())
          .endsWith("-bisect is an experiment: nothing can be compared with it\n")
          .hasLineCount(1);
    }
    assertThat(ridgeline("baseline").out()).doesNotContain("trap");
  }

  @Test
  void aBadQuestionGetsOneLine() {
    for (Object[] question :
        List.of(
            new Object[] {"compare", first, first},
            new Object[] {"compare", "nothing", "last"},
            new Object[] {"compare", first},
            new Object[] {"compare", first, second, "--json", "--markdown"},
            new Object[] {"compare", first, second, "--top", 0},
            new Object[] {"baseline", "keep", "main"},
            new Object[] {"baseline", "set"},
            new Object[] {"baseline", "set", "a/b", "last"},
            new Object[] {"baseline", "list", "main"})) {
      Answer answer = ridgeline(question);
      assertThat(answer.code()).as("%s", List.of(question)).isEqualTo(2);
      assertThat(answer.err()).as("%s", List.of(question)).hasLineCount(1);
      assertThat(answer.out()).isEmpty();
    }
  }
}
