package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import dev.ridgeline.oracle.Allocated;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Bytes are the program's, to the byte; the recorder allocates nothing in steady state. */
class AllocationTest {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");
  private static final Scope.Numbered LAYER = Scope.numbered("layer");

  private static final DeviceQueue DEVICE = new DeviceQueue("device");
  private static final Submission OPERATION = new Submission();

  private static byte[] sink;

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void bytesAreCountedExactlyAndTheRecordersOwnAreNotAmongThem() {
    // The first session of a JVM loads classes, which takes memory on this thread.
    for (int session = 0; session < 2; session++) {
      if (Profiler.running()) Profiler.stop();
      Profiler.start(Options.of(Level.ALLOCATION).withoutCalibration());
      allocate();
    }
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

  @Test
  void aScopeInSteadyStateAllocatesNothing() {
    assertThat(Allocated.by(ScopesAgain.class))
        .containsExactly(
            entry("OFF", 0L),
            entry("TIME", 0L),
            entry("ALLOCATION", 0L),
            entry("TRACE", 0L),
            entry("while stacks are sampled", 0L));
  }

  static final class ScopesAgain {
    public static void main(String[] arguments) {
      for (Level level : Level.values()) count(level.name(), Options.of(level));
      Sampling sampling = Sampling.NONE.withCpu().withSlowScope(Duration.ofHours(1));
      count("while stacks are sampled", Options.of(Level.TIME).withSampling(sampling));
    }

    private static void count(String what, Options options) {
      Profiler.start(options.withoutCalibration());
      // The ring of scope changes grows to its full size first.
      if (what.startsWith("while")) loop(400_000);
      Allocated.again(what, () -> loop(5_000));
      Profiler.stop();
    }
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
        for (int operation = 0; operation < 4; operation++) {
          Profiler.submit(OPERATION);
          DEVICE.done(OPERATION, i, i + 1);
        }
      }
    }
  }
}
