package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Bytes are the program's, to the byte; the recorder allocates nothing in steady state. */
class AllocationTest {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");
  private static final Scope.Numbered LAYER = Scope.numbered("layer");
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  private static byte[] sink;

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void bytesAreCountedExactlyAndTheRecordersOwnAreNotAmongThem() {
    allocate();
    Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration());
    allocate();
    CallTree tree = Profiler.stop().tree();
    // 16 bytes of header, rounded up to 8.
    assertThat(tree.find("a", "layer 7").allocatedBytes()).isEqualTo(10 * 1016);
    assertThat(tree.find("a", "layer 7").selfAllocatedBytes()).isEqualTo(10 * 1016);
    assertThat(tree.find("a").allocatedBytes()).isEqualTo(10 * (40 * 1016 + 5016));
    assertThat(tree.find("a").selfAllocatedBytes()).isEqualTo(10 * 5016);
  }

  private static void allocate() {
    for (int i = 0; i < 10; i++) {
      try (var _ = Profiler.scope(A)) {
        // New places inside an open scope: their nodes are ours, not the scope's.
        for (int layer = 0; layer < 40; layer++) {
          try (var _ = Profiler.scope(LAYER.at(layer))) {
            sink = new byte[1000];
          }
        }
        sink = new byte[5000];
      }
    }
  }

  @Test
  void belowItsLevelAllocationIsUnknown() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    try (var _ = Profiler.scope(A)) {
      sink = new byte[100];
    }
    assertThat(Profiler.stop().tree().find("a").allocatedBytes()).isEqualTo(Profile.UNKNOWN);
  }

  @Test
  void bytesOfAnOpenScopeAreInTheSnapshot() {
    Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration());
    try (var _ = Profiler.scope(A)) {
      sink = new byte[100_000];
      Profile profile = Profiler.snapshot();
      assertThat(profile.tree().find("a").allocatedBytes()).isGreaterThanOrEqualTo(100_016);
    }
  }

  @ParameterizedTest
  @EnumSource(Level.class)
  void aScopeInSteadyStateAllocatesNothing(Level level) {
    Profiler.start(Options.of(level).withoutCalibration());
    assertSteadyStateAllocatesNothing();
  }

  @Test
  void norDoesOneWhileStacksAreSampled() {
    Sampling sampling = Sampling.NONE.withCpu().withSlowScope(Duration.ofHours(1));
    Profiler.start(Options.of(Level.TIME).withoutCalibration().withSampling(sampling));
    // The ring of scope changes grows to its full size first.
    loop(400_000);
    assertSteadyStateAllocatesNothing();
  }

  private static void assertSteadyStateAllocatesNothing() {
    // The JVM itself allocates some 50 bytes on this thread when it swaps in compiled code. What
    // a scope allocates would be in every batch, so a row of clean ones settles it.
    int clean = 0;
    long last = 0;
    for (int batch = 0; batch < 60 && clean < 5; batch++) {
      last = allocatedBy(5_000);
      clean = last == 0 ? clean + 1 : 0;
    }
    assertThat(clean).as("clean batches in a row; the last allocated %d", last).isEqualTo(5);
  }

  private static long allocatedBy(int times) {
    long before = THREADS.getCurrentThreadAllocatedBytes();
    loop(times);
    return THREADS.getCurrentThreadAllocatedBytes() - before;
  }

  private static void loop(int times) {
    for (int i = 0; i < times; i++) {
      try (var a = Profiler.scope(A)) {
        a.work(64, 128);
        a.integerWork(64, 128);
        try (var _ = Profiler.scope(LAYER.at(i & 15))) {
          Profiler.begin(B);
          Profiler.end(B);
        }
        Handover from = Profiler.handover();
        try (var _ = Profiler.enter(from)) {
          Profiler.begin(B);
          Profiler.end(B);
        }
      }
    }
  }
}
