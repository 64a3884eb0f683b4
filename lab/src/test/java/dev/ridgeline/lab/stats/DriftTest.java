package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Execution(CONCURRENT)
class DriftTest {
  private static final long SEED = 41;

  @ParameterizedTest
  @EnumSource
  void aboutNineteenOfTwentyFurtherDifferencesAreOrdinary(Noise noise) {
    var random = new Random(SEED);
    int repetitions = 10_000;
    for (int n : new int[] {4, 8, 18, 19, 60}) {
      int ordinary = 0;
      for (int i = 0; i < repetitions; i++) {
        double[] runs = new double[n + 2];
        Arrays.setAll(runs, r -> noise.of(random));
        double[] steps = new double[n + 1];
        Arrays.setAll(steps, s -> runs[s + 1] - runs[s]);
        double range = Drift.range(Arrays.copyOf(steps, n)).orElseThrow();
        if (Math.abs(steps[n]) <= range) ordinary++;
      }
      // The wildest noise is stretched for too little where there are few; see the class.
      assertThat(ordinary / (double) repetitions)
          .as("%d steps, seed %d", n, SEED)
          .isBetween(0.90, 0.999);
    }
  }

  @Test
  void fewAreStretchedAndManyAreCutOff() {
    assertThat(Drift.range(new double[] {1, -3, 2, 0}).orElseThrow()).isCloseTo(6, within(1e-12));
    double[] nineteen = IntStream.rangeClosed(1, 19).asDoubleStream().toArray();
    assertThat(Drift.range(nineteen).orElseThrow()).isEqualTo(19);
    double[] hundred = IntStream.range(0, 99).mapToDouble(i -> i % 2 == 0 ? i : -i).toArray();
    assertThat(Drift.range(hundred).orElseThrow()).isEqualTo(94);
  }

  @Test
  void aLongHistoryIsNotRuledByItsOneBadDay() {
    double[] steps = new double[60];
    Arrays.setAll(steps, i -> i % 2 == 0 ? 0.01 : -0.01);
    steps[17] = 0.5;
    steps[18] = -0.5;
    assertThat(Drift.range(steps).orElseThrow()).isEqualTo(0.01);
  }

  @Test
  void ofFewerThanFourNothingIsKnown() {
    for (int n = 0; n < 4; n++) assertThat(Drift.range(new double[n])).isEmpty();
    assertThat(Drift.range(new double[4])).hasValue(0);
  }

  @Test
  void whatIsNotFiniteIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Drift.range(new double[] {Double.NaN}));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Drift.range(new double[] {1, 2, 3, Double.NEGATIVE_INFINITY}));
  }
}
