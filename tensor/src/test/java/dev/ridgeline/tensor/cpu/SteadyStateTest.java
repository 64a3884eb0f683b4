package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.tensor.cpu.Fixture.Family;
import java.lang.management.ManagementFactory;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A planned pass allocates nothing, on no thread, recorded or not. */
@Isolated("counts what threads allocate once the JIT is done")
class SteadyStateTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @ParameterizedTest
  @CsvSource({
    "SCALAR, OFF",
    "SCALAR, TIME",
    "SCALAR, ALLOCATION",
    "CHOSEN, OFF",
    "CHOSEN, TIME",
    "CHOSEN, ALLOCATION",
    "NARROW, OFF",
    "NARROW, ALLOCATION"
  })
  void aPassAllocatesNothing(Family family, Level level) {
    try (Fixture play = new Fixture(family, 3, 5)) {
      int[][] lengths = {{5, 1, 40}, {17}, {3, 3, 3, 3, 60}};
      int[] tokens = new Random(2).ints(80, 0, 100).toArray();
      Encoder encoder = new Encoder(play, 80, 60);
      Profiler.start(Options.of(level).withoutCalibration());
      // The JVM itself allocates a little on a thread when it swaps in compiled code. What a pass
      // allocates would be in every batch, so a row of clean ones settles it.
      int clean = 0;
      long last = 0;
      for (int batch = 0; batch < 200 && clean < 5; batch++) {
        long[] threads = threads();
        long before = allocated(threads);
        for (int i = 0; i < 60; i++) encoder.run(play.ops, tokens, lengths[i % 3]);
        last = allocated(threads) - before;
        clean = last == 0 ? clean + 1 : 0;
      }
      assertThat(clean).as("clean batches in a row; the last allocated %d", last).isEqualTo(5);
      Profile profile = Profiler.stop();
      assertThat(profile.slips()).isEqualTo(Profile.Slips.NONE);
    }
  }

  /** This thread and all of the pool. */
  static long[] threads() {
    return LongStream.concat(
            LongStream.of(Thread.currentThread().threadId()),
            Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("ridgeline-worker"))
                .mapToLong(Thread::threadId))
        .toArray();
  }

  static long allocated(long[] threads) {
    long own = Thread.currentThread().threadId();
    long sum = 0;
    for (long thread : threads) {
      sum +=
          thread == own
              ? THREADS.getCurrentThreadAllocatedBytes()
              : THREADS.getThreadAllocatedBytes(thread);
    }
    return sum;
  }
}
