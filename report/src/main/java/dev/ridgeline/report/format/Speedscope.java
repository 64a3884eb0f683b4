package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.report.json.Json;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;

/**
 * A profile as {@code profile.speedscope.json}: all threads merged and weighted by self time and,
 * where known, by allocation; and each thread's raw events in the order of time.
 */
public final class Speedscope {
  private static final String SCHEMA = "https://www.speedscope.app/file-format-schema.json";

  /** An event is opened and closed: {@code {"type":"O","frame":12345,"at":1234567890123},} */
  private static final long COST = 2 * 64;

  private static final long COST_OF_LANE = 512;

  private final Profile profile;
  private final CallTree tree;
  private final Stacks stacks;
  private final JsonGenerator json;

  private Speedscope(Profile profile, JsonGenerator json) {
    this.profile = profile;
    this.tree = profile.tree();
    this.stacks = new Stacks(tree);
    this.json = json;
  }

  /** Writes a profile; aggregates always, raw events as far as {@code limitBytes} allow. */
  public static Kept write(Profile profile, OutputStream out, long limitBytes) throws IOException {
    Metered metered = new Metered(out);
    return Json.write(
        Json.compact(metered), json -> new Speedscope(profile, json).write(metered, limitBytes));
  }

  private Kept write(Metered metered, long limitBytes) {
    json.writeStartObject();
    json.writeStringProperty("$schema", SCHEMA);
    json.writeStringProperty("exporter", "ridgeline");
    json.writeNumberProperty("activeProfileIndex", 0);
    json.writeObjectPropertyStart("shared");
    json.writeArrayPropertyStart("frames");
    for (String name : stacks.names()) {
      json.writeStartObject();
      json.writeStringProperty("name", name);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
    json.writeArrayPropertyStart("profiles");
    merged("all threads, self time", "nanoseconds", Node::selfNanos);
    boolean allocation = tree.nodes().stream().anyMatch(node -> node.selfAllocatedBytes() > 0);
    if (allocation) merged("all threads, allocated", "bytes", Node::selfAllocatedBytes);
    json.flush();
    if (!profile.devices().isEmpty()) merged("all devices", "nanoseconds", Node::deviceSelfNanos);
    List<Lane> lanes = profile.timeline();
    long room = limitBytes - metered.bytes() - lanes.stream().mapToLong(Speedscope::cost).sum();
    int[] first = Kept.first(profile, room, (_, _) -> COST);
    for (int l = 0; l < first.length; l++) {
      Lane lane = lanes.get(l);
      if (first[l] < lane.trace().size()) events(lane, first[l], limitBytes);
    }
    json.writeEndArray();
    json.writeEndObject();
    return Kept.of(profile, first, limitBytes);
  }

  private static long cost(Lane lane) {
    // A character may become \u1234.
    return lane.trace().size() == 0 ? 0 : COST_OF_LANE + 6L * lane.thread().length();
  }

  private void begin(String type, String name, String unit, long endValue) {
    json.writeStartObject();
    json.writeStringProperty("type", type);
    json.writeStringProperty("name", name);
    json.writeStringProperty("unit", unit);
    json.writeNumberProperty("startValue", 0);
    json.writeNumberProperty("endValue", endValue);
  }

  private void merged(String name, String unit, ToLongFunction<Node> value) {
    List<Node> nodes = tree.nodes().stream().filter(node -> value.applyAsLong(node) > 0).toList();
    begin("sampled", name, unit, nodes.stream().mapToLong(value).sum());
    json.writeArrayPropertyStart("samples");
    for (Node node : nodes) {
      json.writeStartArray();
      for (int frame : stacks.leafFirst(node).reversed()) json.writeNumber(frame);
      json.writeEndArray();
    }
    json.writeEndArray();
    json.writeArrayPropertyStart("weights");
    for (Node node : nodes) json.writeNumber(value.applyAsLong(node));
    json.writeEndArray();
    json.writeEndObject();
  }

  private void events(Lane lane, int first, long limitBytes) {
    Slices slices = new Slices(lane, first);
    long end = profile.wallNanos();
    for (int e = first; e < lane.trace().size(); e++) end = Math.max(end, slices.end(e));
    String missing = Kept.of(lane, first, limitBytes).missing();
    String name = missing.isEmpty() ? lane.thread() : lane.thread() + " (" + missing + ")";
    begin("evented", name, "nanoseconds", end);
    json.writeArrayPropertyStart("events");
    slices.walk(
        new Slices.Visitor() {
          @Override
          public void begin(int event, long at) {
            edge("O", event, at);
          }

          @Override
          public void end(int event, long at) {
            edge("C", event, at);
          }

          private void edge(String type, int event, long at) {
            json.writeStartObject();
            json.writeStringProperty("type", type);
            String name = lane.nodes().get(lane.trace().node(event)).name();
            json.writeNumberProperty("frame", stacks.frame(name));
            json.writeNumberProperty("at", at);
            json.writeEndObject();
          }
        });
    json.writeEndArray();
    json.writeEndObject();
  }
}
