package dev.ridgeline.report;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.roofline.Bound;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A report as {@code roofline.svg}: scopes by how much they compute for each byte and how fast,
 * under the roofs of the machine, both axes logarithmic.
 *
 * <p>All rates are a thread's, so that scopes that ran on different numbers of threads stand under
 * the same roofs: a solid line is one core alone, a dashed one its share when all are busy.
 */
public final class RooflinePlot {
  private static final int WIDTH = 1180;
  private static final int HEIGHT = 600;
  private static final int LEFT = 70;
  private static final int RIGHT = 730;
  private static final int TOP = 70;
  private static final int BOTTOM = HEIGHT - 56;
  private static final int LEGEND = RIGHT + 30;
  private static final int ROW = 34;
  private static final int MOST = 12;
  private static final int NAME_WIDTH = 56;

  /** Shares that differ less from one core alone are the same roof to the eye. */
  private static final double SAME = 0.95;

  private final Report report;
  private final Ceilings ceilings;
  private final List<Node> shown;
  private final StringBuilder svg = new StringBuilder();
  private final List<double[]> labels = new ArrayList<>();
  private Axis x;
  private Axis y;

  /** Decades of a logarithmic axis, from a place on the picture to another. */
  private record Axis(double least, double most, int from, int to) {
    double at(double value) {
      double part = Math.log(value / least) / Math.log(most / least);
      return from + part * (to - from);
    }
  }

  private RooflinePlot(Report report) {
    this.report = report;
    this.ceilings = report.bounds().ceilings();
    this.shown =
        report.tree().nodes().stream()
            .filter(node -> isPoint(report.bounds().of(node)))
            .sorted(Comparator.comparingDouble((Node node) -> bound(node).nanos()).reversed())
            .limit(MOST)
            .toList();
  }

  /** Where the roof leans on bytes and on operations there must be both. */
  private static boolean isPoint(Bound bound) {
    return bound != null && bound.intensity() > 0 && Double.isFinite(bound.intensity());
  }

  private Bound bound(Node node) {
    return report.bounds().of(node);
  }

  /** Draws a report whose ceilings are known, as a file of its own. */
  public static String draw(Report report) throws IOException {
    String style = "<style>\n" + Html.part("html/roofline.css") + "</style>\n";
    return new RooflinePlot(report.folded())
        .picture("<svg xmlns=\"http://www.w3.org/2000/svg\"", style);
  }

  /** Draws a report as part of a page that has the style; nothing where no ceilings are known. */
  static String inside(Report report) throws IOException {
    if (report.bounds().isEmpty()) return "";
    return new RooflinePlot(report.folded()).picture("<svg", "");
  }

  private String picture(String element, String style) {
    scale();
    svg.append(element)
        .append(
            " class=\"roofline\" role=\"img\" aria-label=\"Roofline plot\" viewBox=\"0 0 %d %d\">\n"
                .formatted(WIDTH, HEIGHT));
    svg.append(style);
    svg.append("<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n");
    text("title", 20, 28, Text.fit(Text.clean(report.headline().title()), 120));
    text(
        "note",
        20,
        48,
        "what a thread does; solid: one core alone, dashed: its share when all %d are busy;"
                .formatted(ceilings.cores())
            + " larger points took longer");
    grid();
    roofs();
    points();
    legend();
    return svg.append("</svg>\n").toString();
  }

  private void scale() {
    double lowest = Double.MAX_VALUE;
    double highest = 1;
    double least = 1;
    double most = 1;
    double fastest = 0;
    for (Compute compute : used()) {
      highest = Math.max(highest, compute.one().typical() / 1e9);
    }
    for (Memory memory : ceilings.memory()) {
      double bandwidth = memory.one().read().typical() / 1e9;
      fastest = Math.max(fastest, bandwidth);
      most = Math.max(most, highest / bandwidth);
    }
    if (fastest > 0) least = highest / fastest / 8;
    for (Node node : shown) {
      Bound bound = bound(node);
      least = Math.min(least, bound.intensity());
      most = Math.max(most, bound.intensity());
      lowest = Math.min(lowest, bound.operationsPerSecond());
      highest = Math.max(highest, bound.operationsPerSecond());
    }
    lowest = Math.clamp(lowest, highest / 1e5, highest / 30);
    x = new Axis(least / 2.5, most * 4, LEFT, RIGHT);
    y = new Axis(lowest / 2.5, highest * 2.5, BOTTOM, TOP);
  }

