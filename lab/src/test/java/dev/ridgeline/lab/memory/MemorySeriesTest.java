package dev.ridgeline.lab.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Owned;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import dev.ridgeline.report.run.Metric;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** A small workload that keeps what it should not, and one that does not. */
@Isolated("counts what the whole heap holds")
class MemorySeriesTest {
  private static final Scope WORK = Scope.of("work");
  private static final Scope LEAK = Scope.of("leak");
  private static final int UNITS = 100;

  private final List<byte[]> kept = new ArrayList<>(10_000);
  private final List<Owned> owned = new ArrayList<>();

  /** What other tests left is let go in steps, as threads come to it: not during these. */
  @BeforeAll
  static void settle() throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      System.gc();
      Thread.sleep(50);
    }
  }

  private MemorySeries run(int leaked, int leakedOutside) {
    MemorySeries series = new MemorySeries(16);
    Profiler.start(Options.of(Level.ALLOCATION));
    try {
      for (int stretch = 1; stretch <= 16; stretch++) {
        for (int i = 0; i < UNITS; i++) unit(leaked);
        if (leakedOutside > 0) owned.add(Profiler.owned("pool", (long) leakedOutside * UNITS));
        series.after(stretch * UNITS);
      }
    } finally {
      Profiler.stop();
      owned.forEach(Owned::close);
    }
    return series;
  }

  private void unit(int leaked) {
    try (var _ = Profiler.scope(WORK)) {
      // Garbage is no leak.
      assertThat(new byte[2000].length).isPositive();
      if (leaked == 0) return;
      try (var _ = Profiler.scope(LEAK)) {
        kept.add(new byte[leaked]);
      }
    }
  }

  @Test
  void aLeakGrowsAndItsScopeIsAmongThoseThatAllocate() {
    MemorySeries series = run(1000, 0);
    Interval growth = series.growth(0.95);
    assertThat(Growth.of(growth, 4)).as("%s", growth).isEqualTo(Growth.GROWS);
    assertThat(growth.estimate()).isBetween(900.0, 1200.0);
    assertThat(series.metrics("unit"))
        .filteredOn(metric -> metric.name().startsWith(MemorySeries.LIVE + ", more after "))
        .hasSize(12)
        .satisfies(
            held -> {
              assertThat(held.getFirst().name()).endsWith(" 300");
              assertThat(held.getFirst().median()).isZero();
              assertThat(held.getLast().name()).isEqualTo("live heap, more after 1,600");
              assertThat(held.getLast().median()).isGreaterThan(1300 * 900);
            });
    assertThat(series.metrics("unit"))
        .filteredOn(metric -> metric.name().endsWith("leak"))
        .singleElement()
        .satisfies(metric -> assertThat(metric.median()).isBetween(1000.0, 1100.0));
  }

  @Test
  void garbageAloneIsSteady() {
    MemorySeries series = run(0, 0);
    Interval growth = series.growth(0.95);
    assertThat(Growth.of(growth, 4)).as("%s", growth).isEqualTo(Growth.STEADY);
    assertThat(series.metrics("unit")).extracting(Metric::name).contains(MemorySeries.LIVE);
  }

  @Test
  void whatIsNeverGivenBackOutsideTheHeapGrows() {
    Interval growth = run(0, 50).ownedGrowth(0.95);
    assertThat(Growth.of(growth, 4)).isEqualTo(Growth.GROWS);
    assertThat(growth.estimate()).isEqualTo(50);
  }

  @Test
  void tooFewStretchesSayNothing() {
    assertThat(
            Growth.of(new Interval(100, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1), 4))
        .isEqualTo(Growth.UNSURE);
  }
}
