package dev.ridgeline.lab.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.report.Text;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** Charts of a console: everything has a cell, and no line is too long. */
@Execution(CONCURRENT)
class ChartTextTest {
  private static Chart chart(Scale across, Scale up, List<Mark> marks, Series... series) {
    return new Chart("title", "x", "y", across, up, List.of(series), marks);
  }

  @Test
  void aLevelIsALineAMarkAColumnAndDotsAreAboveBoth() {
    List<Point> level = List.of(Point.of(-0.5, 10), Point.of(4.5, 10));
    List<Point> runs = new ArrayList<>();
    for (int i = 0; i < 5; i++) runs.add(Point.of(i, i == 4 ? 20 : 10));
    Chart chart =
        chart(
            Scale.WHOLE,
            Scale.LINEAR,
            List.of(new Mark(3.5, "1  −5 %"), new Mark(3.6, "2  +5 %")),
            new Series("runs", Drawn.SINGLE, runs),
            new Series("level", Drawn.LEVEL, level));
    List<String> lines = ChartText.lines(chart, 60, true);
    assertThat(lines.getFirst().strip()).isEqualTo("1  -5 %");
    assertThat(lines).filteredOn(line -> line.contains("---o---")).hasSize(1);
    assertThat(String.join("", lines).chars().filter(c -> c == 'o')).hasSize(5);
    assertThat(lines).filteredOn(line -> line.matches(".*\\|.*\\|.*")).hasSize(11);
    assertThat(String.join("", ChartText.lines(chart, 60, false))).contains("─", "┊", "└");
  }

  @Test
  void namesBelowThatMeetAreLeftOut() {
    Series one =
        new Series(
            "s",
            Drawn.DOTS,
            List.of(new Point(0, 1, 1, 1, "the first"), new Point(1, 2, 2, 2, "the second")));
    String last = ChartText.lines(Chart.ofNames("t", "y", one), 60, true).getLast();
    assertThat(last).contains("the first", "the second");
    assertThat(ChartText.lines(Chart.ofNames("t", "y", one), 26, true).getLast())
        .contains("the first")
        .doesNotContain("second");
  }

  @Test
  void anythingFitsItsWidth() {
    long seed = 4;
    Random random = new Random(seed);
    double[] odd = {0, 1, -1, Double.NaN, Double.MAX_VALUE, -Double.MAX_VALUE, 1e-320, 1e16};
    for (int i = 0; i < 2000; i++) {
      List<Point> points = new ArrayList<>();
      for (int n = random.nextInt(6); n > 0; n--) {
        points.add(Point.of(odd[random.nextInt(odd.length)], odd[random.nextInt(odd.length)]));
      }
      Chart chart =
          chart(
              Scale.values()[random.nextInt(4)],
              Scale.values()[random.nextInt(4)],
              List.of(new Mark(random.nextGaussian(), "a mark")),
              new Series("s", Drawn.values()[random.nextInt(5)], points));
      int width = 30 + random.nextInt(90);
      assertThat(ChartText.lines(chart, width, random.nextBoolean()))
          .as("seed %d, %d", seed, i)
          .allSatisfy(line -> assertThat(Text.width(line)).isLessThanOrEqualTo(width));
    }
  }
}
