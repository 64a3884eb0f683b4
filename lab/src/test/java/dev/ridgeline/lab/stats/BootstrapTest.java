package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BootstrapTest {
  private static double median(double[] values, int[] some) {
    return Median.of(Arrays.stream(some).mapToDouble(i -> values[i]).toArray());
  }

  @Test
  void theTruthIsMostlyWithinTheBounds() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int within = 0;
    for (int t = 0; t < 100; t++) {
      double[] values = random.doubles(15).map(d -> 10 + d - 0.5).toArray();
      Interval it = Bootstrap.of(15, some -> median(values, some), 0.95);
      if (it.contains(10)) within++;
    }
    // 95 are promised, and few rounds keep a little less.
    assertThat(within).as("seed %d", seed).isGreaterThanOrEqualTo(82);
  }

  @Test
  void fewRoundsHaveNoBounds() {
    double[] values = {1, 2, 3};
    Interval it = Bootstrap.of(3, some -> median(values, some), 0.95);
    assertThat(it.estimate()).isEqualTo(2);
    assertThat(it.bounded()).isFalse();
    assertThat(Bootstrap.of(0, _ -> 1, 0.95).estimate()).isNaN();
  }

  @Test
  void theSameRoundsHaveTheSameBounds() {
    double[] values = new Random(3).doubles(9).toArray();
    assertThat(Bootstrap.of(9, some -> median(values, some), 0.9))
        .isEqualTo(Bootstrap.of(9, some -> median(values, some), 0.9));
  }
}
