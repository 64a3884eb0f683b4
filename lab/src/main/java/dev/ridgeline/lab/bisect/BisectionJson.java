package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.report.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/**
 * A search as {@code bisect.json}: the answer first, then every step with all that was measured.
 * Changes are of the metric itself; numbers that do not exist are left out.
 */
public final class BisectionJson {
  /** Name of the file in the record. */
  public static final String FILE = "bisect.json";

  /** Folder beside it with the session of the ends, and that of the commit with its parent. */
  public static final String ENDS = "ends";

  public static final String CONFIRMATION = "confirmation";

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
    json.writeArrayPropertyStart("commits");
    for (Commit each : it.commits()) {
      json.writeStartObject();
      fields(json, each);
      json.writeEndObject();
    }
    json.writeEndArray();
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

  /**
   * Reads what {@link #write} wrote, and the sessions in the folders beside it; what it cannot be
   * drawn from is a {@link FileException}.
   *
   * @param record the directory that holds all of it
   */
  public static Bisection read(Path record) {
    Experiment ends = ExperimentJson.read(record.resolve(ENDS).resolve(ExperimentJson.FILE));
    JsonObject json = Json.read(record.resolve(FILE), SCHEMA);
    Experiment confirmation =
        json.has("confirmation")
            ? ExperimentJson.read(record.resolve(CONFIRMATION).resolve(ExperimentJson.FILE))
            : null;
    try {
      return read(json, ends, confirmation);
    } catch (IllegalArgumentException e) {
      throw json.fail("", e.getMessage());
    }
  }

  private static Bisection read(JsonObject json, Experiment ends, Experiment confirmation) {
    List<Commit> commits = json.objects("commits").stream().map(BisectionJson::commit).toList();
    List<Commit> left = new ArrayList<>();
    for (String hash : json.texts("suspects")) {
      left.add(
          commits.stream()
              .filter(each -> each.hash().equals(hash))
              .findFirst()
              .orElseThrow(() -> json.fail("suspects", "none of the commits is " + hash)));
    }
    Answer answer =
        Arrays.stream(Answer.values())
            .filter(each -> each.word().equals(json.text("answer")))
            .findFirst()
            .orElseThrow(() -> json.fail("answer", "is none"));
    boolean one = answer == Answer.FOUND || answer == Answer.NOT_CONFIRMED;
    if (one && left.size() != 1) throw json.fail("suspects", "one, where one was found");
    if (ends.deciding() == null) throw json.fail("ends", "no metric decides");
    return new Bisection(
        new Bisection.Setting(
            json.moment("started"),
            json.texts("command"),
            json.text("repository"),
            json.text("measured")),
        new Search.Question(
            commit(json.object("good")),
            commit(json.object("bad")),
            json.real("threshold"),
            json.real("budgetSeconds"),
            json.number("seed", Long.MIN_VALUE),
            ends.deciding().metric()),
        answer,
        json.text("why"),
        ends,
        commits,
        json.objects("steps").stream().map(BisectionJson::step).toList(),
        left,
        confirmation,
        json.real("confidence"),
        json.real("tookSeconds"));
  }

  private static Commit commit(JsonObject json) {
    return new Commit(
        json.text("hash"), json.text("author"), json.text("date"), json.text("subject"));
  }

  private static Step step(JsonObject json) {
    double[] good = json.reals("goodEnd");
    double[] tried = json.reals("tried");
    double[] bad = json.reals("badEnd");
    if (good.length != tried.length || bad.length != tried.length) {
      throw json.fail("tried", "as many rounds as of both ends");
    }
    Step.Outcome outcome = Step.Outcome.valueOf(json.text("outcome").toUpperCase(Locale.ROOT));
    return new Step(
        commit(json),
        (int) json.number("suspects", 0),
        outcome,
        json.text("why"),
        HodgesLehmann.of(Step.places(good, tried, bad), 0.95),
        good,
        tried,
        bad,
        (int) json.number("disturbed", 0),
        json.real("seconds"));
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
