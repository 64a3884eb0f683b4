package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Rehearsal;
import dev.ridgeline.cli.line.Setting;
import dev.ridgeline.cli.line.Settings;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.cli.report.RunOptions;
import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.Selection;
import dev.ridgeline.lab.history.index.RunIndex;
import dev.ridgeline.lab.history.sql.HistoryDatabase;
import dev.ridgeline.profiler.file.OneLine;
import dev.ridgeline.report.run.Runs;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The {@code history} command. */
@Command(
    name = "history",
    description = {
      "Lists the runs of a folder, newest first, with what they measured, or plots a metric over"
          + " time and says where its level changed."
    },
    sortOptions = false,
    footer = {
      "",
      "Examples:",
      "  ridgeline history                            the newest runs",
      "  ridgeline history --name embed --since 7d    those of a kind, of the last week",
      "  ridgeline history --metric p99 --top 50      another figure than the first",
      "  ridgeline history embedded                   a metric over time, and its changes",
      "  ridgeline history decode --html decode.html  the same as a page",
      "  ridgeline history --sql 'select metric, unit, median(median) from runs group by all'",
      "",
      "What --sql can ask: runs, samples, scopes and machines; their columns are in",
      "docs/history.md, or ask: --sql 'describe scopes'",
    })
public final class HistoryCommand implements Callable<Integer> {
  private static final Setting<Integer> TOP = Setting.number("--top N", 20, "Rows to show.");
  private static final Setting<Boolean> JSON = Setting.flag("--json", "Print JSON.");

  private static final Setting<String> SQL =
      Setting.text("--sql QUERY", "Ask the tables runs, samples, scopes and machines.");
  private static final Setting<Path> HTML =
      Setting.path("--html FILE", "Write a page with the plots: of METRIC.");
  private static final Setting<Boolean> CSV = Setting.flag("--csv", "Print CSV: of --sql.");

  @Mixin
  private final Settings settings =
      new Settings(
          HistoryOptions.NAME,
          HistoryOptions.METRIC,
          HistoryOptions.MACHINE,
          HistoryOptions.REVISION,
          HistoryOptions.SINCE,
          SQL,
          HTML,
          TOP,
          JSON,
          CSV,
          RunOptions.RUNS);

  /** Plots that a terminal shows unless asked for more. */
  private static final int PLOTS = 4;

  @Parameters(
      arity = "0..1",
      paramLabel = "METRIC",
      description = "A part of the name of what to plot: embedded, decode, p99.")
  private String metric;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    Runs runs = RunOptions.runsThere(settings);
    if (metric != null && settings.given(SQL)) throw new Problem("METRIC and --sql: one of them");
    if (metric == null && settings.given(HTML)) {
      throw new Problem("--html needs a METRIC: `ridgeline history` shows which there are");
    }
    if (settings.given(CSV) && !settings.given(SQL)) throw new Problem("--csv needs --sql QUERY");
    if (metric != null) plot(runs);
    else if (settings.given(SQL)) ask(runs);
    else list(runs);
    for (String option : settings.givenButNeverRead()) {
      note(option + " has no effect here");
    }
    return 0;
  }

  private void list(Runs runs) {
    int top = settings.positive(TOP);
    boolean json = settings.read(JSON);
    Selection selection = HistoryOptions.selection(settings, Instant.now());
    RunIndex index = index(runs);
    boolean all = selection.equals(Selection.ALL);
    List<Kept> meant = all ? index.newest(top) : selected(index, selection);
    RunRows rows =
        new RunRows(
            meant.subList(0, Math.min(top, meant.size())),
            all ? index.size() : meant.size(),
            index.size(),
            selection);
    Terminal terminal = Terminal.detect();
    int width = terminal.output() ? terminal.columns() : Integer.MAX_VALUE;
    if (index.size() == 0 && !json) {
      print("no runs in " + runs.folder() + " yet; make one: ridgeline profile\n");
    } else {
      print(json ? rows.json() : rows.text(width));
    }
  }

  private void plot(Runs runs) {
    if (metric.isBlank()) throw new Problem("METRIC '" + metric + "': is empty");
    int top = settings.given(TOP) ? settings.positive(TOP) : PLOTS;
    boolean json = settings.read(JSON);
    Path page = settings.read(HTML);
    Selection selection = HistoryOptions.selection(settings, Instant.now()).of(metric);
    TrendView view = TrendView.of(metric, selected(index(runs), selection), selection);
    if (page != null) {
      Rehearsal.endsHere();
      view.page(page);
    }
    if (json) {
      print(view.json());
    } else {
      print(view.text(Terminal.detect(), top));
      if (page != null) print("\n  Open  " + page + "\n");
    }
  }

  private void ask(Runs runs) {
    int top = settings.given(TOP) ? settings.positive(TOP) : Integer.MAX_VALUE;
    String sql = settings.read(SQL);
    boolean csv = settings.read(CSV);
    boolean json = settings.read(JSON);
    if (csv && json) throw new Problem("--csv and --json: one of them");
    try (var progress = IndexProgress.on(spec.commandLine().getErr(), Terminal.detect());
        var database =
            HistoryDatabase.open(runs, DuckDb.driver(), progress, why -> skip(why, progress))) {
      progress.close();
      SqlAnswer answer = SqlAnswer.of(database.connection(), sql, top);
      print(csv ? answer.csv() : json ? answer.json() : answer.text());
    } catch (SQLException e) {
      throw new Problem("--sql: " + e.getMessage(), e);
    }
  }

  private void skip(String why, IndexProgress progress) {
    progress.close();
    note("skipped: " + why);
  }

  private static List<Kept> selected(RunIndex index, Selection selection) {
    return index.runs().stream().filter(kept -> selection.matches(kept.run())).toList();
  }

  /** What is known of the runs; one that is damaged is told of and left out. */
  private RunIndex index(Runs runs) {
    try (var progress = IndexProgress.on(spec.commandLine().getErr(), Terminal.detect())) {
      RunIndex index = RunIndex.of(runs, progress);
      progress.close();
      index.damaged().forEach(why -> note("skipped: " + why));
      return index;
    }
  }

  private void print(String text) {
    spec.commandLine().getOut().print(text);
  }

  private void note(String line) {
    spec.commandLine().getErr().println("ridgeline: " + OneLine.of(line));
  }
}
