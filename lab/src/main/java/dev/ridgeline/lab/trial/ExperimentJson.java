package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * An experiment as {@code experiment.json}: the verdict first, then what it rests on, every trial
 * included. Ratios are of the metric itself, B to A; numbers that do not exist are left out.
 */
public final class ExperimentJson {
  /** Name of the file in an experiment's directory. */
  public static final String FILE = "experiment.json";

  private static final Schema SCHEMA = new Schema("experiment", 1, 64L << 20);

  private ExperimentJson() {}

  public static void write(Experiment experiment, OutputStream out) throws IOException {
    try (JsonGenerator json = Json.indented(out)) {
      write(experiment, json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  private static void write(Experiment it, JsonGenerator json) {
    SCHEMA.begin(json);
    json.writeStringProperty("verdict", it.verdict().word());
    json.writeStringProperty("why", it.why());
    json.writeStringProperty("started", it.setting().started().toString());
    texts(json, "command", it.setting().command());
    json.writeStringProperty("workload", it.setting().workload());
    json.writeStringProperty("a", it.setting().a());
    json.writeStringProperty("b", it.setting().b());
    number(json, "threshold", it.design().threshold());
    number(json, "noiseFloor", Math.expm1(it.finding().floor()));
    number(json, "smallestProvable", Math.expm1(it.finding().detectable()));
    if (it.finding().morePairs() >= 0) {
      json.writeNumberProperty("morePairs", it.finding().morePairs());
    }
    number(json, "secondsToDecide", it.secondsToDecide());
    json.writeNumberProperty("pairs", it.pairs());
    json.writeNumberProperty("pairsPlanned", it.design().pairs());
    json.writeNumberProperty("firstBlock", it.firstBlock() < 0 ? it.pairs() : it.firstBlock());
    json.writeNumberProperty("repeated", it.repeated());
    json.writeNumberProperty("disturbed", it.disturbed());
    json.writeBooleanProperty("stopped", it.stopped());
    json.writeNumberProperty("seed", it.seed());
    number(json, "budgetSeconds", it.budgetSeconds());
    number(json, "tookSeconds", it.tookSeconds());
    number(json, "trialSeconds", it.trialSeconds());
    if (it.deciding() != null) {
      json.writeName("deciding");
      // What decides has paid for its looks; its interval is the rule's.
      write(json, it.deciding(), it.decidingRatio());
    }
    json.writeArrayPropertyStart("metrics");
    for (Comparison each : it.metrics()) write(json, each, each.ratio());
    json.writeEndArray();
    if (it.responsible() != null) {
      json.writeStringProperty("responsible", it.responsible().metric());
    }
    json.writeArrayPropertyStart("scopes");
    for (Comparison each : it.scopes()) write(json, each, each.ratio());
    json.writeEndArray();
    json.writeArrayPropertyStart("gates");
    for (Gate gate : it.gates()) {
      json.writeStartObject();
      json.writeStringProperty("name", gate.name());
      json.writeStringProperty("a", gate.a());
      json.writeStringProperty("b", gate.b());
      json.writeStringProperty("result", gate.result().name().toLowerCase(Locale.ROOT));
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("trials");
    for (Trial trial : it.trials()) write(json, trial);
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Comparison it, Interval ratio) {
    json.writeStartObject();
    json.writeStringProperty("name", it.metric());
    json.writeStringProperty("unit", it.unit());
    json.writeStringProperty("better", it.better().name());
    number(json, "change", Math.expm1(ratio.estimate()));
    number(json, "low", Math.expm1(ratio.low()));
    number(json, "high", Math.expm1(ratio.high()));
    number(json, "confidence", ratio.confidence());
    number(json, "p", it.p());
    number(json, "q", it.q());
    json.writeStringProperty("verdict", it.verdict().word());
    numbers(json, "a", it.a());
    numbers(json, "b", it.b());
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Trial trial) {
    json.writeStartObject();
    json.writeStringProperty("arm", trial.arm().word());
    json.writeNumberProperty("triplet", trial.triplet());
    json.writeNumberProperty("place", trial.place());
    json.writeNumberProperty("attempt", trial.attempt());
    json.writeBooleanProperty("counts", trial.counts());
    number(json, "seconds", trial.seconds());
    number(json, "steal", trial.disturbance().steal());
    number(json, "others", trial.disturbance().others());
    json.writeBooleanProperty("disturbed", trial.disturbance().tooMuch());
    json.writeStringProperty("directory", trial.directory());
    json.writeObjectPropertyStart("metrics");
    for (Reading.Value value : trial.reading().metrics())
      number(json, value.name(), value.median());
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void texts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  private static void numbers(JsonGenerator json, String name, double[] numbers) {
    json.writeArrayPropertyStart(name);
    for (double number : numbers) json.writeNumber(number);
    json.writeEndArray();
  }

  private static void number(JsonGenerator json, String name, double value) {
    if (Double.isFinite(value)) json.writeNumberProperty(name, value);
  }
}
