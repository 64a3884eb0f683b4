package dev.ridgeline.report.run;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.Series;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.CeilingsJson;
import dev.ridgeline.report.run.Machine.Jvm;
import dev.ridgeline.report.run.Machine.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/** A run as {@code run.json}, indented for people; what is read equals what was written. */
public final class RunJson {
  /** Raised whenever an older reader would misunderstand. */
  public static final int VERSION = 1;

  private static final Schema SCHEMA = new Schema("run", VERSION, 32L << 20);

  private RunJson() {}

  /** Writes a run. */
  public static void write(Run run, OutputStream out) throws IOException {
    try (JsonGenerator json = Json.indented(out)) {
      write(run, json);
    } catch (JacksonIOException e) {
      throw e.getCause();
    }
  }

  /** A run on one line, for files that hold many. */
  public static byte[] line(Run run) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (JsonGenerator json = Json.compact(out)) {
      write(run, json);
    }
    return out.toByteArray();
  }

  /** Reads a run; a {@link FileException} says in one line what is wrong with the file. */
  public static Run read(Path file) {
    return run(Json.read(file, SCHEMA));
  }

  /** Reads a run from a stream that messages name {@code source}. */
  public static Run read(String source, InputStream in) throws IOException {
    return run(Json.read(source, in, SCHEMA));
  }

  private static void write(Run run, JsonGenerator json) {
    SCHEMA.begin(json);
    json.writeStringProperty("name", run.name());
    json.writeStringProperty("title", run.title());
    json.writeStringProperty("started", run.started().toString());
    texts(json, "command", run.command());
    json.writeArrayPropertyStart("options");
    for (Run.Option option : run.options()) {
      json.writeStartObject();
      json.writeStringProperty("name", option.name());
      json.writeStringProperty("value", option.value());
      json.writeBooleanProperty("given", option.given());
      json.writeBooleanProperty("read", option.read());
      json.writeEndObject();
    }
    json.writeEndArray();
    write(run.machine(), json);
    json.writeStringProperty("revision", run.revision());
    texts(json, "workload", run.workload());
    texts(json, "plan", run.plan());
    texts(json, "conditions", run.conditions());
    json.writeStringProperty("outputDigest", run.outputDigest());
    json.writeArrayPropertyStart("metrics");
    for (Metric metric : run.metrics()) {
      json.writeStartObject();
      json.writeStringProperty("name", metric.name());
      json.writeStringProperty("unit", metric.unit());
      json.writeStringProperty("better", metric.better().name());
      json.writeArrayPropertyStart("samples");
      metric.samples().forEach(json::writeNumber);
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("series");
    for (Series series : run.series()) write(series, json);
    json.writeEndArray();
    json.writeNumberProperty("units", run.units());
    if (run.ceilings().isKnown()) {
      json.writeObjectPropertyStart("ceilings");
      CeilingsJson.write(run.ceilings(), json);
      json.writeEndObject();
    }
    json.writeEndObject();
  }

  private static void write(Series series, JsonGenerator json) {
    json.writeStartObject();
    json.writeStringProperty("name", series.name());
    json.writeStringProperty("unit", series.unit());
    texts(json, "labels", series.labels());
    json.writeArrayPropertyStart("parts");
    for (Series.Part part : series.parts()) {
      json.writeStartObject();
      json.writeStringProperty("name", part.name());
      json.writeArrayPropertyStart("values");
      part.values().forEach(json::writeNumber);
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeStringProperty("note", series.note());
    json.writeEndObject();
  }

  private static void write(Machine machine, JsonGenerator json) {
    json.writeObjectPropertyStart("machine");
    json.writeStringProperty("cpu", machine.cpu());
    json.writeStringProperty("microarchitecture", machine.microarchitecture());
    json.writeNumberProperty("cores", machine.cores());
    json.writeNumberProperty("memoryBytes", machine.memoryBytes());
    json.writeNumberProperty("limitCpus", machine.limits().cpus());
    json.writeNumberProperty("limitMemoryBytes", machine.limits().memoryBytes());
    json.writeStringProperty("os", machine.os());
    json.writeObjectPropertyStart("jvm");
    json.writeStringProperty("name", machine.jvm().name());
    json.writeStringProperty("version", machine.jvm().version());
    json.writeStringProperty("jit", machine.jvm().jit());
    json.writeStringProperty("gc", machine.jvm().gc());
    json.writeNumberProperty("heapMaxBytes", machine.jvm().heapMaxBytes());
    texts(json, "flags", machine.jvm().flags());
    json.writeEndObject();
    json.writeEndObject();
  }

  private static void texts(JsonGenerator json, String name, List<String> texts) {
    json.writeArrayPropertyStart(name);
    texts.forEach(json::writeString);
    json.writeEndArray();
  }

  private static void texts(JsonGenerator json, String name, Map<String, String> texts) {
    json.writeObjectPropertyStart(name);
    texts.forEach(json::writeStringProperty);
    json.writeEndObject();
  }

  private static Run run(JsonObject json) {
    Run run =
        new Run(
            json.text("name"),
            json.text("title"),
            json.moment("started"),
            json.texts("command"),
            options(json),
            machine(json.object("machine")),
            json.text("revision"),
            json.textsByName("workload"),
            json.textsByName("plan"),
            json.has("conditions") ? json.textsByName("conditions") : Map.of(),
            json.text("outputDigest"),
            metrics(json),
            series(json),
            units(json),
            json.has("ceilings") ? CeilingsJson.read(json.object("ceilings")) : Ceilings.NONE);
    json.end();
    return run;
  }

  /** Runs of earlier days do not tell. */
  private static double units(JsonObject json) {
    if (!json.has("units")) return 0;
    double units = json.real("units");
    if (!(units >= 0) || Double.isInfinite(units)) throw json.fail("units", units + " is none");
    return units;
  }

  private static List<Run.Option> options(JsonObject json) {
    List<Run.Option> options = new ArrayList<>();
    for (JsonObject option : json.objects("options")) {
      options.add(
          new Run.Option(
              option.text("name"),
              option.text("value"),
              option.flag("given"),
              option.flag("read")));
      option.end();
    }
    return options;
  }

  private static Machine machine(JsonObject json) {
    long cores = json.number("cores", Machine.UNKNOWN);
    if (cores == 0) throw json.fail("cores", "0 is below 1");
    if (cores > Integer.MAX_VALUE) throw json.fail("cores", cores + " is too many");
    Machine machine =
        new Machine(
            json.text("cpu"),
            json.text("microarchitecture"),
            (int) cores,
            json.number("memoryBytes", Machine.UNKNOWN),
            new Limits(json.real("limitCpus"), json.number("limitMemoryBytes", Machine.UNKNOWN)),
            json.text("os"),
            jvm(json.object("jvm")));
    json.end();
    return machine;
  }

  private static Jvm jvm(JsonObject json) {
    Jvm jvm =
        new Jvm(
            json.text("name"),
            json.text("version"),
            json.text("jit"),
            json.text("gc"),
            json.number("heapMaxBytes", Machine.UNKNOWN),
            json.texts("flags"));
    json.end();
    return jvm;
  }

  /** Runs of earlier days have none. */
  private static List<Series> series(JsonObject json) {
    List<Series> all = new ArrayList<>();
    if (!json.has("series")) return all;
    for (JsonObject series : json.objects("series")) {
      List<Series.Part> parts = new ArrayList<>();
      try {
        for (JsonObject part : series.objects("parts")) {
          List<Double> values = Arrays.stream(part.reals("values")).boxed().toList();
          parts.add(new Series.Part(part.text("name"), values));
          part.end();
        }
        all.add(
            new Series(
                series.text("name"),
                series.text("unit"),
                series.texts("labels"),
                parts,
                series.text("note")));
      } catch (IllegalArgumentException e) {
        throw series.fail("parts", e.getMessage());
      }
      series.end();
    }
    return all;
  }

  private static List<Metric> metrics(JsonObject json) {
    List<Metric> metrics = new ArrayList<>();
    for (JsonObject metric : json.objects("metrics")) {
      double[] samples = metric.reals("samples");
      if (samples.length == 0) throw metric.fail("samples", "there are none");
      metrics.add(
          new Metric(
              metric.text("name"),
              metric.text("unit"),
              metric.choice("better", Metric.Better.class),
              Arrays.stream(samples).boxed().toList()));
      metric.end();
    }
    return metrics;
  }
}
