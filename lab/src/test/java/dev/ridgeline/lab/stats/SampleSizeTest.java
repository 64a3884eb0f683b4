package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleSizeTest {
  private static final long SEED = 99;
  private final Random random = new Random(SEED);

  @ParameterizedTest(name = "effect {0}, noise {1}, after {2}")
  @CsvSource({"0.05, 0.05, 6", "0.05, 0.08, 10", "0.10, 0.12, 6", "0, 0.015, 6", "0, 0.02, 10"})
  void asManyMoreAsSaidDecideAtLeastFourTimesInFive(double effect, double noise, int first) {
    double threshold = 0.02;
    int asked = 0;
    int decided = 0;
    for (int i = 0; i < 1_000; i++) {
      double[] d = normal(first, effect, noise);
      int more = SampleSize.morePairs(d, threshold, 0.95);
      if (more <= 0 || more > 100) continue;
      double[] all = Arrays.copyOf(d, first + more);
      System.arraycopy(normal(more, effect, noise), 0, all, first, more);
      asked++;
      if (SampleSize.morePairs(all, threshold, 0.95) == 0) decided++;
    }
    assertThat(asked).isGreaterThan(200);
    assertThat(decided / (double) asked).as("seed %d", SEED).isGreaterThan(0.8);
  }

  @Test
  void whatIsDecidedNeedsNoMore() {
    double[] far = {0.10, 0.11, 0.12, 0.10, 0.11, 0.12, 0.11, 0.10};
    assertThat(SampleSize.morePairs(far, 0.03, 0.95)).isZero();
    assertThat(SampleSize.morePairs(far, 0.20, 0.95)).isZero();
    assertThat(SampleSize.morePairs(Arrays.stream(far).map(v -> -v).toArray(), 0.03, 0.95))
        .isZero();
    assertThat(SampleSize.morePairs(new double[6], 0, 0.95)).isZero();
  }

  @Test
  void anEstimateOnTheThresholdIsHopeless() {
    double[] onIt = {0.01, 0.05, 0.02, 0.04, 0.03, 0.03, 0.01, 0.05};
    assertThat(SampleSize.morePairs(onIt, 0.03, 0.95)).isEqualTo(-1);
    assertThat(SampleSize.morePairs(onIt, 0.030001, 0.95)).isEqualTo(-1);
    assertThat(SampleSize.morePairs(new double[] {1, 1, 1, 1, 1, 1}, 1.0, 0.95)).isZero();
    assertThat(SampleSize.morePairs(new double[] {1, 1, 1, 1, 1}, 1.0, 0.95)).isEqualTo(-1);
  }

  @Test
  void aSmallerGapTakesMore() {
    double[] d = {0.02, 0.09, 0.01, 0.08, 0.05, 0.06};
    int before = 0;
    for (double threshold = 0.088; threshold > 0.056; threshold -= 0.002) {
      int more = SampleSize.morePairs(d, threshold, 0.95);
      assertThat(more).isGreaterThanOrEqualTo(Math.max(1, before));
      before = more;
    }
  }

  @Test
  void tooFewTellWhatIsMissingToAnInterval() {
    assertThat(SampleSize.morePairs(new double[0], 0.03, 0.95)).isEqualTo(6);
    assertThat(SampleSize.morePairs(new double[] {1}, 0.03, 0.95)).isEqualTo(5);
    assertThat(SampleSize.morePairs(new double[] {1, -1}, 0.03, 0.95)).isEqualTo(4);
    assertThat(SampleSize.morePairs(new double[] {1, 1, 1, 1, 1}, 0.03, 0.95)).isEqualTo(1);
  }

  @Test
  void badQuestionsAreRefused() {
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -0.1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> SampleSize.morePairs(new double[] {1}, bad, 0.95));
    }
    double[] nan = {1, Double.NaN};
    assertThatIllegalArgumentException().isThrownBy(() -> SampleSize.morePairs(nan, 0.1, 0.95));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SampleSize.morePairs(new double[] {1}, 0.1, 1));
  }

  private double[] normal(int n, double centre, double noise) {
    double[] d = new double[n];
    Arrays.setAll(d, i -> centre + noise * random.nextGaussian());
    return d;
  }
}
