package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.document.Document.Fact;
import dev.ridgeline.lab.document.Table;
import dev.ridgeline.lab.trial.IntervalJson;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.JsonWriter;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.run.Metric.Better;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A study as {@code sweep.json}: the answer first, then arms with their plans and every trial.
 * Numbers that do not exist are left out.
 */
public final class StudyJson {
  /** Name of the file in a study's directory. */
  public static final String FILE = "sweep.json";

  private static final Schema SCHEMA = new Schema("sweep", 1, 256L << 20);

  private static final String ROUND = "round";

  private StudyJson() {}

  public static void write(Study it, OutputStream out) throws IOException {
    JsonWriter.write(out, SCHEMA, json -> write(json, it));
  }

  private static void write(JsonWriter json, Study it) {
    json.text("name", it.setting().name())
        .text("title", it.setting().title())
        .text("headline", it.answer().headline())
        .objects("facts", it.answer().facts(), StudyJson::write)
        .texts("warnings", it.answer().warnings())
        .text("started", it.setting().started().toString())
        .texts("command", it.setting().command())
        .text("metric", it.setting().metric())
        .real("threshold", it.setting().threshold())
        .real("budgetSeconds", it.setting().budgetSeconds())
        .number("seed", it.setting().seed())
        .real("tookSeconds", it.tookSeconds())
        .number("rounds", it.rounds())
        .number("repeated", it.repeated())
        .flag("stopped", it.stopped())
        .text("reference", it.outcome().reference());
    if (it.winner() != null) json.object("winner", each -> write(each, it.winner()));
    json.objects("metrics", it.outcome().metrics(), StudyJson::write)
        .objects("arms", it.outcome().arms(), (each, arm) -> write(each, it, arm))
        .objects("tables", it.answer().tables(), StudyJson::write)
        .objects("charts", it.answer().charts(), StudyJson::write)
        .objects(
            "trials",
            it.outcome().trials(),
            (each, trial) -> trial.write(each, trial.arm().name(), ROUND));
  }

  private static void write(JsonWriter json, Fact fact) {
    json.text("name", fact.name()).text("text", fact.text());
  }

  private static void write(JsonWriter json, Winner it) {
    json.text("arm", it.arm()).text("found", it.found().name());
    if (it.first() != null) json.object("first", each -> IntervalJson.write(each, it.first()));
    if (it.again() != null) json.object("again", each -> IntervalJson.write(each, it.again()));
    json.texts("alike", it.alike());
  }

  private static void write(JsonWriter json, Reading.Value value) {
    json.text("name", value.name())
        .text("unit", value.unit())
        .text("better", value.better().name());
  }

  /** Figures of an arm are for those who read the file; they follow from the trials. */
  private static void write(JsonWriter json, Study it, Arm arm) {
    Outcome outcome = it.outcome();
    json.text("name", arm.name())
        .texts("parameters", arm.parameters())
        .texts("plan", outcome.plans().getOrDefault(arm.name(), Map.of()));
    String metric = it.setting().metric();
    if (metric.isEmpty() || outcome.values(arm.name(), metric).length == 0) return;
    json.object("level", each -> IntervalJson.write(each, outcome.level(arm.name(), metric)))
        .object(
            "logRatio",
            each ->
                IntervalJson.write(each, outcome.ratio(arm.name(), outcome.reference(), metric)));
  }

  private static void write(JsonWriter json, Table table) {
    json.text("title", table.title())
        .texts("columns", table.columns())
        .objects("rows", table.rows(), (each, row) -> each.texts("cells", row.cells()));
  }

  /** What charts of studies have; their bands, places and tones are none. */
  private static void write(JsonWriter json, Chart chart) {
    json.text("title", chart.title())
        .text("x", chart.x())
        .text("y", chart.y())
        .text("across", chart.across().name())
        .text("up", chart.up().name())
        .objects("series", chart.series(), StudyJson::write)
        .objects(
            "marks", chart.marks(), (it, mark) -> it.real("x", mark.x()).text("name", mark.name()))
        .objects(
            "levels",
            chart.levels(),
            (it, level) -> it.real("y", level.y()).text("name", level.name()));
  }

