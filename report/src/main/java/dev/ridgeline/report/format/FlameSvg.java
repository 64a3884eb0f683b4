package dev.ridgeline.report.format;

import dev.ridgeline.report.Html;
import dev.ridgeline.report.Quantity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * Boxes under boxes as one SVG that needs nothing else: a picture anywhere, and in a browser one to
 * zoom and search in. The root is on top; the heaviest stand left.
 */
final class FlameSvg {
  private static final int WIDTH = 1200;
  private static final int MARGIN = 10;
  private static final int ROW = 18;
  private static final int LINE = 16;

  /** Of the whole width; what is narrower could not be seen. */
  private static final double NARROWEST = 1e-4;

  private FlameSvg() {}

  /**
   * A box.
   *
   * @param name what is written on it
   * @param facts lines that are shown when the mouse is on it
   * @param style its classes in flame.css
   */
  record Look(String name, List<String> facts, String style) {}

  private record Placed<N>(N node, double left, double width, int depth) {}

  /**
   * Draws a tree.
   *
   * @param legend lines above the picture
   * @param own how wide a node is beyond its children
   */
  static <N> String draw(
      String title,
      List<String> legend,
      N root,
      Function<N, List<N>> children,
      ToDoubleFunction<N> own,
      Function<N, Look> look)
      throws IOException {
    List<Placed<N>> boxes = place(root, children, own);
    int rows = boxes.stream().mapToInt(Placed::depth).max().orElse(0) + 1;
    int top = MARGIN + LINE * (legend.size() + 2);
    StringBuilder svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="flame" width="%d" height="%d" viewBox="0 0 %1$d %2$d" data-top="%d" data-margin="%d">
        <title>%s</title>
        <style>
        %s</style>
        <rect class="paper" width="100%%" height="100%%"/>
        <text class="title" x="%4$d" y="%d">%5$s</text>
        """
            .formatted(
                WIDTH,
                top + rows * ROW + MARGIN,
                top,
                MARGIN,
                Markup.escape(title),
                part("flame.css"),
                MARGIN + LINE));
    int y = MARGIN + LINE;
    for (String line : legend) {
      y += LINE;
      svg.append(
          "<text class=\"legend\" x=\"%d\" y=\"%d\">%s</text>\n"
              .formatted(MARGIN, y, Markup.escape(line)));
    }
    svg.append(
        """
        <text class="button" data-do="search" x="%d" y="%d" text-anchor="end">search /</text>
        <text class="button" data-do="reset" x="%d" y="%2$d" text-anchor="end">zoom out Esc</text>
        <text class="found" x="%1$d" y="%d" text-anchor="end"></text>
        <g class="boxes">
        """
            .formatted(WIDTH - MARGIN, MARGIN + LINE, WIDTH - MARGIN - 70, MARGIN + 2 * LINE));
    for (Placed<N> box : boxes) append(svg, box, look.apply(box.node), top);
    svg.append("</g>\n<script><![CDATA[\n")
        .append(part("flame.js"))
        .append("]]></script>\n</svg>\n");
    return svg.toString();
  }

  private static void append(StringBuilder svg, Placed<?> box, Look look, int top) {
    double scale = WIDTH - 2 * MARGIN;
    double x = MARGIN + box.left * scale;
    double width = box.width * scale;
    int y = top + box.depth * ROW;
    String name = Markup.escape(look.name);
    svg.append("<g class=\"box ").append(look.style).append('"');
    svg.append(Quantity.format(" data-x=\"%.6f\" data-w=\"%.6f\"", box.left, box.width));
    svg.append(" data-d=\"").append(box.depth).append("\"><title>").append(name);
    for (String fact : look.facts) svg.append('\n').append(Markup.escape(fact));
    svg.append("</title>");
    svg.append(Quantity.format("<rect x=\"%.2f\" width=\"%.2f\"", x, width));
    svg.append(" y=\"%d\" height=\"%d\"/>".formatted(y, ROW - 1));
    svg.append(Quantity.format("<text x=\"%.2f\"", x + 3)).append(" y=\"%d\">".formatted(y + 13));
    svg.append(Markup.escape(Markup.fit(look.name, width - 6))).append("</text></g>\n");
  }

  /** Where each box stands, as parts of the root's width; parents come first. */
  private static <N> List<Placed<N>> place(
      N root, Function<N, List<N>> children, ToDoubleFunction<N> own) {
    Map<N, Double> widths = widths(root, children, own);
    double all = widths.get(root);
    List<Placed<N>> placed = new ArrayList<>();
    List<Placed<N>> open = new ArrayList<>(List.of(new Placed<>(root, 0, 1, 0)));
    while (!open.isEmpty()) {
      Placed<N> box = open.removeLast();
      placed.add(box);
      if (box.depth == Stacks.DEEPEST || all <= 0) continue;
      double left = box.left;
      List<N> inside = new ArrayList<>(children.apply(box.node));
      inside.sort(Comparator.comparingDouble((N node) -> widths.get(node)).reversed());
      for (N child : inside) {
        double width = widths.get(child) / all;
        if (width >= NARROWEST) open.add(new Placed<>(child, left, width, box.depth + 1));
        left += width;
      }
    }
    return placed;
  }

  private static <N> Map<N, Double> widths(
      N root, Function<N, List<N>> children, ToDoubleFunction<N> own) {
    List<N> order = new ArrayList<>(List.of(root));
    for (int i = 0; i < order.size(); i++) order.addAll(children.apply(order.get(i)));
    Map<N, Double> widths = new IdentityHashMap<>();
    for (N node : order.reversed()) {
      double sum = Math.max(0, own.applyAsDouble(node));
      for (N child : children.apply(node)) sum += widths.get(child);
      widths.put(node, sum);
    }
    return widths;
  }

  static String part(String name) throws IOException {
    return Html.part("format/" + name);
  }
}
