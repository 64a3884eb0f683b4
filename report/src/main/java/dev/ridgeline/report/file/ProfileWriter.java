package dev.ridgeline.report.file;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Contention;
import dev.ridgeline.profiler.Profile.Device;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.Waits;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.json.Records;
import java.util.List;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/** Writes the layout that {@link ProfileJson} describes. */
final class ProfileWriter {
  private static final Records RECORDS = ProfileJson.RECORDS;

  private final JsonGenerator json;
  private Columns names;

  ProfileWriter(JsonGenerator json) {
    this.json = json;
  }

  /** The columns of paths, whose names are in a table. */
  static Columns paths(List<String> names) {
    Columns columns = new Columns().range("parent", -1, Integer.MAX_VALUE).range("task", 0, 1, 0);
    columns.know(names);
    return columns;
  }

  /** The columns of contentions. */
  static Columns contentions() {
    return new Columns()
        .range("ownerLane", -1, Integer.MAX_VALUE, -1)
        .range("ownerNode", -1, Integer.MAX_VALUE, -1);
  }

  void write(Profile profile) {
    ProfileJson.SCHEMA.begin(json);
    RECORDS.write(json, "level", profile.level());
    RECORDS.write(json, "started", profile.started());
    RECORDS.write(json, "wallNanos", profile.wallNanos());
    RECORDS.write(json, "calibration", profile.calibration());
    RECORDS.write(json, "slips", profile.slips());
    RECORDS.write(json, "system", profile.system());
    RECORDS.write(json, "ledger", profile.ledger());
    names = paths(List.of());
    profile.paths().forEach(path -> names.text(path.name()));
    for (Lane lane : profile.lanes()) lane.nodes().forEach(node -> names.text(node.name()));
    for (Device device : profile.devices())
      device.operations().forEach(op -> names.text(op.name()));
    names.texts(json, "names");
    names.write(json, "paths", Profile.Path.class, profile.paths());
    json.writeArrayPropertyStart("lanes");
    profile.lanes().forEach(this::lane);
    json.writeEndArray();
    if (!profile.devices().isEmpty()) {
      json.writeArrayPropertyStart("devices");
      profile.devices().forEach(this::device);
      json.writeEndArray();
    }
    SamplesJson.write(profile.samples(), json);
    if (!profile.pools().isEmpty()) RECORDS.write(json, "pools", profile.pools());
    if (!profile.waits().equals(Waits.NONE)) waits(profile.waits());
    json.writeEndObject();
  }

  private void waits(Waits waits) {
    Columns columns = contentions();
    for (Contention row : waits.contentions()) {
      columns.text(row.lock());
      columns.text(row.ownerThread());
    }
    json.writeObjectPropertyStart("waits");
    RECORDS.write(json, "looks", waits.looks());
    RECORDS.write(json, "everyNanos", waits.everyNanos());
    RECORDS.write(json, "runnableNanos", waits.runnableNanos());
    columns.texts(json, "texts");
    columns.write(json, "contentions", Contention.class, waits.contentions());
    json.writeEndObject();
  }

  private void device(Device device) {
    json.writeStartObject();
    RECORDS.write(json, "name", device.name());
    RECORDS.write(json, "busyNanos", device.busyNanos());
    RECORDS.write(json, "idleNanos", device.idleNanos());
    NodesJson.write(json, "operations", device.operations(), names);
    trace(device.trace());
    json.writeEndObject();
  }

  private void lane(Lane lane) {
    json.writeStartObject();
    RECORDS.write(json, "thread", lane.thread());
    RECORDS.write(json, "virtual", lane.virtual());
    RECORDS.write(json, "threads", lane.threads());
    NodesJson.write(json, "nodes", lane.nodes(), names);
    trace(lane.trace());
    json.writeEndObject();
  }

  private void trace(Trace trace) {
    if (trace.equals(Trace.EMPTY)) return;
    json.writeObjectPropertyStart("trace");
    json.writeNumberProperty("dropped", trace.dropped());
    json.writeArrayPropertyStart("events");
    for (int i = 0; i < trace.size(); i++) {
      json.writeNumber(trace.node(i));
      json.writeNumber(trace.startNanos(i));
      json.writeNumber(trace.durationNanos(i));
      json.writeNumber(trace.allocatedBytes(i));
      json.writeNumber(trace.bytes(i));
      json.writeNumber(trace.flops(i));
    }
    json.writeEndArray();
    List<Integer> events = IntStream.range(0, trace.size()).boxed().toList();
    Columns.column(json, "handedOverBy", events, trace::handedOverBy, -1L);
    json.writeEndObject();
  }
}
