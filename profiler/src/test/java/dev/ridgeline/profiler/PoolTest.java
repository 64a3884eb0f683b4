package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A session has what pools did during it, and nothing of what they did before. */
class PoolTest {
  @Test
  void onlyWhatHappenedDuringTheSessionCounts() {
    AtomicLong done = new AtomicLong();
    Profiler.pool(
        () -> {
          long n = done.get();
          return new Profile.Pool("made up", 3, n, 10 * n, 100 * n, 1_000 * n, 7 * n, 8 * n);
        });
    done.set(5);
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    assertThat(Profiler.snapshot().pools()).isEmpty();
    done.set(7);
    assertThat(Profiler.snapshot().pools())
        .containsExactly(new Profile.Pool("made up", 3, 2, 20, 200, 2_000, 14, 16));
    done.set(9);
    assertThat(Profiler.stop().pools())
        .containsExactly(new Profile.Pool("made up", 3, 4, 40, 400, 4_000, 28, 32));
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    assertThat(Profiler.stop().pools()).isEmpty();
  }
}
