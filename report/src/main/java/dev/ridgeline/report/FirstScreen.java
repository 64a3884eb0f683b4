package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.roofline.Bound;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The whole answer on one screen: what ran, how fast and how far from what the machine allows,
 * where the time goes, what to do next, whether that is sound, and where the rest is.
 */
public final class FirstScreen {
  /** Lines at most, and cells of each: commands and paths alone are longer, to be copied. */
  public static final int LINES = 26;

  public static final int COLUMNS = 100;

  private static final int ROWS = 8;
  private static final int FIGURE_LINES = 2;

  /** Reasons to doubt the run, the gravest first. */
  private static final int DOUBTS = 2;

  private static final int NAME_AT_LEAST = 20;

  /** Of the time with everything inside: where less is its own, what is inside has rows. */
  private static final double OWN = 0.5;

  /** The part of the time that is little. */
  private static final double LITTLE = 0.03;

  private static final List<String> TITLES = List.of("ms", "%", "of limit", "could save");

  private final Report report;
  private final Console.Style style;
  private final int width;
  private final List<String> lines = new ArrayList<>();

  /** The way to what the table is about, which is said once. */
  private String known = "";

  private FirstScreen(Report report, Console.Style style) {
    this.report = report;
    this.style = style;
    this.width = Math.min(COLUMNS, style.width());
  }

  /** Draws a report. */
  public static String draw(Report report, Console.Style style, Console.Around around) {
    Report folded = report.folded();
    boolean otherwise = Hotspots.of(report.profile()).leads() || folded.tree().nodes().isEmpty();
    if (otherwise) return Console.draw(report, style, ROWS, Column.SELF, around);
    FirstScreen screen = new FirstScreen(folded, style);
    screen.headline();
    screen.table();
    List<String> tail = screen.tail(around);
    screen.next(LINES - screen.lines.size() - tail.size());
    screen.lines.addAll(tail);
    return String.join("\n", screen.lines) + "\n";
  }

  private void headline() {
    Report.Headline headline = report.headline();
    lines.add(Ink.BOLD.on(Text.fit(Text.clean(headline.title()), width), style.colour()));
    if (!headline.subtitle().isEmpty()) {
      lines.add(dim(Text.fit(Text.clean(headline.subtitle()), width)));
    }
    int most = lines.size() + FIGURE_LINES;
    String line = "";
    for (Report.Figure figure : headline.figures()) {
      String doubt = figure.doubt().isEmpty() ? "" : " (" + figure.doubt() + ")";
      String text = Text.clean(figure.value() + doubt + " " + figure.label());
      String longer = line.isEmpty() ? "  " + text : line + "    " + text;
      if (Text.width(longer) > width && !line.isEmpty()) {
        lines.add(line);
        if (lines.size() == most) return;
        longer = "  " + text;
      }
      line = Text.fit(longer, width);
    }
    if (!line.isEmpty()) lines.add(line);
  }

  private void table() {
    Ranking ranking = new Ranking(report, ROWS);
    List<Node> rows = ranking.hot();
    Node around = around(rows);
    if (around.parent() != null) {
      String path = PathLabels.full(around);
      lines.add(dim("  in " + Text.fitEnd(path, width - 5)));
      known = path + " › ";
    }
    List<Table.Row> table = new ArrayList<>();
    double all = Column.runningNanos(report);
    double shown = 0;
    for (Node row : rows) {
      double nanos = row.correctedRunningNanos();
      shown += nanos;
      String name = within(around, row) + Explanation.mark(row, report);
      table.add(row(name, nanos, all, ofLimit(row), couldSave(row)));
    }
    if (ranking.size() > rows.size()) {
      String more = "… " + Quantity.many(ranking.size() - rows.size(), "more scope");
      table.add(row(more, all - shown, all, "", ""));
    }
    table.add(row("total", all, all, "", ""));
    Console.Style narrow = new Console.Style(width, style.colour(), false);
    lines.addAll(
        new Table("", "where the time goes", TITLES, table, List.of())
            .lines(narrow, NAME_AT_LEAST));
    lines.add(dim("  " + Text.fit(Explanation.total(report), width - 2)));
  }

  private static Table.Row row(String name, double nanos, double all, String... more) {
    List<String> cells = new ArrayList<>();
    cells.add(Quantity.fixed(nanos / 1e6, 1));
    cells.add(Quantity.fixed(all == 0 ? 0 : 100 * nanos / all, 1));
    cells.addAll(List.of(more));
    return new Table.Row(name, 0, cells);
  }

  /** The innermost place that all of these are inside of, but for those that take little. */
  private static Node around(List<Node> rows) {
    Node around = rows.getFirst().parent();
    double much = LITTLE * rows.stream().mapToDouble(Node::correctedRunningNanos).sum();
    for (Node row : rows) {
      while (row.correctedRunningNanos() >= much && !holds(around, row)) around = around.parent();
    }
    return around;
  }

