package dev.ridgeline.report.run;

import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.file.CeilingsJson;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Records;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.run.Machine.Jvm;
import dev.ridgeline.report.run.Machine.Limits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.JacksonIOException;

/** A run as {@code run.json}, indented for people; what is read equals what was written. */
public final class RunJson {
  /** Raised whenever an older reader would misunderstand. */
  public static final int VERSION = 1;

  private static final Schema SCHEMA = new Schema("run", VERSION, 32L << 20);

  /** Runs of earlier days have no conditions, series or units. */
  private static final Records RECORDS =
      new Records()
          .least(Machine.UNKNOWN, "cores", "memoryBytes", "limitMemoryBytes", "heapMaxBytes")
          .missing("conditions", Map.of())
          .missing("series", List.of())
          .missing("units", 0.0)
          .missing("ceilings", Ceilings.NONE)
          .form(Machine.class, RunJson::write, RunJson::machine)
          .form(Ceilings.class, CeilingsJson::write, CeilingsJson::read);

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
    return RECORDS.read(Json.read(file, SCHEMA), Run.class);
  }

  /** Reads a run from a stream that messages name {@code source}. */
  public static Run read(String source, InputStream in) throws IOException {
    return RECORDS.read(Json.read(source, in, SCHEMA), Run.class);
  }

  private static void write(Run run, JsonGenerator json) {
    SCHEMA.begin(json);
    RECORDS.write(json, run);
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Machine machine) {
    RECORDS.write(json, FlatMachine.of(machine));
  }

  private static Machine machine(JsonObject json) {
    if (json.number("cores", Machine.UNKNOWN) == 0) throw json.fail("cores", "0 is below 1");
    return RECORDS.read(json, FlatMachine.class).machine();
  }

  /** A machine as the file has it. */
  private record FlatMachine(
      String cpu,
      String microarchitecture,
      int cores,
      long memoryBytes,
      double limitCpus,
      long limitMemoryBytes,
      String os,
      Jvm jvm) {
    static FlatMachine of(Machine machine) {
      return new FlatMachine(
          machine.cpu(),
          machine.microarchitecture(),
          machine.cores(),
          machine.memoryBytes(),
          machine.limits().cpus(),
          machine.limits().memoryBytes(),
          machine.os(),
          machine.jvm());
    }

    Machine machine() {
      Limits limits = new Limits(limitCpus, limitMemoryBytes);
      return new Machine(cpu, microarchitecture, cores, memoryBytes, limits, os, jvm);
    }
  }
}
