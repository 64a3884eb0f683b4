package dev.ridgeline.bench.trend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class PlantedStepsTest {
  /** A small part of {@code bench/run change-points}: what is found in the noise of real runs. */
  @Test
  void stepsInRealNoiseAreFoundAsOftenAsBefore() {
    RecordedNoise calm = RecordedNoise.read("embed-quiet");
    RecordedNoise quiet = RecordedNoise.read("softmax-quiet");
    assertThat(PlantedSteps.count(quiet, 0.05, 40, 1))
        .isEqualTo(new PlantedSteps(40, 39, 37, 33, 2, 3));
    assertThat(PlantedSteps.count(calm, 0.05, 40, 1))
        .isEqualTo(new PlantedSteps(40, 37, 33, 36, 2, 7));
    RecordedNoise busy = RecordedNoise.read("embed-busy").first(PlantedSteps.USUAL);
    assertThat(PlantedSteps.count(busy, 0.10, 40, 1))
        .isEqualTo(new PlantedSteps(40, 37, 34, 37, 2, 4));
  }

  @Test
  void aSeriesDrawnAgainHoldsOnlyWhatWasRecorded() {
    RecordedNoise noise = RecordedNoise.read("embed-busy");
    assertThat(noise.logs()).hasSize(200);
    assertThat(noise.about()).contains("ridgeline profile embed").contains("2026-11-16");
    double[] again = noise.again(500, 20, new SplittableRandom(1));
    for (double log : again) assertThat(noise.logs()).contains(log);
  }
}
