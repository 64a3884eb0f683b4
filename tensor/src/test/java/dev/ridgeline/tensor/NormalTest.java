package dev.ridgeline.tensor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

/** The distribution function against published values and its own symmetry. */
class NormalTest {
  @Test
  void publishedValuesAreMet() {
    assertThat(Normal.below(0)).isEqualTo(0.5);
    assertThat(Normal.below(1)).isCloseTo(0.8413447460685429, within(1e-15));
    // The centre is a half and something: it is good to the last bit of the half.
    assertThat(Normal.below(-2)).isCloseTo(0.022750131948179195, within(Math.ulp(0.5) * 2));
    assertThat(Normal.below(3)).isCloseTo(0.9986501019683699, within(1e-15));
    assertThat(Normal.below(-6)).isCloseTo(9.865876450376981e-10, within(1e-22));
    assertThat(Normal.below(-10)).isCloseTo(7.619853024160527e-24, within(1e-35));
  }

  @Test
  void bothSidesAddUpToOne() {
    for (double x = 0; x < 12; x += 0.0137) {
      assertThat(Normal.below(x) + Normal.below(-x)).as("%s", x).isCloseTo(1, within(4e-16));
    }
  }

  @Test
  void thePiecesMeet() {
    for (double x : new double[] {-4, 4, 9}) {
      assertThat(Normal.below(Math.nextUp(x)))
          .as("%s", x)
          .isCloseTo(Normal.below(Math.nextDown(x)), within(2e-15));
    }
    assertThat(Normal.below(Double.NaN)).isNaN();
  }
}
