package dev.ridgeline.report.file;

import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Schema;
import dev.ridgeline.report.roofline.Ceilings;
import dev.ridgeline.report.roofline.Ceilings.Compute;
import dev.ridgeline.report.roofline.Ceilings.Level;
import dev.ridgeline.report.roofline.Ceilings.Memory;
import dev.ridgeline.report.roofline.Ceilings.Rate;
import dev.ridgeline.report.roofline.Ceilings.Traffic;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;

/** Ceilings as part of a JSON file; what is read equals what was written. */
public final class CeilingsJson {
  /** Of a file of their own. */
  public static final Schema SCHEMA = new Schema("ceilings", 2, 1 << 20);

  private static final String KEPT = "Measured";
  private static final String DISTURBED = "Disturbed";

  private CeilingsJson() {}

  /** Reads a file of their own, whichever machine it is of. */
  public static Ceilings read(Path file) {
    JsonObject json = Json.read(file, SCHEMA);
    json.text("machine");
    return read(json);
  }

  /** Writes the properties of an object that the caller has begun and will end. */
  public static void write(JsonGenerator json, Ceilings ceilings) {
    json.writeStringProperty("measured", ceilings.measured().toString());
    json.writeNumberProperty("cores", ceilings.cores());
    json.writeArrayPropertyStart("compute");
    for (Compute compute : ceilings.compute()) {
      json.writeStartObject();
      json.writeStringProperty("kind", compute.kind().name());
      if (compute.bits() > 0) json.writeNumberProperty("bits", compute.bits());
      Map<String, Rate> rates = new LinkedHashMap<>();
      rates.put("one", compute.one());
      rates.put("all", compute.all());
      write(rates, json);
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
    Map<String, Rate> rates = new LinkedHashMap<>();
    rates.put("read", traffic.read());
    rates.put("write", traffic.write());
    rates.put("copy", traffic.copy());
    write(rates, json);
    json.writeEndObject();
  }

  /** What is not so for all of them is said after them, by name. */
  private static void write(Map<String, Rate> rates, JsonGenerator json) {
    rates.forEach((name, rate) -> write(name, rate, json));
    rates.forEach(
        (name, rate) -> {
          if (rate.kept() != null) json.writeStringProperty(name + KEPT, rate.kept().toString());
          if (rate.disturbed()) json.writeBooleanProperty(name + DISTURBED, true);
        });
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
    // Files of before say it of all of them together.
    boolean all = json.has("disturbed") && json.flag("disturbed");
    long cores = json.number("cores", 1);
    if (cores > 1 << 20) throw json.fail("cores", cores + " is too many");
    List<Compute> compute = new ArrayList<>();
    for (JsonObject each : json.objects("compute")) {
      compute.add(
          new Compute(
              each.choice("kind", Arithmetic.class),
              each.has("bits") ? bits(each) : 0,
              rate("one", each, all),
              rate("all", each, all),
              sheet(each)));
      each.end();
    }
    List<Memory> memory = new ArrayList<>();
    for (JsonObject each : json.objects("memory")) {
      memory.add(
          new Memory(
              each.choice("level", Level.class),
              each.number("bytes", 0),
              traffic(each.object("one"), all),
              traffic(each.object("all"), all),
              sheet(each)));
      each.end();
    }
    Ceilings ceilings = new Ceilings(json.instant("measured"), (int) cores, compute, memory);
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

  private static Traffic traffic(JsonObject json, boolean all) {
    Traffic traffic =
        new Traffic(rate("read", json, all), rate("write", json, all), rate("copy", json, all));
    json.end();
    return traffic;
  }

  private static Rate rate(String name, JsonObject json, boolean all) {
    double[] rates = json.reals(name);
    if (rates.length != 3) throw json.fail(name, "must be a low, a typical and a high rate");
    try {
      Instant kept = json.has(name + KEPT) ? json.instant(name + KEPT) : null;
      boolean disturbed = all || json.has(name + DISTURBED) && json.flag(name + DISTURBED);
      return new Rate(rates[1], rates[0], rates[2], kept, disturbed);
    } catch (IllegalArgumentException e) {
      throw json.fail(name, e.getMessage());
    }
  }
}
