package dev.ridgeline.profiler;

import static dev.ridgeline.profiler.Planted.calls;
import static dev.ridgeline.profiler.Planted.cpu;
import static dev.ridgeline.profiler.Planted.inScope;
import static dev.ridgeline.profiler.Planted.scope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Samples find the scope that was open on their thread when they were taken. */
class SamplingTest {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");
  private static final Scope C = Scope.of("c");

  /** More than the clocks of events and of scopes differ. */
  private static final long CLOCKS_APART_NANOS = 50_000;

  private static Object sink;

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void plantedSharesComeBackWithinThreePoints() {
    Planted.Told told = Planted.comesBack(Sampling.NONE.withCpu());
    assertThat(told.sampled().all()).isGreaterThan(0.7 * told.planted().all());
    assertThat(told.profile().samples().quality().clockErrorNanos()).isPositive();
  }

  @Test
  void whatRunsElsewhereIsOutside() throws InterruptedException {
    start(Sampling.NONE.withCpu());
    Thread other = Thread.ofPlatform().start(() -> Busy.cool(200));
    Busy.warm(200);
    try (var _ = Profiler.scope(A)) {
      Busy.hot(200);
    }
    other.join();
    Profile profile = Profiler.stop();
    for (Samples.Cpu row : profile.samples().cpu()) {
      if (calls(profile, "hot").test(row)) assertThat(scope(profile, row)).isEqualTo("a");
      if (calls(profile, "warm").or(calls(profile, "cool")).test(row)) {
        assertThat(row.lane()).isEqualTo(Samples.OUTSIDE);
      }
    }
    assertThat(cpu(profile, inScope(profile, "a"))).isPositive();
    assertThat(cpu(profile, calls(profile, "warm"))).isPositive();
    assertThat(cpu(profile, calls(profile, "cool"))).isPositive();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eachThreadsSamplesGoToItsOwnScopes(boolean virtual) throws InterruptedException {
    start(Sampling.NONE.withCpu());
    List<Thread> threads = new ArrayList<>();
    for (Scope scope : List.of(A, B, C)) {
      Runnable work =
          () -> {
            for (int i = 0; i < 10; i++) {
              try (var _ = Profiler.scope(scope)) {
                if (scope == A) Busy.hot(30);
                else if (scope == B) Busy.warm(30);
                else Busy.cool(30);
              }
            }
          };
      threads.add((virtual ? Thread.ofVirtual() : Thread.ofPlatform()).start(work));
    }
    for (Thread thread : threads) thread.join();
    Profile profile = Profiler.stop();
    assertThat(profile.samples().cpu()).isNotEmpty();
    String[] scopes = {"a", "b", "c"};
    String[] methods = {"hot", "warm", "cool"};
    for (int i = 0; i < 3; i++) {
      Predicate<Samples.Cpu> inMethod = calls(profile, methods[i]);
      double right = cpu(profile, inMethod.and(inScope(profile, scopes[i])));
      assertThat(right).as(methods[i]).isPositive();
      // A sample at the very edge may fall on the other side of it; none into another's scope.
      for (Samples.Cpu row : profile.samples().cpu()) {
        if (inMethod.test(row)) {
          assertThat(scope(profile, row)).as("%s", row).isIn(scopes[i], "outside", "unknown");
        }
      }
      assertThat(right / cpu(profile, inMethod)).isGreaterThan(0.95);
    }
  }

  @Test
  void samplesOfManyShortScopesShowNothingOfTheRecorder() {
    start(Sampling.NONE.withCpu());
    for (int i = 0; i < 20_000_000; i++) {
      try (var _ = Profiler.scope(A)) {
        Thread.onSpinWait();
      }
    }
    Samples samples = Profiler.stop().samples();
    List<Samples.Location> sampled =
        samples.cpu().stream()
            .filter(row -> row.stack() != Samples.NO_STACK)
            .flatMap(row -> samples.stack(row.stack()).stream())
            .toList();
    assertThat(sampled)
        .contains(OwnWork.RIDGELINE)
        .extracting(Samples.Location::type)
        .doesNotContain(Recorder.class.getName(), Frame.class.getName());
  }

  @Test
  void allocationsAreSampledWithTheirClassAndScope() throws InterruptedException {
    start(Sampling.NONE.withAllocations());
    for (int i = 0; i < 20_000; i++) {
      // The JVM spreads its samples over seconds.
      if (i % 200 == 0) Thread.sleep(20);
      try (var _ = Profiler.scope(A)) {
        sink = new byte[10_000];
      }
      try (var _ = Profiler.scope(B)) {
        sink = new int[1_000];
      }
    }
    Profile profile = Profiler.stop();
    long bytes = 0;
    long right = 0;
    long all = 0;
    for (Samples.Allocated row : profile.samples().allocations()) {
      boolean inA = row.type().equals("byte[]");
      if (!callsTest(profile, row.stack()) || !inA && !row.type().equals("int[]")) continue;
      all += row.samples();
      if (scope(profile, row.lane(), row.node()).equals(inA ? "a" : "b")) right += row.samples();
      if (inA) bytes += row.bytes();
    }
    // Weights stand for all bytes since the sample before, of whatever class.
    assertThat(bytes).isBetween(100_000_000L, 320_000_000L);
    // These scopes are about as short as the clocks are exact: one at the edge may be missed.
    assertThat(right)
        .as("of %d, clocks ±%d ns", all, profile.samples().quality().clockErrorNanos())
        .isGreaterThan(all * 9 / 10);
    assertThat(profile.samples().source()).isEqualTo(Samples.Source.NONE);
  }

  /**
   * 200 MB stay alive in one scope, twice as much dies in another. Collections before and after
   * make the heap's growth exact; what the 256 objects at most stand for is shares of it. An object
   * of a megabyte is never put where small ones are, so that each of the kept ones is sampled. That
   * happens when its allocation is over: the scope stays open for longer than the clocks differ.
   */
  @Test
  void whatOutlivesACollectionBelongsToTheScopeThatAllocatedIt() {
    System.gc();
    start(Sampling.NONE.withAllocations());
    List<byte[]> kept = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      try (var _ = Profiler.scope(A)) {
        kept.add(new byte[1_000_000]);
        spin(CLOCKS_APART_NANOS);
      }
      for (int j = 0; j < 200; j++) {
        try (var _ = Profiler.scope(B)) {
          sink = new int[2_500];
        }
      }
    }
    System.gc();
    Profile profile = Profiler.stop();
    assertThat(kept).hasSize(200);
    long alive = 0;
    long all = 0;
    for (Samples.Allocated row : profile.samples().live()) {
      all += row.bytes();
      if (!row.type().equals("byte[]") || !callsTest(profile, row.stack())) continue;
      alive += row.bytes();
      assertThat(scope(profile, row.lane(), row.node())).as("%s", row).isIn("a", "unknown");
    }
    assertThat(alive).isBetween(150_000_000L, 300_000_000L);
    assertThat(all).isBetween(alive, 300_000_000L);
    assertThat(profile.samples().live())
        .anyMatch(row -> scope(profile, row.lane(), row.node()).equals("a"))
        .noneMatch(row -> scope(profile, row.lane(), row.node()).equals("b"));
  }