  private static boolean holds(Node outer, Node inner) {
    Node at = inner.parent();
    while (at != null && at != outer) at = at.parent();
    return at != null;
  }

  /** The way from one place to another inside of it, or the whole way to what is elsewhere. */
  private static String within(Node outer, Node inner) {
    if (!holds(outer, inner)) return PathLabels.full(inner);
    StringBuilder path = new StringBuilder(PathLabels.name(inner));
    for (Node at = inner; at.parent() != outer; at = at.parent()) {
      String joint = at.isTask() ? " ⇉ " : " › ";
      path.insert(0, PathLabels.name(at.parent()) + joint);
    }
    return path.toString();
  }

  /** What bounds a scope that does most of its work itself; null for others. */
  private Bound bound(Node node) {
    boolean own = node.correctedSelfNanos() >= OWN * node.correctedTotalNanos();
    return own ? report.bounds().of(node) : null;
  }

  private String ofLimit(Node node) {
    Bound bound = bound(node);
    return bound == null
        ? Cells.NOTHING
        : Quantity.fixed(100 * bound.reached(), 0) + " % " + bound.limitedBy();
  }

  private String couldSave(Node node) {
    Bound bound = bound(node);
    return bound == null ? Cells.NOTHING : Quantity.fixed(bound.toWinNanos() / 1e6, 1) + " ms";
  }

  /** What to do, most worth first, as far as there is room. */
  private void next(int room) {
    String label = "  Next  ";
    String lastCommand = "";
    int number = 0;
    for (Finding finding : report.findings()) {
      if (finding.severity() != Severity.OPPORTUNITY) continue;
      String win = finding.win().isEmpty() ? "" : ". Wins " + finding.win();
      String text = finding.what() + "; " + finding.advice() + win;
      text = Text.clean(text).replace(known, "");
      List<String> wrapped = Text.wrap(text, width - label.length() - 3);
      boolean command = !finding.command().isEmpty() && !finding.command().equals(lastCommand);
      room -= wrapped.size() + (command ? 1 : 0);
      if (room < 0) return;
      number++;
      for (int i = 0; i < wrapped.size(); i++) {
        String head = i > 0 ? "  " : number + " ";
        String ahead = number == 1 && i == 0 ? label : " ".repeat(label.length());
        lines.add(ahead + head + " " + wrapped.get(i));
      }
      if (command) lines.add(" ".repeat(label.length() + 3) + Text.clean(finding.command()));
      lastCommand = finding.command();
    }
    boolean code = report.findings().stream().anyMatch(f -> f.severity() == Severity.CODE);
    if (number == 0 && code && room > 0) {
      lines.add(label + "no option is known to win more; --full says what the code could");
    }
  }

  private List<String> tail(Console.Around around) {
    List<String> tail = new ArrayList<>();
    List<Finding> doubts =
        report.findings().stream()
            .filter(f -> f.severity() == Severity.UNSOUND || f.severity() == Severity.DOUBTFUL)
            .sorted(Comparator.comparing(Finding::severity))
            .limit(DOUBTS)
            .toList();
    if (doubts.isEmpty()) tail.addAll(labelled("Sound", Explanation.sound(report), 1));
    for (Finding doubt : doubts) {
      String word = doubt.severity() == Severity.UNSOUND ? "no: " : "doubtful: ";
      String label = tail.isEmpty() ? "Sound" : "";
      tail.addAll(labelled(label, word + doubt.what() + "; " + doubt.advice(), 2));
    }
    List<String> ran = Console.ran(report);
    if (!ran.isEmpty()) tail.addAll(labelled("Ran", String.join(" · ", ran), 2));
    if (!around.since().isEmpty()) tail.addAll(labelled("Since", around.since().getFirst(), 1));
    for (int i = 0; i < around.open().size(); i++) {
      tail.add((i == 0 ? "  More  " : "        ") + Text.clean(around.open().get(i)));
    }
    return tail;
  }

  private List<String> labelled(String label, String text, int most) {
    List<String> wrapped = Text.wrap(Text.clean(text), width - 8);
    List<String> kept = new ArrayList<>();
    for (int i = 0; i < Math.min(most, wrapped.size()); i++) {
      boolean cut = i == most - 1 && wrapped.size() > most;
      String line =
          cut ? Text.fit(wrapped.get(i) + " " + wrapped.get(i + 1), width - 8) : wrapped.get(i);
      kept.add((i == 0 ? dim("  %-6s".formatted(label)) : "        ") + line);
    }
    return kept;
  }

  private String dim(String text) {
    return Ink.DIM.on(text, style.colour());
  }
}
