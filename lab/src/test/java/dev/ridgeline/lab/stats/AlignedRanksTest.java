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
import org.junit.jupiter.params.provider.EnumSource;

@Execution(CONCURRENT)
class AlignedRanksTest {
  private static final long SEED = 64;

  /** Skewed and wild noise included, and at numbers of triplets that are counted or normal. */
  @ParameterizedTest
  @EnumSource
  void whateverTheNoiseTheDifferenceIsWithinAsOftenAsSaid(Noise noise) {
    var random = new Random(SEED);
    for (int n : new int[] {4, 7, 12, 24}) {
      int repetitions = 2_000;
      int within = 0;
      for (int i = 0; i < repetitions; i++) {
        double[][] pairs = triplets(noise, random, n, 0.7);
        if (AlignedRanks.of(pairs[0], pairs[1], 0.95).contains(0.7)) within++;
      }
      // Three deviations of 2,000 draws at 95 % below it.
      assertThat(within / (double) repetitions).as("%d, seed %d", n, SEED).isGreaterThan(0.935);
    }
  }

  /** All 3⁴ ways to choose the odd trials, without any of the arithmetic of the class. */
  @Test
  void aBoundIsWhereTheOddOnesStopBeingTheLargestOfAll() {
    double[][] values = {{5, 1, 2}, {7, 2, 4}, {9, 5, 4.5}, {6, 1, 1.5}};
    double[][] pairs = pairs(values);
    // Of 81 ways only two are as extreme: 2/81 < 5 %. So b stays the largest of its triplet up to
    // 5 − 2, 7 − 4, 9 − 5 and 6 − 1.5 less, and the smallest down to 4, 5, 4.5 and 5.
    Interval interval = AlignedRanks.of(pairs[0], pairs[1], 0.95);
    assertThat(interval.low()).isCloseTo(3, within(1e-5));
    assertThat(interval.high()).isCloseTo(5, within(1e-5));
    assertThat(interval.estimate()).isBetween(3.5, 4.5);
    assertThat(AlignedRanks.of(pairs[0], pairs[1], 0.98).bounded()).isFalse();
  }

  @Test
  void theFewestTripletsForAConfidenceAreTheFewestWithBounds() {
    var random = new Random(SEED);
    for (double confidence : new double[] {0.5, 0.77, 0.95, 0.9999}) {
      int fewest = AlignedRanks.fewest(confidence);
      double[][] enough = triplets(Noise.NORMAL, random, fewest, 3);
      double[][] few = triplets(Noise.NORMAL, random, fewest - 1, 3);
      assertThat(AlignedRanks.of(enough[0], enough[1], confidence).bounded()).isTrue();
      assertThat(AlignedRanks.of(few[0], few[1], confidence).bounded()).isFalse();
    }
    assertThat(AlignedRanks.fewest(0.95)).isEqualTo(4);
    assertThat(AlignedRanks.fewest(0.77)).isEqualTo(2);
  }

  @Test
  void countedAndNormalBoundsMeet() {
    var random = new Random(SEED);
    for (int i = 0; i < 20; i++) {
      double[][] longer = triplets(Noise.NORMAL, random, 17, 1);
      Interval normal = AlignedRanks.of(longer[0], longer[1], 0.95);
      Interval counted =
          AlignedRanks.of(Arrays.copyOf(longer[0], 16), Arrays.copyOf(longer[1], 16), 0.95);
      double width = counted.high() - counted.low();
      assertThat(normal.high() - normal.low()).isBetween(0.7 * width, 1.3 * width);
    }
  }

  @Test
  void whatIsBeyondADifferenceIsWhereTheBoundsSay() {
    var random = new Random(SEED);
    for (int i = 0; i < 200; i++) {
      double[][] pairs = triplets(Noise.NORMAL, random, 4 + i % 30, 0.5);
      Interval interval = AlignedRanks.of(pairs[0], pairs[1], 0.95);
      for (double bar : new double[] {0, 0.1, 0.4}) {
        boolean beyond = interval.low() > bar || interval.high() < -bar;
        assertThat(AlignedRanks.beyond(pairs[0], pairs[1], bar, 0.95)).isEqualTo(beyond);
      }
    }
  }

  @Test
  void equalNumbersHaveAnIntervalWithoutWidth() {
    Interval interval = AlignedRanks.of(new double[12], new double[12], 0.95);
    assertThat(interval.low()).isCloseTo(0, within(1e-12)).isLessThanOrEqualTo(0);
    assertThat(interval.high()).isCloseTo(0, within(1e-12)).isGreaterThanOrEqualTo(0);
  }

  @Test
  void whatIsNotFiniteOrUnevenIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlignedRanks.of(new double[] {Double.NaN}, new double[1], 0.95));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> AlignedRanks.of(new double[2], new double[1], 0.95));
    assertThat(AlignedRanks.of(new double[0], new double[0], 0.95).estimate()).isNaN();
  }

  /** Effects and noises of triplets, the first of each the odd one. */
  private static double[][] pairs(double[][] triplets) {
    double[][] pairs = new double[2][triplets.length];
    for (int i = 0; i < triplets.length; i++) {
      double[] t = triplets[i];
      pairs[0][i] = t[0] - (t[1] + t[2]) / 2;
      pairs[1][i] = t[2] - t[1];
    }
    return pairs;
  }

  static double[][] triplets(Noise noise, Random random, int n, double difference) {
    double[][] triplets = new double[n][3];
    for (double[] triplet : triplets) {
      double common = random.nextGaussian();
      for (int i = 0; i < 3; i++) triplet[i] = common + noise.of(random);
      triplet[0] += difference;
    }
    return pairs(triplets);
  }
}
