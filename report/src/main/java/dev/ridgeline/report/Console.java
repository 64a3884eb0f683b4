package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.Finding.Severity;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** A report as text for a terminal or a pipe: the answer first, then what to do about it. */
public final class Console {
  /** Columns of the hot-path table, most important first. */
  private static final List<Column> HOT =
      List.of(
          Column.RUNNING,
          Column.SHARE,
          Column.WAITING,
          Column.WAITS_FOR,
          Column.SELF,
          Column.REACHED,
          Column.LIMITED_BY,
          Column.TO_WIN,
          Column.CALLS,
          Column.AVERAGE,
          Column.GIGAFLOPS,
          Column.GIGAOPS,
          Column.GIGABYTES,
          Column.TOTAL,
          Column.P99,
          Column.ALLOCATED_PER_CALL,
          Column.MAX,
          Column.ALLOCATED,
          Column.MIN);

  private static final int SIDE_ROWS = 5;

  /** Cells that names have at least, whatever columns want. */
  private static final int LEAST_NAME = 24;

  private static final int INSIDE_NAME = 36;

  /** Nobody takes more steps than that at once; the other formats have all. */
  private static final int NEXT_STEPS = 5;

  private static final long MANY_CALLS = 10_000;
  private static final double MUCH_ALLOCATION = 1e6;
  private static final String LABEL = "%-8s";

  private final Report report;
  private final Style style;
  private final Ranking ranking;
  private final List<String> lines = new ArrayList<>();
  private String lastCommand = "";

  private Console(Report report, Style style, int top) {
    this.report = report;
    this.style = style;
    this.ranking = new Ranking(report, top);
  }

  /**
   * How it may look.
   *
   * @param width cells to a line, never exceeded; at least {@value #NARROWEST}
   * @param colour whether the terminal understands colours
   * @param bars whether to draw bars
   */
  public record Style(int width, boolean colour, boolean bars) {
    /** Below this nothing is readable. */
    public static final int NARROWEST = 60;

    public Style {
      width = Math.max(NARROWEST, width);
    }

    /** With everything that a terminal can show. */
    public static Style terminal(int width) {
      return new Style(width, true, true);
    }

    /** For pipes and files. */
    public static Style plain(int width) {
      return new Style(width, false, false);
    }
  }

  /**
   * Draws a report.
   *
   * @param top how many hot paths to show
   * @param open what to open next: files and commands, each on its line
   */
  public static String draw(Report report, Style style, int top, List<String> open) {
    return draw(report, style, top, Column.SELF, new Around(List.of(), open));
  }

  /**
   * What is not in the report, but around it.
   *
   * @param since how it compares with the last run like it
   * @param open where files are, and how to have more of them
   */
  public record Around(List<String> since, List<String> open) {}

  /**
   * Draws a report.
   *
   * @param by what the paths are sorted by, largest first
   */
  public static String draw(Report report, Style style, int top, Column by, Around around) {
    Console console = new Console(report.folded(), style, top);
    console.headline();
    List<Table> hotspots = Tables.hotspots(report, top, SIDE_ROWS);
    hotspots.forEach(console::table);
    if (report.tree().root().children().isEmpty()) {
      if (hotspots.isEmpty()) {
        console.blank();
        console.text("  ", "Nothing was recorded: no scope was closed while the profiler ran.");
      }
    } else {
      console.hotPaths(by);
      console.series();
      console.inside();
      console.allocators();
      console.mostCalled();
      console.table(Tables.regions(console.ranking, SIDE_ROWS));
      console.table(Tables.devices(console.report, top));
    }
    console.blank();
    console.system();
    console.blank();
    console.findings();
    List<String> layers = Layers.of(report).stream().map(Layers::sentence).toList();
    console.labelled("Layers", layers, Ink.DIM);
    console.labelled("Ran", ran(report), Ink.DIM);
    console.labelled("Since", around.since(), Ink.DIM);
    console.open(around.open());
    return String.join("\n", console.lines) + "\n";
  }

  /** What the options came to. */
  static List<String> ran(Report report) {
    return report.workload().stream()
        .filter(fact -> fact.name().startsWith("ran "))
        .map(fact -> fact.name().substring(4) + ": " + fact.value())
        .toList();
  }

