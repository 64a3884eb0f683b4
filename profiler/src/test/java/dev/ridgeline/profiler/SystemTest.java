package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * What goes on around the scopes: collections, memory outside the heap, the recorder's own cost.
 */
class SystemTest {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void collectionsOfTheSessionAreCountedAndShown() throws InterruptedException {
    System.gc();
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    System.gc();
    // Notifications come from another thread, a little later.
    for (int i = 0; i < 500 && !asked(Profiler.snapshot().system()); i++) Thread.sleep(10);
    SystemActivity activity = Profiler.stop().system();
    assertThat(activity.collections()).isPositive();
    assertThat(asked(activity)).as("%s", activity).isTrue();
    assertThat(activity.heapAfterGcBytes()).isPositive();
    assertThat(activity.heapUsedBytes()).isPositive();
    assertThat(activity.cpuNanos()).isPositive();
  }

  private static boolean asked(SystemActivity activity) {
    return activity.pauses().stream().anyMatch(pause -> pause.cause().equals("System.gc()"));
  }

  @Test
  void theLedgerKnowsWhoHoldsWhatAndTheMostHeldInTheSession() {
    Owned before = Profiler.owned("weights", 1000);
    Owned gone = Profiler.owned("scratch", 50);
    gone.close();
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    Owned cache = Profiler.owned("kv cache", 10);
    cache.resize(70);
    cache.resize(30);
    try (var _ = Profiler.owned("kv cache", 5)) {
      before.close();
    }
    Profile profile = Profiler.stop();
    assertThat(profile.ledger())
        .isEqualTo(
            List.of(
                new Profile.LedgerEntry("kv cache", 30, 70),
                new Profile.LedgerEntry("weights", 0, 1000)));
    cache.close();
    cache.close();
    assertThatIllegalArgumentException().isThrownBy(() -> Profiler.owned("x", -1));
  }

  @Test
  void compilingIsWhatTheCompilersComputedNotHowLongTheyTook() {
    var before = new CompilerThreads(Map.of(1L, 500L, 7L, 100L), Map.of(7L, 100L));
    var now = new CompilerThreads(Map.of(1L, 900L, 7L, 300L, 8L, 50L), Map.of(7L, 300L, 8L, 50L));
    assertThat(now.since(before, 8_847, 5_040, 2)).isEqualTo(250);
    assertThat(now.since(before, 200, 5_040, 2)).as("no more than it took").isEqualTo(200);
    assertThat(now.since(before, 8_847, 1_000, 4))
        .as("350 are of threads that have ended, compilers perhaps")
        .isEqualTo(250 + 350);
    var untold = new CompilerThreads(Map.of(), Map.of());
    assertThat(untold.since(untold, 8_847, 5_040, 2)).isEqualTo(5_040);
    assertThat(untold.since(untold, 8_847, Profile.UNKNOWN, 2)).isEqualTo(8_847);
    assertThat(untold.since(untold, Profile.UNKNOWN, 5_040, 2)).isEqualTo(Profile.UNKNOWN);
  }

  @Test
  void compilersAreFoundByTheirNames() {
    assumeTrue(Files.exists(Path.of("/proc/self/schedstat")), "no thread tells its CPU time");
    assertThat(CompilerThreads.read().compilers()).isNotEmpty();
    assertThat(CompilerThreads.most()).isPositive();
  }

  @Test
  void stealIsAShareOfAllTicks() {
    long[] before = {100, 0, 100, 800, 0, 0, 0, 0, 50, 0};
    long[] after = {200, 0, 150, 900, 0, 0, 0, 25, 90, 0};
    assertThat(SystemMonitor.steal(before, after)).isCloseTo(25 / 275.0, within(1e-9));
    assertThat(SystemMonitor.steal(new long[0], after)).isEqualTo(-1);
    assertThat(SystemMonitor.steal(before, before)).isZero();
  }

  @Test
  void theRecordersOwnCostIsMeasuredAndTakenOut() {
    Profiler.start(Options.of(Level.TIME));
    for (int round = 0; round < 50; round++) {
      try (var _ = Profiler.scope(A)) {
        for (int i = 0; i < 1000; i++) Profiler.scope(B).close();
      }
    }
    Profile profile = Profiler.stop();
    Profile.Calibration cost = profile.calibration();
    assertThat(cost.clockNanos()).isPositive();
    assertThat(cost.innerNanos()).isPositive();
    assertThat(cost.scopeNanos()).isGreaterThan(cost.innerNanos());
    CallTree tree = profile.tree();
    CallTree.Node b = tree.find("a", "b");
    assertThat(b.correctedTotalNanos())
        .isCloseTo(b.totalNanos() - b.calls() * cost.innerNanos(), within(1e-3));
    CallTree.Node a = tree.find("a");
    assertThat(a.correctedSelfNanos())
        .isCloseTo(
            a.selfNanos() - a.calls() * cost.innerNanos() - b.calls() * cost.outerNanos(),
            within(1e-3));
  }

  @Test
  void callsShorterThanTheCostOfAScopeAreBelowTheFloor() {
    Profile.Calibration cost = new Profile.Calibration(25, 30, 40, 0);
    assertThat(tree(cost, 10, 10 * 99).find("a").belowFloor(cost)).isTrue();
    assertThat(tree(cost, 10, 10 * 101).find("a").belowFloor(cost)).isFalse();
  }

  @Test
  void correctedTimesAreNotClamped() {
    Profile.Calibration dear = new Profile.Calibration(25, 1000, 1000, 0);
    assertThat(tree(dear, 10, 500).find("a").correctedSelfNanos()).isEqualTo(500 - 10_000);
  }

  /** One scope of so many calls that took so long together. */
  private static CallTree tree(Profile.Calibration cost, long calls, long nanos) {
    Profile.Node node =
        new Profile.Node(
            -1,
            "a",
            Profile.Node.SCOPE,
            new Profile.Time(calls, 0, nanos, nanos, 0, nanos, Histogram.of(30, calls)),
            Profile.Allocation.NOT_RECORDED,
            Profile.Work.NONE,
            Profile.FanOut.NONE);
    Profiler.start(Options.of(Level.OFF));
    Profile empty = Profiler.stop();
    return new Profile(
            Level.TIME,
            empty.started(),
            1,
            List.of(new Profile.Lane("main", false, 1, List.of(node), Trace.EMPTY)),
            List.of(),
            List.of(),
            cost,
            empty.system(),
            List.of(),
            Profile.Slips.NONE,
            Samples.NONE,
            List.of(),
            Profile.Waits.NONE)
        .tree();
  }

  @Test
  void topRanksByAnyColumn() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    try (var _ = Profiler.scope(A)) {
      for (int i = 0; i < 9; i++) Profiler.scope(B).close();
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.top(1, CallTree.Node::calls).getFirst().name()).isEqualTo("b");
    assertThat(tree.top(1, CallTree.Node::totalNanos).getFirst().name()).isEqualTo("a");
    assertThat(tree.top(10, CallTree.Node::maxNanos)).hasSize(2);
  }
}
