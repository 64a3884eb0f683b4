package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.format.Difference.Node;
import dev.ridgeline.report.format.Difference.Presence;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The difference of two trees as a flame graph, alone or on a page with the largest changes: red
 * has a larger share of all time, or of all bytes, than before, blue a smaller one.
 */
public final class DifferenceGraph {
  private static final int STRENGTHS = 5;
  private static final int ROWS = 30;

  private final Difference difference;
  private final Measure measure;
  private final Names names;
  private final List<Node> byChange = new ArrayList<>();
  private final double largest;

  private DifferenceGraph(Difference difference, Names names) {
    this.difference = difference;
    this.measure = difference.measure();
    this.names = names;
    difference.forEach(byChange::add);
    byChange.sort(Comparator.comparingDouble((Node n) -> Math.abs(n.selfShareChange())).reversed());
    largest = byChange.isEmpty() ? 0 : Math.abs(byChange.getFirst().selfShareChange());
  }

  /** What readers call the two trees. */
  public record Names(String before, String after) {}

  /** Writes {@code difference.svg}. */
  public static void svg(Difference difference, Names names, OutputStream out) throws IOException {
    out.write(new DifferenceGraph(difference, names).svg().getBytes(StandardCharsets.UTF_8));
  }

  /** Writes {@code difference.html}. */
  public static void html(Difference difference, Names names, OutputStream out) throws IOException {
    out.write(new DifferenceGraph(difference, names).html().getBytes(StandardCharsets.UTF_8));
  }

  private String svg() throws IOException {
    return FlameSvg.draw(
        "Difference",
        legend(),
        difference.root(),
        Node::children,
        node -> Math.max(node.selfShareBefore(), node.selfShareAfter()),
        this::look);
  }

  private List<String> legend() {
    return List.of(
        "before: %s, %s".formatted(names.before, measure.all(difference.allBefore())),
        "after: %s, %s".formatted(names.after, measure.all(difference.allAfter())),
        "red: a larger share of its own run's %s than before, blue: a smaller one; strongest: %s points"
            .formatted(measure.word(), Quantity.fixed(100 * largest, 2)),
        "width: the larger of both self shares, and all below · dashed: only before · thick"
            + " border: only after · underlined: a task handed to another thread",
        "one run each: what differs may be chance");
  }

  private FlameSvg.Look look(Node node) {
    if (node.parent() == null)
      return new FlameSvg.Look(node.name(), legend().subList(0, 2), "root");
    String style = colour(node.selfShareChange());
    if (node.isTask()) style += " task";
    style +=
        switch (node.presence()) {
          case BOTH -> "";
          case ONLY_BEFORE -> " gone";
          case ONLY_AFTER -> " new";
        };
    return new FlameSvg.Look(
        node.name(),
        List.of(
            "self before: " + side(node.before(), node.selfShareBefore()),
            "self after: " + side(node.after(), node.selfShareAfter()),
            "change: " + points(node.selfShareChange()) + " points"),
        style);
  }

  private String colour(double change) {
    // The square root brings out small changes next to one that is large.
    double part = largest == 0 ? 0 : Math.sqrt(Math.abs(change) / largest);
    int strength = (int) Math.round(STRENGTHS * part);
    if (strength == 0) return "same";
    return (change > 0 ? "more" : "less") + strength;
  }

  private String side(CallTree.Node place, double share) {
    if (place == null) return "not there";
    return "%s, %s, %s"
        .formatted(
            measure.text(measure.self(place)),
            Quantity.percent(share),
            Quantity.many(place.calls(), "call"));
  }

  /** {@code +1.25}: a change of a share, in percentage points. */
  private static String points(double change) {
    String text = String.format(Locale.ROOT, "%+.2f", 100 * change);
    return text.matches("[+-]0\\.00") ? "0.00" : text;
  }

  private String html() throws IOException {
    StringBuilder rows = new StringBuilder();
    for (Node node : byChange.subList(0, Math.min(ROWS, byChange.size()))) {
      if (node.selfShareChange() == 0) break;
      rows.append("<tr class=\"").append(colour(node.selfShareChange())).append("\">");
      rows.append("<td>").append(Markup.escape(path(node))).append("</td>");
      cell(rows, node.before() == null ? "–" : own(node.before()));
      cell(rows, node.before() == null ? "–" : Quantity.percent(node.selfShareBefore()));
      cell(rows, node.after() == null ? "–" : own(node.after()));
      cell(rows, node.after() == null ? "–" : Quantity.percent(node.selfShareAfter()));
      cell(rows, points(node.selfShareChange()));
      cell(rows, presence(node.presence()));
      rows.append("</tr>\n");
    }
    // Split, not replaced one after the other: a name may look like a hole.
    String[] page = FlameSvg.part("difference.html").split("\\{\\{\\w+}}");
    String unit = measure.unit();
    return page[0] + svg() + page[1] + unit + page[2] + unit + page[3] + rows + page[4];
  }

  private static void cell(StringBuilder row, String text) {
    row.append("<td>").append(Markup.escape(text)).append("</td>");
  }

  private String own(CallTree.Node node) {
    return measure.cell(measure.self(node));
  }

  private static String presence(Presence presence) {
    return switch (presence) {
      case BOTH -> "";
      case ONLY_BEFORE -> "only before";
      case ONLY_AFTER -> "only after";
    };
  }

  private static String path(Node node) {
    List<String> steps = new ArrayList<>();
    for (Node at = node; at.parent() != null; at = at.parent()) {
      steps.add(at.name());
      if (at.parent().parent() != null) steps.add(at.isTask() ? " ⇉ " : " › ");
    }
    return String.join("", steps.reversed());
  }
}
