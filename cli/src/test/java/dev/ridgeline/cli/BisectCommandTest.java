package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.report.run.RunDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code bisect} on repositories that are made up; real times are bench's. */
@Execution(CONCURRENT)
@ResourceLock("worktrees of this process")
class BisectCommandTest {
  @TempDir private Path folder;

  private MadeUpRepository repository;

  private MadeUpRepository begin() throws IOException {
    Path home = Files.createDirectories(folder.resolve("repository"));
    repository = new MadeUpRepository(home);
    return repository;
  }

  /** Commits in a line, the first of them 0; slower from one on. */
  private void line(int last, int planted, String... broken) throws IOException {
    begin();
    for (int i = 0; i <= last; i++) {
      boolean fails = List.of(broken).contains(Integer.toString(i));
      String value = fails ? "broken" : i < planted ? "100" : "110";
      if (i == 0) repository.commit(value);
      else repository.commit(value, i);
    }
    repository.make();
  }

  private Answer bisect(Object... words) {
    List<Object> args = new ArrayList<>(List.of("bisect", "--runs", folder.resolve("runs")));
    List<Object> given = Arrays.asList(words);
    if (!given.contains("--repo")) args.addAll(List.of("--repo", repository.folder()));
    if (!given.contains("--budget")) args.addAll(List.of("--budget", "2m"));
    args.addAll(List.of("--seed", 1));
    args.addAll(given);
    return Answer.of(args.toArray());
  }

  private Answer measured(String good, String bad, Object... more) {
    List<Object> args = new ArrayList<>(List.of("--good", good, "--bad", bad));
    args.addAll(List.of("--metric", "took ([0-9]+)"));
    args.addAll(Arrays.asList(more));
    args.addAll(List.of("--", "./measure"));
    return bisect(args.toArray());
  }

  @Test
  void aTenthAmongThirtyTwoCommitsIsFoundAndNothingIsTouched() throws IOException {
    int planted = 1 + new Random(5).nextInt(32);
    line(32, planted);
    String before = repository.state();
    Answer answer = measured("HEAD~32", "main");
    assertThat(answer.code()).as(answer.out() + answer.err()).isZero();
    String hash = repository.hash(planted + 1);
    assertThat(answer.out())
        .startsWith("found: " + hash.substring(0, 12) + " Change number " + planted)
        .contains("made it slower", hash, "A Tester", "a fresh session against its parent agrees");
    assertThat(repository.state()).isEqualTo(before);
    assertThat(worktrees()).isEmpty();
    Path record = onlyRun();
    JsonNode json = JsonMapper.shared().readTree(record.resolve("bisect.json").toFile());
    assertThat(json.get("commit").get("hash").asString()).isEqualTo(hash);
    assertThat(json.get("change").get("change").get("estimate").asDouble()).isBetween(0.08, 0.12);
    assertThat(json.get("steps").size()).isBetween(5, 6);
    assertThat(json.get("confidence").asDouble()).isGreaterThanOrEqualTo(0.95);
    assertThat(record.resolve("report.html")).content().contains(hash, "<svg", "Change number");
    assertThat(record.resolve("confirmation/experiment.json")).content().contains("\"slower\"");
    assertThat(record.resolve("ends/report.html")).isNotEmptyFile();
    assertThat(new RunDirectory(record).run().revision())
        .as("of what was measured")
        .isEqualTo(repository.hash(33).substring(0, 12));
    assertThat(Answer.of("report", record).out()).as("with every step").isEqualTo(answer.out());
    assertThat(Answer.of("report", record, "--format", "html", "-o", "-").out())
        .isEqualTo(Files.readString(record.resolve("report.html")));
    assertThat(Answer.of("report", record, "--format", "pprof").err()).contains("is a bisection");
  }

  @Test
  void aCommitOnABranchThatWasMergedIsFoundAndBrokenOnesAreSkipped() throws IOException {
    begin();
    int first = repository.commit("100");
    int left = repository.commit("100", first);
    left = repository.commit("broken", left);
    left = repository.commit("100", left);
    int right = repository.commit("100", first);
    int planted = repository.commit("110", right);
    right = repository.commit("110", planted);
    int merge = repository.commit("110", left, right);
    repository.commit("110", merge);
    repository.make();
    Answer answer = measured(repository.hash(first), "HEAD", "--json");
    assertThat(answer.code()).as(answer.out() + answer.err()).isZero();
    JsonNode json = JsonMapper.shared().readTree(answer.out());
    assertThat(json.get("commit").get("hash").asString()).isEqualTo(repository.hash(planted));
    Answer firstParent =
        measured(repository.hash(left), repository.hash(merge), "--first-parent", "--json");
    JsonNode merged = JsonMapper.shared().readTree(firstParent.out());
    assertThat(merged.get("commit").get("hash").asString()).isEqualTo(repository.hash(merge));
  }

