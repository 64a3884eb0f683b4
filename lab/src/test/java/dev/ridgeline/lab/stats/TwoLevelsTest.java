package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class TwoLevelsTest {
  private static final long SEED = 65;
  private static final int SERIES = 2_000;

  @Test
  void oneLevelIsSeldomCalledTwo() {
    for (int n : new int[] {12, 16, 24, 48}) {
      assertThat(found(n, Random::nextGaussian)).as("normal, %d", n).isLessThan(0.005);
      assertThat(found(n, Noise.HEAVY::of)).as("heavy, %d", n).isLessThan(0.01);
      assertThat(found(n, Random::nextDouble)).as("uniform, %d", n).isLessThan(0.02);
      assertThat(found(n, r -> Math.exp(r.nextGaussian()))).as("skewed, %d", n).isLessThan(0.02);
    }
  }

  @Test
  void forksOfTwoSpeedsAreFound() {
    ToDoubleFunction<Random> forks =
        random -> 0.02 * random.nextGaussian() + (random.nextInt(10) < 3 ? Math.log(1.25) : 0);
    assertThat(found(16, forks)).isGreaterThan(0.84);
    assertThat(found(24, forks)).isGreaterThan(0.93);
  }

  @Test
  void theLevelsAreSaidWithTheirNumbers() {
    double[] numbers = {1, 1.01, 2, 1, 1.02, 1, 2.01, 1, 1.01, 1, 1, 2};
    TwoLevels levels = TwoLevels.of(numbers);
    assertThat(levels.lower()).isEqualTo(9);
    assertThat(levels.low()).isCloseTo(1.004, within(0.001));
    assertThat(levels.high()).isCloseTo(2.003, within(0.001));
    assertThat(TwoLevels.of(new double[24])).isNull();
    assertThat(TwoLevels.of(new double[] {1, 1, 1, 2, 2, 2})).isNull();
  }

  private static double found(int n, ToDoubleFunction<Random> noise) {
    var random = new Random(SEED);
    int found = 0;
    for (int i = 0; i < SERIES; i++) {
      double[] numbers = new double[n];
      for (int k = 0; k < n; k++) numbers[k] = noise.applyAsDouble(random);
      if (TwoLevels.of(numbers) != null) found++;
    }
    return found / (double) SERIES;
  }
}
