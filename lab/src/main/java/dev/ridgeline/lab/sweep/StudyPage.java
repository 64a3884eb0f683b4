package dev.ridgeline.lab.sweep;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.chart.ChartSvg;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Again;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A study as one page that opens offline: the answer, its charts and tables, every trial. */
public final class StudyPage {
  /** Name of the file in a study's directory. */
  public static final String FILE = "report.html";

  private StudyPage() {}

  /** Writes the page. */
  public static void write(Study it, OutputStream out) throws IOException {
    Map<String, String> parts = new HashMap<>();
    parts.put("title", escape(it.setting().title()));
    parts.put("name", escape(it.setting().name()));
    parts.put("headline", escape(it.answer().headline()));
    StringBuilder facts = new StringBuilder();
    for (Fact fact : StudyText.facts(it).stream().skip(1).toList())
      fact(facts, fact.name(), fact.text());
    fact(facts, "Started", Page.moment(it.setting().started()));
    fact(facts, "Command", Again.line(it.setting().command()));
    fact(facts, "Seed", Long.toString(it.setting().seed()));
    parts.put("facts", facts.toString());
    StringBuilder charts = new StringBuilder();
    for (Chart chart : it.answer().charts()) charts.append(ChartSvg.of(chart));
    parts.put("charts", charts.toString());
    StringBuilder tables = new StringBuilder();
    for (Table table : it.answer().tables()) tables.append(table(table));
    parts.put("tables", tables.toString());
    parts.put("metric", escape(measured(it)));
    parts.put("trials", trials(it));
    Page.write("study.html", parts, out);
  }

  private static void fact(StringBuilder facts, String name, String text) {
    boolean warns = name.equals("Beware");
    facts
        .append("<dt>")
        .append(escape(name))
        .append(warns ? "</dt><dd class=\"warning\">" : "</dt><dd>");
    facts.append(escape(text)).append("</dd>\n");
  }

  private static String table(Table table) {
    StringBuilder html = new StringBuilder();
    if (!table.title().isEmpty())
      html.append("<h2>").append(escape(table.title())).append("</h2>\n");
    html.append("<table>\n<thead><tr>");
    for (String head : table.columns()) html.append("<th>").append(escape(head)).append("</th>");
    html.append("</tr></thead>\n<tbody>\n");
    for (List<String> row : table.rows()) html.append(Page.row("", row.toArray(String[]::new)));
    return html.append("</tbody>\n</table>\n").toString();
  }

  /** The deciding metric and its unit, above its numbers. */
  private static String measured(Study it) {
    Reading.Value metric = it.outcome().metric(it.setting().metric());
    String name = Standings.plain(it.setting().metric());
    return metric == null || metric.unit().isEmpty() ? name : name + ", " + metric.unit();
  }

  private static String trials(Study it) {
    StringBuilder rows = new StringBuilder();
    for (SweepTrial trial : it.outcome().trials()) {
      boolean disturbed = trial.disturbance().tooMuch();
      double value = trial.value(it.setting().metric());
      rows.append(
          Page.rowWithLink(
              trial.counts() ? "" : "aside",
              trial.directory(),
              trial.arm(),
              trial.round() == 0 ? "pilot" : Integer.toString(trial.round()),
              Integer.toString(trial.place()),
              Double.isNaN(value) ? "–" : Quantity.number(value),
              Quantity.number(trial.seconds()) + " s",
              part(trial.disturbance().steal()),
              part(trial.disturbance().others()) + (disturbed ? ", disturbed" : "")));
    }
    return rows.toString();
  }

  private static String part(double part) {
    return Double.isNaN(part) ? "–" : Quantity.percent(part);
  }
}
