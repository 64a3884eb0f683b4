package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Design;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Gate.Result;
import dev.ridgeline.lab.verdict.Rule;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.report.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.run.Metric.Better;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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

  /** Of a session without a metric that decides. */
  private static final Interval UNKNOWN =
      new Interval(Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1);

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
    json.writeBooleanProperty("outputsDiffer", it.outputsDiffer());
    json.writeArrayPropertyStart("failures");
    for (Failures each : Failures.of(it.trials())) {
      json.writeStartObject();
      json.writeStringProperty("side", each.side());
      json.writeNumberProperty("failed", each.failed());
      json.writeNumberProperty("trials", each.trials());
      json.writeStringProperty("why", each.why());
      json.writeEndObject();
    }
    json.writeEndArray();
    texts(json, "notes", it.unsteadiness());
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
    json.writeNumberProperty("pairsPlanned", it.plannedPairs());
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
      // What decides has paid for its looks; its interval and its verdict are the rule's.
      write(json, it.deciding(), it.decidingRatio(), it.verdict());
    }
    json.writeArrayPropertyStart("metrics");
    for (Comparison each : it.metrics()) write(json, each, each.ratio(), each.verdict());
    json.writeEndArray();
    if (it.responsible() != null) {
      json.writeStringProperty("responsible", it.responsible().metric());
    }
    json.writeArrayPropertyStart("scopes");
    for (Comparison each : it.scopes()) write(json, each, each.ratio(), each.verdict());
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

  private static void write(JsonGenerator json, Comparison it, Interval ratio, Verdict verdict) {
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
    json.writeStringProperty("verdict", verdict.word());
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
    if (trial.failed()) json.writeStringProperty("failure", trial.failure());
    json.writeObjectPropertyStart("metrics");
    for (Reading.Value value : trial.reading().metrics())
      number(json, value.name(), value.number());
    json.writeEndObject();
    json.writeEndObject();
  }

  /** Reads what {@link #write} wrote; what it cannot be drawn from is a {@link FileException}. */
  public static Experiment read(Path file) {
    JsonObject json = Json.read(file, SCHEMA);
    try {
      return read(json);
    } catch (IllegalArgumentException e) {
      throw json.fail("", e.getMessage());
    }
  }

  private static Experiment read(JsonObject json) {
    List<Comparison> metrics = comparisons(json, "metrics");
    List<Comparison> scopes = comparisons(json, "scopes");
    Comparison deciding = json.has("deciding") ? comparison(json.object("deciding")) : null;
    boolean perUnit =
        scopes.isEmpty() || scopes.getFirst().unit().equals(Experiment.Setting.UNIT_OF_WORK);
    Verdict verdict = verdict(json);
    int more = json.has("morePairs") ? (int) json.number("morePairs", 0) : -1;
    int pairs = (int) json.number("pairs", 0);
    int first = (int) json.number("firstBlock", 0);
    Interval ratio = deciding == null ? UNKNOWN : deciding.ratio();
    boolean lower = deciding != null && deciding.better() == Better.LOWER;
    String responsible = json.has("responsible") ? json.text("responsible") : null;
    return new Experiment(
        new Experiment.Setting(
            json.moment("started"),
            json.texts("command"),
            json.text("workload"),
            json.text("a"),
            json.text("b"),
            perUnit),
        new Design(json.real("threshold")),
        json.number("seed", Long.MIN_VALUE),
        json.real("budgetSeconds"),
        json.real("tookSeconds"),
        json.real("trialSeconds"),
        more > 0 ? real(json, "secondsToDecide", 0) / more : 0,
        trials(json, deciding, metrics),
        pairs,
        (int) json.number("pairsPlanned", 0),
        first == pairs ? -1 : first,
        (int) json.number("repeated", 0),
        (int) json.number("disturbed", 0),
        json.flag("stopped"),
        new Rule.Finding(
            Rule.Next.STOP,
            verdict,
            lower ? ratio.negated() : ratio,
            Math.log1p(real(json, "noiseFloor", Double.POSITIVE_INFINITY)),
            Math.log1p(real(json, "smallestProvable", Double.POSITIVE_INFINITY)),
            more,
            json.text("why")),
        verdict,
        json.text("why"),
        deciding,
        metrics,
        scopes,
        scopes.stream().filter(s -> s.metric().equals(responsible)).findFirst().orElse(null),
        json.objects("gates").stream().map(ExperimentJson::gate).toList());
  }

  private static Verdict verdict(JsonObject json) {
    String word = json.text("verdict");
    for (Verdict verdict : Verdict.values()) if (verdict.word().equals(word)) return verdict;
    throw json.fail("verdict", "'" + word + "' is none");
  }

  private static List<Comparison> comparisons(JsonObject json, String name) {
    return json.objects(name).stream().map(ExperimentJson::comparison).toList();
  }

  private static Comparison comparison(JsonObject json) {
    return new Comparison(
        json.text("name"),
        json.text("unit"),
        json.choice("better", Better.class),
        json.reals("a"),
        json.reals("b"),
        new Interval(
            Math.log1p(real(json, "change", Double.NaN)),
            Math.log1p(real(json, "low", -1)),
            Math.log1p(real(json, "high", Double.POSITIVE_INFINITY)),
            json.real("confidence")),
        json.real("p"),
        json.real("q"),
        verdict(json));
  }

  private static Gate gate(JsonObject json) {
    String result = json.text("result").toUpperCase(Locale.ROOT);
    return new Gate(json.text("name"), json.text("a"), json.text("b"), Result.valueOf(result));
  }

  /** Of their readings only the metrics are kept. */
  private static List<Trial> trials(JsonObject json, Comparison deciding, List<Comparison> others) {
    List<Comparison> metrics = new ArrayList<>(others);
    if (deciding != null) metrics.addFirst(deciding);
    List<Trial> trials = new ArrayList<>();
    for (JsonObject each : json.objects("trials")) {
      JsonObject values = each.object("metrics");
      List<Reading.Value> kept = new ArrayList<>();
      for (Comparison metric : metrics) {
        if (!values.has(metric.metric())) continue;
        double median = values.real(metric.metric());
        kept.add(new Reading.Value(metric.metric(), metric.unit(), metric.better(), median));
      }
      trials.add(
          new Trial(
              Arm.of(each.text("arm")),
              (int) each.number("triplet", 0),
              (int) each.number("place", 1),
              (int) each.number("attempt", 1),
              each.flag("counts"),
              each.real("seconds"),
              new Disturbance(real(each, "steal", Double.NaN), real(each, "others", Double.NaN)),
              new Reading(kept, Map.of(), Map.of(), ""),
              each.text("directory"),
              each.has("failure") ? each.text("failure") : ""));
    }
    return trials;
  }

  private static double real(JsonObject json, String name, double missing) {
    return json.has(name) ? json.real(name) : missing;
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
