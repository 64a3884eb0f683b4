package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** A report as Markdown: the whole of it, for a repository, an issue or a wiki. */
public final class Markdown {
  private static final List<Column> ALL =
      Arrays.stream(Column.values()).filter(column -> column != Column.SELF_ALLOCATED).toList();

  /** Long enough for every program but one that recurses. */
  private static final int PATH_WIDTH = 160;

  private static final int SIDE_ROWS = 10;
  private static final double NEGLIGIBLE = 0.0005;
  private static final int TREE_LINES = 400;

  private final Report report;
  private final Ranking ranking;
  private final StringBuilder text = new StringBuilder();

  private Markdown(Report report, int top) {
    this.report = report;
    this.ranking = new Ranking(report, top);
  }

  /**
   * Draws a report.
   *
   * @param top how many hot paths to show
   * @param depth how many levels of the call tree to show
   */
  public static String draw(Report report, int top, int depth) {
    Markdown markdown = new Markdown(report.folded(), top);
    markdown.headline();
    List<Table> hotspots = Tables.hotspots(report, top, SIDE_ROWS);
    hotspots.forEach(markdown::table);
    if (!report.tree().root().children().isEmpty()) {
      Ranking ranking = markdown.ranking;
      markdown.hotPaths();
      Layers.of(report).forEach(layers -> markdown.table(layers.table()));
      report.series().forEach(series -> markdown.table(Tables.series(series)));
      markdown.table(Tables.inside(markdown.report, ranking.hot()));
      markdown.table(Tables.allocators(markdown.report, ranking, SIDE_ROWS));
      markdown.table(Tables.called(markdown.report, ranking, SIDE_ROWS));
      markdown.table(Tables.regions(ranking, SIDE_ROWS));
      markdown.table(Tables.devices(markdown.report, top));
      markdown.tree(report.tree().withoutNumbers(report.profile()), depth);
    } else if (hotspots.isEmpty()) {
      markdown.paragraph("Nothing was recorded: no scope was closed while the profiler ran.");
    }
    markdown.findings();
    markdown.facts("Workload", report.workload());
    List<Report.Fact> system = new ArrayList<>(report.system());
    system.addAll(SystemFacts.of(report.profile()));
    markdown.facts("System", system);
    return markdown.text.toString();
  }

  private void headline() {
    text.append("# ").append(escape(report.headline().title())).append('\n');
    if (!report.headline().subtitle().isEmpty()) paragraph(report.headline().subtitle());
    if (report.headline().figures().isEmpty()) return;
    text.append('\n');
    for (Report.Figure figure : report.headline().figures()) {
      text.append("- **").append(escape(figure.value())).append("** ");
      if (!figure.doubt().isEmpty()) text.append('(').append(escape(figure.doubt())).append(") ");
      text.append(escape(figure.label())).append('\n');
    }
  }

  private void hotPaths() {
    List<Node> rows = ranking.hot();
    String by = WaitWords.shown(report) ? "running" : "self";
    table(Table.of("Hot paths by " + by + " time", "scope", rows, ALL, report));
    long more = ranking.size() - rows.size();
    if (more > 0) paragraph("Not shown: " + Quantity.many(more, "scope") + ".");
    paragraph(Explanation.percentages(report) + " " + Explanation.correction(report));
    Explanation.bounds(rows, report).forEach(this::paragraph);
    Explanation.legend(rows, report).forEach(this::paragraph);
  }

  private void table(Table table) {
    if (table.rows().isEmpty()) return;
    List<String> titles = new ArrayList<>(List.of(table.head()));
    titles.addAll(table.columns());
    List<List<String>> rows = new ArrayList<>();
    List<String> names = table.names(PATH_WIDTH);
    for (int i = 0; i < names.size(); i++) {
      Table.Row row = table.rows().get(i);
      List<String> cells = new ArrayList<>();
      cells.add("\u00a0".repeat(2 * Math.max(0, row.depth() - 1)) + names.get(i));
      cells.addAll(row.cells());
      rows.add(cells);
    }
    table(escape(table.title()), titles, rows);
    table.notes().forEach(this::paragraph);
  }

