package dev.ridgeline.lab.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.lab.bound.Bound.Found;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BoundTest {
  private static final double MARGIN = 0.25;
  private static final int ROUNDS = 8;

  /** Times of an operation on a machine that drifts from round to round and scatters a little. */
  private static Bound measured(double read, double compute, double noise, long seed) {
    var random = new Random(seed);
    double[][] times = new double[3][ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
      double drift = Math.exp(0.3 * random.nextGaussian());
      double[] parts = {read, compute, 1};
      for (int k = 0; k < 3; k++) {
        times[k][i] = parts[k] * drift * Math.exp(noise * random.nextGaussian());
      }
    }
    return Bound.of(times[0], times[1], times[2], MARGIN);
  }

  private static Found found(double read, double compute) {
    return measured(read, compute, 0.01, 1).found();
  }

  @Test
  void readingThatTakesAsLongAsAllIsMemory() {
    assertThat(found(0.97, 0.3)).isEqualTo(Found.MEMORY);
  }

  @Test
  void arithmeticThatTakesAsLongAsAllIsCompute() {
    assertThat(found(0.05, 1)).isEqualTo(Found.COMPUTE);
  }

  @Test
  void whatAddsUpDoesNotOverlap() {
    assertThat(found(0.5, 0.5)).isEqualTo(Found.NO_OVERLAP);
    assertThat(found(0.3, 0.72)).isEqualTo(Found.NO_OVERLAP);
  }

  @Test
  void moreThanAllTogetherIsBetween() {
    assertThat(found(0.7, 0.7)).isEqualTo(Found.BETWEEN);
  }

  @Test
  void lessThanAllTogetherIsNeither() {
    assertThat(found(0.2, 0.2)).isEqualTo(Found.NEITHER);
  }

  @Test
  void bothAsLongAsAllAreBalanced() {
    assertThat(found(0.95, 0.95)).isEqualTo(Found.BALANCED);
  }

  @Test
  void whatLiesAcrossTheMarginIsNotDecided() {
    assertThat(measured(0.8, 0.3, 0.1, 2).found()).isEqualTo(Found.UNDECIDED);
  }

  /** Memory that got faster while the whole ran: reading seems to take longer, unsurely. */
  @Test
  void whatSeemsLongerThanAllByNoiseIsAsLong() {
    Bound bound = measured(1.19, 0.3, 0.12, 4);
    assertThat(Math.exp(bound.read().high())).isGreaterThan(1.25);
    assertThat(Math.exp(bound.read().low())).isBetween(0.8, 1.25);
    assertThat(bound.found()).isEqualTo(Found.MEMORY);
    assertThat(bound.contradicts()).isFalse();
  }

  @Test
  void aPartThatTakesLongerThanAllContradicts() {
    Bound bound = measured(1.6, 0.3, 0.01, 3);
    assertThat(bound.found()).isEqualTo(Found.UNDECIDED);
    assertThat(bound.contradicts()).isTrue();
    assertThat(measured(0.97, 0.3, 0.01, 3).contradicts()).isFalse();
  }

  @Test
  void fewRoundsDecideNothing() {
    double[] one = {1, 1, 1, 1, 1};
    double[] half = {0.2, 0.2, 0.2, 0.2, 0.2};
    assertThat(Bound.of(one, half, one, MARGIN).found()).isEqualTo(Found.UNDECIDED);
  }

  /** Whatever is true, noise makes it undecided at worst: hardly ever something else. */
  @Test
  void noiseHardlyEverChangesTheAnswer() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    int wrong = 0;
    for (int i = 0; i < 2000; i++) {
      double read = random.nextDouble(0.02, 1);
      double compute = random.nextDouble(0.02, 1);
      Found truth = found(read, compute, 0);
      Found found = measured(read, compute, 0.05, random.nextLong()).found();
      if (found != truth && found != Found.UNDECIDED) wrong++;
    }
    // Three intervals of 95 %, and a truth on the wrong side by little is rare.
    assertThat(wrong).as("seed %d", seed).isLessThan(100);
  }

  private static Found found(double read, double compute, double noise) {
    return measured(read, compute, noise, 1).found();
  }

  @Test
  void unitsMakeNoDifference() {
    long seed = new Random().nextLong();
    var random = new Random(seed);
    for (int i = 0; i < 200; i++) {
      double[][] times = new double[3][ROUNDS];
      double[][] scaled = new double[3][ROUNDS];
      for (int k = 0; k < 3; k++) {
        for (int j = 0; j < ROUNDS; j++) {
          times[k][j] = random.nextDouble(0.1, 1);
          scaled[k][j] = 1024 * times[k][j];
        }
      }
      assertThat(Bound.of(scaled[0], scaled[1], scaled[2], MARGIN).found())
          .as("seed %d, %d", seed, i)
          .isEqualTo(Bound.of(times[0], times[1], times[2], MARGIN).found());
    }
  }

  @Test
  void roundsThatDifferAreRefused() {
    assertThatThrownBy(() -> Bound.of(new double[2], new double[3], new double[3], MARGIN))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> Bound.of(new double[3], new double[3], new double[3], 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
