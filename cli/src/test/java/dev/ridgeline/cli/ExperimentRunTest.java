package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Experiments that users write: {@code experiment run}, and what the frame does with any. */
@Execution(CONCURRENT)
class ExperimentRunTest {
  private static final Path DOCS = FakeMachine.launcher().resolveSibling("docs");
  private static final String HEAD =
      "{\"ridgeline\": \"plan\", \"version\": 1, \"name\": \"mine\", ";

  @TempDir private Path folder;

  private Path file(String rest) throws IOException {
    return Files.writeString(folder.resolve("mine.json"), HEAD + rest + "}");
  }

  private Answer run(Path file, Object... words) {
    List<Object> args = new ArrayList<>(List.of("experiment", "run", file));
    args.addAll(List.of("--runs", folder.resolve("runs"), "--seed", 1));
    args.addAll(Arrays.asList(words));
    return Answer.of(args.toArray());
  }

  /** Arms that print numbers which differ as given, with a little noise by the clock. */
  private Path numbers() throws IOException {
    return file(
        """
        "metric": "rate: ([0-9.]+)", "better": "higher", "title": "a | b <b>",
        "command": "echo rate: {rate}", "parameters": {"rate": [100, 101, 150]}
        """);
  }

  @Test
  void theBestOfAGridIsFoundAndDrawnOverItsNumber() throws IOException {
    Answer answer = run(numbers(), "--budget", "30s");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith("rate-150 wins: 1.50x (1.50–1.50) the rate of rate-100")
        .contains("fresh rounds", "higher is better");
    JsonNode json = JsonMapper.shared().readTree(onlyRun().resolve("sweep.json").toFile());
    assertThat(json.get("winner").get("found").asString()).isEqualTo("WINNER");
    assertThat(json.get("arms").size()).isEqualTo(3);
    assertThat(json.get("charts").get(0).get("x").asString()).isEqualTo("rate");
    Run kept = new RunDirectory(onlyRun()).run();
    assertThat(kept.revision()).as("of echo, not of this program").isEmpty();
    assertThat(kept.workload()).containsEntry("arm rate-150", "rate 150");
    Path trial = onlyRun().resolve(json.get("trials").get(0).get("directory").asString());
    assertThat(trial.resolve("output")).content().startsWith("rate: 1");
  }

  @Test
  void aStudyIsDrawnAgainAsItWasFirstShownAndNeverCompared() throws IOException {
    Answer shown = run(numbers(), "--budget", "1s");
    Path record = onlyRun();
    assertThat(Answer.of("report", record).out()).isEqualTo(shown.out());
    Answer markdown = Answer.of("report", record, "--format", "md", "-o", "-");
    assertThat(markdown.out()).startsWith("### ").contains("| rate-150 |", "a \\| b &lt;b>");
    Answer page = Answer.of("report", record, "--format", "html", "-o", "-");
    assertThat(page.out()).contains("<svg", "a | b &lt;b&gt;").doesNotContain("<b>");
    Answer pprof = Answer.of("report", record, "--format", "pprof");
    assertThat(pprof.code()).isEqualTo(2);
    assertThat(pprof.err()).contains("is an experiment").hasLineCount(1);
    run(numbers(), "--budget", "1s");
    String other = new Runs(record.getParent()).find("last").name();
    Answer compared = Answer.of("compare", record, other, "--runs", record.getParent());
    assertThat(compared.code()).isEqualTo(2);
    assertThat(compared.err()).contains("is an experiment").hasLineCount(1);
  }

  @Test
  void equalArmsAreNoRealWinner() throws IOException {
    Path equal =
        file(
            """
            "metric": "([0-9]+)", "command": "echo 5",
            "arms": [{"name": "a"}, {"name": "b"}, {"name": "c"}]
            """);
    Answer answer = run(equal, "--budget", "30s");
    assertThat(answer.out()).startsWith("no real winner: no arm is better than a by more than 2 %");
  }

  @Test
  void variablesReachTheCommandAndBracesTheShell() throws IOException {
    Path file =
        file(
            """
            "metric": "n=([0-9]+)", "winner": false, "environment": {"N": "{n}0"},
            "command": "N2=${N}; echo n=$N2; echo x | awk '{{print}}'",
            "parameters": {"n": [3, 4]}, "budget": "1s"
            """);
    Answer answer = run(file, "--json");
    assertThat(answer.code()).as(answer.err()).isZero();
    JsonNode json = JsonMapper.shared().readTree(answer.out());
    assertThat(json.get("budgetSeconds").asDouble()).isEqualTo(1);
    assertThat(json.get("headline").asString()).contains("n-4 1.33x");
    Answer dry = run(file, "--dry-run");
    assertThat(dry.out())
        .contains("nothing was run", "n-3", "N=40 N2=${N}; echo n=$N2; echo x | awk '{print}'");
  }

