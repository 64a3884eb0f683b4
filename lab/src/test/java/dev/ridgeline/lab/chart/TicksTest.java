package dev.ridgeline.lab.chart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.lab.chart.Chart.Scale;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Numbers beside an axis: no two read the same, and none has zeros that say nothing. */
class TicksTest {
  private static List<String> labels(Scale scale, double low, double high) {
    Axis axis = Axis.of(scale, new double[] {low, high}, 0, 100);
    return axis.ticks(6).stream().map(Axis.Tick::label).toList();
  }

  @Test
  void decimalsFollowTheStepAndNotTheNumber() {
    assertThat(labels(Scale.LINEAR, 252.48, 254.9))
        .containsExactly("252.5", "253.0", "253.5", "254.0", "254.5", "255.0");
    assertThat(labels(Scale.LINEAR, 0, 0.2)).containsExactly("0", "0.05", "0.10", "0.15", "0.20");
    assertThat(labels(Scale.LINEAR, 0, 3)).containsExactly("0", "1", "2", "3");
    assertThat(labels(Scale.FROM_ZERO, 0, 12_000)).containsExactly("0", "5,000", "10,000");
  }

  @Test
  void whatIsCountedHasNoParts() {
    assertThat(labels(Scale.WHOLE, 1, 2)).containsExactly("1", "2");
    assertThat(labels(Scale.WHOLE, 1, 1)).containsExactly("1");
    assertThat(labels(Scale.WHOLE, 1, 9)).allMatch(label -> label.matches("\\d+"));
  }

  @Test
  void powersEndWithTheirLastDigit() {
    assertThat(labels(Scale.LOGARITHMIC, 0.25, 4)).containsExactly("0.25", "0.5", "1", "2", "4");
    assertThat(labels(Scale.LOGARITHMIC, 0.001, 100))
        .containsExactly("0.001", "0.01", "0.1", "1", "10", "100");
  }

  @Test
  void noTwoTicksReadTheSame() {
    long seed = 4;
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      double middle = Math.scalb(random.nextGaussian(), random.nextInt(120) - 60);
      // Closer than this an axis gives room itself.
      double span = Math.abs(middle) * Math.pow(10, -6 * random.nextDouble());
      Axis axis = Axis.of(Scale.LINEAR, new double[] {middle, middle + span}, 0, 100);
      List<Axis.Tick> ticks = axis.ticks(5);
      List<String> labels = ticks.stream().map(Axis.Tick::label).toList();
      assertThat(new HashSet<>(labels)).as("seed %d, %d: %s", seed, i, ticks).hasSize(ticks.size());
      assertThat(labels).allMatch(label -> label.length() < 16);
    }
  }
}
