package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.RunComparison.Side;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.run.Metric;
import java.io.OutputStream;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** A comparison for scripts: its verdict stands at the top. */
public final class ComparisonJson {
  private ComparisonJson() {}

  /** Writes all of it, raw samples included. */
  public static void write(RunComparison comparison, OutputStream out) {
    try (JsonGenerator json = Json.indented(out)) {
      json.writeStartObject();
      json.writeStringProperty("verdict", comparison.verdict().word());
      json.writeStringProperty("why", comparison.why());
      json.writeBooleanProperty("gatesHold", comparison.gatesHold());
      side("base", comparison.base(), json);
      side("current", comparison.current(), json);
      number("drift", comparison.drift(), json);
      texts("differentWork", comparison.likeness().workload(), json);
      texts("differentMachine", comparison.likeness().machine(), json);
      texts("differentPlan", comparison.likeness().plan(), json);
      changes("metrics", comparison.metrics(), comparison.margin(), json);
      changes("system", comparison.system(), comparison.margin(), json);
      json.writeArrayPropertyStart("gates");
      for (Gate gate : comparison.gates()) {
        json.writeStartObject();
        json.writeStringProperty("what", gate.name());
        json.writeStringProperty("base", gate.a());
        json.writeStringProperty("current", gate.b());
        json.writeBooleanProperty("holds", !gate.failed());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeArrayPropertyStart("scopes");
      for (ScopeChange scope : comparison.scopes()) {
        json.writeStartObject();
        json.writeStringProperty("path", scope.path());
        cost("base", scope.base(), json);
        cost("current", scope.current(), json);
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
  }

  private static void side(String name, Side side, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("run", side.name());
    json.writeStringProperty("revision", side.run().revision());
    json.writeNumberProperty("units", side.run().units());
    json.writeObjectPropertyStart("samples");
    for (Metric metric : side.run().metrics()) {
      json.writeArrayPropertyStart(metric.name());
      metric.samples().forEach(json::writeNumber);
      json.writeEndArray();
    }
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void changes(
      String name, List<Change> changes, double margin, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    for (Change change : changes) {
      json.writeStartObject();
      json.writeStringProperty("name", change.name());
      json.writeStringProperty("unit", change.unit());
      json.writeStringProperty("better", change.better().name());
      json.writeNumberProperty("base", change.base());
      json.writeNumberProperty("current", change.current());
      number("change", change.relative(), json);
      json.writeStringProperty("looks", change.direction(margin).name());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void cost(String name, ScopeChange.Cost cost, JsonGenerator json) {
    if (cost == null) return;
    json.writeObjectPropertyStart(name);
    json.writeNumberProperty("selfNanos", cost.selfNanos());
    number("waitingNanos", cost.waitingNanos(), json);
    number("allocatedBytes", cost.allocatedBytes(), json);
    json.writeNumberProperty("calls", cost.calls());
    json.writeNumberProperty("bytes", cost.bytes());
    json.writeEndObject();
  }

  /** JSON has no word for what is not known, or for infinity. */
  private static void number(String name, double value, JsonGenerator json) {
    if (Double.isFinite(value)) json.writeNumberProperty(name, value);
    else json.writeNullProperty(name);
  }

  private static void texts(String name, List<String> texts, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }
}