  private static void write(JsonWriter json, Chart.Series series) {
    json.text("name", series.name())
        .text("group", series.group())
        .text("drawn", series.drawn().name())
        .objects("points", series.points(), StudyJson::write);
  }

  private static void write(JsonWriter json, Chart.Point point) {
    json.real("x", point.x())
        .real("y", point.y())
        .real("low", point.low())
        .real("high", point.high())
        .text("label", point.label());
  }

  /** Reads what {@link #write} wrote; what it cannot be drawn from is a {@link FileException}. */
  public static Study read(Path file) {
    return Json.read(file, SCHEMA, StudyJson::read);
  }

  private static Study read(JsonObject json) {
    Answer answer =
        new Answer(
            json.text("headline"),
            json.objects("facts", fact -> new Fact(fact.text("name"), fact.text("text"))),
            json.texts("warnings"),
            json.objects("tables", StudyJson::table),
            json.objects("charts", StudyJson::chart));
    return new Study(
        new Study.Setting(
            json.text("name"),
            json.text("title"),
            json.moment("started"),
            json.texts("command"),
            json.text("metric"),
            json.real("threshold"),
            json.real("budgetSeconds"),
            json.number("seed", Long.MIN_VALUE)),
        json.real("tookSeconds"),
        (int) json.number("rounds", 0),
        (int) json.number("repeated", 0),
        json.flag("stopped"),
        outcome(json),
        json.has("winner") ? winner(json.object("winner")) : null,
        answer);
  }

  private static Outcome outcome(JsonObject json) {
    List<Arm> arms = new ArrayList<>();
    Map<String, Map<String, String>> plans = new LinkedHashMap<>();
    for (JsonObject each : json.objects("arms")) {
      Arm arm = new Arm(each.text("name"), each.textsByName("parameters"));
      arms.add(arm);
      plans.put(arm.name(), each.textsByName("plan"));
    }
    List<Reading.Value> metrics = json.objects("metrics", StudyJson::metric);
    Outcome none = new Outcome(arms, json.text("reference"), List.of(), plans);
    return new Outcome(
        arms,
        none.reference(),
        json.objects(
            "trials", each -> Trial.read(each, none.arm(each.text("arm")), ROUND, metrics)),
        plans);
  }

  private static Reading.Value metric(JsonObject json) {
    return new Reading.Value(
        json.text("name"), json.text("unit"), json.choice("better", Better.class), Double.NaN);
  }

  private static Winner winner(JsonObject json) {
    return new Winner(
        json.text("arm"),
        json.choice("found", Winner.Found.class),
        json.has("first") ? IntervalJson.read(json.object("first")) : null,
        json.has("again") ? IntervalJson.read(json.object("again")) : null,
        json.texts("alike"));
  }

  private static Table table(JsonObject json) {
    return new Table(
        json.text("title"), json.texts("columns"), json.objects("rows", row -> row.texts("cells")));
  }

  private static Chart chart(JsonObject json) {
    return new Chart(
        json.text("title"),
        json.text("x"),
        json.text("y"),
        json.choice("across", Chart.Scale.class),
        json.choice("up", Chart.Scale.class),
        json.objects("series", StudyJson::series),
        json.objects(
            "marks", mark -> new Chart.Mark(mark.real("x", Double.NaN), mark.text("name"))),
        json.has("levels") ? json.objects("levels", StudyJson::level) : List.of(),
        List.of(),
        List.of(),
        "");
  }

  private static Chart.Level level(JsonObject json) {
    return new Chart.Level(json.real("y", Double.NaN), json.text("name"));
  }

  private static Chart.Series series(JsonObject json) {
    String name = json.text("name");
    return new Chart.Series(
        name,
        json.has("group") ? json.text("group") : name,
        json.choice("drawn", Chart.Drawn.class),
        json.objects("points", StudyJson::point));
  }

  private static Chart.Point point(JsonObject json) {
    return new Chart.Point(
        json.real("x", Double.NaN),
        json.real("y", Double.NaN),
        json.real("low", Double.NaN),
        json.real("high", Double.NaN),
        json.text("label"));
  }
}
