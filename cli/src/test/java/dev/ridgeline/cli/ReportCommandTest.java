package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReportCommandTest {
  @TempDir private static Path made;
  @TempDir private Path folder;
  private Path runs;
  private RunDirectory run;

  /** One real run for all tests, copied for each. */
  @BeforeEach
  void copyTheRun() throws IOException {
    Path original = made.resolve("runs");
    if (!Files.exists(original)) {
      Answer.of(
          "profile", "kernels", "--runs", original, "--filter", "matmul 128", "--budget", "0.02");
    }
    runs = folder.resolve("runs");
    RunDirectory source = new Runs(original).find("last");
    Path copy = Files.createDirectories(runs.resolve(source.name()));
    try (var files = Files.list(source.path())) {
      for (Path file : files.toList()) Files.copy(file, copy.resolve(file.getFileName()));
    }
    run = new RunDirectory(copy);
  }

  private Answer report(Object... args) {
    Object[] all = new Object[args.length + 3];
    all[0] = "report";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--runs";
    all[args.length + 2] = runs;
    return Answer.of(all);
  }

  @Test
  void theConsoleShowsTheRunAgain() {
    Answer answer = report("last");
    assertThat(answer.code()).isZero();
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out())
        .startsWith("kernels, standard")
        .contains("where the time goes", "matmul 128", "ridgeline report ", " --full");
    assertThat(answer.out().lines()).hasSizeLessThanOrEqualTo(26);
    for (String more : List.of("--full", "--sort=calls", "--top=3")) {
      assertThat(report("last", more).out())
          .startsWith("kernels, standard")
          .contains("scope, by ", "kernels › matmul 128");
    }
  }

  @Test
  void pathsCanBeSortedByAnotherColumn() {
    String screen = report("last", "--sort", "gflop/s").out();
    assertThat(screen).contains("scope, by GFLOP/s");
    assertThat(screen.indexOf("kernels › matmul 128")).isLessThan(screen.indexOf("  kernels  "));
    assertThat(report("last", "--sort", "total").out()).contains("scope, by total");
  }

  @ParameterizedTest
  @CsvSource({"md,report.md", "html,report.html", "top,top.txt", "json,profile.json"})
  void aFileDrawnAgainIsTheSameToTheByte(String format, String file) throws IOException {
    byte[] before = Files.readAllBytes(run.path().resolve(file));
    if (!format.equals("json")) Files.delete(run.path().resolve(file));
    Answer answer = report("last", "--format", format);
    assertThat(answer.out()).isEqualTo(run.path().resolve(file) + "\n");
    assertThat(run.path().resolve(file)).hasBinaryContent(before);
    Path elsewhere = folder.resolve("elsewhere");
    assertThat(report("last", "--format", format, "-o", elsewhere).code()).isZero();
    assertThat(elsewhere).hasBinaryContent(before);
  }

  @Test
  void aRunIsFoundByPathNameAndBeginning() {
    for (Object name : new Object[] {run.path(), run.name(), run.name().substring(0, 12), "last"}) {
      Answer answer = report(name, "--format", "top", "-o", "-");
      assertThat(answer.code()).as("%s: %s", name, answer.err()).isZero();
      assertThat(answer.out()).contains("matmul 128");
    }
  }

  @Test
  void severalFormatsGoIntoAFolder() {
    Path out = folder.resolve("drawn");
    assertThat(report("last", "--format", "console,md", "-o", out).code()).isZero();
    assertThat(out.resolve("report.txt")).content().startsWith("kernels, standard");
    assertThat(out.resolve("report.md")).exists();
    // Recorded at level allocation: all but the raw events.
    assertThat(report("last", "--format", "all", "-o", out).out()).hasLineCount(11);
    assertThat(out.resolve("allocations.svg")).content().contains("allocated ");
    assertThat(out.resolve("allocations.collapsed")).exists();
    assertThat(out.resolve("report.html")).exists();
    assertThat(out.resolve("alloc.pb.gz")).exists();
    assertThat(out.resolve("trace.json")).doesNotExist();
  }

  /** The run again under another name, with a scope called otherwise. */
  private RunDirectory other(String from, String to) throws IOException {
    Path copy = Files.createDirectories(runs.resolve("20200101T000000Z-before"));
    for (String file : new String[] {"run.json", "profile.json"}) {
      String text = Files.readString(run.path().resolve(file));
      assertThat(text).contains(from);
      Files.writeString(
          copy.resolve(file), file.equals("run.json") ? text : text.replace(from, to));
    }
    return new RunDirectory(copy);
  }

  @Test
  void twoRunsAreComparedOnAPageAndAsAPicture() throws IOException {
    RunDirectory before = other("matmul 128", "matmul 127");
    Answer answer = report("last", "--diff", "2020");
    assertThat(answer.err()).isEmpty();
    assertThat(answer.out()).isEqualTo(run.path().resolve("difference.html") + "\n");
    assertThat(run.path().resolve("difference.html"))
        .content()
        .contains("before: " + before.name(), "after: " + run.name())
        .containsPattern("kernels › matmul 127.*only before")
        .containsPattern("kernels › matmul 128.*only after");
    Path out = folder.resolve("difference");
    assertThat(report("last", "--diff", "2020", "--format", "all", "-o", out).out())
        .isEqualTo(
            Stream.of("", "-allocations")
                .flatMap(of -> Stream.of(of + ".html", of + ".svg"))
                .map(end -> out.resolve("difference" + end) + "\n")
                .collect(Collectors.joining()));
    assertThat(out.resolve("difference-allocations.html"))
        .content()
        .contains("run's allocation than before", "before, kB");
    assertThat(report("last", "--diff", "2020", "--format", "diff-svg", "-o", "-").out())
        .startsWith("<svg");
  }

  @Test
  void whatCannotBeComparedIsOneLine() throws IOException {
    RunDirectory before = other("\"kernels\"", "\"others\"");
    assertThat(report("last", "--diff", run.path()).err())
        .isEqualTo("ridgeline: --diff: " + run.name() + " would be compared with itself\n");
    assertThat(report("last", "--diff", before.name()).err())
        .isEqualTo(
            "ridgeline: --diff: %s and %s have no scope in common\n"
                .formatted(before.name(), run.name()));
    Files.delete(before.path().resolve("profile.json"));
    assertThat(report("last", "--diff", before.name()).err())
        .isEqualTo("ridgeline: " + before.name() + ": profile.json is missing\n");
    assertThat(run.path().resolve("difference.html")).doesNotExist();
  }

  @Test
  void rawEventsThatWereNotRecordedAreRefusedWithTheRemedy() {
    Answer answer = report("last", "--format", "perfetto");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains("perfetto needs raw events", "--level trace");
  }

  @Test
  void aLimitForRawEventsIsSaidToChangeNothingWhereThereAreNone() {
    assertThat(report("last", "--format", "flame", "--trace-limit", "1").err())
        .isEqualTo("ridgeline: --trace-limit has no effect here\n");
    assertThat(report("last", "--format", "speedscope", "--trace-limit", "0").err())
        .contains("--trace-limit 0: at least 1");
  }

  @Test
  void withoutARunTheyAreListed() {
    assertThat(report().out()).startsWith(run.name()).contains("kernels, standard").hasLineCount(1);
    Path none = folder.resolve("none");
    Answer answer = Answer.of("report", "--runs", none);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).isEqualTo("ridgeline: --runs " + none + ": no such folder\n");
  }

  @Test
  void anOptionThatChangesNothingIsSaid() {
    assertThat(report("last", "--format", "md", "--sort", "calls").err())
        .isEqualTo("ridgeline: --sort has no effect here\n");
    assertThat(report("--format", "md").err())
        .isEqualTo("ridgeline: --format has no effect here\n");
  }

  @Test
  void oneBrokenRunDoesNotHideTheOthers() throws IOException {
    Files.writeString(
        Files.createDirectories(runs.resolve("20300101T000000Z-x")).resolve("run.json"), "{");
    Answer answer = report();
    assertThat(answer.code()).isZero();
    assertThat(answer.out())
        .hasLineCount(2)
        .startsWith("20300101T000000Z-x")
        .contains("unreadable", run.name());
  }

  @Test
  void aTruncatedProfileIsRefused() throws IOException {
    Path profile = run.path().resolve("profile.json");
    String whole = Files.readString(profile);
    Files.writeString(profile, whole.substring(0, whole.length() / 2));
    refused("profile.json");
  }

  @Test
  void aProfileOfAnotherVersionIsRefused() throws IOException {
    Path profile = run.path().resolve("profile.json");
    String json = Files.readString(profile);
    String other = json.replaceFirst("\"version\":\\s*1\\b", "\"version\":99");
    assertThat(other).isNotEqualTo(json);
    Files.writeString(profile, other);
    refused("99");
  }

  @Test
  void whatIsNotAProfileIsRefused() throws IOException {
    Files.write(run.path().resolve("profile.json"), new byte[] {0, 1, 2, 3});
    refused("profile.json");
    Files.writeString(run.path().resolve("profile.json"), "[]");
    refused("profile.json");
  }

  @Test
  void aBrokenRunFileIsRefused() throws IOException {
    Files.writeString(run.path().resolve("run.json"), "{\"version\":1");
    refused("run.json");
  }

  @Test
  void aProfileThatWasLostIsSaidToBeMissing() throws IOException {
    Files.delete(run.path().resolve("profile.json"));
    refused("profile.json is missing");
  }

  @Test
  void anEmptyTargetIsRefused() {
    Answer answer = report("last", "--format", "html", "-o", "");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).isEqualTo("ridgeline: -o '': is empty\n");
  }

  /** One line, exit 2, and neither the target nor anything else is touched. */
  private void refused(String reason) throws IOException {
    Path target = folder.resolve("target.html");
    Files.writeString(target, "as it was");
    Answer answer = report("last", "--format", "html", "-o", target);
    assertThat(answer.code()).as(answer.err()).isEqualTo(2);
    assertThat(answer.err()).startsWith("ridgeline: ").contains(reason).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
    assertThat(target).hasContent("as it was");
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(target, runs);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          last --format pdf      | --format: no format 'pdf'; there are console
          last --sort colour     | --sort: no column 'colour'; there are running, self, %
          last --top none        | Invalid value for option '--top'
          nothing                | no run 'nothing'
          last --diff nothing    | no run 'nothing'
          last --format diff-svg | diff-svg compares two runs: name the other with --diff RUN
          last --diff last --format html | would be compared with itself
          last -o /proc/x/y      | /proc/x/y: no such file
          """)
  void aBadQuestionIsOneLine(String words, String reason) {
    Answer answer = report((Object[]) words.split(" "));
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains(reason).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
  }
}
