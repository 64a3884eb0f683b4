package dev.ridgeline.lab.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.lab.chart.Chart.Band;
import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

/** Charts of anything: every mark on them has a place on the page. */
@Execution(CONCURRENT)
class ChartSvgTest {
  private static final Pattern PLACE =
      Pattern.compile("(?:x|y|x1|x2|y1|y2|cx|cy)=\"([^\"]*)\"|points=\"([^\"]*)\"");

  private static Chart chart(Scale across, Scale up, Point... points) {
    return new Chart(
        "title",
        "x",
        "y",
        across,
        up,
        List.of(new Series("s", Chart.Drawn.LINE, List.of(points))),
        List.of());
  }

  private static String drawn(Chart chart) {
    String svg = ChartSvg.of(chart);
    Matcher place = PLACE.matcher(svg);
    while (place.find()) {
      String numbers = place.group(1) == null ? place.group(2) : place.group(1);
      for (String number : numbers.split("[ ,]")) {
        assertThat(Double.parseDouble(number))
            .as("%s\n%s", place.group(), svg)
            .isBetween(-100.0, 1100.0);
      }
    }
    return svg;
  }

  private static int count(String svg, String what) {
    return svg.split(what, -1).length - 1;
  }

  /** What follows from a formula is no measurement: no dots, and beneath those of what is. */
  @Test
  void aCurveHasNoDotsAndHidesNone() {
    Series measured =
        new Series("measured", Chart.Drawn.DOTS, List.of(Point.of(1, 80), Point.of(2, 90)));
    Series law = new Series("law", Chart.Drawn.CURVE, List.of(Point.of(1, 81), Point.of(2, 89)));
    String svg =
        drawn(
            new Chart(
                "title",
                "workers",
                "%",
                Scale.WHOLE,
                Scale.FROM_ZERO,
                List.of(measured, law),
                List.of()));
    assertThat(svg).doesNotContain("<circle class=\"s1\"").contains("<polyline class=\"s1\"");
    assertThat(svg.indexOf("<polyline class=\"s1\"")).isLessThan(svg.indexOf("<circle"));
    assertThat(svg).contains(">0</text>").doesNotContain(">1.5</text>");
    assertThat(svg).contains("s0 ring").doesNotContain("dashed");
  }

  /** Who sees a dot takes it for sure: what has no interval looks otherwise. */
  @Test
  void whatHasNoIntervalIsARingAndTheLineThereIsDashed() {
    String svg =
        drawn(
            chart(
                Scale.WHOLE,
                Scale.LINEAR,
                new Point(1, 10, 9, 11, ""),
                new Point(2, 11, 10, 12, ""),
                Point.of(3, 12),
                Point.of(4, 13),
                new Point(5, 14, 13, 15, ""),
                new Point(6, 14, 0, Double.POSITIVE_INFINITY, "half of an interval is none")));
    assertThat(count(svg, "<circle class=\"s0\"")).isEqualTo(3);
    assertThat(count(svg, "<circle class=\"s0 ring\"")).isEqualTo(3);
    assertThat(count(svg, "<polyline class=\"s0\"")).isEqualTo(1);
    assertThat(count(svg, "<polyline class=\"s0 dashed\"")).isEqualTo(1);
    assertThat(svg).contains(">not known how sure</text>");
    assertThat(svg).as("an axis that begins at the bound that is none").doesNotContain(">0</text>");
  }

  @Test
  void aBarHasEndsThatStandOutBesideItsDot() {
    String svg = drawn(chart(Scale.LINEAR, Scale.LINEAR, new Point(1, 10, 9.999, 10.001, "")));
    Matcher line = Pattern.compile("<line class=\"s0\" x1=\"(.*?)\".*? x2=\"(.*?)\"").matcher(svg);
    List<Double> widths = new ArrayList<>();
    while (line.find()) {
      widths.add(Double.parseDouble(line.group(2)) - Double.parseDouble(line.group(1)));
    }
    assertThat(widths).containsExactly(0.0, 14.0, 14.0);
  }

