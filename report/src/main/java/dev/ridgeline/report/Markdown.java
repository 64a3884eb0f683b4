package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A report as Markdown: the whole of it, for a repository, an issue or a wiki. */
public final class Markdown {
  private static final List<Column> ALL =
      Arrays.stream(Column.values()).filter(column -> column != Column.SELF_ALLOCATED).toList();
  private static final List<Column> ALLOCATORS =
      List.of(Column.SELF_ALLOCATED, Column.ALLOCATED, Column.ALLOCATED_PER_CALL, Column.CALLS);
  private static final List<Column> CALLED =
      List.of(Column.CALLS, Column.AVERAGE, Column.TOTAL, Column.SELF, Column.SHARE);

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
    Hotspots hotspots = Hotspots.of(report.profile());
    if (hotspots.leads()) markdown.hotspots(hotspots, top);
    if (!report.tree().root().children().isEmpty()) {
      markdown.hotPaths();
      markdown.layers(report);
      markdown.series();
      markdown.inside();
      markdown.allocators();
      markdown.scopes("Most called", markdown.ranking.called(SIDE_ROWS), CALLED);
      markdown.regions();
      markdown.devices(top);
      markdown.tree(report.tree().withoutNumbers(report.profile()), depth);
    } else if (!hotspots.leads()) {
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

  private void hotspots(Hotspots hotspots, int top) {
    parts("Hot methods by samples", "method", hotspots.methods(top));
    parts("Packages", "package", hotspots.packages(SIDE_ROWS));
    List<List<String>> threads = new ArrayList<>();
    for (Hotspots.Row row : hotspots.threads(SIDE_ROWS)) {
      threads.add(List.of(row.name(), Quantity.fixed(100 * row.self(), 1)));
    }
    if (!threads.isEmpty()) table("Threads", List.of("thread", "%"), threads);
    paragraph(Inside.quality(report.profile().samples()));
  }

  private void parts(String title, String what, List<Hotspots.Row> parts) {
    List<List<String>> rows = new ArrayList<>();
    for (Hotspots.Row row : parts) {
      String self = Quantity.fixed(100 * row.self(), 1);
      rows.add(List.of(row.name(), self, Quantity.fixed(100 * row.total(), 1)));
    }
    table(title, List.of(what, "self %", "total %"), rows);
  }

  private void hotPaths() {
    List<Node> rows = ranking.hot();
    String by = WaitWords.shown(report) ? "running" : "self";
    scopes("Hot paths by " + by + " time", rows, ALL);
    long more = ranking.size() - rows.size();
    if (more > 0) paragraph("Not shown: " + Quantity.many(more, "scope") + ".");
    paragraph(Explanation.percentages(report) + " " + Explanation.correction(report));
    Explanation.bounds(rows, report).forEach(this::paragraph);
    Explanation.legend(rows, report).forEach(this::paragraph);
  }

  private void layers(Report whole) {
    for (Layers layers : Layers.of(whole)) {
      List<String> titles = new ArrayList<>(List.of("part"));
      titles.addAll(layers.titles());
      List<List<String>> rows = new ArrayList<>();
      for (Layers.Row row : layers.rows()) {
        String indent = "\u00a0".repeat(2 * Math.max(0, row.depth() - 1));
        List<String> cells = new ArrayList<>(List.of(indent + row.name()));
        cells.addAll(layers.cells(row));
        rows.add(cells);
      }
      table(escape(layers.where()), titles, rows);
      paragraph(Layers.note());
    }
  }

  private void series() {
    for (Series series : report.series()) {
      List<String> titles = new ArrayList<>(List.of(series.name()));
      titles.addAll(series.columns());
      List<List<String>> rows = new ArrayList<>();
      for (int i = 0; i < series.labels().size(); i++) {
        List<String> row = new ArrayList<>(List.of(series.labels().get(i)));
        row.addAll(series.cells(i));
        rows.add(row);
      }
      String title = Character.toUpperCase(series.name().charAt(0)) + series.name().substring(1);
      table(escape(title), titles, rows);
      if (!series.note().isEmpty()) paragraph(series.note());
    }
  }

  /** What scopes spent their time in, where stacks were sampled. */
  private void inside() {
    Map<Node, Inside> inside = Inside.of(report.profile(), report.tree());
    List<Node> nodes = new ArrayList<>();
    for (Node node : ranking.hot()) {
      Inside seen = inside.get(node);
      if (seen != null && seen.tellsMethods()) nodes.add(node);
    }
    if (nodes.isEmpty()) return;
    List<List<String>> rows = new ArrayList<>();
    List<String> labels = PathLabels.fit(nodes, PATH_WIDTH);
    for (int i = 0; i < nodes.size(); i++) {
      Inside seen = inside.get(nodes.get(i));
      rows.add(List.of(labels.get(i), seen.sentence(), Quantity.count(seen.samples())));
    }
    table("Inside the hot paths", List.of("scope", "its own code", "samples"), rows);
    paragraph(Inside.quality(report.profile().samples()));
  }

  private void allocators() {
    List<Node> rows = ranking.allocatedBytes() > 0 ? ranking.allocators(SIDE_ROWS) : List.of();
    if (!rows.isEmpty()) scopes("Top allocators", rows, ALLOCATORS);
  }

  private void scopes(String title, List<Node> rows, List<Column> columns) {
    List<Cells> cells = Cells.of(columns, rows, report);
    List<String> titles = new ArrayList<>(List.of("scope"));
    cells.forEach(column -> titles.add(column.title()));
    List<List<String>> table = new ArrayList<>();
    List<String> labels = PathLabels.fit(rows, PATH_WIDTH);
    for (int i = 0; i < rows.size(); i++) {
      List<String> row =
          new ArrayList<>(List.of(labels.get(i) + Explanation.mark(rows.get(i), report)));
      for (Cells column : cells) row.add(column.texts().get(i));
      table.add(row);
    }
    table(title, titles, table);
  }

  private void regions() {
    List<List<String>> rows = new ArrayList<>();
    for (Node node : ranking.regions(SIDE_ROWS)) {
      List<String> row = new ArrayList<>(List.of(PathLabels.fit(node, PATH_WIDTH)));
      row.addAll(Explanation.region(node));
      rows.add(row);
    }
    if (rows.isEmpty()) return;
    List<String> titles = new ArrayList<>(List.of("region"));
    titles.addAll(Explanation.REGION);
    table("Parallel regions", titles, rows);
  }

  private void devices(int top) {
    DeviceTable devices = DeviceTable.of(report, top);
    if (devices.rows().isEmpty()) return;
    List<String> titles = new ArrayList<>(List.of("scope"));
    titles.addAll(DeviceTable.TITLES);
    List<List<String>> rows = new ArrayList<>();
    for (Node node : devices.rows()) {
      List<String> row = new ArrayList<>(List.of(PathLabels.fit(node, PATH_WIDTH)));
      row.addAll(devices.cells(node));
      rows.add(row);
    }
    table("Hot paths by device time", titles, rows);
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
    Map<Node, Double> threadNanos = new IdentityHashMap<>();
    for (Node node : tree.nodes().reversed()) {
      double nanos = threadNanos.merge(node, node.correctedSelfNanos(), Double::sum);
      threadNanos.merge(node.parent(), nanos, Double::sum);
    }
    double all = Column.threadNanos(report);
    List<Node> stack = new ArrayList<>();
    push(stack, tree.root(), threadNanos);
    int lines = 0;
    int left = 0;
    while (!stack.isEmpty()) {
      Node node = stack.removeLast();
      boolean shown = threadNanos.get(node) >= NEGLIGIBLE * all && lines < TREE_LINES;
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
                  Quantity.fixed(100 * threadNanos.get(node) / all, 1),
                  "  ".repeat(node.depth() - 1),
                  node.isTask() ? "⇉ " : "",
                  code(Text.clean(node.name()))));
      push(stack, node, threadNanos);
    }
    text.append("```\n");
    paragraph(
        "Percentages count a scope with all below it, tasks on other threads included."
            + (left == 0 ? "" : " Small or deep ones left out: " + Quantity.count(left) + "."));
  }

  /** Pushes children so that the one with most time is drawn first. */
  private static void push(List<Node> stack, Node node, Map<Node, Double> nanos) {
    node.children().stream().sorted(Comparator.comparing(nanos::get)).forEach(stack::add);
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
