package dev.ridgeline.lab.trial;

import static dev.ridgeline.lab.page.Page.escape;

import dev.ridgeline.lab.chart.ChartSvg;
import dev.ridgeline.lab.page.Page;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.Quantity;
import dev.ridgeline.report.run.Again;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** An experiment as one page that opens offline: the answer, every pair of it, every trial. */
public final class ExperimentPage {
  /** Name of the file in an experiment's directory. */
  public static final String FILE = "report.html";

  private ExperimentPage() {}

  /** Writes the page. */
  public static void write(Experiment it, OutputStream out) throws IOException {
    Map<String, String> parts = new HashMap<>();
    parts.put("verdict", escape(it.verdict().word()));
    parts.put("class", it.verdict().name().toLowerCase(Locale.ROOT));
    parts.put("asked", escape(ExperimentText.asked(it)));
    parts.put("answer", escape(ExperimentText.answer(it)));
    parts.put("warning", warnings(it));
    parts.put("facts", facts(it));
    parts.put("pairs", PairsChart.of(it).map(ChartSvg::of).orElse(""));
    parts.put("metrics", table("Metrics", "metric", Row.metrics(it)));
    parts.put(
        "scopes",
        table(
            "Scopes that changed",
            "self time, " + it.setting().scopeUnit(),
            Row.changedScopes(it)));
    parts.put("gates", gates(it));
    parts.put("metric", escape(it.deciding() == null ? "" : it.deciding().metric()));
    parts.put("trials", trials(it));
    Page.write("experiment.html", parts, out);
  }

  private static String warnings(Experiment it) {
    StringBuilder warnings = new StringBuilder();
    for (String each : it.warnings()) {
      warnings.append("<p class=\"warning\">").append(escape(each)).append("</p>\n");
    }
    return warnings.toString();
  }

  private static String facts(Experiment it) {
    StringBuilder facts = new StringBuilder();
    fact(facts, "why", ExperimentText.why(it));
    fact(facts, "rests on", ExperimentText.rests(it));
    for (String each : it.unsteadiness()) fact(facts, "note", each);
    if (it.responsible() != null) fact(facts, "where", ExperimentText.where(it));
    fact(facts, "started", Page.moment(it.setting().started()));
    fact(facts, "command", Again.line(it.setting().command()));
    fact(facts, "seed of the order", Long.toString(it.seed()));
    return facts.toString();
  }

  private static void fact(StringBuilder facts, String name, String text) {
    facts.append("<dt>").append(name).append("</dt><dd>").append(escape(text)).append("</dd>\n");
  }

  private static String table(String title, String first, List<Row> rows) {
    if (rows.isEmpty()) return "";
    StringBuilder table = new StringBuilder("<h2>" + title + "</h2>\n<table>\n<thead><tr>");
    for (String head : List.of(first, "A", "B", "change", "q", "")) {
      table.append("<th>").append(escape(head)).append("</th>");
    }
    table.append("</tr></thead>\n<tbody>\n");
    for (Row row : rows) {
      table.append(
          Page.row(
              style(row.verdict()),
              row.title(),
              row.a(),
              row.b(),
              row.change(),
              row.q(),
              row.word()));
    }
    return table.append("</tbody>\n</table>\n").toString();
  }

  private static String style(Verdict verdict) {
    return switch (verdict) {
      case FASTER -> "better";
      case SLOWER -> "worse";
      default -> "";
    };
  }

  private static String gates(Experiment it) {
    if (it.gates().isEmpty()) return "";
    StringBuilder table = new StringBuilder("<h2>What has no noise</h2>\n<table>\n<thead><tr>");
    table.append("<th>exact</th><th>A</th><th>B</th><th></th></tr></thead>\n<tbody>\n");
    for (Gate gate : it.gates()) {
      table.append(
          Page.row(gate.failed() ? "worse" : "", gate.name(), gate.a(), gate.b(), gate.word()));
    }
    return table.append("</tbody>\n</table>\n").toString();
  }

  private static String trials(Experiment it) {
    StringBuilder rows = new StringBuilder();
    for (Trial trial : it.trials()) {
      boolean disturbed = trial.disturbance().tooMuch();
      rows.append(
          Page.row(
              trial.counts() ? "" : "aside",
              trial.arm().word(),
              trial.triplet() == 0 ? "pilot" : Integer.toString(trial.triplet()),
              Integer.toString(trial.attempt()),
              trial.failed() ? "failed" : value(it, trial),
              Quantity.number(trial.seconds()) + " s",
              part(trial.disturbance().steal()),
              part(trial.disturbance().others()) + (disturbed ? ", disturbed" : ""),
              trial.directory()));
    }
    return rows.toString();
  }

  private static String value(Experiment it, Trial trial) {
    double value = it.deciding() == null ? Double.NaN : trial.value(it.deciding().metric());
    return Double.isNaN(value) ? "–" : Quantity.number(value);
  }

  private static String part(double part) {
    return Double.isNaN(part) ? "–" : Quantity.percent(part);
  }
}
