package dev.ridgeline.lab.chart;

import dev.ridgeline.lab.chart.Chart.Band;
import dev.ridgeline.lab.chart.Chart.Drawn;
import dev.ridgeline.lab.chart.Chart.Level;
import dev.ridgeline.lab.chart.Chart.Mark;
import dev.ridgeline.lab.chart.Chart.Point;
import dev.ridgeline.lab.chart.Chart.Scale;
import dev.ridgeline.lab.chart.Chart.Series;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.List;

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

  /** More dots of single measurements are drawn smaller. */
  private static final int MANY = 400;

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
    this.across =
        names
            ? new Axis(Scale.NAMES, -0.5, last() + 0.5, LEFT, end)
            : Axis.of(chart.across(), chart.placesHeld(), LEFT, end);
    this.up = Axis.of(chart.up(), chart.heightsHeld(), height() - bottom, TOP);
  }

  private double height() {
    return HEIGHT + bottom - BOTTOM;
  }

  private double last() {
    return chart.points().mapToDouble(Point::x).filter(Double::isFinite).max().orElse(0);
  }

  private boolean aslant() {
    double room = (end - LEFT) / (last() + 1);
    return chart.points().anyMatch(point -> LETTER * (point.label().length() + 1) > room);
  }

  /** One series is what the title says. */
  private boolean hasLegend() {
    return chart.series().size() > 1 || hasRings();
  }

  private boolean hasRings() {
    return chart.series().stream()
        .filter(series -> series.drawn().dotted() && series.drawn() != Drawn.SINGLE)
        .flatMap(series -> series.points().stream())
        .anyMatch(point -> Double.isFinite(point.y()) && !point.bounded());
  }

  /** The chart under its heading. */
  public static String of(Chart chart) {
    return new ChartSvg(chart).draw();
  }

  private String draw() {
    svg.append("<h2>").append(Page.escape(chart.title())).append("</h2>\n");
    if (!chart.note().isEmpty()) {
      svg.append("<p class=\"legend\">").append(Page.escape(chart.note())).append("</p>\n");
    }
    svg.append(
        "<svg class=\"chart\" viewBox=\"0 0 %s %s\" role=\"img\" aria-label=\"%s\">\n"
            .formatted(number(WIDTH), number(height()), Page.escape(chart.title())));
    chart.bands().forEach(this::band);
    for (Axis.Tick tick : up.ticks(5)) {
      double y = up.at(tick.value());
      line("axis", LEFT, y, end, y);
      text(LEFT - 8, y + 4, "end", tick.label(), "");
    }
    text(LEFT - 8, 12, "end", chart.y(), "");
    below();
    text((LEFT + end) / 2, height() - 8, "middle", chart.x(), "");
    levels();
    marks();
    for (int i = 0; i < chart.series().size(); i++) lines(chart.series().get(i), i);
    for (int i = 0; i < chart.series().size(); i++) dots(chart.series().get(i), i);
    for (Series series : chart.series()) if (series.drawn() == Drawn.LEVEL) polylines(series, 0);
    if (hasLegend()) legend();
    return svg.append("</svg>\n").toString();
  }

  private void band(Band band) {
    double left = across.at(across.within(band.left()));
    double top = up.at(up.within(band.high()));
    double width = Math.max(1, across.at(across.within(band.right())) - left);
    double height = Math.max(1, up.at(up.within(band.low())) - top);
    svg.append(
        "<rect class=\"band\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
            .formatted(number(left), number(top), number(width), number(height)));
  }

  private void levels() {
    for (Level level : chart.levels()) {
      if (!up.holds(level.y())) continue;
      double y = up.at(up.within(level.y()));
      line(level.name().isEmpty() ? "zero" : "block", LEFT, y, end, y);
      text(LEFT + 5, y - 5, "start", level.name(), "");
    }
  }

  /** Names stand above the plot, or below each other where they would meet. */
  private void marks() {
    List<Double> taken = new ArrayList<>();
    for (Mark mark : chart.marks()) {
      if (!across.holds(mark.x())) continue;
      double x = across.at(mark.x());
      double width = LETTER * mark.name().length();
      boolean late = x + width > WIDTH;
      double from = late ? x - width - 5 : x + 5;
      int row = 0;
      while (row < taken.size() && taken.get(row) > from) row++;
      if (row == taken.size()) taken.add(0.0);
      if (width > 0) taken.set(row, from + width);
      svg.append("<g class=\"mark %s\">".formatted(mark.tone().style()));
      line("block", x, TOP, x, height() - bottom);
      text(late ? x - 5 : x + 5, TOP + 10 + 15 * row, late ? "end" : "start", mark.name(), "");
      if (!mark.said().isEmpty()) {
        svg.append("<title>").append(Page.escape(mark.said())).append("</title>");
      }
      svg.append("</g>\n");
    }
  }

  /** As far as there is room: names that would meet are written aslant, others are left out. */
  private void below() {
    double y = height() - bottom;
    boolean aslant = chart.across() == Scale.NAMES && aslant();
    List<double[]> taken = new ArrayList<>();
    for (Mark place : across.below(chart, 8)) {
      if (!across.holds(place.x())) continue;
      double x = across.at(across.within(place.x()));
      if (aslant) {
        String turned = " transform=\"rotate(-35 %s %s)\"".formatted(number(x), number(y + 19));
        text(x, y + 19, "end", place.name(), turned);
        continue;
      }
      double half = LETTER * (place.name().length() + 1) / 2;
      if (taken.stream().anyMatch(other -> x - half < other[1] && other[0] < x + half)) continue;
      taken.add(new double[] {x - half, x + half});
      line("axis", x, y, x, y + 5);
      text(Math.min(x, WIDTH - half), y + 19, "middle", place.name(), "");
    }
  }

  /** Dots of one name stand beside each other. */
  private double x(Point point, int index) {
    double x = across.at(across.within(point.x()));
    int all = chart.series().size();
    return chart.across() == Scale.NAMES ? x + 14 * (index - (all - 1) / 2.0) : x;
  }

  private String style(Series series) {
    if (series.tone() != Tone.PLAIN) return series.tone().style();
    return "s" + groups.indexOf(series.group()) % COLOURS;
  }

  private void dots(Series series, int index) {
    if (!series.drawn().dotted()) return;
    boolean single = series.drawn() == Drawn.SINGLE;
    String radius = !single ? "4" : series.points().size() > MANY ? "2" : "3.5";
    for (Point point : series.points()) {
      if (!drawn(point)) continue;
      double x = x(point, index);
      if (point.bounded()) bar(style(series), x, point);
      svg.append(
          "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"><title>%s</title></circle>\n"
              .formatted(
                  single || point.bounded() ? style(series) : style(series) + " ring",
                  number(x),
                  number(y(point)),
                  radius,
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
        if (series.drawn().dotted()) key(style(series), x, y);
        else line(style(series), x - 6, y, x + 6, y);
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
    if (series.drawn() == Drawn.LINE || series.drawn() == Drawn.CURVE) polylines(series, index);
  }

  private void polylines(Series series, int index) {
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
    String unsure = series.drawn() == Drawn.SINGLE ? "" : ", not known how sure";
    String bounds =
        point.bounded()
            ? " (%s to %s)".formatted(Quantity.number(point.low()), Quantity.number(point.high()))
            : unsure;
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
