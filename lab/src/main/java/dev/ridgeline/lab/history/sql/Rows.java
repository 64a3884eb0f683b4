package dev.ridgeline.lab.history.sql;

import dev.ridgeline.lab.history.History;
import dev.ridgeline.lab.history.History.Kept;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.file.FileException;
import dev.ridgeline.report.PathLabels;
import dev.ridgeline.report.json.Json;
import dev.ridgeline.report.run.Machine;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonGenerator;

/**
 * Writes runs as the rows of each {@link View}, a file of JSON lines for each: the quickest way
 * into the database that needs no class of its driver.
 */
final class Rows implements AutoCloseable {
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T00:00:00Z");

  private final Path folder;
  private final Map<View, JsonGenerator> files = new EnumMap<>(View.class);
  private final Map<Machine, String> ids = new HashMap<>();
  private final Set<String> machines = new HashSet<>();

  Rows(Path folder) throws IOException {
    this.folder = folder;
    for (View view : View.values()) {
      files.put(
          view, Json.compact(new BufferedOutputStream(Files.newOutputStream(file(view)), 1 << 16)));
    }
  }

  Path file(View view) {
    return folder.resolve(view.word() + ".json");
  }

  /** What of a run's profile a table holds; a profile that cannot be read is no reason for none. */
  record Scopes(CallTree tree, boolean tellsWaiting, String damage) {
    static Scopes of(Kept kept) {
      try {
        if (!kept.directory().hasProfile()) return new Scopes(null, false, null);
        Profile profile = kept.directory().profile();
        return new Scopes(profile.tree().folded(profile), profile.waits().looks() > 0, null);
      } catch (FileException e) {
        return new Scopes(null, false, e.getMessage());
      }
    }
  }

  /** One run; by one thread at a time. */
  synchronized void add(Kept kept, Scopes scopes) {
    String name = kept.directory().name();
    Run run = kept.run();
    String machine = machine(run.machine());
    JsonGenerator json = begin(View.RUNS, name);
    // The database has an end of time that a damaged clock may be beyond.
    if (!run.started().isBefore(FIRST) && run.started().isBefore(LAST)) {
      text(json, "started", run.started().toString());
    }
    text(json, "name", run.name());
    text(json, "title", run.title());
    text(json, "revision", run.revision());
    text(json, "machine", machine);
    History.level(run)
        .ifPresent(
            first -> {
              text(json, "metric", first.name());
              text(json, "unit", first.unit());
              json.writeNumberProperty("median", first.median());
            });
    json.writeNumberProperty("units", run.units());
    text(json, "digest", run.outputDigest());
    text(json, "command", String.join(" ", run.command()));
    texts(json, "workload", run.workload());
    texts(json, "plan", run.plan());
    texts(json, "conditions", run.conditions());
    end(json);
    for (Metric metric : run.metrics()) add(name, metric);
    if (scopes.tree() != null) {
      scopes.tree().forEach(node -> add(name, node, scopes.tellsWaiting()));
    }
  }

  private JsonGenerator begin(View view, String run) {
    JsonGenerator json = files.get(view);
    json.writeStartObject();
    text(json, "run", run);
    return json;
  }

  private static void end(JsonGenerator json) {
    json.writeEndObject();
    json.writeRaw('\n');
  }

  private void add(String run, Metric metric) {
    for (int i = 0; i < metric.samples().size(); i++) {
      JsonGenerator json = begin(View.SAMPLES, run);
      text(json, "metric", metric.name());
      text(json, "unit", metric.unit());
      text(json, "better", metric.better().name().toLowerCase(Locale.ROOT));
      json.writeNumberProperty("position", i);
      json.writeNumberProperty("value", metric.samples().get(i));
      end(json);
    }
  }

  private void add(String run, CallTree.Node node, boolean tellsWaiting) {
    JsonGenerator json = begin(View.SCOPES, run);
    text(json, "path", PathLabels.full(node));
    text(json, "name", node.name());
    json.writeNumberProperty("depth", node.depth());
    json.writeBooleanProperty("task", node.isTask());
    json.writeNumberProperty("calls", node.calls() + node.open());
    json.writeNumberProperty("self_ns", Math.round(node.correctedSelfNanos()));
    if (tellsWaiting) {
      Profile.Waiting waiting = node.waiting();
      json.writeNumberProperty("running_ns", Math.round(node.correctedRunningNanos()));
      json.writeNumberProperty("lock_ns", waiting.lockNanos());
      json.writeNumberProperty("parked_ns", waiting.parkedNanos());
      json.writeNumberProperty("sleep_ns", waiting.sleepNanos());
      json.writeNumberProperty("io_ns", waiting.ioNanos());
      json.writeNumberProperty("other_ns", waiting.otherNanos());
    }
    json.writeNumberProperty("total_ns", Math.round(node.correctedTotalNanos()));
    known(json, "self_allocated_bytes", node.selfAllocatedBytes());
    known(json, "allocated_bytes", node.allocatedBytes());
    json.writeNumberProperty("bytes", node.work().bytes());
    json.writeNumberProperty("flops", node.work().flops());
    json.writeNumberProperty("ops", node.work().ops());
    end(json);
  }

  private static String id(Machine machine) {
    try {
      byte[] bytes = machine.toString().getBytes(StandardCharsets.UTF_8);
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(digest, 0, 6);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e); // every JDK has it
    }
  }

  /** Adds a machine that has not been here before; answers what it is called. */
  private String machine(Machine machine) {
    String id = ids.computeIfAbsent(machine, Rows::id);
    if (!machines.add(id)) return id;
    JsonGenerator json = files.get(View.MACHINES);
    json.writeStartObject();
    text(json, "machine", id);
    text(json, "line", machine.line());
    text(json, "cpu", machine.cpu());
    text(json, "microarchitecture", machine.microarchitecture());
    known(json, "cores", machine.cores());
    known(json, "memory_bytes", machine.memoryBytes());
    if (machine.limits().cpus() != Machine.UNKNOWN) {
      json.writeNumberProperty("limit_cpus", machine.limits().cpus());
    }
    known(json, "limit_memory_bytes", machine.limits().memoryBytes());
    text(json, "os", machine.os());
    text(json, "jvm", machine.jvm().name());
    text(json, "java", machine.jvm().version());
    text(json, "jit", machine.jvm().jit());
    text(json, "gc", machine.jvm().gc());
    known(json, "heap_bytes", machine.jvm().heapMaxBytes());
    text(json, "flags", String.join(" ", machine.jvm().flags()));
    end(json);
    return id;
  }

  /** What is not known is NULL, not a number that a sum would take for one. */
  private static void known(JsonGenerator json, String column, long value) {
    if (value != Profile.UNKNOWN) json.writeNumberProperty(column, value);
  }

  private static void texts(JsonGenerator json, String column, Map<String, String> texts) {
    json.writeObjectPropertyStart(column);
    // Names may become the same one, which a map cannot hold twice.
    Map<String, String> cleaned = new LinkedHashMap<>();
    texts.forEach((name, value) -> cleaned.putIfAbsent(clean(name), value));
    cleaned.forEach((name, value) -> text(json, name, value));
    json.writeEndObject();
  }

  private static void text(JsonGenerator json, String column, String text) {
    json.writeStringProperty(column, clean(text));
  }

  /** The database takes no text that is not Unicode, and none with a zero. */
  private static String clean(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        .replace('\0', '\uFFFD');
  }

  @Override
  public void close() {
    files.values().forEach(JsonGenerator::close);
  }
}
