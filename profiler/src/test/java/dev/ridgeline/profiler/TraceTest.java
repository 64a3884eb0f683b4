package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Raw events in a bounded ring. */
class TraceTest {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void eachFinishedCallIsAnEventWithItsOwnWork() {
    Profiler.start(Options.of(Level.TRACE).withoutCalibration());
    for (int i = 1; i <= 3; i++) {
      try (var a = Profiler.scope(A)) {
        a.work(i, 10L * i);
        try (var _ = Profiler.scope(B)) {}
      }
    }
    Profile profile = Profiler.stop();
    Profile.Lane lane = profile.lanes().getFirst();
    Trace trace = lane.trace();
    assertThat(trace.size()).isEqualTo(6);
    assertThat(trace.dropped()).isZero();
    long total = 0;
    for (int i = 0; i < 6; i++) {
      boolean outer = i % 2 == 1;
      assertThat(lane.nodes().get(trace.node(i)).name()).isEqualTo(outer ? "a" : "b");
      assertThat(trace.bytes(i)).isEqualTo(outer ? i / 2 + 1 : 0);
      assertThat(trace.flops(i)).isEqualTo(outer ? 10 * (i / 2 + 1) : 0);
      assertThat(trace.startNanos(i)).isBetween(0L, profile.wallNanos());
      if (outer) {
        total += trace.durationNanos(i);
        assertThat(trace.startNanos(i)).isLessThanOrEqualTo(trace.startNanos(i - 1));
      }
    }
    assertThat(total).isEqualTo(profile.tree().find("a").totalNanos());
  }

  @Test
  void aFullRingDropsTheOldestAndCountsThem() {
    Profiler.start(Options.of(Level.TRACE).withTraceEvents(10).withoutCalibration());
    for (int i = 0; i < 37; i++) {
      try (var a = Profiler.scope(A)) {
        a.work(i, 0);
      }
    }
    Profile profile = Profiler.stop();
    Trace trace = profile.lanes().getFirst().trace();
    assertThat(trace.size()).isEqualTo(10);
    assertThat(trace.dropped()).isEqualTo(27);
    for (int i = 0; i < 10; i++) assertThat(trace.bytes(i)).isEqualTo(27 + i);
    assertThat(profile.tree().find("a").calls()).isEqualTo(37);
  }

  @Test
  void theRingGrowsToItsLimitAndKeepsTheNewest() {
    Profiler.start(Options.of(Level.TRACE).withTraceEvents(1000).withoutCalibration());
    for (int i = 0; i < 2500; i++) {
      try (var a = Profiler.scope(A)) {
        a.work(i, 0);
      }
      if (i == 499)
        assertThat(Profiler.snapshot().lanes().getFirst().trace().size()).isEqualTo(500);
    }
    Trace trace = Profiler.stop().lanes().getFirst().trace();
    assertThat(trace.size()).isEqualTo(1000);
    assertThat(trace.dropped()).isEqualTo(1500);
    for (int i = 0; i < 1000; i++) assertThat(trace.bytes(i)).isEqualTo(1500 + i);
  }

  @Test
  void aTaskNamesTheLaneThatHandedItOver() throws InterruptedException {
    Profiler.start(Options.of(Level.TRACE).withoutCalibration());
    try (var _ = Profiler.scope(A)) {
      Thread other = new Thread(Profiler.task(() -> {}), "other");
      other.start();
      other.join();
      Profiler.task(() -> {}).run();
    }
    Profiler.task(() -> {}).run();
    Profile profile = Profiler.stop();
    Trace mine = profile.lanes().get(0).trace();
    Trace others = profile.lanes().get(1).trace();
    assertThat(others.size()).isEqualTo(1);
    assertThat(others.handedOverBy(0)).isZero();
    assertThat(profile.lanes().get(1).nodes().get(others.node(0)).name()).isEqualTo("task");
    assertThat(mine.size()).isEqualTo(3);
    assertThat(mine.handedOverBy(0)).isZero();
    assertThat(mine.handedOverBy(1)).as("a plain scope").isEqualTo(-1);
    assertThat(mine.handedOverBy(2)).as("from outside every scope").isEqualTo(-1);
  }

  @Test
  void belowItsLevelThereIsNone() {
    Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration());
    try (var _ = Profiler.scope(A)) {}
    assertThat(Profiler.stop().lanes().getFirst().trace()).isSameAs(Trace.EMPTY);
  }
}
