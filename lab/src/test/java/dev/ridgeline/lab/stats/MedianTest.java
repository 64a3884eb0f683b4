package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class MedianTest {
  @Test
  void theMedianIsTheMiddle() {
    assertThat(Median.of(7)).isEqualTo(7);
    assertThat(Median.of(9, 1)).isEqualTo(5);
    assertThat(Median.of(9, 1, 5)).isEqualTo(5);
    assertThat(Median.of(9, 1, 5, 6)).isEqualTo(5.5);
    assertThat(Median.of(Double.MAX_VALUE, Double.MAX_VALUE)).isEqualTo(Double.MAX_VALUE);
    assertThat(Median.of(-Double.MAX_VALUE, Double.MAX_VALUE)).isZero();
  }

  @Test
  void theDeviationIgnoresAnOutlier() {
    assertThat(Median.deviation(1, 2, 3, 4, 1e9)).isCloseTo(1.4826, within(1e-4));
    assertThat(Median.deviation(3)).isZero();
  }

  @Test
  void theValuesAreLeftInTheirOrder() {
    double[] values = {3, 1, 2};
    Median.of(values);
    assertThat(values).containsExactly(3, 1, 2);
  }

  @Test
  void nothingAndWhatIsNotFiniteIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Median.of());
    assertThatIllegalArgumentException().isThrownBy(() -> Median.deviation());
    assertThatIllegalArgumentException().isThrownBy(() -> Median.of(1, Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> Median.of(Double.POSITIVE_INFINITY));
  }
}
