package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(CONCURRENT)
class HodgesLehmannTest {
  private static final long SEED = 63;

  /** Makes the standard deviation of a simulated 95 % a sixth of a percent. */
  private static final int REPETITIONS = 17_000;

  @ParameterizedTest
  @EnumSource
  void whateverTheNoiseTheCentreIsWithinAsOftenAsSaid(Noise noise) {
    var random = new Random(SEED);
    double centre = 0.7;
    for (int n : new int[] {8, 11, 20}) {
      int within = 0;
      double said = 0;
      for (int i = 0; i < REPETITIONS; i++) {
        Interval interval = HodgesLehmann.of(noise.differences(random, n, centre), 0.95);
        if (interval.contains(centre)) within++;
        said = interval.confidence();
      }
      double coverage = within / (double) REPETITIONS;
      assertThat(coverage).as("%d pairs, seed %d", n, SEED).isBetween(0.93, 0.97);
      assertThat(coverage).as("%d pairs, seed %d", n, SEED).isCloseTo(said, within(0.006));
    }
  }

  @ParameterizedTest(name = "{0} pairs at {1}")
  @CsvSource({
    // n, error on both sides, critical value: as printed in tables of the signed-rank test
    "6, 0.05, 0", "7, 0.05, 2", "8, 0.05, 3", "10, 0.05, 8", "12, 0.05, 13", "15, 0.05, 25",
    "20, 0.05, 52", "25, 0.05, 89", "30, 0.05, 137", "50, 0.05, 434", "8, 0.01, 0", "10, 0.01, 3",
    "20, 0.01, 37", "30, 0.01, 109", "50, 0.01, 373"
  })
  void theQuantilesAreThoseOfTheTables(int n, double error, int critical) {
    assertThat(RankSums.tail(n, error / 2).sum()).isEqualTo(critical);
  }

  @Test
  void whatAConfidenceBecomesIsAtLeastWhatWasAskedFor() {
    for (int n = 6; n <= 120; n++) {
      double reached = HodgesLehmann.of(new double[n], 0.95).confidence();
      assertThat(reached).as("%d pairs", n).isBetween(0.95, n < 8 ? 0.97 : n < 10 ? 0.961 : 0.9581);
    }
  }

  @Test
  void theBoundsAreWhereTheSignedRankTestBeginsToReject() {
    var random = new Random(SEED);
    for (int round = 0; round < 100; round++) {
      double[] d = Noise.HEAVY.differences(random, 6 + random.nextInt(30), 1);
      Interval interval = HodgesLehmann.of(d, 0.95);
      double step = 1e-9;
      assertThat(pOfShift(d, interval.low() + step)).as("seed %d", SEED).isGreaterThan(0.05);
      assertThat(pOfShift(d, interval.high() - step)).as("seed %d", SEED).isGreaterThan(0.05);
      assertThat(pOfShift(d, interval.low() - step)).as("seed %d", SEED).isLessThanOrEqualTo(0.05);
      assertThat(pOfShift(d, interval.high() + step)).as("seed %d", SEED).isLessThanOrEqualTo(0.05);
    }
  }

  @Test
  void aWorkedExample() {
    // The Walsh averages: 1, 1.5, 2, 2.5, 3, 3, 3.5, 4, 4.5, 5.
    Interval interval = HodgesLehmann.of(new double[] {4, 1, 5, 2}, 0.8);
    assertThat(interval).isEqualTo(new Interval(3, 1, 5, 0.875));
    assertThat(HodgesLehmann.of(new double[] {4, 1, 5, 2}, 0.7))
        .isEqualTo(new Interval(3, 1.5, 4.5, 0.75));
  }

  @Test
  void tooFewPairsHaveInfiniteBounds() {
    Interval none = HodgesLehmann.of(new double[0], 0.95);
    assertThat(none.estimate()).isNaN();
    assertThat(none.bounded()).isFalse();
    for (int n = 1; n <= 5; n++) {
      double[] d = new double[n];
      Arrays.fill(d, 3);
      Interval interval = HodgesLehmann.of(d, 0.95);
      assertThat(interval.estimate()).isEqualTo(3);
      assertThat(interval.low()).isEqualTo(Double.NEGATIVE_INFINITY);
      assertThat(interval.high()).isEqualTo(Double.POSITIVE_INFINITY);
      assertThat(interval.confidence()).isEqualTo(1);
    }
  }

  @Test
  void theFewestPairsForAConfidenceAreTheFewestWithBounds() {
    for (double confidence : new double[] {0.5, 0.8, 0.95, 0.99, 0.9999, 1 - 1e-12}) {
      int fewest = HodgesLehmann.fewest(confidence);
      assertThat(HodgesLehmann.of(new double[fewest], confidence).bounded()).isTrue();
      assertThat(HodgesLehmann.of(new double[fewest - 1], confidence).bounded()).isFalse();
    }
    assertThat(HodgesLehmann.fewest(0.95)).isEqualTo(6);
  }

  @Test
  void largeNumbersDoNotOverflow() {
    double huge = Double.MAX_VALUE;
    double[] d = {huge, huge, huge, huge, huge, huge};
    assertThat(HodgesLehmann.of(d, 0.95)).isEqualTo(new Interval(huge, huge, huge, 1 - 1 / 32.0));
  }

  @Test
  void whatIsNotFiniteOrNoConfidenceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HodgesLehmann.of(new double[] {Double.NaN}, 0.95));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HodgesLehmann.of(new double[] {1, Double.POSITIVE_INFINITY}, 0.95));
    for (double confidence : new double[] {0, 1, -1, 95, Double.NaN}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> HodgesLehmann.of(new double[] {1}, confidence));
      assertThatIllegalArgumentException().isThrownBy(() -> HodgesLehmann.fewest(confidence));
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new Interval(1, 2, 1, 0.9));
    assertThatIllegalArgumentException().isThrownBy(() -> new Interval(1, Double.NaN, 1, 0.9));
  }

  private static double pOfShift(double[] d, double shift) {
    return SignedRank.test(Arrays.stream(d).map(v -> v - shift).toArray());
  }
}
