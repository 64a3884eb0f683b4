package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Slips;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class ConsoleTest {
  private static final List<String> OPEN = List.of("runs/x/report.html");

  @Test
  void theScreenBeginsWithTheAnswer() {
    Report report =
        Made.profile()
            .level(Level.TIME)
            .calibration(20, 30)
            .idle(-1, "embed", 1, 1000, 50)
            .working(0, "matmul", 32, 812.3, 4_000_000_000L, 80_000_000_000L)
            .working(0, "gelu", 64, 137.7, 275_400_000L, 0)
            .wallMillis(1010)
            .cpuMillis(2020)
            .report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, OPEN))
        .isEqualTo(
            """
            title
            subtitle

              471 texts/s  median

              scope, by self time  self ms      %  calls  total ms    avg ms    max ms    p99 ms  GB/s  GFLOP/s
              embed › matmul         812.3   81.2     32     812.3     25.38     25.38     25.38  4.92    98.49
              embed › gelu           137.7   13.8     64     137.7      2.15      2.15      2.15  2.00        –
              embed                   50.0    5.0      1   1,000.0  1,000.00  1,000.00  1,000.00  4.28    80.00
              total                1,000.0  100.0
              Percentages are of the 1,000 ms thread time summed over 1 thread; wall time was 1,010 ms. Times
              are corrected: the recorder's own 4.82 µs (<0.1 %) is subtracted, ±0.4 ns a call remains.

              GC      no collections
              JIT     0 ms of compiling
              CPU     2,020 ms, 2.00 cores busy on average · steal 0.1 %
              Memory  peak RSS 412 MB · heap 31.0 MB of 6.0 GB · after GC 9.0 MB
              Owned   kv cache 1.0 MB (peak 4.2 MB)

              Next    1  embed › matmul takes 812 ms of 1,000 ms thread time (81.2 %) in 32 calls; start here,
                         nothing else can win as much. Wins ~81.2 ms (8.1 % of thread time) for every tenth off
                         it [dominant-scope]
              Sound   yes: every scope closed · recorder's cost <0.1 % · CPU steal 0.1 %
              Open    runs/x/report.html
            """);
  }

  @Test
  void aPoolTellsWhatItLost() {
    Report report = report(SampleProfiles.random(3, 20, 2, Level.TIME));
    assertThat(Console.draw(report, Console.Style.plain(140), 10, OPEN))
        .contains(
            "  Workers cpu: 1 thread, 1,000 regions, 4,000 tasks · dispatch 2.00 ms"
                + " · callers waited 3.00 ms · spin 40.0 ms · park 9.00 µs\n");
  }

  @Test
  void noLineIsEverTooLong() {
    for (long seed = 0; seed < 30; seed++) {
      Profile profile =
          SampleProfiles.random(
              seed, 20 + (int) seed * 20, 4, Level.values()[1 + (int) (seed % 3)]);
      Report report = report(profile);
      for (int width : new int[] {60, 80, 100, 133, 200}) {
        for (boolean bars : new boolean[] {false, true}) {
          Console.Style style = new Console.Style(width, false, bars);
          for (String line : Console.draw(report, style, 30, OPEN).split("\n")) {
            assertThat(Text.width(line)).as("seed %d: %s", seed, line).isLessThanOrEqualTo(width);
          }
        }
      }
    }
  }

  @Test
  void widerScreensHaveMoreColumns() {
    Report report = report(SampleProfiles.random(3, 60, 2, Level.ALLOCATION));
    String narrow = header(Console.draw(report, Console.Style.plain(80), 10, OPEN));
    String wide = header(Console.draw(report, Console.Style.plain(200), 10, OPEN));
    assertThat(narrow).contains("self ms", "%", "calls").doesNotContain("min", "p99");
    assertThat(wide)
        .contains(
            "self ms",
            "%",
            "calls",
            "total ms",
            "avg",
            "min",
            "max",
            "p99",
            "allocated",
            "alloc/call",
            "GB/s",
            "GFLOP/s");
  }

  @Test
  void columnsWithoutANumberVanish() {
    Report report = Made.profile().level(Level.TIME).idle(-1, "main", 1, 10, 10).report();
    assertThat(header(Console.draw(report, Console.Style.plain(200), 10, OPEN)))
        .doesNotContain("alloc", "GB/s", "GFLOP/s");
  }

  @Test
  void unknownAllocationIsNeverZero() {
    Report report =
        Made.profile().region(-1, "region", 100, 1).worker("virtual", true, 90).report();
    String screen = Console.draw(report, Console.Style.plain(160), 10, OPEN);
    assertThat(screen.lines().filter(line -> line.contains("region ⇉ task  ")).findFirst())
        .hasValueSatisfying(row -> assertThat(row).contains("?").doesNotContain("0 B"));
    assertThat(screen).contains("?: allocation that the JVM does not tell");
  }

  @Test
  void aPlainScreenHasNoColoursAndNoBars() {
    Report report = report(SampleProfiles.random(5, 200, 4, Level.TRACE));
    assertThat(Console.draw(report, Console.Style.plain(100), 10, OPEN))
        .doesNotContain("\u001b", "█");
    assertThat(Console.draw(report, Console.Style.terminal(100), 10, OPEN))
        .contains("\u001b[1m", "█");
  }

  @Test
  void coloursDoNotChangeTheText() {
    for (long seed = 0; seed < 10; seed++) {
      Report report = report(SampleProfiles.random(seed, 200, 4, Level.TRACE));
      String coloured = Console.draw(report, Console.Style.terminal(100), 10, OPEN);
      String plain = Console.draw(report, new Console.Style(100, false, true), 10, OPEN);
      assertThat(coloured.replaceAll("\u001b\\[\\d+m", "").replaceAll(" +\n", "\n"))
          .as("seed %d", seed)
          .isEqualTo(plain);
    }
  }

  @Test
  void namesCannotSteerTheTerminal() {
    Report report = Made.profile().scope(-1, "evil\u001b[2J\nname", 1, 10, 10).report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, List.of("a\u001bb")))
        .doesNotContain("\u001b", "evil\n")
        .contains("evil�[2J name");
  }

  @Test
  void scopesBelowTheFloorAreMarked() {
    Report report =
        Made.profile()
            .calibration(25, 30)
            .scope(-1, "main", 1, 1, 0.93)
            .scope(0, "tiny", 1_000, 0.07, 0.07)
            .report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, OPEN))
        .contains("main › tiny *", "*: calls shorter than the 55.0 ns a scope costs here")
        .doesNotContain("main *");
  }

  @Test
  void rowsAreToldApartOnANarrowScreen() {
    Made made = Made.profile().scope(-1, "embed", 1, 80, 0);
    for (int i = 0; i < 4; i++) {
      made.scope(0, "layer " + "abcd".charAt(i), 1, 20, 0).scope(1 + 3 * i, "attention", 1, 20, 0);
      made.scope(2 + 3 * i, "softmax of all heads", 1, 20, 20);
    }
    assertThat(Console.draw(made.report(), Console.Style.plain(80), 10, OPEN))
        .contains("layer a › … › softmax", "layer b › … ›", "layer c › … ›", "layer d › … ›");
  }

  @Test
  void layersAreOneRow() {
    Made made = Made.profile().scope(-1, "embed", 1, 80, 0);
    for (int i = 0; i < 4; i++) {
      made.scope(0, "layer " + i, 1, 20, 0).scope(1 + 2 * i, "softmax", 1, 20, 20);
    }
    assertThat(Console.draw(made.report(), Console.Style.plain(80), 10, OPEN))
        .containsPattern("layer 0–3 › softmax +80\\.00 +100\\.0 +4 ")
        .doesNotContain("layer 1");
  }

  @Test
  void topLimitsTheRowsAndSaysWhatIsLeftOut() {
    Report report = report(SampleProfiles.random(8, 100, 1, Level.TIME));
    String screen = Console.draw(report, Console.Style.plain(100), 3, OPEN);
    List<String> rows =
        screen.lines().dropWhile(line -> !line.contains("by self time")).skip(1).limit(5).toList();
    int left = report.folded().tree().nodes().size() - 3;
    assertThat(rows.get(3)).startsWith("  … " + left + " more scopes");
    assertThat(rows.get(4)).startsWith("  total").contains("100.0");
  }

  @Test
  void aParallelRegionShowsWallBusyAndImbalance() {
    Report report =
        Made.profile()
            .region(-1, "region", 100, 1.25)
            .worker("worker-1", false, 100)
            .worker("worker-2", false, 60)
            .report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, OPEN))
        .contains(
            "  parallel region  wall ms  busy ms  threads  imbalance  in use  tasks\n"
                + "  region             100.0    160.0        2       1.25  80.0 %      2\n",
            "  region †  ", "†: handed tasks to other threads");
  }

  @Test
  void aRegionThatTookPartInItsTasksDidNotWaitForThem() {
    // Of 100 ms it worked 40 itself; the other thread worked no longer.
    Report report =
        Made.profile().region(-1, "region", 100, 1).own(40).worker("worker", false, 40).report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, List.of()))
        .contains(
            "  region ‡  ",
            "‡: handed tasks over and did some itself; its self time is what lies between: handing"
                + " over,")
        .doesNotContain("†");
    // Of 100 ms it worked 2 itself and was there for the other thread's 98.
    Report waits =
        Made.profile().region(-1, "region", 100, 1.96).own(2).worker("worker", false, 98).report();
    assertThat(Console.draw(waits, Console.Style.plain(100), 10, List.of()))
        .contains("  region †  ")
        .doesNotContain("‡");
  }

  @Test
  void aRunOfAFewTicksDoesNotSayHowManyCoresWereBusy() {
    Made brief = Made.profile().scope(-1, "main", 1, 4, 4).wallMillis(4).cpuMillis(10);
    assertThat(Console.draw(brief.report(), Console.Style.plain(100), 10, List.of()))
        .contains("CPU     10.0 ms, too short to tell how many cores were busy")
        .doesNotContain("cores busy on average");
    Made idle = Made.profile().scope(-1, "main", 1, 4, 4).wallMillis(4).cpuMillis(0);
    assertThat(Console.draw(idle.report(), Console.Style.plain(100), 10, List.of()))
        .doesNotContain("cpu-waiting");
  }

  @Test
  void theAverageOfTheMostCalledFollowsFromWhatStandsBesideIt() {
    Made made = Made.profile().scope(-1, "main", 20_000, 200, 50).scope(0, "inner", 1, 150, 150);
    assertThat(Console.draw(made.report(), Console.Style.plain(100), 10, List.of()))
        .containsPattern("scope, by calls +calls +self ms +% +total ms +avg µs")
        .containsPattern("main +20,000 +50[.]0+ +25[.]0 +200[.]0+ +10[.]0+");
  }

  @Test
  void aScopeThatHandsLittleOverAndWorksItselfDoesNotWait() {
    Report report =
        Made.profile().region(-1, "main", 642, 1, 1, 1).worker("worker", false, 0.033).report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, List.of()))
        .contains("  main  ")
        .doesNotContain("†", "parallel region");
    Report half =
        Made.profile().region(-1, "main", 642, 1, 1, 1).worker("worker", false, 321).report();
    assertThat(Console.draw(half, Console.Style.plain(100), 10, List.of()))
        .contains("  main †  ", "parallel region");
  }

  @Test
  void whatIsUnsoundIsSaid() {
    Report report =
        Made.profile().scope(-1, "main", 1, 10, 10).slips(new Slips(0, 2, 0, 0)).report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, OPEN))
        .contains("  Sound   no: 2 scopes never closed;")
        .doesNotContain("yes:");
  }

  @Test
  void aRunThatGotNoCpuIsDoubtful() {
    Report report = Made.profile().scope(-1, "main", 1, 100, 100).cpuMillis(24).report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, OPEN))
        .contains("  Sound   doubtful: scopes had a CPU for only 24.0 % of their time")
        .doesNotContain("yes:");
  }

  @Test
  void asManyRowsAreShownAsAreAskedFor() {
    Made made = Made.profile().scope(-1, "main", 1, 1000, 999.8);
    for (int i = 0; i < 16; i++) made.scope(0, "part " + (i + 1), 1, 0.0125, 0.0125);
    assertThat(Console.draw(made.report(), Console.Style.plain(100), 17, OPEN))
        .doesNotContain("more scope");
    assertThat(Console.draw(made.report(), Console.Style.plain(100), 15, OPEN))
        .contains("… 2 more scopes");
  }

  @Test
  void anEmptyProfileIsSaidSo() {
    assertThat(Console.draw(Made.profile().report(), Console.Style.plain(80), 10, List.of()))
        .contains("Nothing was recorded")
        .doesNotContain("NaN", "Open");
  }

  private static Report report(Profile profile) {
    var tree = profile.tree();
    return new Report(
        new Report.Headline(
            "a title that is long enough to be broken, ".repeat(4),
            "AMD EPYC",
            List.of(
                new Report.Figure("471 texts/s", "median of 5"),
                new Report.Figure("0 B/text", "allocated in the steady state ".repeat(5)),
                new Report.Figure("2.1 ms", "p50"))),
        List.of(),
        List.of(),
        profile,
        tree,
        Findings.of(profile, tree));
  }

  private static String header(String screen) {
    return screen.lines().filter(line -> line.contains("by self time")).findFirst().orElseThrow();
  }
}