  @Test
  void whatCannotBeToldApartIsARange() throws IOException {
    line(5, 3, "2", "3");
    Answer answer = measured("HEAD~5", "HEAD");
    assertThat(answer.code()).as(answer.out() + answer.err()).isEqualTo(1);
    assertThat(answer.out())
        .startsWith("narrowed down: one of 3 commits made it slower")
        .contains("unusable", "it is broken", "Change number 2", "Change number 4");
  }

  @Test
  void equalEndsAreToldWithTheirFigures() throws IOException {
    line(4, 9);
    Answer answer = measured("HEAD~4", "HEAD");
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.out()).startsWith("no difference between the ends").contains("→");
  }

  @Test
  void aBuildRunsOnceForEachCommitAndABetterMetricMayBeHigher() throws IOException {
    line(3, 2);
    Path log = folder.resolve("builds");
    Answer answer =
        bisect(
            "--good",
            "HEAD~3",
            "--build",
            "echo $(cat place) >>" + log + "; cp measure built",
            "--better",
            "higher",
            "--metric",
            "took ([0-9]+)",
            "--command",
            "./built | cat");
    assertThat(answer.code()).as(answer.out() + answer.err()).isZero();
    assertThat(answer.out()).contains("Change number 2 made it faster", "higher is better");
    assertThat(Files.readAllLines(log)).doesNotHaveDuplicates().contains("1", "4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rm .git",
        "rm .git && git init -q",
        "echo initializing >\"$(git rev-parse --git-dir)/locked\"",
      })
  void worktreesAreGoneWhateverABuildMadeOfThem(String build) throws IOException {
    line(2, 1);
    String before = repository.state();
    Answer answer =
        bisect("--good", "HEAD~2", "--budget", "1ms", "--build", build, "--", "./measure");
    assertThat(answer.err()).contains("the budget is too short");
    assertThat(repository.state()).isEqualTo(before);
    assertThat(repository.folder().resolve(".git/worktrees"))
        .satisfiesAnyOf(
            none -> assertThat(none).doesNotExist(), none -> assertThat(none).isEmptyDirectory());
    assertThat(worktrees()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--good HEAD~2                             | what is to be measured?",
        "-- ./measure                              | --good REV",
        "--good HEAD~2 --command true -- ./measure | One of",
        "--good nowhere -- ./measure               | no revision 'nowhere'",
        "--good HEAD -- ./measure                  | are the same commit",
        "--good HEAD --bad HEAD~1 -- ./measure     | is no ancestor of --bad",
        "--good HEAD~2 --metric x -- ./measure     | one pair of parentheses",
        "--good HEAD~2 --budget soon -- ./measure  | --budget soon",
        "--good HEAD~2 --budget 1ms -- ./measure   | the budget is too short",
        "--good HEAD~2 -- ./nowhere                | nowhere",
        "--good HEAD~2 --build false -- ./measure  | does not build",
        "--good HEAD~2 --repo /nowhere -- true     | no folder",
        "--good HEAD~2 --repo / -- true            | is in no git repository",
      })
  void aBadQuestionIsOneLineAndLeavesNothing(String words, String line) throws IOException {
    line(2, 1);
    Answer answer = bisect((Object[]) words.strip().split(" "));
    assertThat(answer.code()).as(answer.out() + answer.err()).isEqualTo(2);
    assertThat(answer.err()).contains(line).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
    assertThat(worktrees()).isEmpty();
    if (Files.exists(folder.resolve("runs"))) {
      try (var left = Files.list(folder.resolve("runs"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  /** Worktrees of this process. */
  private static List<Path> worktrees() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    String mine = "ridgeline-revisions-" + ProcessHandle.current().pid() + "-*";
    try (var all = Files.newDirectoryStream(temporary, mine)) {
      List<Path> left = new ArrayList<>();
      all.forEach(left::add);
      return left;
    }
  }

  private Path onlyRun() throws IOException {
    try (var runs = Files.list(folder.resolve("runs"))) {
      List<Path> all = runs.toList();
      assertThat(all).hasSize(1);
      assertThat(all.getFirst().getFileName().toString()).endsWith("-bisect");
      return all.getFirst();
    }
  }
}
