package dev.ridgeline.report.roofline;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** Ceilings as part of a JSON file; what is read equals what was written. */
public final class CeilingsJson {
  /** Of a file of their own. */
  public static final Schema SCHEMA = new Schema("ceilings", 2, 1 << 20);

  private CeilingsJson() {}

  /** Reads a file of their own, whichever machine it is of. */
  public static Ceilings read(Path file) {
    JsonObject json = Json.read(file, SCHEMA);
    json.text("machine");
    return read(json);
  }

  /** Writes the properties of an object that the caller has begun and will end. */
  public static void write(Ceilings ceilings, JsonGenerator json) {
    json.writeStringProperty("measured", ceilings.measured().toString());
    json.writeNumberProperty("cores", ceilings.cores());
    json.writeBooleanProperty("disturbed", ceilings.disturbed());
    json.writeArrayPropertyStart("compute");
    for (Compute compute : ceilings.compute()) {
      json.writeStartObject();
      json.writeStringProperty("kind", compute.kind().name());
      if (compute.bits() > 0) json.writeNumberProperty("bits", compute.bits());
      write("one", compute.one(), json);
      write("all", compute.all(), json);
      json.writeNumberProperty("sheet", compute.sheet());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("memory");
    for (Memory memory : ceilings.memory()) {
      json.writeStartObject();
      json.writeStringProperty("level", memory.level().name());
      json.writeNumberProperty("bytes", memory.bytes());
      write("one", memory.one(), json);
      write("all", memory.all(), json);
      json.writeNumberProperty("sheet", memory.sheet());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  private static void write(String name, Traffic traffic, JsonGenerator json) {
    json.writeObjectPropertyStart(name);
    write("read", traffic.read(), json);
    write("write", traffic.write(), json);
    write("copy", traffic.copy(), json);
    json.writeEndObject();
  }

  private static void write(String name, Rate rate, JsonGenerator json) {
    json.writeArrayPropertyStart(name);
    json.writeNumber(rate.low());
    json.writeNumber(rate.typical());
    json.writeNumber(rate.high());
    json.writeEndArray();
  }

  /** Reads an object; what is wrong with it is said in one line. */
  public static Ceilings read(JsonObject json) {
    long cores = json.number("cores", 1);
    if (cores > 1 << 20) throw json.fail("cores", cores + " is too many");
    List<Compute> compute = new ArrayList<>();
    for (JsonObject each : json.objects("compute")) {
      compute.add(
          new Compute(
              each.choice("kind", Arithmetic.class),
              each.has("bits") ? bits(each) : 0,
              rate("one", each),
              rate("all", each),
              sheet(each)));
      each.end();
    }
    List<Memory> memory = new ArrayList<>();
    for (JsonObject each : json.objects("memory")) {
      memory.add(
          new Memory(
              each.choice("level", Level.class),
              each.number("bytes", 0),
              traffic(each.object("one")),
              traffic(each.object("all")),
              sheet(each)));
      each.end();
    }
    boolean disturbed = json.has("disturbed") && json.flag("disturbed");
    Ceilings ceilings =
        new Ceilings(json.instant("measured"), (int) cores, compute, memory, disturbed);
    json.end();
    return ceilings;
  }

  private static int bits(JsonObject json) {
    long bits = json.number("bits", 0);
    if (bits > 1 << 16) throw json.fail("bits", bits + " is too many");
    return (int) bits;
  }

  private static double sheet(JsonObject json) {
    double sheet = json.real("sheet");
    if (!(sheet >= 0) || Double.isInfinite(sheet)) throw json.fail("sheet", sheet + " is none");
    return sheet;
  }

  private static Traffic traffic(JsonObject json) {
    Traffic traffic = new Traffic(rate("read", json), rate("write", json), rate("copy", json));
    json.end();
    return traffic;
  }

  private static Rate rate(String name, JsonObject json) {
    double[] rates = json.reals(name);
    if (rates.length != 3) throw json.fail(name, "must be a low, a typical and a high rate");
    try {
      return new Rate(rates[1], rates[0], rates[2]);
    } catch (IllegalArgumentException e) {
      throw json.fail(name, e.getMessage());
    }
  }
}
