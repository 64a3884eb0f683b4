package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Step.Outcome;
import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.Chart.Band;
import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.chart.Tone;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

/**
 * The commits in order, from the good end to the bad one, and how far each that was tried is from
 * the good one.
 */
final class CommitsChart {
  /** Letters of a hash below its commit. */
  private static final int SHORT = 7;

  private final Bisection it;

  private CommitsChart(Bisection it) {
    this.it = it;
  }

  static Chart of(Bisection it) {
    return new CommitsChart(it).draw();
  }

  private Chart draw() {
    Interval ends = it.ends().decidingRatio();
    List<Series> series = new ArrayList<>();
    Point good = new Point(-1, 0, 0, 0, it.question().good().title());
    series.add(series("good", Outcome.GOOD, Tone.BETTER, good));
    series.add(series("bad", Outcome.BAD, Tone.WORSE, point(it.question().bad(), ends)));
    Series undecided = series("undecided", Outcome.UNDECIDED, Tone.ASIDE);
    if (!undecided.points().isEmpty()) series.add(undecided);
    Chart chart =
        new Chart(
                "Commits",
                Quantity.many(it.commits().size(), "commit") + ", the eldest first",
                "%",
                Scale.WHOLE,
                Scale.LINEAR,
                series,
                skipped())
            .withLevel(0, "")
            .withBands(suspects(), note())
            .withPlaces(places());
    if (it.steps().isEmpty()) return chart;
    return chart.withLevel(Interval.percent(ends.estimate() / 2), "halfway between the ends");
  }

  private Series series(String name, Outcome outcome, Tone tone, Point... end) {
    List<Point> points = new ArrayList<>(List.of(end));
    for (Step step : it.steps()) {
      if (step.outcome() == outcome && step.rounds() > 0) {
        points.add(point(step.commit(), step.change()));
      }
    }
    return new Series(name, Drawn.DOTS, points).in(tone);
  }

  private Point point(Commit commit, Interval change) {
    Point place = Point.of(place(commit), change, Interval::percent);
    return new Point(place.x(), place.y(), place.low(), place.high(), commit.title());
  }

  /** The good end is the place before the first commit. */
  private int place(Commit commit) {
    return it.commits().indexOf(commit);
  }

  private List<Mark> skipped() {
    return it.steps().stream()
        .filter(step -> step.rounds() == 0)
        .map(Step::commit)
        .map(each -> new Mark(place(each), "", Tone.ASIDE, each.title() + ": skipped"))
        .toList();
  }

  private List<Band> suspects() {
    if (!hasBand()) return List.of();
    return it.left().stream()
        .map(this::place)
        .map(each -> Band.across(each - 0.5, each + 0.5))
        .toList();
  }

  private boolean hasBand() {
    return !it.left().isEmpty() && it.left().size() < it.commits().size();
  }

  /** First ends and what is left, then all that was tried. */
  private List<Mark> places() {
    List<Commit> wanted = new ArrayList<>(List.of(it.question().bad()));
    if (it.left().size() == 1) wanted.add(it.left().getFirst());
    it.steps().forEach(step -> wanted.add(step.commit()));
    List<Mark> places = new ArrayList<>();
    places.add(new Mark(-1, shortly(it.question().good())));
    wanted.forEach(each -> places.add(new Mark(place(each), shortly(each))));
    return places;
  }

  private static String shortly(Commit commit) {
    return commit.hash().substring(0, Math.min(SHORT, commit.hash().length()));
  }

  /** Of what there is, and of nothing else. */
  private String note() {
    String note = it.ends().deciding().metric() + " against the good end, with 95 % intervals.";
    if (!skipped().isEmpty()) note += " A dashed line is a commit that does not run.";
    if (!hasBand()) return note;
    return note
        + (it.commit() == null
            ? " The band is suspected still."
            : " The band is where it changed.");
  }
}
