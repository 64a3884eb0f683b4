package dev.ridgeline.lab.chart;

import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.report.Quantity;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A chart as SVG within a page, in the page's own colours, so that it is light where the page is
 * and dark where it is. What a point is shows when the mouse rests on it.
 */
public final class ChartSvg {
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 320;
  private static final double LEFT = 80;
  private static final double RIGHT = 190;
  private static final double TOP = 24;
  private static final double BOTTOM = 48;

  /** The style sheet knows so many colours; further series begin again. */
  private static final int COLOURS = 6;

  /** More names than this are written aslant, so that they do not meet. */
  private static final int MOST_LEVEL = 8;

  private final Chart chart;
  private final Axis across;
  private final Axis up;
  private final double bottom;
  private final StringBuilder svg = new StringBuilder();

  private ChartSvg(Chart chart) {
    this.chart = chart;
    boolean names = chart.across() == Scale.NAMES;
    this.bottom = names && aslant() ? BOTTOM + 60 : BOTTOM;
    double[] x =
        DoubleStream.concat(
                points().stream().mapToDouble(Point::x),
                chart.marks().stream().mapToDouble(Mark::x))
            .toArray();
    double last = points().stream().mapToDouble(Point::x).filter(Double::isFinite).max().orElse(0);
    this.across =
        names
            ? new Axis(Scale.NAMES, -0.5, last + 0.5, LEFT, WIDTH - RIGHT)
            : Axis.of(chart.across(), x, LEFT, WIDTH - RIGHT);
    double[] y =
        points().stream().flatMapToDouble(p -> DoubleStream.of(p.y(), p.low(), p.high())).toArray();
    this.up = Axis.of(chart.up(), y, height() - bottom, TOP);
  }

  private double height() {
    return HEIGHT + bottom - BOTTOM;
  }

  private List<Point> points() {
    return chart.series().stream().flatMap(series -> series.points().stream()).toList();
  }

  private boolean aslant() {
    return points().stream().mapToDouble(Point::x).distinct().count() > MOST_LEVEL
        || points().stream().anyMatch(point -> point.label().length() > 14);
  }

  /** The chart under its heading. */
  public static String of(Chart chart) {
    return new ChartSvg(chart).draw();
  }

  private String draw() {
    svg.append("<h2>").append(Page.escape(chart.title())).append("</h2>\n");
    svg.append(
        "<svg class=\"chart\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(number(WIDTH), number(height()), Page.escape(chart.title())));
    for (double tick : up.ticks(5)) {
      line("axis", LEFT, up.at(tick), WIDTH - RIGHT, up.at(tick));
      text(LEFT - 8, up.at(tick) + 4, "end", Axis.label(tick), "");
    }
    text(LEFT - 8, 12, "end", chart.y(), "");
    if (chart.across() == Scale.NAMES) names();
    else numbers();
    text((LEFT + WIDTH - RIGHT) / 2, height() - 8, "middle", chart.x(), "");
    double y = TOP + 10;
    for (Mark mark : chart.marks()) {
      if (!across.holds(mark.x())) continue;
      line("block", across.at(mark.x()), TOP, across.at(mark.x()), height() - bottom);
      text(across.at(mark.x()) + 5, y, "start", mark.name(), "");
      // One below the other, so that names of places that are close do not meet.
      y += 15;
    }
    for (int i = 0; i < chart.series().size(); i++) lines(chart.series().get(i), i);
    for (int i = 0; i < chart.series().size(); i++) dots(chart.series().get(i), i);
    for (int i = 0; i < chart.series().size(); i++) legend(chart.series().get(i), i);
    return svg.append("</svg>\n").toString();
  }

  private void numbers() {
    for (double tick : across.ticks(8)) {
      double x = across.at(tick);
      line("axis", x, height() - bottom, x, height() - bottom + 5);
      text(x, height() - bottom + 19, "middle", Axis.label(tick), "");
    }
  }

  private void names() {
    for (Point point :
        chart.series().isEmpty() ? List.<Point>of() : chart.series().getFirst().points()) {
      if (!across.holds(point.x())) continue;
      double x = across.at(point.x());
      double y = height() - bottom + 19;
      String turned =
          aslant() ? " transform=\"rotate(-35 %s %s)\"".formatted(number(x), number(y)) : "";
      text(x, y, aslant() ? "end" : "middle", point.label(), turned);
    }
  }

  /** Dots of one name stand beside each other. */
  private double x(Point point, int index) {
    double x = across.at(across.within(point.x()));
    int all = chart.series().size();
    return chart.across() == Scale.NAMES ? x + 14 * (index - (all - 1) / 2.0) : x;
  }

  private static String style(int index) {
    return "s" + index % COLOURS;
  }

  private void dots(Series series, int index) {
    if (series.drawn() == Drawn.CURVE) return;
    String style = style(index);
    for (Point point : series.points()) {
      if (!drawn(point)) continue;
      double x = x(point, index);
      if (Double.isFinite(point.low()) && Double.isFinite(point.high())) {
        line(style, x, up.at(up.within(point.low())), x, up.at(up.within(point.high())));
      }
      svg.append(
          "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"4\"><title>%s</title></circle>\n"
              .formatted(style, number(x), number(y(point)), Page.escape(said(series, point))));
    }
  }

  private void legend(Series series, int index) {
    double x = WIDTH - RIGHT + 16;
    double y = TOP + 8 + 18 * index;
    if (series.drawn() == Drawn.CURVE) line(style(index), x - 6, y, x + 6, y);
    else {
      svg.append(
          "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"4\"/>\n"
              .formatted(style(index), number(x), number(y)));
    }
    text(WIDTH - RIGHT + 26, y + 4, "start", series.name(), "");
  }

  /** Whether a point has a place: what is not a number has none, and zero none among logarithms. */
  private boolean drawn(Point point) {
    return across.holds(point.x()) && up.holds(point.y());
  }

  private double y(Point point) {
    return up.at(up.within(point.y()));
  }

  /** A line through neighbours; where one is missing, it ends and begins anew. */
  private void lines(Series series, int index) {
    if (series.drawn() == Drawn.DOTS) return;
    String style = style(index);
    StringBuilder path = new StringBuilder();
    for (Point point : series.points()) {
      if (drawn(point)) {
        path.append(number(x(point, index))).append(',').append(number(y(point))).append(' ');
      } else {
        polyline(style, path);
      }
    }
    polyline(style, path);
  }

  private void polyline(String style, StringBuilder path) {
    if (!path.isEmpty()) {
      svg.append(
          "<polyline class=\"%s\" points=\"%s\"/>\n".formatted(style, path.toString().strip()));
    }
    path.setLength(0);
  }

  private String said(Series series, Point point) {
    String what = point.label().isEmpty() ? Axis.label(point.x()) : point.label();
    String bounds =
        Double.isFinite(point.low()) && Double.isFinite(point.high())
            ? " (%s to %s)".formatted(Quantity.number(point.low()), Quantity.number(point.high()))
            : "";
    return "%s · %s: %s%s".formatted(series.name(), what, Quantity.number(point.y()), bounds);
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    svg.append(
        "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
            .formatted(style, number(x1), number(y1), number(x2), number(y2)));
  }

  private void text(double x, double y, String anchor, String words, String more) {
    if (words.isEmpty()) return;
    svg.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\"%s>%s</text>\n"
            .formatted(number(x), number(y), anchor, more, Page.escape(words)));
  }

  private static String number(double value) {
    return Quantity.fixed(value, 1).replace(",", "");
  }
}
