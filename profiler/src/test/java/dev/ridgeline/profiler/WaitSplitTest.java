package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** No scopes run longer than looks and processors allow, whatever looks have missed. */
@Execution(ExecutionMode.CONCURRENT)
class WaitSplitTest {
  private static final long MILLI = 1_000_000;

  /** Processor time may be counted in steps of so many nanoseconds. */
  private static final long CLOCK_STEPS = 20 * MILLI;

  private static final WaitState SLEEP = new WaitState(WaitState.Kind.SLEEP, "", -1, "");
  private static final WaitState LOCK = new WaitState(WaitState.Kind.LOCK, "", -1, "");

  @Test
  void lanesThatNoLookMetWaitedAsOthersOfTheirPlaceDid() {
    List<Lane> lanes = lanes(10_000, 300 * MILLI);
    LaneWaits seen = new LaneWaits();
    seen.add(0, SLEEP, 100 * MILLI);
    Waiting waiting = split(lanes, List.of(seen), 0, 2_000 * MILLI);
    assertThat(running(lanes, waiting))
        .isBetween(2_000 * MILLI, 2_000 * MILLI + CLOCK_STEPS + MILLI);
    assertThat(waiting.sleepNanos()).isEqualTo(waiting.nanos());
  }

  @Test
  void whatNoLookTellsIsOther() {
    List<Lane> lanes = lanes(1_000, 300 * MILLI);
    Waiting waiting = split(lanes, List.of(), 0, 500 * MILLI);
    assertThat(running(lanes, waiting)).isBetween(500 * MILLI, 500 * MILLI + CLOCK_STEPS + MILLI);
    assertThat(waiting.otherNanos()).isEqualTo(waiting.nanos());
  }

  @Test
  void whatAProcessorWorkedForOrALookMetRunnableIsRunning() {
    List<Lane> lanes = lanes(8, 100 * MILLI);
    assertThat(split(lanes, List.of(), 0, 800 * MILLI)).isEqualTo(Waiting.NONE);
    // Eight threads that share one processor.
    List<LaneWaits> seen = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      seen.add(new LaneWaits());
      seen.getLast().add(0, WaitState.RUNNING, 100 * MILLI);
    }
    assertThat(split(lanes, seen, 800 * MILLI, 100 * MILLI)).isEqualTo(Waiting.NONE);
  }

  @Test
  void withoutProcessorTimeOnlyWhatWasSeenIsWaiting() {
    List<Lane> lanes = lanes(1_000, 300 * MILLI);
    LaneWaits seen = new LaneWaits();
    seen.add(0, SLEEP, 10 * MILLI);
    Waiting waiting = split(lanes, List.of(seen), 0, Profile.UNKNOWN);
    assertThat(waiting).isEqualTo(new Waiting(0, 0, 10 * MILLI, 0, 0));
  }

  @Test
  void aLookAtOneOfManyThreadsSpeaksForTheOthers() {
    List<Lane> lanes = lanes(10, 100 * MILLI);
    LaneWaits seen = new LaneWaits();
    // More than its own scope lasted: it stands for ten.
    seen.add(0, LOCK, 500 * MILLI);
    WaitSplit split = new WaitSplit(lanes, List.of(seen), 0, 10_000 * MILLI);
    // Rounded down to whole nanoseconds in each lane.
    assertThat(waiting(split).lockNanos()).isBetween(500 * MILLI - 10, 500 * MILLI);
    assertThat(split.partOfLock(0, 0)).isEqualTo(1);
  }

  @Test
  void aThreadThatWasSeenRunningTakesNoWaitsOfOthers() {
    List<Lane> lanes = lanes(2, 100 * MILLI);
    LaneWaits waited = new LaneWaits();
    waited.add(0, LOCK, 150 * MILLI);
    LaneWaits ran = new LaneWaits();
    ran.add(0, WaitState.RUNNING, 100 * MILLI);
    WaitSplit split = new WaitSplit(lanes, List.of(waited, ran), 100 * MILLI, 100 * MILLI);
    assertThat(split.lanes().get(0).nodes().get(0).waiting().lockNanos()).isEqualTo(100 * MILLI);
    assertThat(split.lanes().get(1).nodes().get(0).waiting()).isEqualTo(Waiting.NONE);
  }

  @Test
  void theBoundHoldsAndNoScopeWaitsLongerThanItLasts() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      List<Lane> lanes = new ArrayList<>();
      List<LaneWaits> seen = new ArrayList<>();
      long runnable = 0;
      int count = 1 + random.nextInt(50);
      for (int i = 0; i < count; i++) {
        lanes.add(lane(random.nextLong(100 * MILLI), random.nextLong(100 * MILLI)));
        LaneWaits lane = new LaneWaits();
        for (int look = random.nextInt(4); look > 0; look--) {
          WaitState state = List.of(WaitState.RUNNING, SLEEP, LOCK).get(random.nextInt(3));
          long nanos = random.nextLong(100 * MILLI);
          lane.add(random.nextInt(2), state, nanos);
          if (state == WaitState.RUNNING) runnable += nanos;
        }
        if (random.nextBoolean()) seen.add(lane);
      }
      long cpu = random.nextLong(1_000 * MILLI);
      WaitSplit split = new WaitSplit(lanes, seen, runnable, cpu);
      for (Lane lane : split.lanes()) {
        for (Node node : lane.nodes()) {
          assertThat(node.waiting().nanos())
              .as("seed %d", seed)
              .isBetween(0L, node.time().selfNanos());
        }
      }
      assertThat(running(lanes, waiting(split)))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(runnable + cpu + CLOCK_STEPS + MILLI);
    }
  }

  private static Waiting split(
      List<Lane> lanes, List<LaneWaits> seen, long runnableNanos, long cpuNanos) {
    return waiting(new WaitSplit(lanes, seen, runnableNanos, cpuNanos));
  }

  private static Waiting waiting(WaitSplit split) {
    Waiting all = Waiting.NONE;
    for (Lane lane : split.lanes()) for (Node node : lane.nodes()) all = all.plus(node.waiting());
    return all;
  }

  private static long running(List<Lane> lanes, Waiting waiting) {
    long self = 0;
    for (Lane lane : lanes) for (Node node : lane.nodes()) self += node.time().selfNanos();
    return self - waiting.nanos();
  }

  private static List<Lane> lanes(int count, long nanos) {
    List<Lane> lanes = new ArrayList<>();
    for (int i = 0; i < count; i++) lanes.add(lane(nanos));
    return lanes;
  }

  /** Scopes within each other, with these self times. */
  private static Lane lane(long... selfNanos) {
    List<Node> nodes = new ArrayList<>();
    for (int i = 0; i < selfNanos.length; i++) {
      long total = 0;
      for (int j = i; j < selfNanos.length; j++) total += selfNanos[j];
      nodes.add(
          new Node(
              i - 1,
              "scope " + i,
              Node.SCOPE,
              new Profile.Time(1, 0, total, selfNanos[i], total, total, Histogram.EMPTY),
              Profile.Allocation.NOT_RECORDED,
              Profile.Work.NONE,
              Profile.FanOut.ofTask(0)));
    }
    return new Lane("thread", false, 1, nodes, Trace.EMPTY);
  }
}
