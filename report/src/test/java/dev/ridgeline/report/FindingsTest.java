package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.report.Finding.Severity;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class FindingsTest {
  /** Many small scopes: nothing to say about them. */
  private static Made quiet() {
    Made made = Made.profile().scope(-1, "main", 1, 1000, 0);
    for (int i = 0; i < 50; i++) made.scope(0, "part " + i, 10, 20, 20);
    return made;
  }

  @Test
  void aQuietProfileHasNoFindings() {
    assertThat(findings(quiet())).isEmpty();
  }

  @Test
  void anEmptyProfileHasNoFindings() {
    assertThat(findings(Made.profile())).isEmpty();
  }

  @Test
  void aScopeWithFortyPercentDominates() {
    assertThat(rules(main(400, "matmul"))).contains("dominant-scope");
    assertThat(rules(main(399, "matmul"))).doesNotContain("dominant-scope");
    Finding finding = only("dominant-scope", main(400, "matmul"));
    assertThat(finding.what())
        .isEqualTo("main › matmul takes 400 ms of 1,000 ms thread time (40.0 %) in 10 calls");
    assertThat(finding.win()).isEqualTo("~40.0 ms (4.0 % of thread time) for every tenth off it");
    assertThat(finding.severity()).isEqualTo(Severity.OPPORTUNITY);
  }

  @Test
  void aParentThatKeepsItsTimeNeedsScopes() {
    assertThat(rules(parent(400, 200))).contains("deep-self-time");
    assertThat(rules(parent(401, 200))).as("less than half").doesNotContain("deep-self-time");
    assertThat(rules(parent(398, 199))).as("less than a fifth").doesNotContain("deep-self-time");
    assertThat(only("deep-self-time", parent(400, 200)).what())
        .isEqualTo(
            "main › parent spends 200 ms of its 400 ms outside of its inner scopes"
                + " (20.0 % of thread time)");
  }

  /** A scope with one child, in 1,000 ms of thread time. */
  private static Made parent(double total, double self) {
    Made made = Made.profile().scope(-1, "main", 1, 1000, 0).scope(0, "parent", 1, total, self);
    made.scope(1, "child", 1, total - self, total - self);
    double rest = (1000 - total) / 10;
    for (int i = 0; i < 10; i++) made.scope(0, "part " + i, 1, rest, rest);
    return made;
  }

  @Test
  void aLongTailIsVariance() {
    double[] calls = new double[100];
    Arrays.fill(calls, 1);
    for (int i = 0; i < 5; i++) calls[i] = 4;
    assertThat(rules(quiet().calls(0, "tail", calls))).contains("high-variance");
    Arrays.fill(calls, 1);
    for (int i = 0; i < 5; i++) calls[i] = 1.6;
    assertThat(rules(quiet().calls(0, "tail", calls))).doesNotContain("high-variance");
  }

  @Test
  void theSchedulersNoiseIsNoOpportunity() {
    double[] calls = new double[100];
    Arrays.fill(calls, 1);
    for (int i = 0; i < 5; i++) calls[i] = 4;
    assertThat(rules(quiet().calls(0, "tail", calls).cpuMillis(240)))
        .contains("cpu-waiting")
        .doesNotContain("high-variance");
  }

  @Test
  void timesThatGrowWithTheContextAreVarianceToo() {
    double[] growing = DoubleStream.iterate(85, t -> t + 177.0 / 149).limit(150).toArray();
    Finding finding =
        only(
            "high-variance",
            Made.profile().scope(-1, "main", 1, 26_000, 0).calls(0, "forward", growing));
    assertThat(finding.what())
        .startsWith("main › forward takes p50 17")
        .contains("(min 85.0 ms, max 262 ms) over 150 calls");
  }

  @Test
  void fewCallsOrLittleTimeAreNoVariance() {
    double[] calls = new double[19];
    Arrays.fill(calls, 5);
    calls[0] = 50;
    calls[1] = 50;
    assertThat(rules(quiet().calls(0, "few", calls))).doesNotContain("high-variance");
    double[] little = new double[20];
    Arrays.fill(little, 1);
    little[0] = little[1] = little[2] = 5;
    assertThat(rules(quiet().calls(0, "little", little))).doesNotContain("high-variance");
  }

  @Test
  void whatStandsBesideTheWorkIsNamedFromATwentiethOn() {
    assertThat(rules(decode(50, 500))).contains("beside-the-work");
    assertThat(rules(decode(49, 500))).as("of decode").doesNotContain("beside-the-work");
    assertThat(rules(decode(50, 4500))).as("of all").doesNotContain("beside-the-work");
    Finding finding = only("beside-the-work", decode(50, 500));
    assertThat(finding.what())
        .isEqualTo(
            "decode › sample takes 5.0 % of the time around it (50.0 ms of 1,000 ms) and declares"
                + " no bytes or FLOPs");
    assertThat(finding.win()).isEqualTo("~50.0 ms (3.3 % of thread time) at most");
    Made undeclared = Made.profile().idle(-1, "main", 1, 1000, 900).idle(0, "part", 1, 100, 100);
    assertThat(rules(undeclared)).as("nothing declares").doesNotContain("beside-the-work");
  }

  /** A second of decoding that draws tokens for so long, and something else. */
  private static Made decode(double sampling, double other) {
    double products = 1000 - sampling;
    return Made.profile()
        .scope(-1, "decode", 1, 1000, 0)
        .scope(0, "layers", 10, products, 0)
        .idle(0, "sample", 10, sampling, sampling)
        .scope(1, "products", 10, 0.9 * products, 0.9 * products)
        .idle(1, "softmax", 10, 0.1 * products, 0.1 * products)
        .scope(-1, "other", 10, other, other);
  }

  @Test
  void manyShortCallsAskForABatch() {
    assertThat(rules(quiet().scope(0, "short", 100_000, 99, 99))).contains("many-short-calls");
    assertThat(rules(quiet().scope(0, "short", 99_999, 98, 98))).doesNotContain("many-short-calls");
    assertThat(rules(quiet().scope(0, "short", 100_000, 100, 100)))
        .doesNotContain("many-short-calls");
    assertThat(rules(quiet().scope(0, "short", 100_000, 50, 50)))
        .as("5 %% of thread time is 52.6 ms")
        .doesNotContain("many-short-calls");
  }

  @Test
  void allocationInAHotScopeIsSeen() {
    assertThat(rules(quiet().allocating(0, "hot", 10_000, 60, 10_000_000)))
        .contains("allocation-in-hot-scope");
    assertThat(rules(quiet().allocating(0, "hot", 10_000, 60, 9_999_999)))
        .doesNotContain("allocation-in-hot-scope");
    assertThat(rules(quiet().allocating(0, "hot", 10_001, 60, 10_000_000)))
        .doesNotContain("allocation-in-hot-scope");
    assertThat(rules(quiet().allocating(0, "cold", 10_000, 40, 10_000_000)))
        .doesNotContain("allocation-in-hot-scope");
    Finding finding =
        only(
            "allocation-in-hot-scope",
            quiet().allocating(0, "hot", 150, 60, 7_549_500_000L).gcMillis(20));
    assertThat(finding.what())
        .isEqualTo(
            "main › hot allocates 50.3 MB a call, 7.5 GB in 150 calls (100.0 % of all allocation)");
    assertThat(finding.win()).isEqualTo("~20.0 ms, its part of the collections");
    assertThat(finding.advice()).isEqualTo("reuse a buffer that the caller owns");
  }

  @Test
  void allocationsAreRankedByTheWinsThatAreSaid() {
    Made made =
        quiet()
            .allocating(0, "hotter", 100, 300, 10_000_000)
            .allocating(0, "greedier", 100, 100, 190_000_000)
            .gcMillis(20);
    assertThat(
            findings(made).stream()
                .filter(one -> one.rule().equals("allocation-in-hot-scope"))
                .map(Finding::win))
        .containsExactly(
            "~19.0 ms, its part of the collections", "~1.00 ms, its part of the collections");
  }

  @Test
  void vectorsThatTheJitBoxesAreNamedWhereAScopeComputes() {
    Finding finding =
        only("allocation-in-hot-scope", quiet().boxing(0, "matmul", 10_000, 60, 10_000_000));
    assertThat(finding.advice()).contains("the JIT may box them", "--sample=alloc");
  }

  @Test
  void allocationThatWasNotRecordedIsNoFinding() {
    Made made = Made.profile().level(Level.TIME).scope(-1, "main", 1, 1000, 0);
    for (int i = 0; i < 50; i++) made.scope(0, "part " + i, 10, 20, 20);
    assertThat(findings(made)).isEmpty();
  }

  @Test
  void collectionsOverAFewPercentArePressure() {
    assertThat(rules(quiet().gcMillis(50))).containsExactly("gc-pressure");
    assertThat(rules(quiet().gcMillis(49))).isEmpty();
    assertThat(only("gc-pressure", quiet().gcMillis(50)).what())
        .isEqualTo("3 collections took 50.0 ms of 1,000 ms wall time (5.0 %), the longest 25.0 ms");
  }

  @Test
  void anUnevenRegionIsImbalance() {
    assertThat(rules(region(1.20, 90, 60))).contains("imbalance");
    assertThat(rules(region(1.19, 90, 60))).doesNotContain("imbalance");
    Made brief = region(1.5, 90, 60).wallMillis(2001);
    assertThat(rules(brief)).as("under 5 %% of wall").doesNotContain("imbalance");
    assertThat(only("imbalance", region(1.25, 90, 60)).win()).isEqualTo("~18.8 ms wall time");
  }

  @Test
  void threadsThatWaitMakeAnIdleRegion() {
    assertThat(rules(region(1.0, 70, 69))).contains("idle-region");
    assertThat(rules(region(1.0, 70, 70))).doesNotContain("idle-region");
    assertThat(rules(region(1.45, 100, 38)))
        .as("imbalance explains it")
        .contains("imbalance")
        .doesNotContain("idle-region");
    assertThat(only("idle-region", region(1.0, 60, 60)).what())
        .isEqualTo("region keeps 2 threads only 60.0 % busy: 120 ms of work in 100 ms wall time");
  }

  @Test
  void aRegionIsNeverToldToCutItsTasksSmallerAndLarger() {
    // 60 of 200 ms used: the busiest thread does 45, 15 more than its part, and waits for 55.
    assertThat(rules(region(1.5, 40, 20))).contains("idle-region").doesNotContain("imbalance");
    assertThat(only("idle-region", region(1.5, 40, 20)).win()).isEqualTo("~55.0 ms wall time");
    // 90 of 200 ms used: the busiest does 85.5, 40.5 more than its part, and waits for 14.5.
    assertThat(rules(region(1.9, 85.5, 4.5))).contains("imbalance").doesNotContain("idle-region");
  }

  @Test
  void threadsThatLiveForOneCallOfARegionAreNotIdleInTheOthers() {
    Made made = Made.profile().region(-1, "region", 200, 1.0, 30, 2);
    for (int i = 0; i < 60; i++) made.worker("pool-" + i, false, 5.2);
    assertThat(rules(made)).as("312 of 2 × 200 ms").doesNotContain("idle-region", "imbalance");
    assertThat(Tables.region(made.build().tree().find("region")))
        .containsExactly("200.0", "312.0", "2", "1.00", "78.0 %", "60");
  }

  @Test
  void aRegionOfWhichNoCallHasEndedIsNotJudged() {
    Made made = Made.profile().region(-1, "region", 200, 1.0, 0, 0);
    for (int i = 0; i < 60; i++) made.worker("pool-" + i, false, 1);
    assertThat(rules(made)).doesNotContain("idle-region");
  }

  /** A region of 100 ms wall and two workers, in a session of one second. */
  private static Made region(double imbalance, double busyA, double busyB) {
    return Made.profile()
        .region(-1, "region", 100, imbalance)
        .worker("worker-1", false, busyA)
        .worker("worker-2", false, busyB);
  }

  @Test
  void aRecorderThatCostsATenthIsUnsound() {
    assertThat(rules(quiet().calibration(1, 0).scope(0, "short", 100_000_000, 0, 0)))
        .as("100 of 1,000 ms")
        .contains("recorder-overhead");
    assertThat(rules(quiet().calibration(0.99, 0).scope(0, "short", 100_000_000, 0, 0)))
        .doesNotContain("recorder-overhead");
  }

  @Test
  void scopesBelowTheFloorAreNoted() {
    Made below = quiet().calibration(25, 30).scope(0, "tiny", 1_000, 0.07, 0.07);
    Finding finding = only("below-floor", below);
    assertThat(finding.severity()).isEqualTo(Severity.NOTE);
    assertThat(finding.what())
        .isEqualTo(
            "1 scope with 1,000 calls below the 55.0 ns that a scope costs, main › tiny first");
    assertThat(rules(quiet().calibration(25, 30).scope(0, "tiny", 1_000, 0.08, 0.08)))
        .as("80 ns less 25 is not below 55")
        .doesNotContain("below-floor");
    assertThat(rules(quiet().calibration(25, 30).scope(0, "tiny", 999, 0.06, 0.06)))
        .doesNotContain("below-floor");
  }

  @Test
  void misuseIsUnsound() {
    assertThat(only("misused-scopes", quiet().slips(new Slips(1, 2, 0, 0))).what())
        .isEqualTo("2 scopes never closed and 1 end without a beginning");
    assertThat(only("misused-scopes", quiet().slips(new Slips(0, 1, 0, 0))).what())
        .isEqualTo("1 scope never closed");
    assertThat(only("suppressed-calls", quiet().slips(new Slips(0, 0, 7, 0))).severity())
        .isEqualTo(Severity.UNSOUND);
    assertThat(only("late-tasks", quiet().slips(new Slips(0, 0, 0, 1))).what())
        .startsWith("1 task ran on");
  }

  @Test
  void droppedEventsAreNoted() {
    assertThat(only("dropped-events", quiet().dropped(5)).what())
        .isEqualTo("the timeline kept the last 1 event and dropped 5 before them");
  }

  @Test
  void stolenTimeIsUnsound() {
    assertThat(rules(quiet().steal(0.02))).containsExactly("cpu-steal");
    assertThat(rules(quiet().steal(0.0199))).isEmpty();
    assertThat(rules(quiet().steal(Profile.UNKNOWN))).isEmpty();
  }

  @Test
  void scopesThatWaitForTheCpuAreNoted() {
    assertThat(only("cpu-waiting", quiet().cpuMillis(799)).what())
        .isEqualTo("scopes had a CPU for only 79.9 % of their time (799 ms of 1,000 ms)");
    assertThat(only("cpu-waiting", quiet().cpuMillis(799)).severity()).isEqualTo(Severity.DOUBTFUL);
    assertThat(rules(quiet().cpuMillis(800))).isEmpty();
    assertThat(rules(region(1.0, 100, 100).cpuMillis(160)))
        .as("waiting for tasks is explained already")
        .doesNotContain("cpu-waiting");
  }

  @Test
  void aRunThatStillCompilesIsUnsound() {
    assertThat(rules(quiet().jitMillis(100))).containsExactly("jit-still-compiling");
    assertThat(rules(quiet().jitMillis(99))).isEmpty();
    assertThat(rules(quiet().jitMillis(-1))).isEmpty();
  }

  @Test
  void whatAnUnsoundRunBendsIsNotAdvised() {
    assertThat(rules(region(1.0, 400, 400).wallMillis(200).cpuMillis(600)))
        .contains("cpu-waiting")
        .doesNotContain("idle-region", "imbalance");
    assertThat(rules(region(1.0, 60, 60).steal(0.02))).doesNotContain("idle-region");
    assertThat(rules(quiet().allocating(0, "hot", 10_000, 60, 10_000_000).jitMillis(100)))
        .contains("jit-still-compiling")
        .doesNotContain("allocation-in-hot-scope");
    Made made = main(500, "matmul").jitMillis(100).steal(0.5);
    assertThat(only("dominant-scope", made).win())
        .endsWith("for every tenth off it (doubtful: cpu-steal, jit-still-compiling)");
  }

  @Test
  void scopesWithoutWorkAreNoted() {
    assertThat(rules(workless())).containsExactly("no-work-declared");
    assertThat(rules(workless().scope(0, "with work", 1, 1, 1))).isEmpty();
  }

  private static Made workless() {
    Made made = Made.profile().idle(-1, "main", 1, 1000, 0);
    for (int i = 0; i < 50; i++) made.idle(0, "part " + i, 10, 20, 20);
    return made;
  }

  @Test
  void whatIsUnsoundComesFirstThenWhatIsWorthMost() {
    Made made = main(500, "matmul").gcMillis(300).steal(0.5).slips(new Slips(0, 0, 0, 1));
    assertThat(rules(made))
        .containsExactly("cpu-steal", "gc-pressure", "dominant-scope", "late-tasks");
  }

  @Test
  void oneRuleDoesNotFloodTheReport() {
    Made made = Made.profile().scope(-1, "main", 1, 1000, 0);
    for (int i = 0; i < 10; i++) made.allocating(0, "part " + i, 10, 100, 50_000_000);
    assertThat(rules(made)).containsOnly("allocation-in-hot-scope").hasSize(3);
  }

  @Test
  void aScopeThatFiresAtManyPlacesSpeaksOnce() {
    Made made = Made.profile().scope(-1, "main", 1, 1000, 0);
    for (int i = 0; i < 5; i++) {
      made.scope(0, "layer " + i, 10, 200, 0);
      made.allocating(1 + 2 * i, "softmax", 10, 200, 50_000_000 + i);
    }
    assertThat(only("allocation-in-hot-scope", made).what())
        .startsWith("main › layer ")
        .contains(" › softmax allocates 5.0 MB a call")
        .endsWith(", also at 4 more places");
  }

  @Test
  void findingsOfAnyProfileAreOneLineEach() {
    for (long seed = 0; seed < 40; seed++) {
      Profile profile = SampleProfiles.random(seed, 60, 4, Level.values()[1 + (int) (seed % 3)]);
      for (Finding finding : Findings.of(profile, profile.tree())) {
        assertThat(finding.what() + finding.advice() + finding.win())
            .as("seed %d", seed)
            .hasLineCount(1)
            .doesNotContain("NaN", "Infinity", "null");
        assertThat(finding.rule()).matches("[a-z-]+");
      }
    }
  }

  /** One leaf in 1,000 ms of thread time, the rest in small ones. */
  private static Made main(double millis, String name) {
    Made made = Made.profile().scope(-1, "main", 1, 1000, 0).scope(0, name, 10, millis, millis);
    double rest = (1000 - millis) / 20;
    for (int i = 0; i < 20; i++) made.scope(0, "part " + i, 10, rest, rest);
    return made;
  }

  private static List<Finding> findings(Made made) {
    Profile profile = made.build();
    return Findings.of(profile, profile.tree());
  }

  private static List<String> rules(Made made) {
    return findings(made).stream().map(Finding::rule).toList();
  }

  private static Finding only(String rule, Made made) {
    List<Finding> found =
        findings(made).stream().filter(finding -> finding.rule().equals(rule)).toList();
    assertThat(found).as(rule).hasSize(1);
    return found.getFirst();
  }
}
