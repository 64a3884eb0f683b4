package dev.ridgeline.lab.history.trend;

import dev.ridgeline.report.json.JsonWriter;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;

/** Trends for programs. */
public final class TrendJson {
  /** A change that breaks readers raises it. */
  private static final int VERSION = 1;

  private TrendJson() {}

  public static void write(List<Trend> trends, OutputStream out) {
    JsonWriter.write(
        out,
        json ->
            json.text("schema", "ridgeline.trend")
                .number("version", VERSION)
                .objects("series", trends, TrendJson::write));
  }

  private static void write(JsonWriter json, Trend trend) {
    json.text("metric", trend.metric())
        .text("unit", trend.unit())
        .text("better", trend.better().name().toLowerCase(Locale.ROOT))
        .text("name", trend.newest().name())
        .text("title", trend.newest().title())
        .text("machine", trend.newest().machine().line())
        .texts("workload", trend.newest().workload())
        .real("noise", trend.noise())
        .objects("points", trend.points(), TrendJson::write)
        .objects("changes", trend.changes(), (each, change) -> write(each, trend, change));
  }

  private static void write(JsonWriter json, Trend.Point point) {
    json.text("run", point.run())
        .text("time", point.time().toString())
        .text("revision", point.revision())
        .real("value", point.value());
  }

  private static void write(JsonWriter json, Trend trend, Trend.Change change) {
    List<Trend.Point> points = trend.points();
    json.text("word", trend.word(change))
        .real("before", change.before())
        .real("after", change.after())
        .text("of", change.relative() ? "part" : "amount")
        .real("change", change.change().estimate())
        .real("low", change.change().low())
        .real("high", change.change().high())
        .text("lastBefore", points.get(Math.max(0, change.index() - 1)).run())
        .text("firstAfter", points.get(change.index()).run())
        .number("index", change.index())
        .number("earliest", change.earliest())
        .number("latest", change.latest());
  }
}
