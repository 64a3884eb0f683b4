package dev.ridgeline.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.train.Schedule.Kind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ScheduleTest {
  /** Powers of two, so that every expectation is exact. */
  private static Schedule of(Kind kind) {
    return new Schedule(kind, 1, 0.25, 3, 11);
  }

  @ParameterizedTest
  @EnumSource
  void theWarmUpRisesInALineAndEndsBelowTheRate(Kind kind) {
    Schedule schedule = of(kind);
    assertThat(schedule.at(0)).isEqualTo(0.25);
    assertThat(schedule.at(1)).isEqualTo(0.5);
    assertThat(schedule.at(2)).isEqualTo(0.75);
    assertThat(schedule.at(3)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "CONSTANT, 5, 1",
    "CONSTANT, 10, 1",
    "CONSTANT, 1000, 1",
    "LINEAR, 5, 0.8125",
    "LINEAR, 7, 0.625",
    "LINEAR, 10, 0.34375",
    "LINEAR, 11, 0.25",
    "LINEAR, 1000, 0.25",
    "COSINE, 11, 0.25",
    "COSINE, 1000, 0.25"
  })
  void behindItTheRateIsWhatTheFormulaSays(Kind kind, long step, double rate) {
    assertThat(of(kind).at(step)).isEqualTo(rate);
  }

  /**
   * nanoGPT's get_lr with learning_rate 6e-4, min_lr 6e-5, 2000 of 600000 iterations to warm up.
   */
  @Test
  void theCosineIsThatOfNanoGpt() {
    Schedule schedule = new Schedule(Kind.COSINE, 6e-4, 6e-5, 2000, 600_000);
    assertThat(schedule.at(0)).isEqualTo(6e-4 / 2001);
    assertThat(schedule.at(1999)).isEqualTo(6e-4 * 2000 / 2001);
    assertThat(schedule.at(2000)).isEqualTo(6e-4);
    // A quarter, half and three quarters of the way: 1 ± cos 45°, and the middle.
    double quarter = 6e-5 + 5.4e-4 * (0.5 * (1 + Math.sqrt(0.5)));
    assertThat(schedule.at(2000 + 149_500)).isCloseTo(quarter, within(1e-18));
    assertThat(schedule.at(2000 + 299_000)).isCloseTo(3.3e-4, within(1e-18));
    assertThat(schedule.at(2000 + 448_500)).isCloseTo(6.6e-4 - quarter, within(1e-18));
  }

  private static org.assertj.core.data.Offset<Double> within(double offset) {
    return org.assertj.core.data.Offset.offset(offset);
  }

  @ParameterizedTest
  @EnumSource
  void theRateNeverRisesBehindTheWarmUpNorLeavesItsBounds(Kind kind) {
    Schedule schedule = new Schedule(kind, 3e-3, 1e-4, 17, 1000);
    for (long step = 17; step < 1100; step++) {
      assertThat(schedule.at(step)).isBetween(1e-4, 3e-3);
      assertThat(schedule.at(step + 1)).isLessThanOrEqualTo(schedule.at(step));
    }
  }

  @Test
  void aWarmUpMayBeAllOfIt() {
    Schedule schedule = new Schedule(Kind.COSINE, 1, 0, 4, 4);
    assertThat(schedule.at(3)).isEqualTo(0.8);
    assertThat(schedule.at(4)).isZero();
  }

  @Test
  void ratesThatCannotBeAreRefused() {
    assertThatThrownBy(() -> new Schedule(Kind.LINEAR, 0, 0, 0, 1)).hasMessageContaining("rate");
    assertThatThrownBy(() -> new Schedule(Kind.LINEAR, 1, 2, 0, 1)).hasMessageContaining("rate");
    assertThatThrownBy(() -> new Schedule(Kind.LINEAR, Double.NaN, 0, 0, 1))
        .hasMessageContaining("rate");
    assertThatThrownBy(() -> new Schedule(Kind.LINEAR, 1, 0, -1, 1)).hasMessageContaining("steps");
    assertThatThrownBy(() -> of(Kind.LINEAR).at(-1)).hasMessageContaining("step -1");
  }
}
