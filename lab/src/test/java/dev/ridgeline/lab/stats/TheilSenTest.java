package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TheilSenTest {
  @Test
  void aLineIsFoundThroughOutliers() {
    double[] x = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    double[] y = {3, 5, 7, 9, 900, 13, 15, 17, 19, -50};
    Interval slope = TheilSen.slope(x, y, 0.95);
    assertThat(slope.estimate()).isCloseTo(2, within(1e-9));
    assertThat(slope.contains(2)).isTrue();
  }

  @Test
  void fewPointsHaveNoBounds() {
    assertThat(TheilSen.slope(new double[] {1, 2, 3, 4}, new double[] {1, 2, 3, 4}, 0.95).bounded())
        .isFalse();
    assertThat(TheilSen.slope(new double[0], new double[0], 0.95).estimate()).isNaN();
    assertThat(TheilSen.slope(new double[] {1}, new double[] {1}, 0.95).bounded()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Noise.class)
  void theIntervalHoldsTheSlopeAboutAsOftenAsItSays(Noise noise) {
    long seed = 4;
    Random random = new Random(seed);
    int held = 0;
    for (int i = 0; i < 2000; i++) {
      double[] x = new double[14];
      double[] y = new double[14];
      for (int k = 0; k < x.length; k++) {
        x[k] = 32 * k;
        y[k] = 0.5 * x[k] + noise.of(random);
      }
      if (TheilSen.slope(x, y, 0.95).contains(0.5)) held++;
    }
    assertThat(held / 2000.0).as("seed %d", seed).isGreaterThan(0.935);
  }
}
