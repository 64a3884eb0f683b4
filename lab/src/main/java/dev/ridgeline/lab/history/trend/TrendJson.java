package dev.ridgeline.lab.history.trend;

import dev.ridgeline.report.json.Json;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;

/** Trends for programs. */
public final class TrendJson {
  /** A change that breaks readers raises it. */
  private static final int VERSION = 1;

  private TrendJson() {}

  public static void write(List<Trend> trends, OutputStream out) {
    try (JsonGenerator json = Json.indented(out)) {
      json.writeStartObject();
      json.writeStringProperty("schema", "ridgeline.trend");
      json.writeNumberProperty("version", VERSION);
      json.writeArrayPropertyStart("series");
      for (Trend trend : trends) write(trend, json);
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void write(Trend trend, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("metric", trend.metric());
    json.writeStringProperty("unit", trend.unit());
    json.writeStringProperty("better", trend.better().name().toLowerCase(Locale.ROOT));
    json.writeStringProperty("name", trend.newest().name());
    json.writeStringProperty("title", trend.newest().title());
    json.writeStringProperty("machine", trend.newest().machine().line());
    json.writeObjectPropertyStart("workload");
    trend.newest().workload().forEach(json::writeStringProperty);
    json.writeEndObject();
    if (Double.isFinite(trend.noise())) json.writeNumberProperty("noise", trend.noise());
    json.writeArrayPropertyStart("points");
    for (Trend.Point point : trend.points()) {
      json.writeStartObject();
      json.writeStringProperty("run", point.run());
      json.writeStringProperty("time", point.time().toString());
      json.writeStringProperty("revision", point.revision());
      json.writeNumberProperty("value", point.value());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("changes");
    for (Trend.Change change : trend.changes()) write(trend, change, json);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(Trend trend, Trend.Change change, JsonGenerator json) {
    List<Trend.Point> points = trend.points();
    json.writeStartObject();
    json.writeStringProperty("word", trend.word(change));
    json.writeNumberProperty("before", change.before());
    json.writeNumberProperty("after", change.after());
    json.writeStringProperty("of", change.relative() ? "part" : "amount");
    json.writeNumberProperty("change", change.change().estimate());
    json.writeNumberProperty("low", change.change().low());
    json.writeNumberProperty("high", change.change().high());
    json.writeStringProperty("lastBefore", points.get(Math.max(0, change.index() - 1)).run());
    json.writeStringProperty("firstAfter", points.get(change.index()).run());
    json.writeNumberProperty("index", change.index());
    json.writeNumberProperty("earliest", change.earliest());
    json.writeNumberProperty("latest", change.latest());
    json.writeEndObject();
  }
}