  private void grid() {
    for (int power = -12; power <= 12; power++) {
      double value = Math.pow(10, power);
      String name = power < 0 ? "%s".formatted(value) : Quantity.count((long) value);
      if (value >= x.least && value <= x.most) {
        double at = x.at(value);
        line("grid", at, TOP, at, BOTTOM, "");
        text("tick middle", at, BOTTOM + 18, name);
      }
      if (value >= y.least && value <= y.most) {
        double at = y.at(value);
        line("grid", LEFT, at, RIGHT, at, "");
        text("tick end", LEFT - 8, at + 4, name);
      }
    }
    line("axis", LEFT, BOTTOM, RIGHT, BOTTOM, "");
    line("axis", LEFT, TOP, LEFT, BOTTOM, "");
    text("note middle", (LEFT + RIGHT) / 2.0, BOTTOM + 40, "operations for each byte");
    svg.append(
        "<text class=\"note middle\" transform=\"translate(18 %d) rotate(-90)\">%s</text>\n"
            .formatted((TOP + BOTTOM) / 2, "thousand million operations a second"));
  }

  /** Of the arithmetic that points are about; of other numbers the fastest, to compare with. */
  private List<Compute> used() {
    Set<Arithmetic> kinds = EnumSet.noneOf(Arithmetic.class);
    for (Node node : shown) kinds.addAll(bound(node).compute().keySet());
    Set<String> numbers = kinds.stream().map(Arithmetic::numbers).collect(Collectors.toSet());
    for (Compute each : ceilings.fastest()) {
      if (!numbers.contains(each.kind().numbers())) kinds.add(each.kind());
    }
    return kinds.stream().flatMap(kind -> ceilings.compute(kind).stream()).toList();
  }

  private void roofs() {
    double top = 0;
    double bandwidth = 0;
    for (Compute each : used()) top = Math.max(top, each.one().typical() / 1e9);
    for (Memory each : ceilings.memory()) {
      bandwidth = Math.max(bandwidth, each.one().read().typical() / 1e9);
    }
    for (Compute each : used()) {
      String name = each.kind().numbers() + " compute";
      double one = each.one().typical() / 1e9;
      double share = each.all().typical() / 1e9 / ceilings.cores();
      double ridge = bandwidth > 0 ? Math.max(x.least, one / bandwidth) : x.least;
      String rates = name + " " + Quantity.number(one) + " " + each.kind().unit();
      line("roof", x.at(ridge), y.at(one), RIGHT, y.at(one), rates + ", one core alone");
      if (share < SAME * one) {
        String busy = ", its share when all cores are busy";
        line("roof busy", x.at(ridge), y.at(share), RIGHT, y.at(share), name + busy);
      }
      text("roof-name end", RIGHT - 4, y.at(one) - 6, rates);
    }
    for (Memory each : ceilings.memory()) {
      double one = each.one().read().typical() / 1e9;
      double share = each.all().read().typical() / 1e9 / ceilings.cores();
      String name = each.level() + " " + Quantity.number(one) + " GB/s";
      slope("roof", one, top, name + ", one core alone");
      if (share < SAME * one) {
        slope("roof busy", share, top, each.level() + ", its share when all cores are busy");
      }
      double angle = Math.toDegrees(Math.atan2(-1, slant()));
      double start = Math.max(x.least, y.least / one) * 1.35;
      svg.append(
          Quantity.format(
              "<text class=\"roof-name\" transform=\"translate(%.1f %.1f) rotate(%.1f)\">",
              x.at(start) - 3, y.at(start * one) - 6, angle));
      svg.append(escape(name)).append("</text>\n");
    }
  }

  /** Pixels to the right for each one up, along a line of equal bytes a second. */
  private double slant() {
    double decade = x.at(10 * x.least) - x.at(x.least);
    return decade / (y.at(y.least) - y.at(10 * y.least));
  }

  /** A roof of bytes, as far as the highest roof of operations. */
  private void slope(String style, double bandwidth, double top, String what) {
    double from = Math.max(x.least, y.least / bandwidth);
    double to = top > 0 ? Math.min(x.most, top / bandwidth) : Math.min(x.most, y.most / bandwidth);
    if (from >= to) return;
    line(style, x.at(from), y.at(from * bandwidth), x.at(to), y.at(to * bandwidth), what);
  }

