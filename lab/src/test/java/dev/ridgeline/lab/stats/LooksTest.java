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
class LooksTest {
  private static final long SEED = 87;

  @ParameterizedTest
  @EnumSource(names = {"NORMAL", "HEAVY", "BIMODAL"})
  void allLooksTogetherErrNoMoreOftenThanAllowed(Noise noise) {
    var random = new Random(SEED);
    int repetitions = 5_000;
    int corrected = 0;
    int naive = 0;
    for (int i = 0; i < repetitions; i++) {
      double[] d = noise.differences(random, 25, 0);
      if (findsSomething(d, true)) corrected++;
      if (findsSomething(d, false)) naive++;
    }
    assertThat(corrected / (double) repetitions).as("seed %d", SEED).isBetween(0.01, 0.05);
    assertThat(naive / (double) repetitions).as("seed %d", SEED).isGreaterThan(0.08);
  }

  @Test
  void theErrorsAddUpToWhatIsAllowedAndGrow() {
    for (int planned = 1; planned <= 30; planned++) {
      double sum = 0;
      double last = 0;
      for (int look = 1; look <= planned; look++) {
        double error = 1 - Looks.confidence(look, planned, 0.95);
        assertThat(error).isGreaterThan(last);
        last = error;
        sum += error;
      }
      assertThat(sum).isCloseTo(0.05, within(1e-12));
    }
  }

  @Test
  void aSingleLookIsNotCorrected() {
    assertThat(Looks.confidence(1, 1, 0.95)).isCloseTo(0.95, within(1e-15));
    assertThat(Looks.confidence(4, 4, 0.95)).isCloseTo(1 - 0.05 * 7 / 16, within(1e-15));
  }

  @Test
  void looksThatWereNotPlannedAreRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Looks.confidence(0, 4, 0.95));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Looks.confidence(5, 4, 0.95))
        .withMessage("look 5 of 4");
    assertThatIllegalArgumentException().isThrownBy(() -> Looks.confidence(1, 4, Double.NaN));
    assertThatIllegalArgumentException().isThrownBy(() -> Looks.confidence(1, 4, 1));
  }

  /** Looks after every fifth pair and stops at the first interval without zero. */
  private static boolean findsSomething(double[] d, boolean correct) {
    int planned = d.length / 5;
    for (int look = 1; look <= planned; look++) {
      double confidence = correct ? Looks.confidence(look, planned, 0.95) : 0.95;
      if (!HodgesLehmann.of(Arrays.copyOf(d, 5 * look), confidence).contains(0)) return true;
    }
    return false;
  }
}
