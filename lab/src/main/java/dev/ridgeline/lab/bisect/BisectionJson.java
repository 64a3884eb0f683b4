package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.ExperimentJson;
import dev.ridgeline.lab.trial.IntervalJson;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.JsonWriter;
import dev.ridgeline.report.json.Schema;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

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

  public static void write(Bisection it, OutputStream out) throws IOException {
    JsonWriter.write(out, SCHEMA, json -> write(json, it));
  }

  private static void write(JsonWriter json, Bisection it) {
    json.text("answer", it.answer().word()).text("why", it.why());
    if (it.commit() != null) json.object("commit", each -> write(each, it.commit()));
    json.object("change", each -> write(each, it.evidence()))
        .text("started", it.setting().started().toString())
        .texts("command", it.setting().command())
        .text("repository", it.setting().repository())
        .text("measured", it.setting().measured())
        .object("good", each -> write(each, it.question().good()))
        .object("bad", each -> write(each, it.question().bad()))
        .real("threshold", it.question().threshold())
        .number("seed", it.question().seed())
        .real("budgetSeconds", it.question().budgetSeconds())
        .real("tookSeconds", it.tookSeconds())
        .real("confidence", it.confidence())
        .objects("commits", it.commits(), BisectionJson::write)
        .object("ends", each -> write(each, it.ends()));
    if (it.confirmation() != null) {
      json.object("confirmation", each -> write(each, it.confirmation()));
    }
    json.texts("suspects", it.left().stream().map(Commit::hash).toList())
        .objects("steps", it.steps(), BisectionJson::write);
  }

  private static void write(JsonWriter json, Commit it) {
    json.text("hash", it.hash())
        .text("author", it.author())
        .text("date", it.date())
        .text("subject", it.subject());
  }

  private static void write(JsonWriter json, Experiment it) {
    json.text("verdict", it.verdict().word());
    if (it.deciding() != null) {
      json.text("metric", it.deciding().metric())
          .text("unit", it.deciding().unit())
          .text("better", it.deciding().better().name())
          .real("before", Median.of(it.deciding().a()))
          .real("after", Median.of(it.deciding().b()));
      interval(json, "change", it.decidingRatio());
    }
    json.number("pairs", it.pairs());
  }

  private static void write(JsonWriter json, Step it) {
    write(json, it.commit());
    json.text("outcome", it.outcome().word())
        .text("why", it.why())
        .number("suspects", it.suspects())
        .number("rounds", it.rounds())
        .number("disturbed", it.disturbed())
        .real("seconds", it.seconds())
        .real("sure", it.sure());
    interval(json, "change", it.change());
    interval(json, "ends", it.ends());
    interval(json, "place", it.place());
    json.reals("goodEnd", it.good()).reals("tried", it.tried()).reals("badEnd", it.bad());
  }

  /**
   * Reads what {@link #write} wrote, and the sessions in the folders beside it; what it cannot be
   * drawn from is a {@link FileException}.
   *
   * @param record the directory that holds all of it
   */
  public static Bisection read(Path record) {
    Experiment ends = ExperimentJson.read(record.resolve(ENDS).resolve(ExperimentJson.FILE));
    return Json.read(
        record.resolve(FILE),
        SCHEMA,
        json ->
            read(
                json,
                ends,
                json.has("confirmation")
                    ? ExperimentJson.read(record.resolve(CONFIRMATION).resolve(ExperimentJson.FILE))
                    : null));
  }

  private static Bisection read(JsonObject json, Experiment ends, Experiment confirmation) {
    List<Commit> commits = json.objects("commits", BisectionJson::commit);
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
        json.objects("steps", BisectionJson::step),
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

  private static void interval(JsonWriter json, String name, Interval it) {
    if (Double.isNaN(it.estimate())) return;
    json.object(name, each -> IntervalJson.write(each, it.map(Math::expm1)));
  }
}
