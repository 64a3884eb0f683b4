package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.verdict.Comparison;
import dev.ridgeline.lab.verdict.Design;
import dev.ridgeline.lab.verdict.Gate;
import dev.ridgeline.lab.verdict.Gate.Result;
import dev.ridgeline.lab.verdict.Rule;
import dev.ridgeline.lab.verdict.Verdict;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.JsonWriter;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.run.Metric.Better;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * An experiment as {@code experiment.json}: the verdict first, then what it rests on, every trial
 * included. Ratios are of the metric itself, B to A; numbers that do not exist are left out.
 */
public final class ExperimentJson {
  /** Name of the file in an experiment's directory. */
  public static final String FILE = "experiment.json";

  private static final Schema SCHEMA = new Schema("experiment", 1, 64L << 20);

  /** What a round is called here. */
  private static final String ROUND = "triplet";

  /** Of a session without a metric that decides. */
  private static final Interval UNKNOWN =
      new Interval(Double.NaN, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 1);

  private ExperimentJson() {}

  public static void write(Experiment it, OutputStream out) throws IOException {
    JsonWriter.write(out, SCHEMA, json -> write(json, it));
  }

  private static void write(JsonWriter json, Experiment it) {
    json.text("verdict", it.verdict().word())
        .text("why", it.why())
        .flag("outputsDiffer", it.outputsDiffer())
        .objects("failures", Failures.of(it.trials()), ExperimentJson::write)
        .texts("notes", it.unsteadiness())
        .text("started", it.setting().started().toString())
        .texts("command", it.setting().command())
        .text("workload", it.setting().workload())
        .text("a", it.setting().a())
        .text("b", it.setting().b())
        .real("threshold", it.design().threshold())
        .real("noiseFloor", Math.expm1(it.finding().floor()))
        .real("smallestProvable", Math.expm1(it.finding().detectable()));
    if (it.finding().morePairs() >= 0) json.number("morePairs", it.finding().morePairs());
    json.real("secondsToDecide", it.secondsToDecide())
        .number("pairs", it.pairs())
        .number("pairsPlanned", it.plannedPairs())
        .number("firstBlock", it.firstBlock() < 0 ? it.pairs() : it.firstBlock())
        .number("repeated", it.repeated())
        .number("disturbed", it.disturbed())
        .flag("stopped", it.stopped())
        .number("seed", it.seed())
        .real("budgetSeconds", it.budgetSeconds())
        .real("tookSeconds", it.tookSeconds())
        .real("trialSeconds", it.trialSeconds());
    // What decides has paid for its looks; its interval and its verdict are the rule's.
    if (it.deciding() != null) {
      json.object("deciding", each -> write(each, it.deciding(), it.decidingRatio(), it.verdict()));
    }
    json.objects("metrics", it.metrics(), ExperimentJson::write);
    if (it.responsible() != null) json.text("responsible", it.responsible().metric());
    json.objects("scopes", it.scopes(), ExperimentJson::write)
        .objects("gates", it.gates(), ExperimentJson::write)
        .objects(
            "trials", it.trials(), (each, trial) -> trial.write(each, trial.arm().word(), ROUND));
  }

  private static void write(JsonWriter json, Failures it) {
    json.text("side", it.side())
        .number("failed", it.failed())
        .number("trials", it.trials())
        .text("why", it.why());
  }

  private static void write(JsonWriter json, Comparison it) {
    write(json, it, it.ratio(), it.verdict());
  }

  private static void write(JsonWriter json, Comparison it, Interval ratio, Verdict verdict) {
    json.text("name", it.metric())
        .text("unit", it.unit())
        .text("better", it.better().name())
        .real("change", Math.expm1(ratio.estimate()))
        .real("low", Math.expm1(ratio.low()))
        .real("high", Math.expm1(ratio.high()))
        .real("confidence", ratio.confidence())
        .real("p", it.p())
        .real("q", it.q())
        .text("verdict", verdict.word())
        .reals("a", it.a())
        .reals("b", it.b());
  }

  private static void write(JsonWriter json, Gate gate) {
    json.text("name", gate.name())
        .text("a", gate.a())
        .text("b", gate.b())
        .text("result", gate.result().name().toLowerCase(Locale.ROOT));
  }

  /** Reads what {@link #write} wrote; what it cannot be drawn from is a {@link FileException}. */
  public static Experiment read(Path file) {
    return Json.read(file, SCHEMA, ExperimentJson::read);
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
        more > 0 ? json.real("secondsToDecide", 0) / more : 0,
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
            Math.log1p(json.real("noiseFloor", Double.POSITIVE_INFINITY)),
            Math.log1p(json.real("smallestProvable", Double.POSITIVE_INFINITY)),
            more,
            json.text("why")),
        verdict,
        json.text("why"),
        deciding,
        metrics,
        scopes,
        scopes.stream().filter(s -> s.metric().equals(responsible)).findFirst().orElse(null),
        json.objects("gates", ExperimentJson::gate));
  }

  private static Verdict verdict(JsonObject json) {
    String word = json.text("verdict");
    for (Verdict verdict : Verdict.values()) if (verdict.word().equals(word)) return verdict;
    throw json.fail("verdict", "'" + word + "' is none");
  }

  private static List<Comparison> comparisons(JsonObject json, String name) {
    return json.objects(name, ExperimentJson::comparison);
  }

  private static Comparison comparison(JsonObject json) {
    return new Comparison(
        json.text("name"),
        json.text("unit"),
        json.choice("better", Better.class),
        json.reals("a"),
        json.reals("b"),
        new Interval(
            Math.log1p(json.real("change", Double.NaN)),
            Math.log1p(json.real("low", -1)),
            Math.log1p(json.real("high", Double.POSITIVE_INFINITY)),
            json.real("confidence")),
        json.real("p"),
        json.real("q"),
        verdict(json));
  }

  private static Gate gate(JsonObject json) {
    String result = json.text("result").toUpperCase(Locale.ROOT);
    return new Gate(json.text("name"), json.text("a"), json.text("b"), Result.valueOf(result));
  }

  private static List<Trial<Arm>> trials(
      JsonObject json, Comparison deciding, List<Comparison> others) {
    List<Reading.Value> metrics =
        Stream.concat(Stream.ofNullable(deciding), others.stream())
            .map(it -> new Reading.Value(it.metric(), it.unit(), it.better(), Double.NaN))
            .toList();
    return json.objects(
        "trials", each -> Trial.read(each, Arm.of(each.text("arm")), ROUND, metrics));
  }
}
