package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.roofline.Bound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A family of numbered scopes at one place, taken apart: what each part of {@code layer 0–5} takes.
 * Times are of all threads, waiting included.
 *
 * @param where its place: {@code generate › decode › layer 0–5}
 * @param rows its parts in the order in which they ran, and last the whole
 */
record Layers(String where, List<Row> rows) {
  private static final Pattern FAMILY = Pattern.compile(".+ 0–\\d+");

  /** Less of the program's time is no phase of its own. */
  private static final double SHARE = 0.005;

  private static final int MOST = 6;
  private static final int WHERE_WIDTH = 60;

  /** The last row's name. */
  private static final String TOTAL = "total";

  /**
   * A part.
   *
   * @param depth how far it is inside the whole; 0 is the whole itself
   * @param nanos thread time with everything inside it
   * @param share of the whole
   * @param each thread time of one of the numbered scopes
   * @param bound its declared work against all its time; null when none was declared
   */
  record Row(String name, int depth, double nanos, double share, double each, Bound bound) {}

  /** The families of numbered scopes of a report, each phase by itself. */
  static List<Layers> of(Report report) {
    Report folded = report.withoutNumbers();
    List<Node> nodes = folded.tree().nodes();
    double all = Column.threadNanos(folded);
    return nodes.stream()
        .filter(node -> FAMILY.matcher(node.name()).matches() && !isInsideFamily(node))
        .filter(node -> !node.children().isEmpty() && node.correctedThreadNanos() >= SHARE * all)
        .sorted(Comparator.comparing((Node node) -> node.correctedThreadNanos()).reversed())
        .limit(MOST)
        .map(node -> of(node, folded))
        .toList();
  }

  private static boolean isInsideFamily(Node node) {
    for (Node at = node.parent(); at.parent() != null; at = at.parent()) {
      if (FAMILY.matcher(at.name()).matches()) return true;
    }
    return false;
  }

  private static Layers of(Node family, Report report) {
    List<Row> rows = new ArrayList<>();
    for (Node part : family.children()) {
      rows.add(row(part, 1, family, report));
      // What does the work has said so; above it are the names that a reader thinks in.
      if (part.declaresWork() || part.isTask() || part.children().size() < 2) continue;
      for (Node inner : part.children()) rows.add(row(inner, 2, family, report));
    }
    Row whole = row(family, 0, family, report);
    rows.add(new Row(TOTAL, 0, whole.nanos, whole.share, whole.each, whole.bound));
    return new Layers(PathLabels.fit(family, WHERE_WIDTH), List.copyOf(rows));
  }

  private static Row row(Node node, int depth, Node family, Report report) {
    double sum = node.correctedThreadNanos();
    return new Row(
        Text.clean(node.name()),
        depth,
        sum,
        sum / family.correctedThreadNanos(),
        sum / Math.max(1, family.calls() + family.open()),
        report.bounds().inside(node));
  }

  /** What {@link #cells} says; bounds only where there are some. */
  List<String> titles() {
    List<String> titles = new ArrayList<>(List.of("ms", "%", "µs each"));
    if (isBounded()) titles.addAll(List.of("GB/s", "GOP/s", "reached", "limited by", "to win ms"));
    return titles;
  }

  /** A part in numbers, rates are those of a thread. */
  List<String> cells(Row row) {
    List<String> cells = new ArrayList<>();
    cells.add(Quantity.fixed(row.nanos / 1e6, 1));
    cells.add(Quantity.fixed(100 * row.share, 1));
    cells.add(Quantity.number(row.each / 1e3));
    if (!isBounded()) return cells;
    Bound bound = row.bound;
    if (bound == null) {
      cells.addAll(List.of("–", "–", "–", "–", "–"));
      return cells;
    }
    cells.add(Quantity.number(bound.gigabytesPerSecond()));
    cells.add(Quantity.number(bound.operationsPerSecond()));
    cells.add(Quantity.fixed(100 * bound.reached(), 0) + " %");
    cells.add(bound.limitedBy());
    cells.add(Quantity.fixed(bound.toWinNanos() / 1e6, 1));
    return cells;
  }

  private boolean isBounded() {
    return rows.stream().anyMatch(row -> row.bound != null);
  }

  /** All of it in one line, for a screen: the parts of at least a hundredth, and the whole. */
  String sentence() {
    StringBuilder text = new StringBuilder(where).append(": ");
    String group = "";
    boolean grouped = false;
    for (int i = 0; i < rows.size() - 1; i++) {
      Row row = rows.get(i);
      boolean opens = row.depth == 1 && rows.get(i + 1).depth == 2;
      if (row.depth == 1) grouped = opens;
      if (row.depth == 1) group = row.name + " ";
      if (opens || row.share < 0.01) continue;
      text.append(grouped ? group + row.name : row.name).append(' ');
      text.append(Quantity.fixed(100 * row.share, 0)).append(" % · ");
      if (grouped) group = "";
    }
    Row whole = rows.getLast();
    text.append("in all ").append(Quantity.time(whole.nanos));
    if (whole.bound != null) {
      text.append(", ").append(Quantity.fixed(100 * whole.bound.reached(), 0));
      text.append(" % of what is allowed");
    }
    return text.toString();
  }

  /** The same for every format. */
  Table table() {
    List<Table.Row> table =
        rows.stream()
            .map(row -> new Table.Row(null, row.name, row.depth, row.share, cells(row)))
            .toList();
    return new Table(where, "part", titles(), table, List.of(note()));
  }

  /** What every format says of such a table. */
  static String note() {
    return "Thread time with everything inside, waiting included; each is one of the numbered"
        + " scopes.";
  }
}
