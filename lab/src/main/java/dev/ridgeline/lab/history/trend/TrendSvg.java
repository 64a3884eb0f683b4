package dev.ridgeline.lab.history.trend;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.chart.Ticks;
import dev.ridgeline.report.Quantity;
import java.util.List;
import java.util.Locale;

/** A trend as a drawing: runs in their order, with dates below, levels, and what changed them. */
final class TrendSvg {
  private static final double WIDTH = 1000;
  private static final double HEIGHT = 320;
  private static final double LEFT = 70;
  private static final double RIGHT = 16;
  private static final double TOP = 30;
  private static final double BOTTOM = 30;

  /** Dates that fit beside each other. */
  private static final int DATES = 6;

  private final Trend trend;
  private final Scale scale;
  private final StringBuilder svg = new StringBuilder();

  private TrendSvg(Trend trend) {
    this.trend = trend;
    this.scale = Scale.of(trend);
  }

  static String of(Trend trend) {
    return new TrendSvg(trend).draw();
  }

  private String draw() {
    add("<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\">\n", WIDTH, HEIGHT);
    Ticks ticks = scale.ticks();
    for (double tick : ticks.values()) {
      line("axis", LEFT, y(tick), WIDTH - RIGHT, y(tick));
      text(LEFT - 8, y(tick) + 4, "end", ticks.label(tick));
    }
    dates();
    for (Trend.Change change : trend.changes()) range(change);
    for (int i = 0; i < trend.points().size(); i++) dot(i);
    for (Trend.Level level : trend.levels()) {
      line("level", edge(level.from()), y(level.value()), edge(level.to()), y(level.value()));
    }
    for (int i = 0; i < trend.changes().size(); i++) mark(i + 1, trend.changes().get(i));
    return svg.append("</svg>\n").toString();
  }

  private void dates() {
    List<Trend.Point> points = trend.points();
    DateLabels labels = DateLabels.of(points);
    int shown = Math.min(DATES, points.size());
    double bottom = HEIGHT - BOTTOM;
    line("zero", LEFT, bottom, WIDTH - RIGHT, bottom);
    for (int k = 0; k < shown; k++) {
      int i = shown == 1 ? 0 : (int) Math.round((double) k * (points.size() - 1) / (shown - 1));
      line("zero", x(i), bottom, x(i), bottom + 5);
      String anchor = shown == 1 ? "middle" : k == 0 ? "start" : k == shown - 1 ? "end" : "middle";
      text(x(i), HEIGHT - 8, anchor, labels.text(points.get(i).time()));
    }
  }

  /** Where a change may begin. */
  private void range(Trend.Change change) {
    double from = edge(change.earliest());
    double width = Math.max(1, edge(change.latest() + 1) - from);
    add(
        "<rect class=\"band\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
        from, TOP, width, HEIGHT - TOP - BOTTOM);
  }

  private void mark(int number, Trend.Change change) {
    String style = trend.word(change).equals("worse") ? "worse" : "better";
    double x = edge(change.index());
    add("<g class=\"change %s\">", style);
    line("", x, TOP, x, HEIGHT - BOTTOM);
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        Math.clamp(x, LEFT + 40, WIDTH - RIGHT - 50),
        TOP - 10,
        "middle",
        escape(number + "  " + shortly(change)));
    add(
        "<title>%s</title></g>\n",
        escape(
            String.join(
                "\n",
                TrendText.change(trend, change),
                TrendText.before(trend, change),
                TrendText.after(trend, change),
                TrendText.place(change))));
  }

  private static String shortly(Trend.Change change) {
    return change.relative()
        ? Quantity.change(change.change().estimate())
        : "%+.3g".formatted(change.change().estimate());
  }

  private void dot(int i) {
    Trend.Point point = trend.points().get(i);
    String value = (Quantity.number(point.value()) + " " + trend.unit()).strip();
    String title =
        "%s\n%s\n%s UTC".formatted(value, TrendText.name(point), DateLabels.full(point.time()));
    add(
        "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"%s\"><title>%s</title></circle>\n",
        x(i), y(point.value()), trend.points().size() > 400 ? "2" : "3.5", escape(title));
  }

  private double x(int i) {
    return edge(i) + step() / 2;
  }

  /** The left edge of a run's stripe. */
  private double edge(int i) {
    return LEFT + i * step();
  }

  private double step() {
    return (WIDTH - RIGHT - LEFT) / trend.points().size();
  }

  private double y(double value) {
    return TOP + (1 - scale.part(value)) * (HEIGHT - TOP - BOTTOM);
  }

  private void line(String style, double x1, double y1, double x2, double y2) {
    add(
        "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>\n",
        style, x1, y1, x2, y2);
  }

  private void text(double x, double y, String anchor, String words) {
    add("<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>\n", x, y, anchor, escape(words));
  }

  private void add(String format, Object... arguments) {
    svg.append(String.format(Locale.ROOT, format, arguments));
  }
}
