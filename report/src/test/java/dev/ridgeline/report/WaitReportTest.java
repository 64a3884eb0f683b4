package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.file.ProfileJson;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** Reports rank what runs, and say who waits and for what. */
@Execution(CONCURRENT)
class WaitReportTest {
  @Test
  void tablesRankByRunningTimeAndSayWhatTheRestWasFor() {
    String screen = Console.draw(shop().report(), Console.Style.plain(100), 10, List.of());
    assertThat(screen.lines().dropWhile(line -> !line.contains("by running time")).limit(7))
        .containsExactly(
            "  scope, by running time  running ms      %  waiting ms        for  calls  total ms"
                + "   avg ms",
            "  price                        500.0   76.9           –          –     10     500.0"
                + "     50.0",
            "  count                        100.0   15.4       900.0       lock     10   1,000.0"
                + "    100.0",
            "  send                          50.0    7.7     1,950.0  I/O, lock      4   2,000.0"
                + "    500.0",
            "  nap                            0.0    0.0     1,000.0      sleep      1   1,000.0"
                + "  1,000.0",
            "  all                            0.0    0.0       500.0     parked      1     500.0"
                + "    500.0",
            "  total                        650.0  100.0     4,350.0");
    assertThat(screen.replaceAll("\\s+", " "))
        .contains(
            "Percentages are of the 650 ms that 1 thread ran, out of 5,000 ms thread time;"
                + " wall time was 1,000 ms. Waiting is estimated from 100 looks at what threads do,"
                + " one every 10.0 ms.");
  }

  @Test
  void whereAllTimeIsWaitingThereAreNoShares() {
    Report report =
        Made.profile().calibration(100, 100).waiting(-1, "nap", 5, 100, 0, 0, 100, 0).report();
    assertThat(Console.draw(report, Console.Style.plain(100), 10, List.of()))
        .contains("by running time", "Percentages are of the 0 ns that 1 thread ran")
        .doesNotContain("Infinity", "NaN", "-500");
  }

  @Test
  void aCallThatIsStillOpenCountsInTablesAsInFindings() {
    Profile made = Made.profile().waiting(-1, "nap", 1, 100, 0, 0, 100, 0).report().profile();
    Profile.Lane lane = made.lanes().getFirst();
    Profile.Node nap = lane.nodes().getFirst();
    Profile.Time time =
        new Profile.Time(
            0, 1, nap.time().totalNanos(), nap.time().selfNanos(), 0, 0, Histogram.EMPTY);
    Profile.Node open =
        new Profile.Node(
            nap.parent(),
            nap.name(),
            nap.origin(),
            time,
            nap.allocation(),
            nap.work(),
            nap.fanOut(),
            nap.waiting());
    Profile ended =
        new Profile(
            made.level(),
            made.started(),
            made.wallNanos(),
            List.of(new Profile.Lane(lane.thread(), false, 1, List.of(open), lane.trace())),
            made.devices(),
            made.paths(),
            made.calibration(),
            made.system(),
            made.ledger(),
            made.slips(),
            made.samples(),
            made.pools(),
            made.waits());
    assertThat(Findings.of(ended, ended.tree()))
        .extracting(Finding::what)
        .contains("nap sleeps 100 ms in 1 call");
    assertThat(Column.CALLS.value(ended.tree().find("nap"), null)).isEqualTo(1);
  }

  @Test
  void selfTimeIsEnoughWhereNobodyWaits() {
    String screen =
        Console.draw(
            Made.profile().idle(-1, "price", 1, 500, 500).report(),
            Console.Style.plain(100),
            10,
            List.of());
    assertThat(screen).contains("by self time").doesNotContain("running", "waiting ms");
  }

  @Test
  void everyFormatTellsRunningFromWaiting() {
    String markdown = Markdown.draw(shop().report(), 10, 3);
    assertThat(markdown)
        .contains("## Hot paths by running time")
        .contains("| scope | running ms | self ms | % | waiting ms | for |");
    String top = Top.draw(shop().report());
    assertThat(top.lines().filter(line -> line.endsWith("  price")).findFirst().orElseThrow())
        .startsWith("     500.00 ms  76.92%");
    assertThat(top).contains("Type: running time");
  }