  private void findings() {
    if (report.findings().isEmpty()) return;
    text.append("\n## Findings\n\n");
    for (Finding finding : report.findings()) {
      text.append("- **").append(finding.rule()).append("** (");
      text.append(finding.severity().name().toLowerCase(Locale.ROOT)).append("): ");
      text.append(escape(finding.what())).append("; ").append(escape(finding.advice()));
      if (!finding.win().isEmpty()) text.append(". Wins ").append(escape(finding.win()));
      if (!finding.command().isEmpty())
        text.append(". `").append(code(finding.command())).append('`');
      text.append('\n');
    }
  }

  private void facts(String title, List<Report.Fact> facts) {
    if (facts.isEmpty()) return;
    table(
        title,
        List.of("what", "value"),
        facts.stream().map(fact -> List.of(fact.name(), fact.value())).toList());
  }

  /** The first column is text, the others are numbers unless there is only one. */
  private void table(String title, List<String> titles, List<List<String>> rows) {
    text.append("\n## ").append(title).append("\n\n");
    row(titles);
    text.append('|').append(" :-- |");
    text.append((titles.size() == 2 ? " :-- |" : " --: |").repeat(titles.size() - 1)).append('\n');
    rows.forEach(this::row);
  }

  private void row(List<String> cells) {
    text.append('|');
    for (String cell : cells) text.append(' ').append(escape(cell)).append(" |");
    text.append('\n');
  }

  private void paragraph(String words) {
    text.append('\n').append(escape(words)).append('\n');
  }

  private void tree(CallTree tree, int depth) {
    text.append("\n## Call tree\n\n```text\n");
    text.append("%12s %12s %10s %6s  scope\n".formatted("total ms", "self ms", "calls", "%"));
    double all = Column.threadNanos(report);
    List<Node> stack = new ArrayList<>();
    push(stack, tree.root());
    int lines = 0;
    int left = 0;
    while (!stack.isEmpty()) {
      Node node = stack.removeLast();
      boolean shown = node.correctedThreadNanos() >= NEGLIGIBLE * all && lines < TREE_LINES;
      if (!shown || node.depth() > depth) {
        left++;
        continue;
      }
      lines++;
      text.append(
          "%12s %12s %10s %6s  %s%s%s\n"
              .formatted(
                  Quantity.fixed(node.correctedTotalNanos() / 1e6, 3),
                  Quantity.fixed(node.correctedSelfNanos() / 1e6, 3),
                  Quantity.count(node.calls() + node.open()),
                  Quantity.fixed(100 * node.correctedThreadNanos() / all, 1),
                  "  ".repeat(node.depth() - 1),
                  node.isTask() ? "⇉ " : "",
                  code(Text.clean(node.name()))));
      push(stack, node);
    }
    text.append("```\n");
    paragraph(
        "Percentages count a scope with all below it, tasks on other threads included."
            + (left == 0 ? "" : " Small or deep ones left out: " + Quantity.count(left) + "."));
  }

  /** Pushes children so that the one with most time is drawn first. */
  private static void push(List<Node> stack, Node node) {
    node.children().stream()
        .sorted(Comparator.comparing(Node::correctedThreadNanos))
        .forEach(stack::add);
  }

  /** Nothing in a name may end a cell, a line or a code span, or begin markup. */
  public static String escape(String words) {
    return Text.clean(words)
        .replaceAll("([\\\\|`*_\\[\\]#~])", "\\\\$1")
        .replace("&", "&amp;")
        .replace("<", "&lt;");
  }

  /** The same inside a code span, where nothing can be escaped. */
  public static String code(String words) {
    return Text.clean(words).replace('`', '\'');
  }
}
