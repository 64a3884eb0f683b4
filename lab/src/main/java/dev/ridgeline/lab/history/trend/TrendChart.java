package dev.ridgeline.lab.history.trend;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Band;
import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

/** A trend as a chart: runs in their order, with dates below, levels, and what changed them. */
final class TrendChart {
  private TrendChart() {}

  static Chart of(Trend trend) {
    List<Point> runs = new ArrayList<>();
    for (int i = 0; i < trend.points().size(); i++) {
      Trend.Point point = trend.points().get(i);
      String run = TrendText.name(point) + ", " + DateLabels.full(point.time()) + " UTC";
      runs.add(new Point(i, point.value(), Double.NaN, Double.NaN, run));
    }
    List<Point> levels = new ArrayList<>();
    for (Trend.Level level : trend.levels()) {
      levels.add(Point.of(level.from() - 0.5, level.value()));
      levels.add(Point.of(level.to() - 0.5, level.value()));
      levels.add(Point.of(Double.NaN, Double.NaN));
    }
    List<Band> places = new ArrayList<>();
    List<Mark> changes = new ArrayList<>();
    for (Trend.Change change : trend.changes()) {
      places.add(Band.across(change.earliest() - 0.5, change.latest() + 0.5));
      changes.add(mark(trend, change, changes.size() + 1));
    }
    return new Chart(
            TrendText.head(trend),
            "",
            trend.unit(),
            Scale.WHOLE,
            Scale.LINEAR,
            List.of(
                new Series("runs", Drawn.SINGLE, runs), new Series("level", Drawn.LEVEL, levels)),
            changes)
        .withBands(places, "")
        .withPlaces(dates(trend.points()));
  }

  private static Mark mark(Trend trend, Trend.Change change, int number) {
    double grew = change.change().estimate();
    String shortly = change.relative() ? Quantity.change(grew) : "%+.3g".formatted(grew);
    Tone tone =
        switch (trend.word(change)) {
          case "worse" -> Tone.WORSE;
          case "better" -> Tone.BETTER;
          default -> Tone.PLAIN;
        };
    String said = String.join("\n", TrendText.lines(trend, change));
    return new Mark(change.index() - 0.5, number + "  " + shortly, tone, said);
  }

  /** The first, the last, and those between, in the order in which they are wanted. */
  private static List<Mark> dates(List<Trend.Point> points) {
    DateLabels labels = DateLabels.of(points);
    List<Mark> dates = new ArrayList<>();
    int last = points.size() - 1;
    for (int i : new int[] {0, last, last / 2, last / 4, last - last / 4}) {
      dates.add(new Mark(i, labels.text(points.get(i).time())));
    }
    return dates;
  }
}
