package dev.ridgeline.lab.chart;

import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Level;
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
  private static final double TOP = 24;
  private static final double BOTTOM = 48;

  /** Room at the right for a legend, and where there is none. */
  private static final double LEGEND = 190;

  private static final double MARGIN = 40;

  /** The style sheet knows so many colours; further groups begin again. */
  private static final int COLOURS = 6;

  /** About how wide a letter is. */
  private static final double LETTER = 6.6;

  /** Half of what ends a bar: wider than a dot, so that a short one is seen. */
  private static final double CAP = 7;

  private final Chart chart;
  private final List<String> groups;
  private final Axis across;
  private final Axis up;
  private final double bottom;
  private final double end;
  private final StringBuilder svg = new StringBuilder();

  private ChartSvg(Chart chart) {
    this.chart = chart;
    this.groups = chart.series().stream().map(Series::group).distinct().toList();
    this.end = WIDTH - (hasLegend() ? LEGEND : MARGIN);
    boolean names = chart.across() == Scale.NAMES;
    this.bottom = names && aslant() ? BOTTOM + 60 : BOTTOM;
    double[] x =
        DoubleStream.concat(
                points().stream().mapToDouble(Point::x),
                chart.marks().stream().mapToDouble(Mark::x))
            .toArray();
    this.across =
        names
            ? new Axis(Scale.NAMES, -0.5, last() + 0.5, LEFT, end)
            : Axis.of(chart.across(), x, LEFT, end);
    this.up = Axis.of(chart.up(), heights(), height() - bottom, TOP);
  }

  private double height() {
    return HEIGHT + bottom - BOTTOM;
  }

  private double last() {
    return points().stream().mapToDouble(Point::x).filter(Double::isFinite).max().orElse(0);
  }

  private double[] heights() {
    DoubleStream measured =
        points().stream()
            .flatMapToDouble(
                point ->
                    point.bounded()
                        ? DoubleStream.of(point.y(), point.low(), point.high())
                        : DoubleStream.of(point.y()));
    return DoubleStream.concat(measured, chart.levels().stream().mapToDouble(Level::y)).toArray();
  }

  private List<Point> points() {
    return chart.series().stream().flatMap(series -> series.points().stream()).toList();
  }

  /** Names that would meet each other are written aslant. */
  private boolean aslant() {
    double room = (end - LEFT) / (last() + 1);
    return points().stream().anyMatch(point -> LETTER * (point.label().length() + 1) > room);
  }

  /** One series is what the title says. */
  private boolean hasLegend() {
    return chart.series().size() > 1 || hasRings();
  }

  private boolean hasRings() {
    return chart.series().stream()
        .filter(series -> series.drawn() != Drawn.CURVE)
        .flatMap(series -> series.points().stream())
        .anyMatch(point -> Double.isFinite(point.y()) && !point.bounded());
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
    for (Axis.Tick tick : up.ticks(5)) {
      double y = up.at(tick.value());
      line("axis", LEFT, y, end, y);
      text(LEFT - 8, y + 4, "end", tick.label(), "");
    }
    text(LEFT - 8, 12, "end", chart.y(), "");
    if (chart.across() == Scale.NAMES) names();
    else numbers();
    text((LEFT + end) / 2, height() - 8, "middle", chart.x(), "");
    levels();
    marks();
    for (int i = 0; i < chart.series().size(); i++) lines(chart.series().get(i), i);
    for (int i = 0; i < chart.series().size(); i++) dots(chart.series().get(i), i);
    if (hasLegend()) legend();
    return svg.append("</svg>\n").toString();
  }

  private void levels() {
    for (Level level : chart.levels()) {
      if (!up.holds(level.y())) continue;
      double y = up.at(up.within(level.y()));
      line("block", LEFT, y, end, y);
      text(LEFT + 5, y - 5, "start", level.name(), "");
    }
  }

  private void marks() {
    double y = TOP + 10;
    for (Mark mark : chart.marks()) {
      if (!across.holds(mark.x())) continue;
      double x = across.at(mark.x());
      line("block", x, TOP, x, height() - bottom);
      boolean late = x + LETTER * mark.name().length() > WIDTH;
      text(late ? x - 5 : x + 5, y, late ? "end" : "start", mark.name(), "");
      // One below the other, so that names of places that are close do not meet.
      y += 15;
    }
  }

  private void numbers() {
    for (Axis.Tick tick : across.ticks(8)) {
      double x = across.at(tick.value());
      line("axis", x, height() - bottom, x, height() - bottom + 5);
      text(x, height() - bottom + 19, "middle", tick.label(), "");
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

  private String style(Series series) {
    return "s" + groups.indexOf(series.group()) % COLOURS;
  }

  private void dots(Series series, int index) {
    if (series.drawn() == Drawn.CURVE) return;
    String style = style(series);
    for (Point point : series.points()) {
      if (!drawn(point)) continue;
      double x = x(point, index);
      if (point.bounded()) bar(style, x, point);
      svg.append(
          "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"4\"><title>%s</title></circle>\n"
              .formatted(
                  point.bounded() ? style : style + " ring",
                  number(x),
                  number(y(point)),
                  Page.escape(said(series, point))));
    }
  }

  /** From bound to bound, with ends. */
  private void bar(String style, double x, Point point) {
    double low = up.at(up.within(point.low()));
    double high = up.at(up.within(point.high()));
    line(style, x, low, x, high);
    line(style, x - CAP, low, x + CAP, low);
    line(style, x - CAP, high, x + CAP, high);
  }

  private void legend() {
    double y = TOP + 8;
    double x = end + 16;
    if (chart.series().size() > 1) {
      for (Series series : chart.series()) {
        if (series.drawn() == Drawn.CURVE) line(style(series), x - 6, y, x + 6, y);
        else key(style(series), x, y);
        text(x + 10, y + 4, "start", series.name(), "");
        y += 18;
      }
    }
    if (hasRings()) {
      key("ring", x, y);
      text(x + 10, y + 4, "start", "not known how sure", "");
    }
  }

  private void key(String style, double x, double y) {
    svg.append(
        "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"4\"/>\n"
            .formatted(style, number(x), number(y)));
  }

  /** Whether a point has a place: what is not a number has none, and zero none among logarithms. */
  private boolean drawn(Point point) {
    return across.holds(point.x()) && up.holds(point.y());
  }

  private double y(Point point) {
    return up.at(up.within(point.y()));
  }

  /**
   * A line through neighbours; where one is missing, it ends and begins anew. To and from a point
   * that nobody knows how sure it is, it is dashed.
   */
  private void lines(Series series, int index) {
    if (series.drawn() == Drawn.DOTS) return;
    boolean measured = series.drawn() == Drawn.LINE;
    StringBuilder path = new StringBuilder();
    Point before = null;
    boolean dashed = false;
    for (Point point : series.points()) {
      if (!drawn(point)) {
        polyline(series, dashed, path);
        before = null;
        continue;
      }
      if (before != null) {
        boolean unsure = measured && !(before.bounded() && point.bounded());
        if (unsure != dashed) {
          polyline(series, dashed, path);
          place(before, index, path);
        }
        dashed = unsure;
      }
      place(point, index, path);
      before = point;
    }
    polyline(series, dashed, path);
  }

  private void place(Point point, int index, StringBuilder path) {
    path.append(number(x(point, index))).append(',').append(number(y(point))).append(' ');
  }

  private void polyline(Series series, boolean dashed, StringBuilder path) {
    String points = path.toString().strip();
    path.setLength(0);
    // One place is no line.
    if (!points.contains(" ")) return;
    svg.append(
        "<polyline class=\"%s\" points=\"%s\"/>\n"
            .formatted(style(series) + (dashed ? " dashed" : ""), points));
  }

  private String said(Series series, Point point) {
    String what = point.label().isEmpty() ? Ticks.plain(point.x(), 5) : point.label();
    String bounds =
        point.bounded()
            ? " (%s to %s)".formatted(Quantity.number(point.low()), Quantity.number(point.high()))
            : ", not known how sure";
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