  @Test
  void seriesOfAGroupHaveOneColour() {
    List<Point> points = List.of(new Point(1, 1, 0.9, 1.1, ""), new Point(2, 2, 1.9, 2.1, ""));
    String svg =
        drawn(
            new Chart(
                "title",
                "x",
                "y",
                Scale.LINEAR,
                Scale.LINEAR,
                List.of(
                    new Series("f16", Chart.Drawn.DOTS, points),
                    new Series("f32", Chart.Drawn.DOTS, points),
                    new Series("f16, the line", "f16", Chart.Drawn.CURVE, points),
                    new Series("f32, the line", "f32", Chart.Drawn.CURVE, points)),
                List.of()));
    assertThat(count(svg, "<polyline class=\"s0\"")).isEqualTo(1);
    assertThat(count(svg, "<polyline class=\"s1\"")).isEqualTo(1);
    assertThat(svg).doesNotContain("\"s2\"", "\"s3\"").contains(">f16, the line</text>");
  }

  @Test
  void oneSeriesNeedsNoLegend() {
    Point sure = new Point(1, 10, 9, 11, "");
    assertThat(drawn(chart(Scale.LINEAR, Scale.LINEAR, sure))).doesNotContain(">s</text>");
  }

  @Test
  void aLevelIsALineAndWithinTheAxis() {
    Chart chart =
        Chart.ofNames(
                "title",
                "x",
                new Series("speed", Chart.Drawn.DOTS, List.of(new Point(0, 5, 4, 6, "without"))))
            .withLevel(1, "all on");
    assertThat(drawn(chart)).contains(">all on</text>").contains("<line class=\"block\"");
  }

  @Test
  void bandsAndPlacesWithoutAnEndStayWithinThePlot() {
    Chart chart =
        chart(Scale.WHOLE, Scale.LINEAR, new Point(1, 5, 4, 6, ""), new Point(9, 7, 6, 8, ""))
            .withBands(List.of(Band.across(2, 3), Band.up(-2, 2)), "what is <shaded>")
            .withPlaces(List.of(new Mark(9, "last"), new Mark(8.9, "near it"), new Mark(1, "one")));
    String svg = drawn(chart);
    assertThat(count(svg, "<rect class=\"band\"")).isEqualTo(2);
    assertThat(svg)
        .contains("what is &lt;shaded&gt;", ">last</text>", ">one</text>")
        .doesNotContain("near it", "Infinity", "NaN");
  }

  @Test
  void aSingleMeasurementLacksNoBounds() {
    Series runs = new Series("runs", Chart.Drawn.SINGLE, List.of(Point.of(1, 10), Point.of(2, 11)));
    List<Point> both = List.of(Point.of(1, 10.5), Point.of(2, 10.5));
    String svg =
        drawn(
            new Chart(
                "title",
                "",
                "",
                Scale.WHOLE,
                Scale.LINEAR,
                List.of(runs.in(Tone.ASIDE), new Series("level", Chart.Drawn.LEVEL, both)),
                List.of()));
    assertThat(svg)
        .doesNotContain("not known how sure", "ring")
        .contains("<circle class=\"aside\"");
    assertThat(svg.indexOf("<polyline")).isGreaterThan(svg.lastIndexOf("<title>"));
  }

  @Test
  void namesOfMarksThatAreCloseStandBelowEachOther() {
    Mark[] marks = {
      new Mark(1, "a change", Tone.WORSE, "what is <said>"),
      new Mark(1.1, "next"),
      new Mark(9, "far")
    };
    Chart chart = chart(Scale.LINEAR, Scale.LINEAR, Point.of(0, 1), Point.of(10, 2));
    String svg =
        drawn(
            new Chart("title", "", "", chart.across(), chart.up(), chart.series(), List.of(marks)));
    assertThat(svg).contains("<g class=\"mark worse\">", "<title>what is &lt;said&gt;</title>");
    Matcher height = Pattern.compile(" y=\"([^\"]*)\"[^>]*>(a change|next|far)<").matcher(svg);
    List<String> heights = new ArrayList<>();
    while (height.find()) heights.add(height.group(1));
    assertThat(heights).containsExactly("34.0", "49.0", "34.0");
  }

  @Test
  void namesThatFitAreNotTurned() {
    for (int names : new int[] {3, 12}) {
      List<Point> points = new ArrayList<>();
      for (int i = 0; i < names; i++) points.add(new Point(i, 1, 1, 1, "without batching"));
      String svg = drawn(Chart.ofNames("title", "x", new Series("s", Chart.Drawn.DOTS, points)));
      assertThat(svg.contains("rotate")).as("%d names", names).isEqualTo(names > 3);
    }
  }

