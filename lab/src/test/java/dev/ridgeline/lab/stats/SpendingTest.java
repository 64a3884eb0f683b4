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
class SpendingTest {
  private static final long SEED = 87;

  @ParameterizedTest
  @EnumSource
  void allLooksTogetherErrNoMoreOftenThanAllowed(Noise noise) {
    var random = new Random(SEED);
    int repetitions = 2_000;
    int corrected = 0;
    int naive = 0;
    for (int i = 0; i < repetitions; i++) {
      double[][] pairs = AlignedRanksTest.triplets(noise, random, 12, 0);
      if (findsSomething(pairs, true)) corrected++;
      if (findsSomething(pairs, false)) naive++;
    }
    assertThat(corrected / (double) repetitions).as("seed %d", SEED).isBetween(0.01, 0.05);
    assertThat(naive / (double) repetitions).as("seed %d", SEED).isGreaterThan(0.08);
  }

  @Test
  void theErrorsOfAllLooksAddUpToWhatIsAllowed() {
    var random = new Random(SEED);
    for (int n = 1; n <= 60; n++) {
      double[] shares = random.doubles(n).sorted().toArray();
      double sum = 0;
      int looks = 0;
      for (int i = 1; i <= n; i++) {
        double confidence = Spending.confidence(Arrays.copyOf(shares, i), 0.95, i == n);
        if (confidence == 0) continue;
        looks++;
        sum += 1 - confidence;
      }
      assertThat(looks).isBetween(1, 5);
      assertThat(sum).isCloseTo(0.05, within(1e-12));
    }
  }

  @Test
  void aSingleLookIsNotCorrected() {
    assertThat(Spending.confidence(new double[] {0.9}, 0.95, true)).isCloseTo(0.95, within(1e-15));
  }

  /** One that has no bounds yet decides nothing and leaves its error to those that follow. */
  @Test
  void aLookThatCouldHaveNoIntervalIsNotHad() {
    double[] shares = {0.3, 0.5, 0.75, 0.9};
    for (int n = 1; n <= 3; n++) {
      assertThat(Spending.confidence(Arrays.copyOf(shares, n), 0.95, false)).isZero();
    }
    assertThat(Spending.confidence(shares, 0.95, false)).isCloseTo(1 - 0.05 * 0.81, within(1e-12));
  }

  @Test
  void noConfidenceIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Spending.confidence(new double[1], Double.NaN, false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Spending.confidence(new double[1], 1, false));
  }

  /** Looks after every triplet, or when looks are due, and stops at the first without zero. */
  private static boolean findsSomething(double[][] pairs, boolean correct) {
    int most = pairs[0].length;
    double[] shares = new double[most];
    for (int n = 1; n <= most; n++) {
      shares[n - 1] = (double) n / most;
      double confidence =
          correct ? Spending.confidence(Arrays.copyOf(shares, n), 0.95, n == most) : 0.95;
      if (confidence == 0) continue;
      double[] effects = Arrays.copyOf(pairs[0], n);
      if (AlignedRanks.beyond(effects, Arrays.copyOf(pairs[1], n), 0, confidence)) return true;
    }
    return false;
  }
}