  @Test
  void theFindingNamesTheLockWhoWaitsAndWhoHoldsIt() {
    Finding finding = only("lock-contention", shop());
    assertThat(finding.what())
        .isEqualTo(
            "count waits 900 ms for the lock of acme.Till, held by price on 2 threads for 66.7 %"
                + " of that, also at 1 more place");
    assertThat(finding.advice())
        .isEqualTo("hold the lock for less time in price, or split what it guards");
    assertThat(finding.win()).isEqualTo("~900 ms (18.0 % of thread time) at most");
  }

  @Test
  void anOwnerOutsideOfEveryScopeIsNamedByItsThread() {
    Made made =
        Made.profile()
            .waiting(-1, "count", 1, 1000, 900, 0, 0, 0)
            .contention(0, "acme.Till", "janitor", -1, 900);
    assertThat(only("lock-contention", made).what())
        .isEqualTo(
            "count waits 900 ms for the lock of acme.Till, held by thread janitor for 100.0 % of"
                + " that");
    assertThat(only("lock-contention", Made.profile().waiting(-1, "count", 1, 1000, 900, 0, 0, 0)))
        .extracting(Finding::what)
        .isEqualTo("count waits 900 ms for a lock");
  }

  @Test
  void sleepAndInputAreFindings() {
    assertThat(only("sleep", shop()).what()).isEqualTo("nap sleeps 1,000 ms in 1 call");
    assertThat(only("io", shop()).what())
        .isEqualTo("send waits 1,500 ms for files or sockets in 4 calls");
    assertThat(rules(Made.profile().waiting(-1, "x", 1, 2000, 39, 1000, 39, 39)))
        .as("less than 2 % of the thread time")
        .doesNotContain("lock-contention", "sleep", "io");
    assertThat(rules(Made.profile().waiting(-1, "x", 1, 100, 29, 0, 29, 29)))
        .as("seen less than three times")
        .doesNotContain("lock-contention", "sleep", "io");
  }

  @Test
  void whoWaitsIsNotHot() {
    assertThat(only("dominant-scope", shop()).what())
        .isEqualTo("price takes 500 ms of 650 ms running time (76.9 %) in 10 calls");
    Made waiter =
        Made.profile().scope(-1, "main", 1, 1000, 900).scope(0, "inside", 1, 100, 100).cpuMillis(1);
    assertThat(rules(waiter)).contains("deep-self-time", "cpu-waiting");
    Made parked =
        Made.profile().waiting(-1, "main", 1, 1000, 0, 990, 0, 0).cpuMillis(1).wallMillis(9000);
    assertThat(rules(parked)).doesNotContain("dominant-scope", "deep-self-time", "cpu-waiting");
  }

  @Test
  void aFileInWhichAScopeWaitsLongerThanItTakesIsRefused() throws IOException {
    Profile profile = Made.profile().waiting(-1, "nap", 1, 100, 0, 0, 90, 0).build();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ProfileJson.write(profile, out);
    String json = out.toString(StandardCharsets.UTF_8);
    assertThat(read(json)).isEqualTo(profile);
    String longer = json.replace("\"sleepNanos\":[90000000]", "\"sleepNanos\":[100000001]");
    assertThat(longer).isNotEqualTo(json);
    assertThatThrownBy(() -> read(longer))
        .isInstanceOf(FileException.class)
        .hasMessageContaining("selfNanos[0]");
  }

  private static Profile read(String json) throws IOException {
    return ProfileJson.read(
        "profile.json", new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
  }

  /** Someone computes, and everybody else waits for something. */
  private static Made shop() {
    return Made.profile()
        .waiting(-1, "price", 10, 500, 0, 0, 0, 0)
        .waiting(-1, "count", 10, 1000, 900, 0, 0, 0)
        .waiting(-1, "nap", 1, 1000, 0, 0, 1000, 0)
        .waiting(-1, "send", 4, 2000, 450, 0, 0, 1500)
        .waiting(-1, "all", 1, 500, 0, 500, 0, 0)
        .contention(1, "acme.Till", "till-1", 0, 400)
        .contention(1, "acme.Till", "till-2", 0, 200)
        .contention(1, "acme.Till", "till-3", 3, 300)
        .contention(3, "acme.Till", "till-1", 1, 450);
  }

  private static List<String> rules(Made made) {
    Profile profile = made.build();
    return Findings.of(profile, profile.tree()).stream().map(Finding::rule).toList();
  }

  private static Finding only(String rule, Made made) {
    Profile profile = made.build();
    List<Finding> found =
        Findings.of(profile, profile.tree()).stream()
            .filter(finding -> finding.rule().equals(rule))
            .toList();
    assertThat(found).as(rule).hasSize(1);
    return found.getFirst();
  }
}
