package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import org.junit.jupiter.api.Test;

class BenjaminiHochbergTest {
  @Test
  void aWorkedExample() {
    // Ascending, times 5/1, 5/2, 5/3, 5/4, 5/5: 0.05, 0.1, 0.0667, 0.0525, 0.9; then for each the
    // smallest from there upwards.
    double[] q = BenjaminiHochberg.adjust(new double[] {0.042, 0.01, 0.9, 0.04, 0.04});
    double[] expected = {0.0525, 0.05, 0.9, 0.0525, 0.0525};
    assertThat(q).containsExactly(expected, within(1e-12));
  }

  @Test
  void theExampleOfThePaperKeepsFour() {
    double[] p = {
      0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262,
      0.5719, 0.6528, 0.7590, 1.000
    };
    double[] q = BenjaminiHochberg.adjust(p);
    assertThat(q[3]).isCloseTo(0.0095 * 15 / 4, within(1e-12)).isLessThan(0.05);
    assertThat(q[4]).isGreaterThan(0.05);
  }

  @Test
  void qGrowsWithPAndIsNeverSmaller() {
    long seed = 5;
    var random = new Random(seed);
    for (int round = 0; round < 200; round++) {
      double[] p = random.doubles(1 + random.nextInt(20)).map(v -> v * v).toArray();
      double[] q = BenjaminiHochberg.adjust(p);
      for (int i = 0; i < p.length; i++) {
        assertThat(q[i]).as("seed %d", seed).isBetween(p[i], 1.0);
        for (int j = 0; j < p.length; j++) {
          if (p[i] <= p[j]) assertThat(q[i]).as("seed %d", seed).isLessThanOrEqualTo(q[j]);
        }
      }
    }
  }

  @Test
  void oneTestAloneIsNotChanged() {
    assertThat(BenjaminiHochberg.adjust(new double[0])).isEmpty();
    assertThat(BenjaminiHochberg.adjust(new double[] {0.03})).containsExactly(0.03);
    assertThat(BenjaminiHochberg.adjust(new double[] {0, 1})).containsExactly(0, 1);
  }

  @Test
  void whatIsNoProbabilityIsRefused() {
    for (double p : new double[] {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> BenjaminiHochberg.adjust(new double[] {0.5, p}));
    }
  }
}
