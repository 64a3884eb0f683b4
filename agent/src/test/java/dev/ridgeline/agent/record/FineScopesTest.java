package dev.ridgeline.agent.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.agent.scope.ScopedMethod;
import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.Trace;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** Which scopes go on being recorded, at 60 ns inside and 40 ns outside for each call. */
@Execution(CONCURRENT)
class FineScopesTest {
  private static final long MANY = 70_000_000;

  private final ScopeTable table = new ScopeTable();
  private final List<Profile.Node> nodes = new ArrayList<>();

  @Test
  void whatTakesLessThanItsRecordingIsSwitchedOff() {
    scope("tiny", -1, 2_000_000, 90);
    scope("large", -1, 1_000, 1_000_000_000);
    assertThat(switchedOff()).containsExactly("tiny");
  }

  @Test
  void whatTakesMoreThanItsRecordingIsSwitchedOffOnceThatIsMuchOfTheRun() {
    scope("often", -1, MANY, 300);
    scope("large", -1, 1_000, 1_000_000);
    assertThat(switchedOff()).containsExactly("often");
  }

  @Test
  void whatIsLongEnoughStays() {
    scope("often", -1, MANY, 1_000);
    assertThat(switchedOff()).isEmpty();
  }

  @Test
  void theMostCalledGoUntilTheRestIsBearable() {
    scope("first", -1, 30_000_000, 200);
    scope("second", -1, 20_000_000, 200);
    scope("third", -1, 9_000_000, 200);
    assertThat(switchedOff()).containsExactly("first", "second");
  }

  @Test
  void aRecursionIsJudgedByWhatACallItselfTakes() {
    // Each level holds all those below it: summed up, a call would seem to take long.
    scope("fib", -1, 1, 20_000_000_000L);
    scope("fib", 0, 2_000_000, 9_500);
    scope("fib", 1, 70_000_000, 257);
    assertThat(switchedOff()).containsExactly("fib");
  }

  @Test
  void fewCallsAreNeverTooMany() {
    scope("few", -1, 999_999, 90);
    assertThat(switchedOff()).isEmpty();
  }

  private void scope(String name, int parent, long calls, long nanosPerCall) {
    table.number(method(name));
    var time =
        new Profile.Time(
            calls, 0, calls * nanosPerCall, 0, nanosPerCall, nanosPerCall, Histogram.EMPTY);
    nodes.add(
        new Profile.Node(
            parent,
            method(name).scopeName(),
            Profile.Node.SCOPE,
            time,
            Profile.Allocation.NOT_RECORDED,
            Profile.Work.NONE,
            Profile.FanOut.NONE));
  }

  private static ScopedMethod method(String name) {
    return new ScopedMethod("acme.Engine", name, "()V", name);
  }

  private List<String> switchedOff() {
    FineScopes fine = new FineScopes(table, 1_000_000);
    fine.check(profile());
    List<String> off = List.copyOf(fine.switchedOff());
    for (ScopedMethod method : table.methods()) {
      boolean passes = table.scope(table.number(method)) == null;
      assertThat(passes).isEqualTo(off.contains(method.givenName()));
    }
    return off;
  }

  private Profile profile() {
    var lane = new Profile.Lane("main", false, 1, nodes, Trace.EMPTY);
    return new Profile(
        Level.TIME,
        Instant.EPOCH,
        100_000_000_000L,
        List.of(lane),
        List.of(),
        List.of(),
        new Profile.Calibration(20, 60, 40, 0),
        new SystemActivity(List.of(), List.of(), 0, 0, 0, 0, 0, 0, 0),
        List.of(),
        Profile.Slips.NONE,
        Samples.NONE,
        List.of(),
        Profile.Waits.NONE);
  }
}
