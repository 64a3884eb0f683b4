package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.chart.Chart;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.sweep.Answer.Fact;
import dev.ridgeline.lab.sweep.Answer.Table;
import dev.ridgeline.lab.trial.Disturbance;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.report.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.run.Metric.Better;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * A study as {@code sweep.json}: the answer first, then arms with their plans and every trial.
 * Numbers that do not exist are left out.
 */
public final class StudyJson {
  /** Name of the file in a study's directory. */
  public static final String FILE = "sweep.json";

  private static final Schema SCHEMA = new Schema("sweep", 1, 256L << 20);

  private StudyJson() {}

  public static void write(Study study, OutputStream out) throws IOException {
    try (JsonGenerator json = Json.indented(out)) {
      write(study, json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private static void write(Study it, JsonGenerator json) {
    SCHEMA.begin(json);
    json.writeStringProperty("name", it.setting().name());
    json.writeStringProperty("title", it.setting().title());
    json.writeStringProperty("headline", it.answer().headline());
    json.writeArrayPropertyStart("facts");
    for (Fact fact : it.answer().facts()) {
      json.writeStartObject();
      json.writeStringProperty("name", fact.name());
      json.writeStringProperty("text", fact.text());
      json.writeEndObject();
    }
    json.writeEndArray();
    texts(json, "warnings", it.answer().warnings());
    json.writeStringProperty("started", it.setting().started().toString());
    texts(json, "command", it.setting().command());
    json.writeStringProperty("metric", it.setting().metric());
    number(json, "threshold", it.setting().threshold());
    number(json, "budgetSeconds", it.setting().budgetSeconds());
    json.writeNumberProperty("seed", it.setting().seed());
    number(json, "tookSeconds", it.tookSeconds());
    json.writeNumberProperty("rounds", it.rounds());
    json.writeNumberProperty("repeated", it.repeated());
    json.writeBooleanProperty("stopped", it.stopped());
    json.writeStringProperty("reference", it.outcome().reference());
    if (it.winner() != null) write(json, it.winner());
    metrics(json, it.outcome());
    arms(json, it);
    json.writeArrayPropertyStart("tables");
    for (Table table : it.answer().tables()) write(json, table);
    json.writeEndArray();
    json.writeArrayPropertyStart("charts");
    for (Chart chart : it.answer().charts()) write(json, chart);
    json.writeEndArray();
    json.writeArrayPropertyStart("trials");
    for (SweepTrial trial : it.outcome().trials()) write(json, trial);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Winner it) {
    json.writeObjectPropertyStart("winner");
    json.writeStringProperty("arm", it.arm());
    json.writeStringProperty("found", it.found().name());
    if (it.first() != null) interval(json, "first", it.first());
    if (it.again() != null) interval(json, "again", it.again());
    texts(json, "alike", it.alike());
    json.writeEndObject();
  }

  private static void metrics(JsonGenerator json, Outcome outcome) {
    json.writeArrayPropertyStart("metrics");
    for (Reading.Value value : outcome.metrics()) {
      json.writeStartObject();
      json.writeStringProperty("name", value.name());
      json.writeStringProperty("unit", value.unit());
      json.writeStringProperty("better", value.better().name());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** Figures beside each arm are for those who read the file; they follow from the trials. */
  private static void arms(JsonGenerator json, Study it) {
    Outcome outcome = it.outcome();
    json.writeArrayPropertyStart("arms");
    for (Arm arm : outcome.arms()) {
      json.writeStartObject();
      json.writeStringProperty("name", arm.name());
      map(json, "parameters", arm.parameters());
      map(json, "plan", outcome.plans().getOrDefault(arm.name(), Map.of()));
      String metric = it.setting().metric();
      if (!metric.isEmpty() && outcome.values(arm.name(), metric).length > 0) {
        interval(json, "level", outcome.level(arm.name(), metric));
        interval(json, "logRatio", outcome.ratio(arm.name(), outcome.reference(), metric));
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(JsonGenerator json, Table table) {
    json.writeStartObject();
    json.writeStringProperty("title", table.title());
    texts(json, "columns", table.columns());
    json.writeArrayPropertyStart("rows");
    for (List<String> row : table.rows()) {
      json.writeStartObject();
      texts(json, "cells", row);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Chart chart) {
    json.writeStartObject();
    json.writeStringProperty("title", chart.title());
    json.writeStringProperty("x", chart.x());
    json.writeStringProperty("y", chart.y());
    json.writeStringProperty("across", chart.across().name());
    json.writeStringProperty("up", chart.up().name());
    json.writeArrayPropertyStart("series");
    for (Chart.Series series : chart.series()) {
      json.writeStartObject();
      json.writeStringProperty("name", series.name());
      json.writeStringProperty("group", series.group());
      json.writeStringProperty("drawn", series.drawn().name());
      json.writeArrayPropertyStart("points");
      for (Chart.Point point : series.points()) {
        json.writeStartObject();
        number(json, "x", point.x());
        number(json, "y", point.y());
        number(json, "low", point.low());
        number(json, "high", point.high());
        json.writeStringProperty("label", point.label());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("marks");
    for (Chart.Mark mark : chart.marks()) {
      json.writeStartObject();
      number(json, "x", mark.x());
      json.writeStringProperty("name", mark.name());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("levels");
    for (Chart.Level level : chart.levels()) {
      json.writeStartObject();
      number(json, "y", level.y());
      json.writeStringProperty("name", level.name());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, SweepTrial trial) {
    json.writeStartObject();
    json.writeStringProperty("arm", trial.arm());
    json.writeNumberProperty("round", trial.round());
    json.writeNumberProperty("place", trial.place());
    json.writeBooleanProperty("counts", trial.counts());
    number(json, "seconds", trial.seconds());
    number(json, "steal", trial.disturbance().steal());
    number(json, "others", trial.disturbance().others());
    json.writeBooleanProperty("disturbed", trial.disturbance().tooMuch());
    json.writeStringProperty("directory", trial.directory());
    json.writeStringProperty("digest", trial.reading().digest());
    json.writeObjectPropertyStart("metrics");
    for (Reading.Value value : trial.reading().metrics()) {
      number(json, value.name(), value.number());
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  /** Reads what {@link #write} wrote; what it cannot be drawn from is a {@link FileException}. */
  public static Study read(Path file) {
    JsonObject json = Json.read(file, SCHEMA);
    try {
      return read(json);
    } catch (IllegalArgumentException e) {
      throw json.fail("", e.getMessage());
    }
  }

  private static Study read(JsonObject json) {
    Answer answer =
        new Answer(
            json.text("headline"),
            json.objects("facts").stream()
                .map(fact -> new Fact(fact.text("name"), fact.text("text")))
                .toList(),
            json.texts("warnings"),
            json.objects("tables").stream().map(StudyJson::table).toList(),
            json.objects("charts").stream().map(StudyJson::chart).toList());
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
    List<Reading.Value> metrics = new ArrayList<>();
    for (JsonObject each : json.objects("metrics")) {
      metrics.add(
          new Reading.Value(
              each.text("name"),
              each.text("unit"),
              each.choice("better", Better.class),
              Double.NaN));
    }
    List<SweepTrial> trials = new ArrayList<>();
    for (JsonObject each : json.objects("trials")) trials.add(trial(each, metrics));
    return new Outcome(arms, json.text("reference"), trials, plans);
  }

  private static SweepTrial trial(JsonObject json, List<Reading.Value> metrics) {
    JsonObject values = json.object("metrics");
    List<Reading.Value> kept = new ArrayList<>();
    for (Reading.Value of : metrics) {
      if (!values.has(of.name())) continue;
      kept.add(new Reading.Value(of.name(), of.unit(), of.better(), values.real(of.name())));
    }
    return new SweepTrial(
        json.text("arm"),
        (int) json.number("round", 0),
        (int) json.number("place", 1),
        json.flag("counts"),
        json.real("seconds"),
        new Disturbance(real(json, "steal", Double.NaN), real(json, "others", Double.NaN)),
        new Reading(kept, Map.of(), Map.of(), json.text("digest")),
        json.text("directory"));
  }

  private static Winner winner(JsonObject json) {
    return new Winner(
        json.text("arm"),
        json.choice("found", Winner.Found.class),
        json.has("first") ? interval(json.object("first")) : null,
        json.has("again") ? interval(json.object("again")) : null,
        json.texts("alike"));
  }

  private static Table table(JsonObject json) {
    return new Table(
        json.text("title"),
        json.texts("columns"),
        json.objects("rows").stream().map(row -> row.texts("cells")).toList());
  }

  private static Chart chart(JsonObject json) {
    return new Chart(
        json.text("title"),
        json.text("x"),
        json.text("y"),
        json.choice("across", Chart.Scale.class),
        json.choice("up", Chart.Scale.class),
        json.objects("series").stream().map(StudyJson::series).toList(),
        json.objects("marks").stream()
            .map(mark -> new Chart.Mark(real(mark, "x", Double.NaN), mark.text("name")))
            .toList(),
        json.has("levels")
            ? json.objects("levels").stream()
                .map(level -> new Chart.Level(real(level, "y", Double.NaN), level.text("name")))
                .toList()
            : List.of());
  }

  private static Chart.Series series(JsonObject json) {
    List<Chart.Point> points = new ArrayList<>();
    for (JsonObject each : json.objects("points")) {
      points.add(
          new Chart.Point(
              real(each, "x", Double.NaN),
              real(each, "y", Double.NaN),
              real(each, "low", Double.NaN),
              real(each, "high", Double.NaN),
              each.text("label")));
    }
    String name = json.text("name");
    return new Chart.Series(
        name,
        json.has("group") ? json.text("group") : name,
        json.choice("drawn", Chart.Drawn.class),
        points);
  }

  private static Interval interval(JsonObject json) {
    return new Interval(
        real(json, "estimate", Double.NaN),
        real(json, "low", Double.NEGATIVE_INFINITY),
        real(json, "high", Double.POSITIVE_INFINITY),
        json.real("confidence"));
  }

  private static void interval(JsonGenerator json, String name, Interval it) {
    json.writeObjectPropertyStart(name);
    number(json, "estimate", it.estimate());
    number(json, "low", it.low());
    number(json, "high", it.high());
    number(json, "confidence", it.confidence());
    json.writeEndObject();
  }

  private static double real(JsonObject json, String name, double missing) {
    return json.has(name) ? json.real(name) : missing;
  }

  private static void map(JsonGenerator json, String name, Map<String, String> map) {
    json.writeObjectPropertyStart(name);
    map.forEach(json::writeStringProperty);
    json.writeEndObject();
  }

  private static void texts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  private static void number(JsonGenerator json, String name, double value) {
    if (Double.isFinite(value)) json.writeNumberProperty(name, value);
  }
}
