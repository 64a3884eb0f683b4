package dev.ridgeline.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.cli.profile.Pace.Length;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PaceTest {
  private static final Length USUAL = new Length(256, 5);
  private static final double NANOS = 1e9;

  private long now = 12_345;

  private void pass(double seconds) {
    now += (long) (seconds * NANOS);
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-4, 2e-3, 0.02, 0.1, 0.2, 0.5, 1})
  void itEndsInTimeHoweverSlowTheMachineIs(double perText) {
    for (double ceilings : new double[] {0, 8}) {
      long begin = now;
      Pace pace = new Pace(() -> now, Pace.SECONDS);
      pass(ceilings);
      double warmUp = pace.warmUp(15);
      long warm = now;
      int texts = pace.first();
      while (now - warm < warmUp * NANOS) {
        pass(texts * perText);
        texts = pace.next(texts, texts * perText, 64);
      }
      Length length = pace.length(perText, USUAL);
      for (int i = 0;
          i < length.passes() && (i == 0 || pace.timeFor(length.texts() * perText));
          i++) {
        pass(length.texts() * perText);
      }
      pass(2 * perText * pace.count(2 * perText, 200));
      assertThat((now - begin) / NANOS)
          .as("%s s per text, ceilings %s s", perText, ceilings)
          .isLessThanOrEqualTo(Pace.SECONDS - Pace.REST + 2 * perText);
    }
  }

  @Test
  void aFastMachineMeasuresAllOfIt() {
    Pace pace = new Pace(() -> now, Pace.SECONDS);
    assertThat(pace.warmUp(7)).isEqualTo(7);
    assertThat(pace.length(0.0025, USUAL)).isEqualTo(USUAL);
    assertThat(pace.count(0.004, 200)).isEqualTo(200);
  }

  @Test
  void passesGoFirstThenTextsByHalves() {
    Pace pace = new Pace(() -> now, Pace.SECONDS); // room for 17.5 s
    assertThat(pace.length(0.014, USUAL)).isEqualTo(new Length(256, 4));
    assertThat(pace.length(0.03, USUAL)).isEqualTo(new Length(128, 3));
    assertThat(pace.length(0.035, USUAL))
        .as("the same work as a little faster")
        .isEqualTo(new Length(128, 3));
    assertThat(pace.length(1, new Length(100, 5))).isEqualTo(new Length(4, 3));
    pass(100);
    assertThat(pace.length(1, USUAL)).as("something is measured").isEqualTo(new Length(4, 1));
    assertThat(pace.count(1, 200)).isEqualTo(1);
  }

  @Test
  void shortPassesOfAWarmUpGrow() {
    Pace pace = new Pace(() -> now, Pace.SECONDS);
    assertThat(pace.first()).isEqualTo(1);
    assertThat(pace.next(4, 0.01, 64)).isEqualTo(8);
    assertThat(pace.next(48, 0.01, 64)).isEqualTo(64);
    assertThat(pace.next(8, 0.5, 64)).isEqualTo(8);
  }
}
