package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.model.Strategy;
import dev.ridgeline.report.run.Runs;
import dev.ridgeline.tensor.tune.Tiling;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command {@code ab} with foreign programs, and what it refuses. */
@Isolated("two seconds must do for a verdict")
class AbCommandTest {
  @TempDir private Path folder;

  private Answer ab(Object... words) {
    List<Object> args = new ArrayList<>(List.of("ab", "--runs", folder.resolve("runs")));
    args.addAll(Arrays.asList(words));
    return Answer.of(args.toArray());
  }

  private Answer numbers(String a, String b, Object... more) {
    List<Object> args =
        new ArrayList<>(
            List.of("--a-command", "echo rate: " + a, "--b-command", "echo rate: " + b));
    args.addAll(List.of("--metric", "rate: ([0-9.]+)", "--budget", "2s", "--seed", 1));
    args.addAll(Arrays.asList(more));
    return ab(args.toArray());
  }

  @Test
  void aCommandWhoseNumberRoseIsFasterWhereMoreIsBetter() throws IOException {
    Answer answer = numbers("100", "110", "--better", "higher");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith("faster: B is 1.10x as fast as A")
        .contains("higher is better");
    Path record = onlyRun();
    JsonNode json = JsonMapper.shared().readTree(record.resolve("experiment.json").toFile());
    assertThat(json.get("verdict").asString()).isEqualTo("faster");
    assertThat(json.get("trials").size()).isGreaterThan(3 * 4);
    String first = json.get("trials").get(0).get("directory").asString();
    assertThat(record.resolve(first).resolve("output")).hasContent("rate: 100");
    assertThat(record.resolve("report.html")).content().contains("faster", "<svg", "A-again");
  }

  @Test
  void aRecordIsDrawnAgainAsItWasFirstShown() throws IOException {
    Answer shown = numbers("100", "110");
    Path record = onlyRun();
    assertThat(Answer.of("report", record).out()).isEqualTo(shown.out());
    Answer markdown = Answer.of("report", record, "--format", "md", "-o", "-");
    assertThat(markdown.out()).startsWith("### slower").contains("| rate: (\\[0-9.\\]+)");
    Answer pprof = Answer.of("report", record, "--format", "pprof");
    assertThat(pprof.code()).isEqualTo(2);
    assertThat(pprof.err()).contains("is an experiment").hasLineCount(1);
    numbers("100", "110");
    String other = new Runs(record.getParent()).find("last").name();
    Answer compared = Answer.of("compare", record, other, "--runs", record.getParent());
    assertThat(compared.code()).isEqualTo(2);
    assertThat(compared.err()).contains("is an experiment").hasLineCount(1);
  }