  private void headline() {
    Report.Headline headline = report.headline();
    for (String line : Text.wrap(Text.clean(headline.title()), style.width())) {
      lines.add(ink(Ink.BOLD, line));
    }
    if (!headline.subtitle().isEmpty()) {
      for (String line : Text.wrap(Text.clean(headline.subtitle()), style.width())) {
        lines.add(ink(Ink.DIM, line));
      }
    }
    if (headline.figures().isEmpty()) return;
    blank();
    StringBuilder line = new StringBuilder("  ");
    int used = 2;
    for (Report.Figure figure : headline.figures()) {
      String value = Text.fit(Text.clean(figure.value()), style.width() / 2 - 2);
      String label = Text.clean(figure.label());
      label = Text.fit(label, style.width() - 5 - Text.width(value));
      String doubt = figure.doubt().isEmpty() ? "" : " (" + Text.clean(figure.doubt()) + ")";
      doubt = Text.fit(doubt, style.width() - 4 - Text.width(value) - Text.width(label));
      int width = Text.width(value) + Text.width(doubt) + 2 + Text.width(label);
      if (used > 2 && used + 5 + width > style.width()) {
        lines.add(line.toString());
        line = new StringBuilder("  ");
        used = 2;
      }
      if (used > 2) line.append("     ");
      line.append(ink(Ink.BOLD, value));
      if (!doubt.isEmpty()) line.append(ink(Ink.YELLOW, doubt));
      line.append("  ").append(ink(Ink.DIM, label));
      used += width + (used > 2 ? 5 : 0);
    }
    lines.add(line.toString());
  }

  private void hotPaths(Column by) {
    boolean hot = by == Column.SELF || by == Column.RUNNING;
    List<Node> rows = hot ? ranking.hot() : ranking.by(by);
    boolean waits = WaitWords.shown(report);
    // Where there is waiting, self time is running and waiting, which say more.
    Column time = waits ? Column.RUNNING : Column.SELF;
    Set<Column> wanted = new LinkedHashSet<>(List.of(time));
    if (!hot) wanted.add(by);
    wanted.addAll(HOT);
    if (waits) wanted.remove(Column.SELF);
    List<Cells> columns = Cells.of(wanted, rows, report);
    String order = hot ? time.title() + " time" : by.title();
    TextTable table = new TextTable("scope, by " + order, rows, columns, style);
    Map<Column, Double> all = sums(ranking.all());
    Map<Column, Double> left = new EnumMap<>(all);
    sums(rows).forEach((column, shown) -> left.merge(column, -shown, Double::sum));
    long more = ranking.size() - rows.size();
    if (more > 0) {
      table.footer("… " + Quantity.many(more, "more scope"), left);
    }
    table.footer("total", all);
    blank();
    lines.addAll(table.draw(report));
    explain(Explanation.percentages(report) + " " + Explanation.correction(report));
    Explanation.bounds(rows, report).forEach(this::explain);
    Explanation.legend(rows, report).forEach(this::explain);
  }

  private void series() {
    for (Series series : report.series()) {
      blank();
      lines.addAll(SeriesText.lines(series, style));
      if (!series.note().isEmpty()) explain(Text.clean(series.note()));
    }
  }

  private void explain(String words) {
    for (String line : Text.wrap(words, style.width() - 2)) lines.add("  " + ink(Ink.DIM, line));
  }

  /** What the hottest scopes spent their time in, where stacks were sampled. */
  private void inside() {
    Table table = Tables.inside(report, ranking.hot());
    if (table.rows().isEmpty()) return;
    blank();
    int name = Math.min(style.width() / 3, INSIDE_NAME);
    Samples.Event event = report.profile().samples().event();
    String by = event == Samples.Event.CPU ? "CPU samples" : event.words();
    String head = "  by " + by + " of its own code";
    lines.add("  " + ink(Ink.DIM, Text.left("inside", name) + head));
    List<String> labels = table.names(name);
    for (int i = 0; i < Math.min(SIDE_ROWS, labels.size()); i++) {
      String row = "  " + Text.left(labels.get(i), name) + "  ";
      text(row, Text.clean(table.rows().get(i).cells().getFirst()), Ink.DIM, 0);
    }
    table.notes().forEach(this::explain);
  }

  /** Columns that add up. */
  private Map<Column, Double> sums(List<Node> nodes) {
    Map<Column, Double> sums = new EnumMap<>(Column.class);
    sums.put(Column.SELF, nodes.stream().mapToDouble(Node::correctedSelfNanos).sum());
    double running = nodes.stream().mapToDouble(Node::correctedRunningNanos).sum();
    sums.put(Column.RUNNING, running);
    sums.put(Column.SHARE, running / Column.runningNanos(report));
    sums.put(Column.WAITING, nodes.stream().mapToDouble(n -> n.waiting().nanos()).sum());
    return sums;
  }