  @Test
  void whatIsNoNumberIsLeftOutAndTheLineHasAGap() {
    String svg =
        drawn(
            chart(
                Scale.LINEAR,
                Scale.LINEAR,
                Point.of(1, 1),
                Point.of(2, 2),
                Point.of(3, Double.NaN),
                Point.of(4, 4),
                Point.of(4.5, 5),
                Point.of(Double.NaN, 5),
                Point.of(6, Double.POSITIVE_INFINITY),
                Point.of(7, 7)));
    assertThat(count(svg, "<polyline")).isEqualTo(2);
    assertThat(count(svg, "<title>")).isEqualTo(5);
  }

  @Test
  void onePointOrNoneOrEqualOnesAreDrawn() {
    assertThat(count(drawn(chart(Scale.LINEAR, Scale.LINEAR)), "<title>")).isZero();
    for (double value : new double[] {0, 7, -7, 1e-12, 1e17, 1e300, Double.MAX_VALUE}) {
      Point one = Point.of(value, value);
      assertThat(count(drawn(chart(Scale.LINEAR, Scale.LINEAR, one)), "<title>")).isEqualTo(1);
      assertThat(count(drawn(chart(Scale.LINEAR, Scale.LINEAR, one, one, one)), "<title>"))
          .isEqualTo(3);
    }
    // Beyond 2^53 the next number is more than one away: counting ticks must end all the same.
    drawn(chart(Scale.LINEAR, Scale.LINEAR, Point.of(1, 1e17), Point.of(2, 1e17 + 64)));
  }

  @Test
  void amongLogarithmsZeroHasNoPlaceAndBoundsBelowItAreCut() {
    String svg =
        drawn(
            chart(
                Scale.LOGARITHMIC,
                Scale.LOGARITHMIC,
                new Point(1, 10, -1, 20, ""),
                Point.of(0, 10),
                Point.of(2, 0),
                Point.of(4, 1000)));
    assertThat(count(svg, "<title>")).isEqualTo(2);
    drawn(
        chart(
            Scale.LOGARITHMIC,
            Scale.LOGARITHMIC,
            Point.of(Double.MIN_VALUE, Double.MAX_VALUE),
            Point.of(Double.MAX_VALUE, Double.MIN_VALUE)));
    assertThat(drawn(chart(Scale.LOGARITHMIC, Scale.LOGARITHMIC, Point.of(-1, -1))))
        .doesNotContain("<title>");
  }

  @Test
  void namesStandBelowTheirDots() {
    String svg =
        drawn(
            Chart.ofNames(
                "title",
                "y",
                new Series(
                    "one",
                    Chart.Drawn.DOTS,
                    List.of(new Point(0, 1, 0.5, 2, "<b>"), new Point(1, 2, 1, 3, "b"))),
                new Series("two", Chart.Drawn.DOTS, List.of(new Point(0, 3, 0.5, 4, "<b>")))));
    assertThat(svg).contains("&lt;b&gt;").doesNotContain("<b>");
    assertThat(drawn(Chart.ofNames("empty", "y"))).contains("<svg");
  }

  @Test
  void anythingIsDrawnWithinThePage() {
    long seed = 3;
    Random random = new Random(seed);
    double[] odd = {0, -0.0, 1, -1, Double.NaN, Double.MAX_VALUE, -Double.MAX_VALUE, 1e-320, 1e16};
    for (int i = 0; i < 3000; i++) {
      List<Point> points = new ArrayList<>();
      for (int n = random.nextInt(6); n > 0; n--) {
        double[] numbers = new double[4];
        for (int k = 0; k < 4; k++) {
          numbers[k] =
              random.nextBoolean()
                  ? odd[random.nextInt(odd.length)]
                  : Math.scalb(random.nextGaussian(), random.nextInt(200) - 100);
        }
        points.add(new Point(numbers[0], numbers[1], numbers[2], numbers[3], ""));
      }
      Scale[] scales = {Scale.LINEAR, Scale.FROM_ZERO, Scale.WHOLE, Scale.LOGARITHMIC};
      Scale across = scales[random.nextInt(scales.length)];
      Scale up = scales[random.nextInt(scales.length)];
      Chart chart =
          new Chart(
              "seed %d, %d".formatted(seed, i),
              "",
              "",
              across,
              up,
              List.of(new Series("s", Chart.Drawn.values()[i % 3], points)),
              List.of(new Mark(random.nextGaussian(), "mark")));
      drawn(chart);
    }
  }
}