  private void points() {
    List<String> names = PathLabels.fit(shown, NAME_WIDTH);
    double all = Column.threadNanos(report);
    double[][] at = new double[shown.size()][];
    for (int i = 0; i < at.length; i++) {
      Bound bound = bound(shown.get(i));
      double share = Math.clamp(bound.nanos() / all, 0, 1);
      double rate = Math.clamp(bound.operationsPerSecond(), y.least, y.most);
      at[i] = new double[] {x.at(bound.intensity()), y.at(rate), 4 + 22 * Math.sqrt(share)};
      svg.append("<g class=\"point ").append(style(bound)).append("\"><title>");
      svg.append(escape(names.get(i)));
      for (String fact : facts(bound)) svg.append('\n').append(escape(fact));
      svg.append("</title>");
      svg.append(
          Quantity.format(
              "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/></g>\n", at[i][0], at[i][1], at[i][2]));
    }
    for (int i = 0; i < at.length; i++) number(i + 1, at[i]);
  }

  /** Writes a point's number where no other stands: inside it, else around it with a line. */
  private void number(int number, double[] point) {
    for (int turn = 0; turn < 80; turn++) {
      double far = turn == 0 ? 0 : point[2] + 8 + 7 * (turn / 8);
      double atX = point[0] + far * Math.cos(turn * Math.PI / 4 + 0.4);
      double atY = point[1] + far * Math.sin(turn * Math.PI / 4 + 0.4);
      if (atX < LEFT + 8 || atX > RIGHT - 8 || atY < TOP + 8 || atY > BOTTOM - 8) continue;
      boolean taken = false;
      for (double[] other : labels) {
        taken |= Math.abs(other[0] - atX) < 17 && Math.abs(other[1] - atY) < 14;
      }
      if (taken) continue;
      labels.add(new double[] {atX, atY});
      if (turn > 0) line("lead", point[0], point[1], atX, atY, "");
      if (turn > 0)
        svg.append(
            Quantity.format("<circle class=\"seat\" cx=\"%.1f\" cy=\"%.1f\" r=\"8\"/>", atX, atY));
      text("number middle", atX, atY + 4, Integer.toString(number));
      return;
    }
  }

  private void legend() {
    List<String> names = PathLabels.fit(shown, NAME_WIDTH);
    double at = TOP + 6;
    for (int i = 0; i < shown.size(); i++) {
      Bound bound = bound(shown.get(i));
      text("number end", LEGEND + 14, at + 4, Integer.toString(i + 1));
      svg.append("<g class=\"point ").append(style(bound)).append("\">");
      svg.append(
          Quantity.format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\"/></g>\n", LEGEND + 26.0, at));
      text("name", LEGEND + 36, at + 4, names.get(i));
      text("note", LEGEND + 36, at + 19, facts(bound).getFirst());
      at += ROW;
    }
    long bounded =
        report.tree().nodes().stream().filter(node -> bound(node) != null).count() - shown.size();
    if (bounded > 0) {
      text(
          "note",
          LEGEND + 36,
          at + 6,
          "not shown: %s, smaller or without bytes or operations"
              .formatted(Quantity.many(bounded, "scope")));
    }
  }

  private static String style(Bound bound) {
    if (bound.isComputeBound()) return "compute";
    return bound.level() == Ceilings.Level.DRAM ? "dram" : "cache";
  }

  private static List<String> facts(Bound bound) {
    return List.of(
        "%s %% of %s, %s to win of %s"
            .formatted(
                Quantity.fixed(100 * bound.reached(), 0),
                bound.limitedBy(),
                Quantity.time(bound.toWinNanos()),
                Quantity.time(bound.nanos())),
        "%s GB/s, %s thousand million operations a second, per thread"
            .formatted(
                Quantity.number(bound.gigabytesPerSecond()),
                Quantity.number(bound.operationsPerSecond())),
        "%s operations for each byte".formatted(Quantity.number(bound.intensity())));
  }

  private void text(String style, double atX, double atY, String words) {
    svg.append(Quantity.format("<text class=\"" + style + "\" x=\"%.1f\" y=\"%.1f\">", atX, atY));
    svg.append(escape(words)).append("</text>\n");
  }

  private void line(String style, double x1, double y1, double x2, double y2, String what) {
    svg.append("<line class=\"").append(style).append('"');
    svg.append(Quantity.format(" x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"", x1, y1, x2, y2));
    if (what.isEmpty()) svg.append("/>\n");
    else svg.append("><title>").append(escape(what)).append("</title></line>\n");
  }

  private static String escape(String words) {
    return Html.escape(Text.clean(words));
  }
}
