package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class BetterPartTest {
  @Test
  void aQuarterThatWasDisturbedDoesNotCount() {
    assertThat(BetterPart.ofLarger(10, 1, 12, 11)).isEqualTo(11);
    assertThat(BetterPart.ofSmaller(10, 90, 12, 11)).isEqualTo(11);
  }

  @Test
  void whatSlowsHalfOfThemCounts() {
    assertThat(BetterPart.ofSmaller(10, 10, 10, 10, 16, 16, 16, 16)).isEqualTo(12);
    assertThat(BetterPart.ofLarger(16, 16, 16, 16, 10, 10, 10, 10)).isEqualTo(14);
  }

  @Test
  void fewNumbersAllCount() {
    assertThat(BetterPart.ofLarger(7)).isEqualTo(7);
    assertThat(BetterPart.ofSmaller(7, 9)).isEqualTo(8);
    assertThat(BetterPart.ofSmaller(7, 8, 9)).isEqualTo(8);
    assertThatIllegalArgumentException().isThrownBy(BetterPart::ofLarger);
    assertThatIllegalArgumentException().isThrownBy(() -> BetterPart.ofLarger(1, Double.NaN));
  }
}
