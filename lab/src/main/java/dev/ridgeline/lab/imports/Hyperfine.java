package dev.ridgeline.lab.imports;

import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.run.Metric.Better;
import dev.ridgeline.report.run.Run;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Results of hyperfine: one object for all commands, of the first schema (a list of times for each)
 * or the second (a list of measurements, each with all its quantities).
 */
final class Hyperfine implements Measurements.Tool {
  private static final String RESULTS = "results";
  private static final String MEASUREMENTS = "measurements";
  private static final String WALL = "wall time";

  /** What both schemas call the same thing. */
  private static final Map<String, String> NAMES =
      Map.of(
          "time_wall_clock", WALL,
          "time_cpu", "CPU time",
          "time_user", "user time",
          "time_system", "system time",
          "memory_peak_resident", "peak memory");

  private static final Map<String, String> UNITS = Map.of("second", "s", "byte", "B");

  @Override
  public String name() {
    return "hyperfine";
  }

  @Override
  public boolean wrote(JsonObject object) {
    if (!object.has(RESULTS)) return false;
    List<JsonObject> results = object.objects(RESULTS);
    if (results.isEmpty()) return object.names().size() == 1 || object.has("schema_version");
    JsonObject first = results.getFirst();
    return first.has("command") && (first.has("mean") || first.has(MEASUREMENTS));
  }

  @Override
  public List<Run> runs(JsonObject object, Instant moment) {
    List<Run> runs = new ArrayList<>();
    for (JsonObject result : object.objects(RESULTS)) {
      ForeignRun run = new ForeignRun().startedUnknown(moment);
      if (object.has("metadata")) run = about(object.object("metadata"), moment);
      String command = result.text("command");
      String shown = result.has("name") ? result.text("name") : command;
      run.title = shown;
      run.command = command;
      run.work("command", command);
      if (!shown.equals(command)) run.work("name", shown);
      parameters(run, result);
      if (result.has(MEASUREMENTS)) measurements(run, result);
      else times(run, result);
      runs.add(run.done(name(), result, result.has(MEASUREMENTS) ? MEASUREMENTS : "times"));
    }
    return runs;
  }

  private static ForeignRun about(JsonObject metadata, Instant moment) {
    ForeignRun run = new ForeignRun();
    run.plan("hyperfine", metadata.wordOrNull("hyperfine_version"));
    Instant started = started(metadata);
    if (started == null) run.startedUnknown(moment);
    else run.started(started);
    if (metadata.has("platform")) {
      JsonObject platform = metadata.object("platform");
      String os = platform.wordOrNull("os");
      String architecture = platform.wordOrNull("architecture");
      run.os = ((os == null ? "" : os) + " " + (architecture == null ? "" : architecture)).strip();
    }
    return run;
  }

  private static Instant started(JsonObject metadata) {
    String text = metadata.wordOrNull("start_time");
    if (text == null) return null;
    try {
      Instant started = OffsetDateTime.parse(text).toInstant();
      return JsonObject.isDated(started) ? started : null;
    } catch (DateTimeException _) {
      return null;
    }
  }

  private static void parameters(ForeignRun run, JsonObject result) {
    if (!result.has("parameters")) return;
    JsonObject parameters = result.object("parameters");
    for (String name : parameters.names())
      run.work("parameter " + name, parameters.wordOrNull(name));
  }

  /** The first schema: seconds, and bytes of memory. */
  private static void times(ForeignRun run, JsonObject result) {
    List<Double> times =
        result.has("times")
            ? ForeignRun.numbers(result, "times", result.items("times"))
            : List.of();
    if (times.isEmpty()) times = List.of(result.real(result.has("median") ? "median" : "mean"));
    run.metric(WALL, "s", Better.LOWER, times);
    for (String part : List.of("user", "system")) {
      if (result.has(part)) {
        run.metric(part + " time", "s", Better.LOWER, List.of(result.real(part)));
      }
    }
    if (result.has("memory_usage_byte")) {
      List<?> bytes = result.items("memory_usage_byte");
      List<Double> memory = ForeignRun.numbers(result, "memory_usage_byte", bytes);
      run.metric("peak memory", "B", Better.LOWER, memory);
    }
    if (result.has("exit_codes")) failures(run, result.items("exit_codes"));
  }

  /** The second schema: each quantity has its value and its unit in each measurement. */
  private static void measurements(ForeignRun run, JsonObject result) {
    Map<String, List<Double>> samples = new LinkedHashMap<>();
    Map<String, String> units = new LinkedHashMap<>();
    List<Object> exits = new ArrayList<>();
    for (JsonObject measurement : result.objects(MEASUREMENTS)) {
      for (String name : measurement.names()) {
        if (name.equals("exit_code")) {
          exits.add(measurement.number(name, Long.MIN_VALUE));
        } else if (measurement.wordOrNull(name) == null) {
          JsonObject quantity = measurement.object(name);
          if (!quantity.has("value")) continue;
          samples.computeIfAbsent(name, _ -> new ArrayList<>()).add(quantity.real("value"));
          if (quantity.has("unit")) units.put(name, quantity.text("unit"));
        }
      }
    }
    samples.forEach(
        (name, values) -> {
          String unit = units.getOrDefault(name, "");
          run.metric(
              NAMES.getOrDefault(name, name.replace('_', ' ')),
              UNITS.getOrDefault(unit, unit),
              Better.LOWER,
              values);
        });
    failures(run, exits);
  }

  private static void failures(ForeignRun run, List<?> exits) {
    long failed =
        exits.stream().filter(code -> !(code instanceof Number n && n.longValue() == 0)).count();
    if (failed > 0) {
      run.condition("failed", "%d of %d exited with a failure".formatted(failed, exits.size()));
    }
  }
}