  @Test
  void withoutACollectionNothingIsSaidToBeAlive() {
    start(Sampling.NONE.withCpu());
    assertThat(Profiler.stop().samples().live()).isEmpty();
  }

  private static boolean callsTest(Profile profile, int stack) {
    return profile.samples().stack(stack).stream()
        .anyMatch(location -> location.type().equals(SamplingTest.class.getName()));
  }

  @Test
  void theSourceThatWorksEverywhereFindsItsScope() {
    start(Sampling.NONE.withCpu(Samples.Source.EXECUTION));
    try (var _ = Profiler.scope(A)) {
      Busy.hot(600);
    }
    Profile profile = Profiler.stop();
    assertThat(cpu(profile, inScope(profile, "a").and(calls(profile, "hot")))).isPositive();
  }

  @Test
  void aSnapshotHasTheSamplesOfAWhileAgo() {
    start(Sampling.NONE.withCpu());
    try (var _ = Profiler.scope(A)) {
      Profile profile = Profiler.snapshot();
      // Samples come every second or so.
      for (int i = 0; i < 200 && profile.samples().cpu().isEmpty(); i++) {
        Busy.hot(50);
        profile = Profiler.snapshot();
      }
      assertThat(cpu(profile, inScope(profile, "a"))).isPositive();
    }
  }

  @Test
  void withoutSamplingThereAreNone() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    assertThat(Profiler.stop().samples()).isSameAs(Samples.NONE);
  }

  @Test
  void impossibleSamplingIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sampling.NONE.withSlowScope(java.time.Duration.ofNanos(-1)));
  }

  private static void spin(long nanos) {
    long from = System.nanoTime();
    while (System.nanoTime() - from < nanos) Thread.onSpinWait();
  }

  private static void start(Sampling sampling) {
    Profiler.start(Options.of(Level.TIME).withoutCalibration().withSampling(sampling));
  }
}