  @Test
  void aDamagedRecordIsOneLine() throws IOException {
    numbers("100", "110");
    Path file = onlyRun().resolve("experiment.json");
    String whole = Files.readString(file);
    long seed = 11;
    Random random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      int at = random.nextInt(whole.length());
      String bad =
          random.nextBoolean()
              ? whole.substring(0, at)
              : whole.substring(0, at)
                  + (char) (' ' + random.nextInt(90))
                  + whole.substring(at + 1);
      Files.writeString(file, bad);
      Answer answer = Answer.of("report", onlyRun());
      assertThat(answer.code()).as("seed %d, %d: %s", seed, i, answer.err()).isIn(0, 2);
      if (answer.code() == 2) assertThat(answer.err()).hasLineCount(1);
    }
  }

  /** What the help compares with the default runs other code than the default does. */
  @Test
  void theHelpComparesStrategiesThatDiffer() {
    Matcher shown =
        Pattern.compile("--b '--strategy (\\w+)'").matcher(Answer.of("ab", "--help").out());
    assertThat(shown.find()).isTrue();
    Strategy chosen = Strategy.AUTO.chosen(256, 2, Tiling.preset(null));
    assertThat(shown.group(1)).isNotEqualTo(chosen.word());
  }

  @Test
  void aGateClosesOnWhatIsSlower() {
    assertThat(numbers("100", "120").code()).isZero();
    Answer gate = numbers("100", "120", "--gate", "--json");
    assertThat(gate.code()).isEqualTo(1);
    JsonNode json = JsonMapper.shared().readTree(gate.out());
    assertThat(json.get("verdict").asString()).isEqualTo("slower");
    assertThat(json.get("deciding").get("change").asDouble()).isBetween(0.19, 0.21);
  }

  @Test
  void theSameNumberIsNoDifferenceEvenForAGate() {
    Answer answer = numbers("100", "100", "--gate", "--markdown");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).startsWith("### no difference").contains("B is 1.00x", "|---|");
  }

  @Test
  void aBudgetThatIsTooShortIsInconclusiveAndSaysWhatItTakes() {
    Answer answer = ab("--a-command", "sleep 0.2", "--b-command", "sleep 0.2", "--budget", "2s");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).startsWith("inconclusive").contains("--budget").contains("wall time");
  }

  @Test
  void aSideThatFailsNowAndThenIsSaidOnTheFirstLineAndInTheRecord() throws IOException {
    Path count = folder.resolve("count");
    String fails =
        "echo x >>%s; [ $(($(wc -l <%s) %% 4)) -ne 3 ] || exit 3".formatted(count, count);
    Answer answer =
        ab("--a-command", "true", "--b-command", fails, "--seed", 1, "--budget", "2s", "--gate");
    assertThat(answer.code()).as(answer.out()).isEqualTo(1);
    assertThat(answer.err()).startsWith("ridgeline: B failed in ").hasLineCount(1);
    assertThat(answer.out()).startsWith("B failed in ").contains("ended with code 3");
    Path record = onlyRun();
    JsonNode json = JsonMapper.shared().readTree(record.resolve("experiment.json").toFile());
    JsonNode failure = json.get("failures").get(0);
    assertThat(failure.get("side").asString()).isEqualTo("B");
    int failed = failure.get("failed").asInt();
    assertThat(failed).isPositive();
    assertThat(failure.get("trials").asInt()).isGreaterThanOrEqualTo(3 * failed);
    assertThat(json.get("trials").valueStream().filter(trial -> trial.has("failure")))
        .hasSize(failed);
    assertThat(json.get("pairs").asInt()).isPositive();
    assertThat(record.resolve("report.html")).content().contains("<p class=\"warning\">B failed");
    assertThat(Answer.of("report", record).out()).isEqualTo(answer.out());
  }

  @Test
  void aSideThatAlwaysFailsAfterItsPilotEndsTheSession() {
    Path count = folder.resolve("count");
    // A trial that others disturb is repeated, so how many there are until then is not known.
    String once = "echo x >>%s; [ $(wc -l <%s) -le 8 ] || exit 3".formatted(count, count);
    Answer answer = ab("--a-command", "true", "--b-command", once, "--budget", "1m", "--seed", 1);
    assertThat(answer.code()).isEqualTo(1);
    assertThat(answer.err()).startsWith("ridgeline: it ended early, B: 'echo x").hasLineCount(1);
    assertThat(answer.out()).containsPattern("^B failed in 3 of \\d+ trials");
  }

  @Test
  void anotherOutputIsSaidFirstAndFailsTheGate() throws IOException {
    Object[] sides = {"--a-command", "sleep 0.02; echo 1", "--b-command", "echo 2", "--gate"};
    Answer answer = outputs(sides);
    assertThat(answer.code()).as(answer.err()).isEqualTo(1);
    assertThat(answer.out()).startsWith("The outputs differ: this is not the same work\n");
    Path record = onlyRun();
    JsonNode json = JsonMapper.shared().readTree(record.resolve("experiment.json").toFile());
    assertThat(json.get("outputsDiffer").asBoolean()).isTrue();
    assertThat(record.resolve("report.html")).content().contains("The outputs differ");
    Object[] meant = Arrays.copyOf(sides, sides.length + 1);
    meant[sides.length] = "--any-output";
    answer = outputs(meant);
    assertThat(answer.code()).as(answer.out()).isZero();
    assertThat(answer.out()).doesNotContain("outputs differ");
  }

  /** What is measured may differ; so may what differs from itself, of which nothing is known. */
  @Test
  void numbersThatAreMeasuredAndOutputsThatAlwaysDifferAreNoOtherOutput() {
    assertThat(numbers("100", "100.5", "--gate").code()).isZero();
    Answer answer = outputs("--a-command", "date +%N", "--b-command", "date  +%N", "--gate");
    assertThat(answer.code()).as(answer.out()).isZero();
    assertThat(answer.out()).contains("output: not exact here");
  }

  private Answer outputs(Object... words) {
    List<Object> args = new ArrayList<>(Arrays.asList(words));
    args.addAll(List.of("--budget", "2s", "--threshold", "50%", "--seed", 1));
    return ab(args.toArray());
  }

  /** A side adds to the command: options of the JVM before the program, others after its own. */
  @Test
  void aJavaProgramRunsWithWhatEachSideAdds() throws IOException {
    Path program =
        Files.writeString(
            folder.resolve("Tell.java"),
            """
            void main(String... args) {
              IO.println(System.getProperty("x") + " " + String.join(",", args));
            }
            """);
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Answer answer =
        ab(
            "--a",
            "-Dx=1 --level one",
            "--b",
            "-Dx=2",
            "--b-jvm",
            "-Xshare:auto",
            "--any-output",
            "--budget",
            "5s",
            "--",
            java,
            "-Dx=0",
            "-cp",
            folder.toString(),
            program.toString(),
            "own");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).contains("wall time", "Tell.java own · A -Dx=1 --level one");
    Path record = onlyRun();
    JsonNode json = JsonMapper.shared().readTree(record.resolve("experiment.json").toFile());
    for (JsonNode trial : json.get("trials")) {
      String expected = trial.get("arm").asString().equals("B") ? "2 own" : "1 own,--level,one";
      assertThat(record.resolve(trial.get("directory").asString()).resolve("output"))
          .content()
          .isEqualToIgnoringNewLines(expected);
    }
  }

  @Test
  void numbersThatLieFurtherApartThanANumberReachesAreCompared() {
    Answer answer =
        ab(
            "--a-command",
            "echo 1e200",
            "--b-command",
            "echo 1e-200",
            "--metric",
            "(.+)",
            "--budget",
            "2s");
    assertThat(answer.code()).as(answer.err()).isZero();
    // How sure it is depends on how many trials fit.
    assertThat(answer.out()).contains("B is ", "lower is better");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--a-command true                                     | go together",
        "--a-command true --b-command true embed              | not both",
        "--a-command true --a --x --b-command true            | --a does not go with --a-command",
        "--a-command true --b-command true --metric x         | one pair of parentheses",
        "--a-command true --b-command true --metric (x        | --metric (x: Unclosed group",
        "--a-command true --b-command true --metric (x)       | nothing that 'true' printed",
        "--a-command true --b-command false --budget 1s       | B: 'false' ended with code 1",
        "--a-command sleep${IFS}300 --b-command sleep${IFS}300 --budget 10ms | still runs after 1"
            + " s",
        "--budget soon                                        | --budget soon: a time such as",
        "--budget 0s                                          | more than nothing",
        "--threshold all                                      | a part such as 2%",
        "--json --markdown                                    | not both",
        "--a-java nowhere                                     | no bin/java in it",
        "--a '--workers                                       | not closed",
        "--b-jvm word                                         | --b-jvm: word is no option",
        "--b … -- embed                                       | --b '…': replace the dots with a"
            + " value",
        "--a-rev HEAD -- java -jar app.jar                     | revisions are of ridgeline",
        "--a -Dx=1 -- java -Xint                               | neither -jar nor a class to run",
        "--a-command true --b-command true -- java -jar x.jar  | not both",
        "-- dance                                             | unknown workload 'dance'",
      })
  void aBadQuestionIsOneLineAndLeavesNothing(String words, String line) throws IOException {
    Answer answer = ab((Object[]) words.strip().split(" "));
    assertThat(answer.code()).as(answer.err()).isEqualTo(2);
    assertThat(answer.err()).contains(line).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
    if (Files.exists(folder.resolve("runs"))) {
      try (var left = Files.list(folder.resolve("runs"))) {
        assertThat(left).isEmpty();
      }
    }
  }

  private Path onlyRun() throws IOException {
    try (var runs = Files.list(folder.resolve("runs"))) {
      List<Path> all = runs.toList();
      assertThat(all).hasSize(1);
      assertThat(all.getFirst().getFileName().toString()).endsWith("-ab");
      return all.getFirst();
    }
  }
}
