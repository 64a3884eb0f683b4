package dev.ridgeline.report.file;

import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Allocated;
import dev.ridgeline.profiler.Samples.Call;
import dev.ridgeline.profiler.Samples.Cpu;
import dev.ridgeline.profiler.Samples.Deoptimized;
import dev.ridgeline.profiler.Samples.Location;
import dev.ridgeline.profiler.Samples.OfThread;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.Records;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** The part of {@code profile.json} that holds sampled stacks; left out when there are none. */
final class SamplesJson {
  private static final Records RECORDS = new Records();

  private final Columns columns;
  private final List<Profile.Lane> lanes;

  private SamplesJson(List<Profile.Lane> lanes) {
    this.lanes = lanes;
    this.columns =
        new Columns()
            .range("caller", -1, Integer.MAX_VALUE)
            .range("lane", Samples.UNATTRIBUTED, lanes.size() - 1L)
            .range("node", -1, Integer.MAX_VALUE);
  }

  // Writing.

  static void write(Samples samples, JsonGenerator json) {
    if (!samples.equals(Samples.NONE)) new SamplesJson(List.of()).rows(samples, json);
  }

  private void rows(Samples samples, JsonGenerator json) {
    json.writeObjectPropertyStart("samples");
    RECORDS.write(json, "source", samples.source());
    RECORDS.write(json, "event", samples.event());
    RECORDS.write(json, "engine", samples.engine());
    RECORDS.write(json, "period", samples.period());
    RECORDS.write(json, "quality", samples.quality());
    for (Location location : samples.locations()) {
      columns.text(location.type());
      columns.text(location.method());
    }
    samples.threads().forEach(row -> columns.text(row.thread()));
    samples.allocations().forEach(row -> columns.text(row.type()));
    samples.live().forEach(row -> columns.text(row.type()));
    samples.deoptimizations().forEach(row -> columns.text(row.reason()));
    columns.texts(json, "texts");
    columns.write(json, "locations", Location.class, samples.locations());
    columns.write(json, "calls", Call.class, samples.calls());
    columns.write(json, "cpu", Cpu.class, samples.cpu());
    if (!samples.threads().isEmpty()) {
      columns.write(json, "threads", OfThread.class, samples.threads());
    }
    columns.write(json, "allocations", Allocated.class, samples.allocations());
    // Only where a collection found some.
    if (!samples.live().isEmpty()) columns.write(json, "live", Allocated.class, samples.live());
    columns.write(json, "deoptimizations", Deoptimized.class, samples.deoptimizations());
    json.writeEndObject();
  }

  // Reading.

  static Samples read(JsonObject json, List<Profile.Lane> lanes) {
    return new SamplesJson(lanes).samples(json);
  }

  private Samples samples(JsonObject json) {
    columns.texts(json, "texts");
    List<Location> locations = columns.read(json.object("locations"), Location.class);
    columns.range("location", 0, locations.size() - 1L);
    List<Call> calls = calls(json.object("calls"));
    columns.range("stack", Samples.NO_STACK, calls.size() - 1L);
    Samples samples =
        new Samples(
            json.choice("source", Samples.Source.class),
            json.choice("event", Samples.Event.class),
            json.text("engine"),
            json.number("period", 0),
            locations,
            calls,
            rows(json, "cpu", Cpu.class),
            rows(json, "threads", OfThread.class),
            rows(json, "allocations", Allocated.class),
            rows(json, "live", Allocated.class),
            rows(json, "deoptimizations", Deoptimized.class),
            RECORDS.read(json.object("quality"), Samples.Quality.class));
    json.end();
    return samples;
  }

  private List<Call> calls(JsonObject json) {
    List<Call> calls = columns.read(json, Call.class);
    for (int i = 0; i < calls.size(); i++) {
      int caller = calls.get(i).caller();
      if (caller >= i) throw json.fail("caller[" + i + "]", caller + " is no earlier call");
    }
    return calls;
  }

  private <R extends Record> List<R> rows(JsonObject json, String name, Class<R> type) {
    boolean optional = name.equals("threads") || name.equals("live");
    if (optional && !json.has(name)) return List.of();
    JsonObject object = json.object(name);
    List<R> rows = columns.read(object, type);
    for (int i = 0; i < rows.size(); i++) {
      switch (rows.get(i)) {
        case Cpu row -> check(object, i, row.lane(), row.node());
        case Allocated row -> check(object, i, row.lane(), row.node());
        case Deoptimized row -> check(object, i, row.lane(), row.node());
        default -> {}
      }
    }
    return rows;
  }

  private void check(JsonObject json, int row, int lane, int node) {
    boolean there = lane < 0 ? node == -1 : node >= 0 && node < lanes.get(lane).nodes().size();
    if (!there) throw json.fail("node[" + row + "]", "there is no node " + node);
  }
}
