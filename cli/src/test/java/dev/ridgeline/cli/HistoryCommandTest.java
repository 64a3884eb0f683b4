package dev.ridgeline.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.line.ExitCode;
import dev.ridgeline.lab.history.sql.View;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import dev.ridgeline.report.run.RunDraft;
import dev.ridgeline.report.run.Runs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class HistoryCommandTest {
  private static final Instant BEGIN = Instant.parse("2026-01-15T10:00:00Z");

  @TempDir private Path folder;
  private Path runs;

  @BeforeEach
  void threeRuns() {
    runs = folder.resolve("runs");
    keep("embed", BEGIN, "Zen 4", "aaa111", metric("embedded", 100, 110, 90));
    keep("embed", BEGIN.plusSeconds(60), "Zen 4", "bbb222", metric("embedded", 200));
    keep(
        "generate",
        BEGIN.plusSeconds(120),
        "Zen 4",
        "bbb222",
        metric("decode", 800, 801),
        metric("p99 of a token", 3));
  }

  private static Metric metric(String name, double... samples) {
    return Metric.of(name, "things/s", Better.HIGHER, samples);
  }

  private RunDirectory keep(
      String name, Instant started, String architecture, String revision, Metric... metrics) {
    Machine machine =
        new Machine(
            "AMD EPYC",
            architecture,
            architecture.isEmpty() ? (int) Machine.UNKNOWN : 2,
            24L << 30,
            Machine.Limits.NONE,
            "Linux",
            new Machine.Jvm("OpenJDK", "25.0.3+9", "C2", "Serial", 6L << 30, List.of("-Xa")));
    Run run =
        new Run(
            name,
            name + " · 256 texts",
            started,
            List.of("ridgeline", "profile", name),
            List.of(),
            machine,
            revision,
            Map.of("model", "tiny"),
            Map.of("strategy", "packed"),
            Map.of(),
            "sha256:abc",
            List.of(metrics),
            List.of(),
            0,
            Ceilings.NONE);
    try (RunDraft draft = new Runs(runs).begin(name, started)) {
      draft.write(run);
      RunDirectory kept = draft.commit();
      // What was written just now is no part of an index yet.
      assertThat(kept.path().resolve("run.json").toFile().setLastModified(1_000_000_000L)).isTrue();
      return kept;
    }
  }

  private Answer history(Object... args) {
    Object[] all = new Object[args.length + 3];
    all[0] = "history";
    System.arraycopy(args, 0, all, 1, args.length);
    all[args.length + 1] = "--runs";
    all[args.length + 2] = runs;
    return Answer.of(all);
  }

  private String said(Object... args) {
    Answer answer = history(args);
    assertThat(answer.err()).isEmpty();
    assertThat(answer.code()).isZero();
    return answer.out();
  }

  @Test
  void runsAreListedNewestFirst() {
    assertThat(said())
        .isEqualTo(
            """
            when, UTC         name            median   spread  metric    revision  what
            2026-01-15 10:02  generate  801 things/s   ±0.1 %  decode    bbb222    generate · 256 texts
            2026-01-15 10:01  embed     200 things/s        –  embedded  bbb222    embed · 256 texts
            2026-01-15 10:00  embed     100 things/s  ±10.0 %  embedded  aaa111    embed · 256 texts
            3 of 3 runs
            """);
  }

  @Test
  void theSecondListIsThatOfTheIndex() {
    String first = said();
    assertThat(runs.resolve(".index/runs")).exists();
    assertThat(said()).isEqualTo(first);
  }

  @Test
  void theMachineIsShownWhereSeveralAppear() {
    assertThat(said()).doesNotContain("machine");
    keep("embed", BEGIN.plusSeconds(180), "Zen 5", "ccc333", metric("embedded", 1));
    assertThat(said()).contains("machine", "Zen 4, 2 cores", "Zen 5, 2 cores");
    assertThat(said("--machine", "zen 5")).contains("1 of 1 run such, 4 runs in all");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --name embed                 | 2 of 2 runs such, 3 runs in all
          --revision bbb               | 2 of 2 runs such, 3 runs in all
          --revision bbb --name embed  | 1 of 1 run such, 3 runs in all
          --metric p99                 | 1 of 1 run such, 3 runs in all
          --machine zen                | 3 of 3 runs
          --since 2026-01-15T10:01:00Z | 2 of 2 runs such, 3 runs in all
          --since 2026-01-16           | no runs match (3 in total)
          --top 2                      | 2 of 3 runs
          --name x                     | no runs match (3 in total)
          """)
  void filtersSayHowManyTheyLeave(String options, String counts) {
    assertThat(said((Object[]) options.split(" ")).lines().toList().getLast()).isEqualTo(counts);
  }

  @Test
  void anAgeIsCountedFromNow() {
    keep("embed", Instant.now().minus(30, ChronoUnit.HOURS), "Zen 4", "new", metric("embedded", 1));
    assertThat(said("--since", "2d")).contains("1 of 1 run such");
    assertThat(said("--since", "24h")).startsWith("no runs match (4");
  }

  @Test
  void anotherMetricIsShownWhereAskedFor() {
    assertThat(said("--metric", "P99")).contains("3.00 things/s", "p99 of a token");
  }

  @Test
  void experimentsAreRows() {
    keep("ab", BEGIN.plusSeconds(300), "Zen 4", "bbb222");
    assertThat(said("--name", "ab")).containsPattern("ab +– +– +– +bbb222 +ab · 256 texts");
  }

  /** The median of one arm is no result of all of them. */
  @Test
  void anExperimentHasNoLevelOfItsOwn() {
    for (String name : List.of("ab", "bisect", "experiment-scaling")) {
      keep(
          name,
          BEGIN.plusSeconds(400),
          "Zen 4",
          "bbb222",
          metric("one: embedded", 7),
          metric("other: embedded", 8));
      assertThat(said("--name", name)).containsPattern(name + " +– +– +– +bbb222");
    }
    assertThat(said("--metric", "embedded")).doesNotContain("one:").contains("2 of 2 runs such");
    assertThat(said("embedded")).doesNotContain("one:", "nothing like it");
    assertThat(said("--metric", "one: embedded")).contains("7.00 things/s", "3 of 3 runs such");
    assertThat(
            said(
                "--csv",
                "--sql",
                "select count(*) n, count(metric) m, count(median) d from runs where run like"
                    + " '%00640Z%'"))
        .isEqualTo("n,m,d\n3,0,0\n");
    assertThat(said("--csv", "--sql", "select max(value) v from samples where metric like 'o%'"))
        .isEqualTo("v\n8.0\n");
  }

  @Test
  void coresThatNobodyKnowsAreNoNumber() {
    keep("jmh", BEGIN, "", "", metric("score", 1));
    assertThat(said("--csv", "--sql", "select count(*) n, min(cores) c from machines"))
        .isEqualTo("n,c\n2,2\n");
  }

  @Test
  void aProgramGetsJson() {
    JsonNode json = JsonMapper.shared().readTree(said("--json", "--name", "embed", "--top", "1"));
    assertThat(json.get("all").asInt()).isEqualTo(3);
    assertThat(json.get("selected").asInt()).isEqualTo(2);
    JsonNode run = json.get("runs").get(0);
    assertThat(run.get("run").asString()).isEqualTo("20260115T100100Z-embed");
    assertThat(run.get("metric").get("median").asDouble()).isEqualTo(200);
  }

  @Test
  void aDamagedRunIsSkippedWithALine() throws IOException {
    Path damaged = Files.createDirectories(runs.resolve("20300101T000000Z-x"));
    for (String bad : List.of("{", "not JSON", "{\"ridgeline\":\"run\",\"version\":99}")) {
      Files.writeString(damaged.resolve("run.json"), bad);
      for (Answer answer : List.of(history(), history("--sql", "select count(*) c from runs"))) {
        assertThat(answer.code()).isZero();
        assertThat(answer.err()).startsWith("ridgeline: skipped: ").hasLineCount(1);
        assertThat(answer.err()).contains("20300101T000000Z-x/run.json");
        assertThat(answer.out()).contains("3");
      }
    }
  }

  @Test
  void whereThereAreNoRunsItSaysHowToMakeOne() throws IOException {
    Path none = folder.resolve("none");
    assertThat(Answer.of("history", "--runs", none).err())
        .isEqualTo("ridgeline: --runs " + none + ": no such folder\n");
    Files.createDirectory(none);
    assertThat(Answer.of("history", "--runs", none).out())
        .isEqualTo("no runs in " + none + " yet; make one: ridgeline profile\n");
    assertThat(Answer.of("history", "--runs", none, "--sql", "from runs").out())
        .endsWith("0 rows\n");
    assertThat(none).isEmptyDirectory();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --since yesterday               | --since yesterday: a day such as 2026-11-16
          --since 2026-13-01              | --since 2026-13-01: a day
          --top 0                         | --top 0: at least 1
          --name ''                       | --name '': is empty
          --sql selekt                    | --sql: Parser Error: syntax error at or near "selekt"
          --sql select§nope§from§runs     | --sql: Binder Error: Referenced column "nope" not found
          --sql from§nowhere              | --sql: Catalog Error: Table with name nowhere does not exist
          --sql from§runs --csv --json    | --csv and --json: one of them
          --sql ''                        | --sql '': is empty
          --html page.html                | --html needs a METRIC
          --sql from§runs --html x.html   | --html needs a METRIC
          --csv                           | --csv needs --sql
          embedded --csv                  | --csv needs --sql
          --sql select§1;§select§2        | --sql: several queries; one at a time
          """)
  void aBadQuestionIsOneLine(String options, String reason) {
    Object[] words =
        Arrays.stream(options.split(" "))
            .map(word -> word.equals("''") ? "" : word.replace('§', ' '))
            .toArray();
    Answer answer = history(words);
    assertThat(answer.code()).as(answer.err()).isEqualTo(2);
    assertThat(answer.err()).startsWith("ridgeline: " + reason).hasLineCount(1);
    assertThat(answer.out()).isEmpty();
  }

  @Test
  void anOptionThatChangesNothingIsSaid() {
    assertThat(history("--sql", "select 1", "--name", "embed").err())
        .isEqualTo("ridgeline: --name has no effect here\n");
  }

  @Test
  void aQueryIsATableCsvOrJson() {
    String query =
        "select name, max(median) / 3 best, null as none from runs group by name order by 1";
    assertThat(said("--sql", query))
        .isEqualTo(
            """
            name         best  none
            embed     66.6667     –
            generate  266.833     –
            2 rows
            """);
    assertThat(said("--sql", query, "--csv"))
        .isEqualTo("name,best,none\nembed,66.66666666666667,\ngenerate,266.8333333333333,\n");
    JsonNode json = JsonMapper.shared().readTree(said("--sql", query, "--json"));
    assertThat(json.get("columns").toString()).isEqualTo("[\"name\",\"best\",\"none\"]");
    assertThat(json.get("rows").get(0).get(1).asDouble()).isEqualTo(200 / 3.0);
    assertThat(json.get("rows").get(0).get(2).isNull()).isTrue();
    assertThat(said("--sql", query, "--top", "1")).contains("1 row, and more: --top N");
  }

  @Test
  void cellsWithCommasAndQuotesAreQuotedInCsv() {
    assertThat(said("--sql", "select 'a,b' x, 'say \"hi\"' y, [1,2] z", "--csv"))
        .isEqualTo("x,y,z\n\"a,b\",\"say \"\"hi\"\"\",\"[1,2]\"\n");
  }

  @Test
  void tablesJoin() {
    assertThat(
            said(
                "--csv",
                "--sql",
                """
                select r.started, m.microarchitecture, s.position, s.value, workload['model'] model
                from samples s join runs r using (run) join machines m using (machine)
                where s.metric = 'embedded' order by 1, 3\
                """))
        .isEqualTo(
            """
            started,microarchitecture,position,value,model
            2026-01-15T10:00,Zen 4,0,100.0,tiny
            2026-01-15T10:00,Zen 4,1,110.0,tiny
            2026-01-15T10:00,Zen 4,2,90.0,tiny
            2026-01-15T10:01,Zen 4,0,200.0,tiny
            """);
  }

  @Test
  void scopesAreThoseOfTheProfile() {
    Answer made =
        Answer.of(
            "profile", "kernels", "--runs", runs, "--filter", "matmul 128", "--budget", "0.02");
    assertThat(made.code()).as(made.err()).isZero();
    RunDirectory run = new Runs(runs).find("last");
    var node = run.profile().tree().find("kernels", "matmul 128");
    assertThat(
            said(
                "--csv",
                "--sql",
                "select calls, self_ns, flops, depth from scopes where path = 'kernels › matmul"
                    + " 128'"))
        .isEqualTo(
            "calls,self_ns,flops,depth\n%d,%d,%d,2\n"
                .formatted(
                    node.calls(), Math.round(node.correctedSelfNanos()), node.work().flops()));
    assertThat(
            said(
                "--csv",
                "--sql",
                "select running_ns, lock_ns, parked_ns, sleep_ns, io_ns, other_ns from scopes where"
                    + " path = 'kernels › matmul 128'"))
        .isEqualTo(
            "running_ns,lock_ns,parked_ns,sleep_ns,io_ns,other_ns\n%d,%d,%d,%d,%d,%d\n"
                .formatted(
                    Math.round(node.correctedRunningNanos()),
                    node.waiting().lockNanos(),
                    node.waiting().parkedNanos(),
                    node.waiting().sleepNanos(),
                    node.waiting().ioNanos(),
                    node.waiting().otherNanos()));
  }

  @Test
  void aProfileThatCannotBeReadCostsItsScopesAndALineEveryTime() throws IOException {
    Files.writeString(runs.resolve("20260115T100000Z-embed/profile.json"), "{");
    for (int i = 0; i < 2; i++) {
      Answer answer = history("--csv", "--sql", "select count(*) n from runs");
      assertThat(answer.out()).isEqualTo("n\n3\n");
      assertThat(answer.err())
          .startsWith("ridgeline: skipped: ")
          .contains("profile.json")
          .hasLineCount(1);
    }
  }

  private Path tables() throws IOException {
    try (var files = Files.newDirectoryStream(runs.resolve(".index"), "history-*.duckdb")) {
      var all = files.iterator();
      Path first = all.next();
      assertThat(all.hasNext()).as("others").isFalse();
      return first;
    }
  }

  @Test
  void whatComesAndGoesIsSeenByTheNextQuery() throws IOException {
    String names = "select string_agg(revision, ' ' order by revision) r from runs";
    String machines = "select string_agg(microarchitecture, ' ' order by 1) m from machines";
    assertThat(said("--csv", "--sql", names)).isEqualTo("r\naaa111 bbb222 bbb222\n");
    RunDirectory added = keep("embed", BEGIN.plusSeconds(900), "Zen 5", "ccc", metric("x", 1));
    assertThat(said("--csv", "--sql", names)).isEqualTo("r\naaa111 bbb222 bbb222 ccc\n");
    assertThat(said("--csv", "--sql", machines)).isEqualTo("m\nZen 4 Zen 5\n");
    Runs.delete(added.path());
    assertThat(said("--csv", "--sql", names)).isEqualTo("r\naaa111 bbb222 bbb222\n");
    assertThat(said("--csv", "--sql", machines)).isEqualTo("m\nZen 4\n");
    try (var files = Files.list(runs.resolve(".index"))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("runs", tables().getFileName().toString());
    }
  }

  @Test
  void damagedTablesAreMadeAnew() throws IOException {
    String count = "select count(*) n from runs";
    said("--sql", count);
    byte[] whole = Files.readAllBytes(tables());
    byte[] flipped = whole.clone();
    flipped[whole.length / 2] ^= 1;
    for (byte[] bad : new byte[][] {{}, "x".getBytes(), Arrays.copyOf(whole, 5000), flipped}) {
      Files.write(tables(), bad);
      assertThat(said("--csv", "--sql", count)).isEqualTo("n\n3\n");
    }
  }

  @Test
  void whereNoTablesCanBeKeptTheyAreMadeForTheQuery() throws IOException {
    Files.writeString(runs.resolve(".index"), "in the way");
    assertThat(said("--csv", "--sql", "select count(*) n from runs")).isEqualTo("n\n3\n");
    assertThat(runs.resolve(".index")).hasContent("in the way");
  }

  @Test
  void aLogBesideTheTablesIsNotReadAndGone() throws IOException {
    said("--sql", "select 1");
    Path log = tables().resolveSibling(tables().getFileName() + ".wal");
    Files.writeString(log, "no log");
    assertThat(said("--csv", "--sql", "select count(*) n from runs")).isEqualTo("n\n3\n");
    assertThat(log).doesNotExist();
  }

  @Test
  void structuresAndBytesAreWhatTheyAre() {
    String query = "select {'a': 1, 'b': {'c': [2]}} s, 'xy'::blob b, [{'d': 'z'}] l";
    JsonNode row = JsonMapper.shared().readTree(said("--json", "--sql", query)).at("/rows/0");
    assertThat(row.toString()).isEqualTo("[{\"a\":1,\"b\":{\"c\":[2]}},\"7879\",[{\"d\":\"z\"}]]");
  }

  @Test
  void aRunThatLeadsNowhereIsToldAndLeftOut() throws IOException {
    Path run = Files.createDirectories(runs.resolve("20300101T000000Z-x"));
    Files.createSymbolicLink(run.resolve("run.json"), Path.of("run.json"));
    Answer answer = history();
    assertThat(answer.code()).isZero();
    assertThat(answer.err()).startsWith("ridgeline: skipped: ").contains("20300101T000000Z-x");
    assertThat(answer.out()).contains("3 of 3 runs");
  }

  @Test
  void aRunOfAYearThatNobodyCanDrawIsToldAndLeftOut() throws IOException {
    Path run = Files.createDirectories(runs.resolve("20300101T000000Z-x"));
    String json = Files.readString(runs.resolve("20260115T100000Z-embed/run.json"));
    for (String year : List.of("+1000000000", "+10000", "-0001")) {
      Files.writeString(run.resolve("run.json"), json.replace("\"2026-", "\"" + year + "-"));
      Answer answer = history("embedded");
      assertThat(answer.code()).as(answer.err()).isZero();
      assertThat(answer.err()).contains("started: '" + year).hasLineCount(1);
      assertThat(answer.out()).contains("2 runs at their best, 2026-01-15 10:00");
    }
  }

  @Test
  void noQueryReachesAFile() throws IOException {
    Files.writeString(folder.resolve("secret.csv"), "a,b\n1,2\n");
    said("--sql", "select 1");
    byte[] tables = Files.readAllBytes(tables());
    String queries =
        """
        copy runs to 'FOLDER/x.csv'
        copy (select 1) to 'FOLDER/x.parquet'
        select * from read_csv('FOLDER/secret.csv')
        select * from read_text('FOLDER/secret.csv')
        select * from 'FOLDER/secret.csv'
        select * from glob('FOLDER/*')
        attach 'FOLDER/x.db'
        export database 'FOLDER/x'
        install httpfs
        load httpfs
        delete from runs
        drop table runs
        create table history.x as select 1
        set enable_external_access = true
        set disabled_filesystems = ''
        use memory; detach history; attach 'TABLES' as h; create table h.evil as select 1
        detach history; attach 'TABLES' as h (read_only)
        copy (select 1) to 'TABLES.wal'
        """;
    String file = tables().toString();
    for (String query : queries.lines().toList()) {
      String asked = query.replace("FOLDER", folder.toString()).replace("TABLES", file);
      Answer answer = history("--sql", asked);
      assertThat(answer.code()).as(query).isEqualTo(2);
      assertThat(answer.err()).as(query).startsWith("ridgeline: --sql: ").hasLineCount(1);
    }
    assertThat(tables()).hasBinaryContent(tables);
    try (var files = Files.list(folder)) {
      assertThat(files).containsExactlyInAnyOrder(folder.resolve("secret.csv"), runs);
    }
  }

  @Test
  void theDocumentedColumnsAreTheRealOnes() throws IOException {
    String page = Files.readString(Path.of("../docs/history.md"));
    for (View view : View.values()) {
      String section = page.split("\n### " + view.word() + "\n")[1].split("\n##")[0];
      String documented =
          section
              .lines()
              .filter(line -> line.startsWith("| `"))
              .map(line -> line.split(" \\| ", 3))
              .map(cells -> cells[0].replaceAll("[|` ]", "") + " " + cells[1])
              .collect(Collectors.joining("\n", "x\n", "\n"));
      String real =
          "select column_name || ' ' || column_type x from (describe %s)".formatted(view.word());
      assertThat(said("--csv", "--sql", real).replace("\"", "")).isEqualTo(documented);
    }
    assertThat(said("--csv", "--sql", "show tables"))
        .as("and no others")
        .isEqualTo("name\nmachines\nruns\nsamples\nscopes\n");
  }

  @Test
  void aMetricIsPlottedAndAPageOfItIsWrittenWhole() throws IOException {
    Answer answer = history("embedded");
    assertThat(answer.code()).as(answer.err()).isZero();
    assertThat(answer.out())
        .startsWith("embedded, things/s, higher is better · embed\n")
        .contains("2 runs at their best, 2026-01-15 10:00 to 2026-01-15 10:01 UTC")
        .contains("too few to tell a change");
    Path page = folder.resolve("trend.html");
    assertThat(history("embedded", "--html", page).out()).contains("Open  " + page);
    assertThat(page).content().contains("<svg").contains("aaa111").endsWith("</html>\n");
    JsonNode json = JsonMapper.shared().readTree(history("p99", "--json").out());
    assertThat(json.at("/series/0/metric").asString()).isEqualTo("p99 of a token");
    assertThat(json.at("/series/0/points/0/value").asDouble()).isEqualTo(3);
  }

  @Test
  void aMetricThatNoRunHasIsABadQuestion() {
    Answer answer = history("warmth");
    assertThat(answer.code()).isEqualTo(ExitCode.BAD_QUESTION);
    assertThat(answer.err()).isEqualTo("ridgeline: no run with a metric 'warmth'\n");
    assertThat(history("embedded", "--sql", "select 1").code()).isEqualTo(ExitCode.BAD_QUESTION);
  }
}
