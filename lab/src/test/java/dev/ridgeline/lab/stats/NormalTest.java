package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.apache.commons.statistics.distribution.NormalDistribution;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class NormalTest {
  private static final NormalDistribution THEIRS = NormalDistribution.of(0, 1);

  @Test
  void tailsAgreeWithCommonsStatisticsInEveryDigitThatMatters() {
    for (double z = -8; z <= 37; z += 0.01) {
      double expected = THEIRS.survivalProbability(z);
      assertThat(Normal.above(z))
          .as("z = %s", z)
          .isCloseTo(expected, Percentage.withPercentage(1e-9));
    }
    assertThat(Normal.above(100)).isZero();
    assertThat(Normal.above(-100)).isEqualTo(1);
  }

  @Test
  void quantilesAgreeWithCommonsStatistics() {
    for (double chance = 1e-6; chance < 1; chance += 0.0011) {
      double expected = THEIRS.inverseSurvivalProbability(chance);
      assertThat(Normal.quantileAbove(chance))
          .as("chance %s", chance)
          .isCloseTo(expected, within(1e-9));
    }
  }
}
