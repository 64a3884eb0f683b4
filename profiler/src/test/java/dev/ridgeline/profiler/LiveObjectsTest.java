package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.SampleTable.Owner;
import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Kind;
import dev.ridgeline.profiler.Samples.Location;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a few objects stand for, and whose they are. */
class LiveObjectsTest {
  private static final long MAIN = 1;
  private final SampleTable table = new SampleTable();
  private final LiveObjects live = new LiveObjects();

  @Test
  void objectsStandForWhatTheHeapHasGrownBy() {
    assertThat(LiveObjects.weights(new long[] {10, 20, 30}, 600)).containsExactly(200, 200, 200);
    assertThat(LiveObjects.weights(new long[] {10, 500, 20}, 600)).containsExactly(50, 500, 50);
    assertThat(LiveObjects.weights(new long[] {}, 600)).isEmpty();
  }

  @Test
  void noObjectStandsForLessThanItself() {
    assertThat(LiveObjects.weights(new long[] {10, 20}, 5)).containsExactly(10, 20);
    assertThat(LiveObjects.weights(new long[] {10, 20}, -5)).containsExactly(10, 20);
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      long[] sizes =
          random.longs(1 + random.nextInt(256), 16, 1 << random.nextInt(5, 30)).toArray();
      long grown = random.nextLong(1L << 34);
      long[] weights = LiveObjects.weights(sizes, grown);
      for (int i = 0; i < sizes.length; i++) {
        assertThat(weights[i]).as("seed %d", seed).isGreaterThanOrEqualTo(sizes[i]);
      }
      long wanted = Math.max(grown, Arrays.stream(sizes).sum());
      assertThat(Math.abs(Arrays.stream(weights).sum() - wanted))
          .as("seed %d", seed)
          .isLessThanOrEqualTo(sizes.length);
    }
  }

  @Test
  void anObjectWhoseTimeIsForgottenBelongsWhereItsCodeAllocates() {
    allocates(new Owner(0, 1), "byte[]", 7, Kind.INTERPRETED);
    found("byte[]", 7, MAIN);
    found("byte[]", 8, MAIN);
    found("int[]", 7, MAIN);
    assertThat(rows())
        .extracting(Allocated::lane, Allocated::node)
        .containsExactly(tuple(0, 1), tuple(-2, -1), tuple(-2, -1));
  }

  @Test
  void codeOfSeveralScopesBelongsToTheScopeAroundThem() {
    allocates(new Owner(0, 1), "byte[]", 7, Kind.COMPILED);
    allocates(new Owner(0, 2), "byte[]", 7, Kind.COMPILED);
    found("byte[]", 7, MAIN);
    assertThat(rows()).extracting(Allocated::lane, Allocated::node).containsExactly(tuple(0, 0));
    allocates(new Owner(0, 3), "byte[]", 7, Kind.COMPILED);
    assertThat(rows()).extracting(Allocated::lane, Allocated::node).containsExactly(tuple(-2, -1));
  }

  @Test
  void theSameCodeOnAnotherThreadIsAnothers() {
    allocates(new Owner(0, 1), "byte[]", 7, Kind.COMPILED);
    allocates(new Owner(1, 2), "byte[]", 7, Kind.COMPILED);
    found("byte[]", 7, MAIN + 1);
    assertThat(rows()).extracting(Allocated::lane, Allocated::node).containsExactly(tuple(1, 2));
  }

  @Test
  void anObjectWhoseTimeIsRememberedNeedsNoOtherWitness() {
    live.add(new LiveObjects.Found(new Owner(0, 2), MAIN, stack(7, Kind.COMPILED), "byte[]", 16));
    live.add(new LiveObjects.Found(new Owner(0, 9), MAIN, stack(7, Kind.COMPILED), "byte[]", 16));
    assertThat(rows())
        .extracting(Allocated::lane, Allocated::node)
        .containsExactly(tuple(0, 2), tuple(-2, -1));
  }

  private static org.assertj.core.groups.Tuple tuple(Object... values) {
    return org.assertj.core.groups.Tuple.tuple(values);
  }

  private void allocates(Owner owner, String type, int line, Kind kind) {
    table.allocation(owner, stack(line, kind), type, 100);
  }

  private void found(String type, int line, long thread) {
    live.add(
        new LiveObjects.Found(Owner.UNATTRIBUTED, thread, stack(line, Kind.COMPILED), type, 16));
  }

  private int stack(int line, Kind kind) {
    return table.stack(List.of(new Location("app.Main", "main", line, kind)));
  }

  private List<Allocated> rows() {
    // outer (a, b) and another, the same on two threads.
    List<Profile.Node> nodes = new ArrayList<>();
    for (int parent : new int[] {-1, 0, 0, -1}) nodes.add(node(parent));
    Profile.Lane lane = new Profile.Lane("main", false, 1, nodes, Trace.EMPTY);
    Profile profile =
        new Profile(
            Level.TIME,
            Instant.EPOCH,
            1,
            List.of(lane, lane),
            List.of(),
            List.of(),
            Profile.Calibration.NONE,
            new SystemActivity(List.of(), List.of(), -1, -1, -1, 1 << 30, -1, -1, -1),
            List.of(),
            Profile.Slips.NONE,
            Samples.NONE,
            List.of(),
            Profile.Waits.NONE);
    Samples samples =
        table.samples(
            Sampling.NONE.withAllocations(), "", profile.lanes(), Samples.Quality.PERFECT);
    return live.rows(profile, samples, (l, thread) -> thread == MAIN + l);
  }

  private static Profile.Node node(int parent) {
    return new Profile.Node(
        parent,
        "n",
        Profile.Node.SCOPE,
        new Profile.Time(1, 0, 1, 1, 1, 1, Histogram.of(0, 1)),
        Profile.Allocation.NOT_RECORDED,
        Profile.Work.NONE,
        Profile.FanOut.NONE);
  }
}