  @Test
  void whereAnArmFailsItsNameIsSaidAndNothingIsLeft() throws IOException {
    Path file =
        file(
            "\"arms\": [{\"name\": \"a\", \"command\": \"true\"}, {\"name\": \"b\", \"command\":"
                + " \"false\"}]");
    Answer answer = run(file, "--budget", "1s");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains("b: 'false' ended with code 1").hasLineCount(1);
    try (var left = Files.list(folder.resolve("runs"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void whereATrialFailsLateTheRoundsBeforeItAreKept() throws IOException {
    Path count = folder.resolve("count");
    Path late =
        file(
            """
            "command": "echo x >>%s; [ $(wc -l <%s) -ne 12 ] || { echo no luck >&2; exit 3; }",
            "arms": [{"name": "a"}, {"name": "b"}]
            """
                .formatted(count, count));
    Answer answer = run(late, "--rounds", 9);
    assertThat(answer.code()).as(answer.err()).isEqualTo(1);
    assertThat(answer.out())
        .contains("Beware  it ended early, ", "ended with code 3: no luck", " rounds of 2 arms");
    JsonNode json = JsonMapper.shared().readTree(onlyRun().resolve("sweep.json").toFile());
    assertThat(json.get("trials").size()).isEqualTo(11);
    assertThat(json.get("stopped").asBoolean()).isTrue();
  }

  @Test
  void aCommandThatNeverEndsIsEndedWithTheBudget() throws IOException {
    Path hangs = file("\"command\": \"sleep 300\", \"arms\": [{\"name\": \"a\"}]");
    Answer answer = run(hangs, "--budget", "10ms");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).isEqualTo("ridgeline: a: still runs after 1 s\n");
  }

  @Test
  void numbersThatLieFurtherApartThanANumberReachesAreHeldAgainstEachOther() throws IOException {
    Path far =
        file(
            """
            "metric": "([0-9.e-]+)", "command": "echo {n}",
            "parameters": {"n": ["1e200", "1e-200"]}
            """);
    Answer answer = run(far, "--rounds", 8);
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out()).startsWith("n-1e-200 wins");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "\"command\": \"true\", \"comand\": \"x\"                    ~ comand: unknown field",
        "\"title\": \"x\"                                            ~ command: missing: a command"
            + " or a workload",
        "\"command\": \"true\", \"workload\": [\"embed\"]            ~ workload: a command or a"
            + " workload, not both",
        "\"command\": \"true {x}\"                                   ~ parameters: 'mine' has no"
            + " parameter for {x}",
        "\"command\": \"true\", \"parameters\": {\"x\": [1, 2]}      ~ parameters: no command has a"
            + " place for {x}",
        "\"command\": \"a {x}\", \"parameters\": {\"x\": []}         ~ parameters.x: no values",
        "\"command\": \"a {x}\", \"parameters\": {\"x\": [1, 1]}     ~ parameters.x: a value is"
            + " there twice",
        "\"command\": \"a {x}\", \"parameters\": {\"x\": 1}          ~ parameters.x: must be a"
            + " list",
        "\"command\": \"a {x}\", \"parameters\": {\"x\": [{}]}       ~ parameters.x[0]: must be a"
            + " text or a number",
        "\"command\": \"a {x}\", \"parameters\": {\"x y\": [1]}      ~ parameters.x y: no name of a"
            + " parameter",
        "\"command\": \"a {x}\", \"parameters\": {\"x\": [\"a b\", \"a-b\"]} ~ parameters: two arms"
            + " are called 'x-a-b'",
        "\"command\": \"true\", \"reference\": \"b\"                 ~ reference: 'b' is none of"
            + " mine",
        "\"command\": \"true\", \"better\": \"more\"                 ~ better: lower or higher",
        "\"command\": \"true\", \"metric\": \"x\"                    ~ metric: x: one pair of"
            + " parentheses",
        "\"command\": \"true\", \"budget\": \"soon\"                 ~ budget: soon: a time such"
            + " as",
        "\"command\": \"true\", \"threshold\": 2                     ~ threshold: must be a text",
        "\"command\": \"true\", \"jvm\": [\"-Xmx1g\"]                ~ jvm: of workloads only",
        "\"command\": \"true\", \"options\": [\"-x\"]                ~ options: of workloads only",
        "\"command\": \"true\", \"environment\": {\"A-B\": \"x\"}    ~ environment.A-B: no name of"
            + " a variable",
        "\"workload\": [\"dance\"]                                   ~ workload: unknown workload"
            + " 'dance'",
        "\"workload\": []                                            ~ workload: is empty",
        "\"workload\": [\"embed\"], \"better\": \"lower\"            ~ better: a workload knows",
        "\"workload\": [\"embed\"], \"jvm\": [\"x\"]                 ~ jvm: 'x' is no option",
        "\"command\": \"true\", \"arms\": []                         ~ arms: none",
        "\"command\": \"true\", \"arms\": [{}]                       ~ arms[0].name: missing",
        "\"command\": \"true\", \"arms\": [{\"name\": \"../a\"}]     ~ arms[0].name: letters,"
            + " digits",
        "\"command\": \"true\", \"arms\": [{\"name\": \"a\", \"jvmm\": 1}] ~ arms[0].jvmm: unknown"
            + " field",
        "\"command\": \"true\", \"arms\": [{\"name\": \"a\"}, {\"name\": \"a\"}] ~ arms[1]: two"
            + " arms are called 'a'",
        "\"command\": \"true\", \"arms\": [{\"name\": \"a\"}, {\"name\": \"b\", \"workload\":"
            + " [\"embed\"]}] ~ arms[1]: commands and workloads",
        "\"command\": null                                           ~ null is not used",
      })
  void aWrongFileIsOneLineThatNamesThePlace(String rest, String line) throws IOException {
    Answer answer = run(file(rest), "--dry-run");
    assertThat(answer.err()).contains("mine.json: " + line).hasLineCount(1);
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.out()).isEmpty();
    assertThat(folder.resolve("runs")).doesNotExist();
  }

