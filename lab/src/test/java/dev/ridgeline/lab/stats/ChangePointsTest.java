package dev.ridgeline.lab.stats;

import static java.util.Comparator.comparingDouble;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.stats.ChangePoints.Step;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class ChangePointsTest {
  private static double[] noise(long seed, int runs) {
    Random random = new Random(seed);
    return random.doubles(runs).map(_ -> 0.02 * random.nextGaussian()).toArray();
  }

  private static double[] raised(double[] series, int from, int to, double height) {
    double[] raised = series.clone();
    for (int i = from; i < to; i++) raised[i] += height;
    return raised;
  }

  @Test
  void aStepIsFoundWithItsPlaceAndItsHeight() {
    int near = 0;
    int held = 0;
    int covered = 0;
    for (int seed = 0; seed < 60; seed++) {
      List<Step> steps = ChangePoints.of(raised(noise(seed, 200), 120, 200, 0.05));
      assertThat(steps).as("seed " + seed).isNotEmpty();
      Step step = steps.getFirst();
      if (Math.abs(step.index() - 120) <= 2) near++;
      if (step.earliest() <= 120 && 120 <= step.latest()) held++;
      if (step.shift().contains(0.05)) covered++;
      assertThat(step.after() - step.before()).isEqualTo(step.shift().estimate());
    }
    assertThat(near).isEqualTo(58);
    assertThat(held).isEqualTo(59);
    assertThat(covered).isEqualTo(57);
  }

  /** Runs, place and height in deviations: of all, at least 95 of 100 ranges hold the place. */
  @Test
  void aRangeHoldsThePlaceOfTheStep() {
    int steps = 0;
    int held = 0;
    for (int runs : new int[] {30, 60, 150}) {
      for (int thirds = 1; thirds <= 2; thirds++) {
        int place = runs * thirds / 3;
        for (double height : new double[] {2, 3, 5, 20}) {
          for (int seed = 0; seed < 25; seed++) {
            double[] noise = seed % 2 == 0 ? noise(seed, runs) : tailed(seed, runs);
            double sign = seed % 4 < 2 ? 0.02 : -0.02;
            for (Step step : ChangePoints.of(raised(noise, place, runs, sign * height))) {
              if (Math.abs(step.index() - place) > runs / 5) continue;
              steps++;
              if (step.earliest() <= place && place <= step.latest()) held++;
            }
          }
        }
      }
    }
    assertThat(steps).isGreaterThan(580);
    assertThat(held).isGreaterThanOrEqualTo(steps * 95 / 100);
  }

  /** By ranks, a run that is high in the longer level pulled any step to itself: 84 of 100. */
  @Test
  void aLargeStepIsFoundAtItsPlaceHoweverUnevenItsSides() {
    int exact = 0;
    int held = 0;
    for (int place : new int[] {10, 20}) {
      for (int seed = 0; seed < 50; seed++) {
        List<Step> steps = ChangePoints.of(raised(noise(seed, 30), place, 30, 1));
        assertThat(steps).as("seed %d, place %d", seed, place).isNotEmpty();
        Step step = steps.stream().max(comparingDouble(ChangePointsTest::size)).orElseThrow();
        if (step.index() == place) exact++;
        if (step.earliest() <= place && place <= step.latest()) held++;
      }
    }
    assertThat(exact).isGreaterThanOrEqualTo(95);
    assertThat(held).isGreaterThanOrEqualTo(97);
  }

  private static double size(Step step) {
    return Math.abs(step.shift().estimate());
  }

  /** Laplace's noise of the same deviation. */
  private static double[] tailed(long seed, int runs) {
    Random random = new Random(seed);
    return random
        .doubles(runs)
        .map(u -> (random.nextBoolean() ? 1 : -1) * -Math.log(1 - u) * 0.02 / Math.sqrt(2))
        .toArray();
  }

  @Test
  void noiseAloneIsRarelyCalledAChange() {
    int alarms = 0;
    for (int seed = 1000; seed < 1200; seed++) {
      if (!ChangePoints.of(noise(seed, 100)).isEmpty()) alarms++;
    }
    assertThat(alarms).isEqualTo(4);
  }

  @Test
  void severalStepsAreFoundInTheirOrder() {
    double[] series = raised(raised(noise(1, 240), 80, 240, -0.2), 160, 240, 0.1);
    assertThat(ChangePoints.of(series)).extracting(Step::index).containsExactly(80, 160);
  }

  @Test
  void whatDepartsForAWhileAndComesBackIsNoChange() {
    assertThat(ChangePoints.of(raised(noise(2, 200), 90, 105, -0.7))).isEmpty();
    double[] both = raised(raised(noise(2, 200), 90, 105, -0.7), 130, 200, 0.06);
    assertThat(ChangePoints.of(both))
        .singleElement()
        .satisfies(step -> assertThat(step.index()).isBetween(127, 133));
  }

  @Test
  void aCountWithoutNoiseThatChangesIsFoundWhereItDoes() {
    double[] bytes = new double[20];
    Arrays.fill(bytes, 11, 20, 8);
    assertThat(ChangePoints.of(bytes))
        .singleElement()
        .returns(11, Step::index)
        .returns(0.0, Step::before)
        .returns(8.0, Step::after);
  }

  @Test
  void theSameSeriesHasTheSameAnswer() {
    double[] series = raised(noise(3, 150), 70, 150, 0.03);
    assertThat(ChangePoints.of(series)).isEqualTo(ChangePoints.of(series.clone()));
  }

  @Test
  void shiftedAndStretchedSeriesChangeAtTheSamePlaces() {
    for (int seed = 0; seed < 10; seed++) {
      double[] series = raised(noise(seed, 120), 50, 120, 0.06);
      double[] other = Arrays.stream(series).map(v -> 4 * v + 8).toArray();
      assertThat(ChangePoints.of(other))
          .as("seed " + seed)
          .extracting(Step::index)
          .isEqualTo(ChangePoints.of(series).stream().map(Step::index).toList());
    }
  }

  @Test
  void fewOrEqualNumbersHaveNoChange() {
    for (int runs = 0; runs < 10; runs++) {
      double[] series = new double[runs];
      Arrays.fill(series, runs / 2, runs, 5);
      assertThat(ChangePoints.of(series)).as(runs + " runs").isEmpty();
    }
    assertThat(ChangePoints.of(new double[300])).isEmpty();
  }

  @Test
  void whatIsNotFiniteIsRefused() {
    assertThatThrownBy(() -> ChangePoints.of(new double[] {1, Double.NaN, 2}))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