  private void allocators() {
    if (ranking.allocatedBytes() < MUCH_ALLOCATION) return;
    table(Tables.allocators(report, ranking, SIDE_ROWS));
  }

  private void mostCalled() {
    List<Node> rows = ranking.called(SIDE_ROWS);
    if (!rows.isEmpty() && rows.getFirst().calls() >= MANY_CALLS) {
      table(Tables.called(report, ranking, SIDE_ROWS));
    }
  }

  private void table(Table table) {
    if (table.rows().isEmpty()) return;
    blank();
    lines.addAll(table.lines(style, Math.min(LEAST_NAME, Text.width(table.head()))));
    table.notes().forEach(this::explain);
  }

  private void system() {
    for (Report.Fact fact : SystemFacts.of(report.profile())) {
      text(label(fact.name()), Text.clean(fact.value()));
    }
  }

  private void findings() {
    Map<Severity, List<Finding>> found =
        report.findings().stream().collect(Collectors.groupingBy(Finding::severity));
    steps("Next", found.getOrDefault(Severity.OPPORTUNITY, List.of()));
    steps("Code", found.getOrDefault(Severity.CODE, List.of()));
    List<Finding> unsound = found.getOrDefault(Severity.UNSOUND, List.of());
    List<Finding> doubtful = found.getOrDefault(Severity.DOUBTFUL, List.of());
    if (unsound.isEmpty() && doubtful.isEmpty()) {
      labelled("Sound", List.of(Explanation.sound(report)), Ink.GREEN);
    }
    for (int i = 0; i < unsound.size(); i++) {
      finding(i == 0 ? "Sound" : "", i == 0 ? "no: " : "    ", unsound.get(i), Ink.RED);
    }
    for (int i = 0; i < doubtful.size(); i++) {
      boolean first = i == 0 && unsound.isEmpty();
      finding(first ? "Sound" : "", i == 0 ? "doubtful: " : "    ", doubtful.get(i), Ink.YELLOW);
    }
    List<Finding> notes = found.getOrDefault(Severity.NOTE, List.of());
    for (int i = 0; i < notes.size(); i++) {
      finding(i == 0 ? "Note" : "", "", notes.get(i), Ink.DIM);
    }
  }

  private void steps(String label, List<Finding> steps) {
    for (int i = 0; i < Math.min(NEXT_STEPS, steps.size()); i++) {
      finding(i == 0 ? label : "", i + 1 + "  ", steps.get(i), Ink.YELLOW);
    }
  }

  private void finding(String label, String number, Finding finding, Ink ink) {
    String text = Text.clean(finding.what()) + "; " + Text.clean(finding.advice());
    if (!finding.win().isEmpty()) text += ". Wins " + Text.clean(finding.win());
    text += " [" + finding.rule() + "]";
    // What proves several findings is typed once.
    boolean again = finding.command().equals(lastCommand);
    lastCommand = finding.command();
    String head = label(label) + number;
    text(head, text, ink, label.length() + 2);
    // Whole on its line, however long: it is there to be copied.
    if (!finding.command().isEmpty() && !again) {
      lines.add(" ".repeat(Text.width(head)) + Text.clean(finding.command()));
    }
  }

  /** Each whole on its line, however long: commands and paths are there to be copied. */
  private void open(List<String> texts) {
    String head = ink(Ink.DIM, "  Open") + label("Open").substring("  Open".length());
    for (String text : texts) {
      lines.add(head + Text.clean(text));
      head = label("");
    }
  }

  private void labelled(String label, List<String> texts, Ink ink) {
    for (int i = 0; i < texts.size(); i++) {
      text(
          label(i == 0 ? label : ""),
          Text.clean(texts.get(i)),
          ink,
          i == 0 ? label.length() + 2 : 0);
    }
  }

  private static String label(String label) {
    return "  " + LABEL.formatted(label);
  }

  private void text(String head, String text) {
    text(head, text, Ink.DIM, head.stripTrailing().length());
  }

  /** Wraps a text after a head whose first {@code inked} cells are coloured. */
  private void text(String head, String text, Ink ink, int inked) {
    String indent = " ".repeat(Text.width(head));
    String start = ink(ink, head.substring(0, inked)) + head.substring(inked);
    for (String line : Text.wrap(text, style.width() - Text.width(head))) {
      lines.add((start + line).stripTrailing());
      start = indent;
    }
  }

  private void blank() {
    lines.add("");
  }

  private String ink(Ink ink, String text) {
    return ink.on(text, style.colour());
  }
}
