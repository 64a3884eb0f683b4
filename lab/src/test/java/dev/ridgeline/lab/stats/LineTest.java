package dev.ridgeline.lab.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class LineTest {
  @Test
  void aLineIsFoundInItsPoints() {
    double[] x = {0, 100, 400, 1000};
    Line line = Line.fit(x, new double[] {2, 2.1, 2.4, 3});
    assertThat(line.constant()).isCloseTo(2, within(1e-9));
    assertThat(line.slope()).isCloseTo(0.001, within(1e-12));
    assertThat(line.farthest(x, new double[] {2, 2.1, 2.4, 3})).isLessThan(1e-9);
    assertThat(line.farthest(x, new double[] {2, 2.1, 2.4, 3.3})).isCloseTo(0.1, within(1e-9));
  }

  @Test
  void onePlaceIsALevelLine() {
    assertThat(Line.fit(new double[] {5, 5}, new double[] {1, 3})).isEqualTo(new Line(2, 0));
  }
}
