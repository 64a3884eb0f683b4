package dev.ridgeline.cli.history;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Terminal;
import dev.ridgeline.lab.document.ConsoleText;
import dev.ridgeline.lab.document.Document;
import dev.ridgeline.lab.document.HtmlPage;
import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.lab.history.Selection;
import dev.ridgeline.lab.history.trend.Trend;
import dev.ridgeline.lab.history.trend.TrendDocument;
import dev.ridgeline.lab.history.trend.TrendJson;
import dev.ridgeline.profiler.file.WholeFile;
import dev.ridgeline.report.Quantity;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A metric over time: a plot for each kind of work and machine that has it.
 *
 * @param asked the metric, as it was asked for
 * @param trends those with the newest runs first
 */
record TrendView(String asked, List<Trend> trends) {
  /** A pipe gets lines of this width. */
  private static final int PLAIN_COLUMNS = 80;

  static TrendView of(String asked, List<Kept> runs, Selection selection) {
    List<Trend> trends = Trend.of(runs, selection::metricOf);
    if (trends.isEmpty()) throw new Problem("no run with a metric '" + asked + "'");
    return new TrendView(asked, trends);
  }

  String text(Terminal terminal, int top) {
    int width = terminal.output() ? Math.min(terminal.columns(), 120) : PLAIN_COLUMNS;
    List<String> lines = new ArrayList<>();
    int shown = 0;
    int alone = 0;
    boolean some = trends.stream().anyMatch(trend -> trend.points().size() > 1);
    for (Trend trend : trends) {
      if (some && trend.points().size() == 1) alone++;
      else if (shown++ < top) {
        if (!lines.isEmpty()) lines.add("");
        Document one = TrendDocument.of("", List.of(trend));
        lines.addAll(ConsoleText.lines(one, width, !terminal.output()));
      }
    }
    if (shown > top) {
      lines.add("");
      lines.add("… and " + (shown - top) + " more series: --top " + shown + ", or --name and such");
    }
    if (alone > 0) {
      lines.add("");
      lines.add(Quantity.many(alone, "run") + " with no other run to compare with");
    }
    return String.join("\n", lines) + "\n";
  }

  String json() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    TrendJson.write(trends, bytes);
    return bytes.toString(StandardCharsets.UTF_8) + "\n";
  }

  void page(Path file) {
    WholeFile.write(file, out -> HtmlPage.write(TrendDocument.of(asked, trends), out));
  }
}
