package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/**
 * Raw events as {@code trace.json}, the Trace Event Format that {@code chrome://tracing} began and
 * many viewers read: microseconds since the session's start, with three decimals.
 */
public final class ChromeTrace {
  private static final int PROCESS = 1;
  private static final long COST = 200;
  private static final long COST_OF_FLOW = 240;
  private static final long COST_OF_END = 1_000;

  private final Profile profile;
  private final List<Lane> lanes;
  private final CallTree tree;
  private final JsonGenerator json;

  private ChromeTrace(Profile profile, JsonGenerator json) {
    this.profile = profile;
    this.lanes = profile.timeline();
    this.tree = profile.tree();
    this.json = json;
  }

  /** Writes a profile's raw events, the newest as far as {@code limitBytes} allow. */
  public static Kept write(Profile profile, OutputStream out, long limitBytes) throws IOException {
    Metered metered = new Metered(out);
    return Json.write(
        Json.compact(metered), json -> new ChromeTrace(profile, json).write(metered, limitBytes));
  }

  private Kept write(Metered metered, long limitBytes) {
    json.writeStartObject();
    json.writeStringProperty("displayTimeUnit", "ns");
    json.writeArrayPropertyStart("traceEvents");
    metadata("process_name", 0, "ridgeline");
    for (int l = 0; l < lanes.size(); l++) {
      metadata("thread_name", thread(l), lanes.get(l).thread());
    }
    json.flush();
    int[] first = Kept.first(profile, limitBytes - metered.bytes() - COST_OF_END, this::cost);
    for (int l = 0; l < first.length; l++) slices(l, first[l]);
    flows(first);
    json.writeEndArray();
    Kept kept = Kept.of(profile, first, limitBytes);
    json.writeObjectPropertyStart("otherData");
    json.writeStringProperty("started", profile.started().toString());
    json.writeStringProperty("clock", "nanoseconds since started, on a clock that never goes back");
    if (!kept.missing().isEmpty()) json.writeStringProperty("missing", kept.missing());
    json.writeEndObject();
    json.writeEndObject();
    return kept;
  }

  private long cost(int l, int event) {
    Lane lane = lanes.get(l);
    // A character may become \u1234.
    long name = 6L * lane.nodes().get(lane.trace().node(event)).name().length();
    return COST + name + (lane.trace().handedOverBy(event) < 0 ? 0 : COST_OF_FLOW);
  }

  private static int thread(int lane) {
    return lane + 1;
  }

  private void metadata(String what, int thread, String name) {
    event("M", thread, what);
    json.writeObjectPropertyStart("args");
    json.writeStringProperty("name", name);
    json.writeEndObject();
    json.writeEndObject();
  }

  private void event(String phase, int thread, String name) {
    json.writeStartObject();
    json.writeStringProperty("ph", phase);
    json.writeNumberProperty("pid", PROCESS);
    json.writeNumberProperty("tid", thread);
    json.writeStringProperty("name", name);
  }

  private void slices(int l, int first) {
    Lane lane = lanes.get(l);
    Trace trace = lane.trace();
    Slices slices = new Slices(lane, first);
    slices.walk(
        new Slices.Visitor() {
          @Override
          public void begin(int event, long at) {
            event("X", thread(l), lane.nodes().get(trace.node(event)).name());
            json.writeNumberProperty("ts", micros(at));
            json.writeNumberProperty("dur", micros(slices.end(event) - at));
            arguments(trace, event);
            json.writeEndObject();
          }

          @Override
          public void end(int event, long at) {
            // Said at the beginning.
          }
        });
  }

  private void arguments(Trace trace, int event) {
    long[] values = {trace.allocatedBytes(event), trace.bytes(event), trace.flops(event)};
    List<String> names = List.of("allocated", "bytes", "flops");
    if (values[0] <= 0 && values[1] == 0 && values[2] == 0) return;
    json.writeObjectPropertyStart("args");
    for (int i = 0; i < values.length; i++) {
      if (values[i] > 0) json.writeNumberProperty(names.get(i), values[i]);
    }
    json.writeEndObject();
  }

  /** An arrow begins where the task does: that moment lies inside the call that handed it over. */
  private void flows(int[] first) {
    int id = 0;
    for (Flow flow : Flow.of(profile, tree, first)) {
      long at = Math.max(0, lanes.get(flow.toLane()).trace().startNanos(flow.toEvent()));
      id++;
      flow("s", flow.fromLane(), id, at);
      flow("f", flow.toLane(), id, at);
    }
  }

  private void flow(String phase, int lane, int id, long at) {
    event(phase, thread(lane), "hand-over");
    json.writeStringProperty("cat", "flow");
    json.writeNumberProperty("id", id);
    json.writeNumberProperty("ts", micros(at));
    if (phase.equals("f")) json.writeStringProperty("bp", "e");
    json.writeEndObject();
  }

  private static BigDecimal micros(long nanos) {
    return BigDecimal.valueOf(nanos, 3);
  }
}
