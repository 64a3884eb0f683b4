package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * A search as {@code bisect.json}: the answer first, then every step with all that was measured.
 * Changes are of the metric itself; numbers that do not exist are left out.
 */
public final class BisectionJson {
  /** Name of the file in the record. */
  public static final String FILE = "bisect.json";

  private static final Schema SCHEMA = new Schema("bisection", 1, 64L << 20);

  private BisectionJson() {}

  public static void write(Bisection bisection, OutputStream out) throws IOException {
    try (JsonGenerator json = Json.indented(out)) {
      write(bisection, json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private static void write(Bisection it, JsonGenerator json) {
    SCHEMA.begin(json);
    json.writeStringProperty("answer", it.answer().word());
    json.writeStringProperty("why", it.why());
    if (it.commit() != null) write(json, "commit", it.commit());
    write(json, "change", it.evidence());
    json.writeStringProperty("started", it.setting().started().toString());
    json.writeArrayPropertyStart("command");
    it.setting().command().forEach(json::writeString);
    json.writeEndArray();
    json.writeStringProperty("repository", it.setting().repository());
    json.writeStringProperty("measured", it.setting().measured());
    write(json, "good", it.question().good());
    write(json, "bad", it.question().bad());
    number(json, "threshold", it.question().threshold());
    json.writeNumberProperty("seed", it.question().seed());
    number(json, "budgetSeconds", it.question().budgetSeconds());
    number(json, "tookSeconds", it.tookSeconds());
    number(json, "confidence", it.confidence());
    json.writeNumberProperty("commits", it.commits().size());
    write(json, "ends", it.ends());
    if (it.confirmation() != null) write(json, "confirmation", it.confirmation());
    json.writeArrayPropertyStart("suspects");
    for (Commit each : it.left()) json.writeString(each.hash());
    json.writeEndArray();
    json.writeArrayPropertyStart("steps");
    for (Step step : it.steps()) write(json, step);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, String name, Commit it) {
    json.writeObjectPropertyStart(name);
    fields(json, it);
    json.writeEndObject();
  }

  private static void fields(JsonGenerator json, Commit it) {
    json.writeStringProperty("hash", it.hash());
    json.writeStringProperty("author", it.author());
    json.writeStringProperty("date", it.date());
    json.writeStringProperty("subject", it.subject());
  }

  private static void write(JsonGenerator json, String name, Experiment it) {
    json.writeObjectPropertyStart(name);
    json.writeStringProperty("verdict", it.verdict().word());
    if (it.deciding() != null) {
      json.writeStringProperty("metric", it.deciding().metric());
      json.writeStringProperty("unit", it.deciding().unit());
      json.writeStringProperty("better", it.deciding().better().name());
      number(json, "before", Median.of(it.deciding().a()));
      number(json, "after", Median.of(it.deciding().b()));
      interval(json, "change", it.decidingRatio());
    }
    json.writeNumberProperty("pairs", it.pairs());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Step it) {
    json.writeStartObject();
    fields(json, it.commit());
    json.writeStringProperty("outcome", it.outcome().word());
    json.writeStringProperty("why", it.why());
    json.writeNumberProperty("suspects", it.suspects());
    json.writeNumberProperty("rounds", it.rounds());
    json.writeNumberProperty("disturbed", it.disturbed());
    number(json, "seconds", it.seconds());
    number(json, "sure", it.sure());
    interval(json, "change", it.change());
    interval(json, "ends", it.ends());
    interval(json, "place", it.place());
    for (var each :
        List.of(
            new Numbers("goodEnd", it.good()),
            new Numbers("tried", it.tried()),
            new Numbers("badEnd", it.bad()))) {
      json.writeArrayPropertyStart(each.name());
      for (double number : each.numbers()) json.writeNumber(number);
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  private record Numbers(String name, double[] numbers) {}

  private static void interval(JsonGenerator json, String name, Interval it) {
    if (Double.isNaN(it.estimate())) return;
    json.writeObjectPropertyStart(name);
    number(json, "estimate", Math.expm1(it.estimate()));
    number(json, "low", Math.expm1(it.low()));
    number(json, "high", Math.expm1(it.high()));
    number(json, "confidence", it.confidence());
    json.writeEndObject();
  }

  private static void number(JsonGenerator json, String name, double value) {
    if (Double.isFinite(value)) json.writeNumberProperty(name, value);
  }
}
