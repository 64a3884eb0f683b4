package dev.ridgeline.bench.ab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.bench.trend.RecordedNoise;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A small part of {@code bench/run ab-simulated}. */
class SimulatedSessionsTest {
  private static final int SESSIONS = 100;

  @ParameterizedTest
  @ValueSource(strings = {"embed-quiet", "embed-busy", "softmax-quiet"})
  void equalSidesAreSeldomCalledDifferent(String name) {
    RecordedNoise noise = RecordedNoise.medians(name);
    for (double budget : new double[] {20, 40, 120}) {
      SimulatedSessions equal = SimulatedSessions.run(noise, 0, budget, SESSIONS, 1);
      assertThat(equal.faster() + equal.slower()).isLessThanOrEqualTo(4);
    }
  }

  @Test
  void aHalfIsFoundInTwentySeconds() {
    RecordedNoise noise = RecordedNoise.medians("embed-quiet");
    SimulatedSessions half = SimulatedSessions.run(noise, 0.5, 20, SESSIONS, 1);
    assertThat(half.slower()).isGreaterThanOrEqualTo(95);
    assertThat(half.held()).isGreaterThanOrEqualTo(93 * half.bounded() / 100);
  }

  @Test
  void aFifthIsFoundInAMinute() {
    RecordedNoise noise = RecordedNoise.medians("embed-quiet");
    SimulatedSessions fifth = SimulatedSessions.run(noise, 0.2, 60, SESSIONS, 1);
    assertThat(fifth.slower()).isGreaterThanOrEqualTo(95);
    assertThat(fifth.faster()).isZero();
    assertThat(fifth.held()).isGreaterThanOrEqualTo(93 * fifth.bounded() / 100);
  }
}
