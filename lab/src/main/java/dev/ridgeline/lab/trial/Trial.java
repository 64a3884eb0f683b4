package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.JsonWriter;
import java.util.List;
import java.util.Map;

/**
 * One fresh process and what it measured.
 *
 * @param arm whose it is
 * @param round which round it belongs to, from 1; 0 for a pilot, which counts for nothing
 * @param place in the order of its round, from 1
 * @param attempt 1, or more when those before were disturbed
 * @param counts whether its numbers are used
 * @param seconds it took, the start of its process included
 * @param disturbance what else went on
 * @param measured what it measured, and where that is kept
 * @param failure why it measured nothing, or empty
 */
public record Trial<A>(
    A arm,
    int round,
    int place,
    int attempt,
    boolean counts,
    double seconds,
    Disturbance disturbance,
    Measured measured,
    String failure) {
  public Reading reading() {
    return measured.reading();
  }

  /** Its folder in the record, or empty. */
  public String directory() {
    return measured.directory();
  }

  /** What it measured of a metric, NaN where it did not. */
  public double value(String metric) {
    return reading().value(metric);
  }

  /** Whether it measured nothing. */
  public boolean failed() {
    return !failure.isEmpty();
  }

  /** A pilot that counts after all, as a trial of the first round. */
  Trial<A> counted() {
    return new Trial<>(arm, 1, place, attempt, true, seconds, disturbance, measured, failure);
  }

  /** The same, not counted. */
  Trial<A> setAside() {
    return new Trial<>(arm, round, place, attempt, false, seconds, disturbance, measured, failure);
  }

  /**
   * Among the fields of an object.
   *
   * @param of what a round is called there
   */
  public void write(JsonWriter json, String arm, String of) {
    json.text("arm", arm)
        .number(of, round)
        .number("place", place)
        .number("attempt", attempt)
        .flag("counts", counts)
        .real("seconds", seconds);
    disturbance.write(json);
    json.text("directory", directory()).text("digest", reading().digest());
    if (failed()) json.text("failure", failure);
    reading().write(json);
  }

  /** Reads what {@link #write} wrote. */
  public static <A> Trial<A> read(JsonObject json, A arm, String of, List<Reading.Value> metrics) {
    Reading reading = Reading.read(json, metrics, json.has("digest") ? json.text("digest") : "");
    return new Trial<>(
        arm,
        (int) json.number(of, 0),
        (int) json.number("place", 1),
        json.has("attempt") ? (int) json.number("attempt", 1) : 1,
        json.flag("counts"),
        json.real("seconds"),
        Disturbance.read(json),
        new Measured(reading, Map.of(), json.text("directory")),
        json.has("failure") ? json.text("failure") : "");
  }
}
