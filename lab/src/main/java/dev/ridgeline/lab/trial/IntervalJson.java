package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.JsonWriter;

/** An interval as the fields of an object; bounds that are infinite are left out. */
public final class IntervalJson {
  private IntervalJson() {}

  public static void write(JsonWriter json, Interval it) {
    json.real("estimate", it.estimate())
        .real("low", it.low())
        .real("high", it.high())
        .real("confidence", it.confidence());
  }

  /** Reads what {@link #write} wrote. */
  public static Interval read(JsonObject json) {
    return new Interval(
        json.real("estimate", Double.NaN),
        json.real("low", Double.NEGATIVE_INFINITY),
        json.real("high", Double.POSITIVE_INFINITY),
        json.real("confidence"));
  }
}