  @Test
  void aBudgetThatIsFarTooShortIsOneLineThatSaysWhatWouldDo() throws IOException {
    Path slow =
        file("\"command\": \"sleep 0.3\", \"arms\": [{\"name\": \"a\"}, {\"name\": \"b\"}]");
    Answer answer = run(slow, "--budget", "100ms");
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err())
        .contains("--budget 1s: no time for one round; a trial takes: a 0.")
        .containsPattern("1 not tried\\. Leave out what is slow, or --budget \\d+s would do")
        .hasLineCount(1);
    try (var left = Files.list(folder.resolve("runs"))) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void whereOnlyPilotsFitTheyAreTheAnswerAndWhatWouldDoIsSaid() throws IOException {
    Path slow = file("\"command\": \"sleep 1\", \"arms\": [{\"name\": \"a\"}, {\"name\": \"b\"}]");
    Answer answer = run(slow, "--budget", "3s");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .contains("--budget 3s: no time for one round; this rests on one cold trial of each")
        .containsPattern("--budget \\d+s would do");
    try (var left = Files.list(folder.resolve("runs"))) {
      assertThat(left)
          .singleElement()
          .satisfies(run -> assertThat(run.resolve("sweep.json")).exists());
    }
  }

  @Test
  void theReferenceIsBestWhereItIs() throws IOException {
    Path file =
        file(
            """
            "metric": "([0-9]+)", "command": "echo {c}00", "parameters": {"c": [1, 2, 3]}
            """);
    assertThat(run(file, "--budget", "30s").out())
        .startsWith(
            "c-1, the reference, is best by more than 2 %: c-2 2.00x (2.00–2.00), c-3 3.00x"
                + " (3.00–3.00) of its")
        .contains("2.00x (2.00–2.00), worse");
  }

