package dev.ridgeline.lab.page;

/** A drawing within a page: lines, dots and words whose colours are the style sheet's. */
public final class Svg {
  private final StringBuilder svg = new StringBuilder();

  public Svg(double width, double height) {
    svg.append(
        "<svg viewBox=\"0 0 %s %s\" role=\"img\">\n".formatted(number(width), number(height)));
  }

  public void rectangle(String style, double x, double y, double width, double height) {
    svg.append(
        "<rect class=\"%s\" x=\"%s\" y=\"%s\" width=\"%s\" height=\"%s\"/>\n"
            .formatted(style, number(x), number(y), number(width), number(height)));
  }

  public void line(String style, double x1, double y1, double x2, double y2) {
    svg.append(
        "<line class=\"%s\" x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\"/>\n"
            .formatted(style, number(x1), number(y1), number(x2), number(y2)));
  }

  /** A line from bound to bound, with ends. */
  public void whisker(double x, double low, double high) {
    line("whisker", x, low, x, high);
    line("whisker", x - 5, low, x + 5, low);
    line("whisker", x - 5, high, x + 5, high);
  }

  /**
   * A dot.
   *
   * @param what it is, told when the mouse rests on it
   */
  public void dot(String style, double x, double y, double radius, String what) {
    svg.append(
        "<circle class=\"%s\" cx=\"%s\" cy=\"%s\" r=\"%s\"><title>%s</title></circle>\n"
            .formatted(style, number(x), number(y), radius, Page.escape(what)));
  }

  /**
   * Words.
   *
   * @param anchor which part of them is at the place: start, middle or end
   */
  public void text(double x, double y, String anchor, String words) {
    svg.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
            .formatted(number(x), number(y), anchor, Page.escape(words)));
  }

  private static String number(double value) {
    return "%.1f".formatted(value);
  }

  /** The whole drawing. */
  @Override
  public String toString() {
    return svg + "</svg>\n";
  }
}