  @Test
  void aPatternThatFindsNothingIsSaidWithoutAnOptionThatIsNotThere() throws IOException {
    Path file = file("\"metric\": \"rate: ([0-9]+)\", \"command\": \"echo 5\"");
    assertThat(run(file, "--budget", "1s").err())
        .contains("mine: nothing that 'echo 5' printed matches the metric 'rate: ([0-9]+)'")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "--only dance                ~ --only dance: embed has workers, simd",
        "--only kv-cache             ~ --only kv-cache: embed has",
        "-- kernels                  ~ 'kernels': embed or generate",
      })
  void aBadQuestionToAblationIsOneLine(String words, String line) {
    List<Object> args = new ArrayList<>(List.of("experiment", "ablation"));
    args.addAll(List.of((Object[]) words.strip().split(" ")));
    Answer answer = Answer.of(args.toArray());
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains(line).hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '~',
      quoteCharacter = '`',
      value = {
        "context -- embed                 ~ 'embed': context runs generate only",
        "quantization --types f32,q9      ~ no type 'q9': there is f32, f16",
        "quantization --types f32,iq4_xs  ~ 'iq4_xs' can be read but not written: choose from f32",
        "tiles --only zz                  ~ --only zz: there is f32.rows",
      })
  void whatCanBeChosenIsSaid(String words, String line) {
    List<Object> args = new ArrayList<>(List.of("experiment"));
    args.addAll(List.of((Object[]) words.strip().split(" ")));
    Answer answer = Answer.of(args.toArray());
    assertThat(answer.code()).isEqualTo(2);
    assertThat(answer.err()).contains(line).hasLineCount(1);
  }

  @Test
  void tooManyArmsAreRefusedBeforeTheyAreMade() throws IOException {
    String values = "[" + "1,2,3,4,5,6,7,8,9,10" + "]";
    String grid = "\"a\": %s, \"b\": %s, \"c\": %s".formatted(values, values, values);
    Answer answer =
        run(file("\"command\": \"{a} {b} {c}\", \"parameters\": {" + grid + "}"), "--dry-run");
    assertThat(answer.err()).contains("parameters: 1,000 arms; at most 200").hasLineCount(1);
  }

  @Test
  void whatIsNoFileOrNoneOfOursIsOneLine() throws IOException {
    assertThat(run(folder.resolve("none.json")).err()).contains("none.json").hasLineCount(1);
    assertThat(run(folder).err()).contains("Is a directory").hasLineCount(1);
    Files.writeString(folder.resolve("mine.json"), "{\"name\": \"x\"}");
    assertThat(run(folder.resolve("mine.json")).err()).contains("not a file of Ridgeline");
    assertThat(Answer.of("experiment", "run").err()).contains("--example").hasLineCount(1);
  }

  @Test
  void anyDamageIsOneLine() throws IOException {
    String whole = Answer.of("experiment", "run", "--example").out();
    long seed = 17;
    Random random = new Random(seed);
    Path file = folder.resolve("mine.json");
    for (int i = 0; i < 300; i++) {
      int at = random.nextInt(whole.length());
      int to = Math.min(whole.length(), at + 1 + random.nextInt(20));
      String odd =
          List.of("{", "}", "[", "]", "\"", "\\u0000", "{x}", "9e99", "-", "null")
              .get(random.nextInt(10));
      String bad =
          switch (random.nextInt(4)) {
            case 0 -> whole.substring(0, at);
            case 1 -> whole.substring(0, at) + odd + whole.substring(at);
            case 2 -> whole.substring(0, at) + whole.substring(to);
            default -> whole.substring(0, at) + whole.substring(at, to) + whole.substring(at);
          };
      Files.writeString(file, bad);
      Answer answer = run(file, "--dry-run");
      assertThat(answer.code()).as("seed %d, %d: %s", seed, i, answer.err()).isIn(0, 2);
      if (answer.code() == 2) assertThat(answer.err()).as("seed %d, %d", seed, i).hasLineCount(1);
    }
  }

  @Test
  void whatIsPrintedAndWhatTheGuideShowsFollowsTheSchema() throws IOException {
    JsonNode schema = JsonMapper.shared().readTree(DOCS.resolve("experiment.schema.json").toFile());
    List<String> examples = new ArrayList<>();
    examples.add(Answer.of("experiment", "run", "--example").out());
    Pattern block = Pattern.compile("```json\n(\\{.*?\n})\n```", Pattern.DOTALL);
    block
        .matcher(Files.readString(DOCS.resolve("experiments.md")))
        .results()
        .map(MatchResult::group)
        .map(text -> text.replaceAll("^```json\n|\n```$", ""))
        .filter(text -> text.contains("\"plan\""))
        .forEach(examples::add);
    assertThat(examples).hasSizeGreaterThanOrEqualTo(3);
    SmallSchema rules = new SmallSchema(schema);
    for (String example : examples) {
      assertThat(rules.against(JsonMapper.shared().readTree(example))).isEmpty();
      Files.writeString(folder.resolve("mine.json"), example);
      assertThat(run(folder.resolve("mine.json"), "--dry-run").err()).isEmpty();
    }
    for (var wrong :
        Map.of(
                "\"x\": 1",
                "x",
                "\"command\": 3",
                "command",
                "\"arms\": [{\"name\": \"/\"}]",
                "name")
            .entrySet()) {
      JsonNode node = JsonMapper.shared().readTree(HEAD + wrong.getKey() + "}");
      assertThat(rules.against(node)).as(wrong.getKey()).contains(wrong.getValue());
      assertThat(run(file(wrong.getKey()), "--dry-run").code()).isEqualTo(2);
    }
  }

  private Path onlyRun() throws IOException {
    try (var runs = Files.list(folder.resolve("runs"))) {
      List<Path> all = runs.toList();
      assertThat(all).hasSize(1);
      assertThat(all.getFirst().getFileName().toString()).endsWith("-experiment-mine");
      return all.getFirst();
    }
  }
}
