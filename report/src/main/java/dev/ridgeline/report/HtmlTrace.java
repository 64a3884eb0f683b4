package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Trace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;
import tools.jackson.core.JsonGenerator;

/**
 * Lanes and their raw events for the page's timeline, each event tied to its node of the merged
 * tree.
 */
final class HtmlTrace {
  /** Keeps the page openable: beyond this many events only the longest are embedded. */
  static final int MOST_EVENTS = 200_000;

  private final List<Profile.Lane> lanes;
  private final JsonGenerator json;
  private final CallTree tree;
  private final Map<CallTree.Node, Integer> indices;
  private final long shortest;

  HtmlTrace(Report report, Map<CallTree.Node, Integer> indices, JsonGenerator json) {
    this.lanes = report.profile().timeline();
    this.tree = report.tree();
    this.indices = indices;
    this.json = json;
    shortest = shortest();
  }

  void write() {
    json.writeArrayPropertyStart("lanes");
    for (int i = 0; i < lanes.size(); i++) {
      Profile.Lane lane = lanes.get(i);
      json.writeStartObject();
      json.writeStringProperty("thread", lane.thread());
      json.writeBooleanProperty("virtual", lane.virtual());
      json.writeNumberProperty("threads", lane.threads());
      json.writeNumberProperty("total", lane.totalNanos());
      json.writeNumberProperty("dropped", lane.trace().dropped());
      if (lane.trace().size() > 0) events(lane, tree.places(i));
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** The duration from which events are embedded. */
  private long shortest() {
    long[] durations =
        lanes.stream()
            .map(Profile.Lane::trace)
            .flatMapToLong(t -> IntStream.range(0, t.size()).mapToLong(t::durationNanos))
            .toArray();
    if (durations.length <= MOST_EVENTS) return 0;
    Arrays.sort(durations);
    // One more than the first that has to go, so that ties do not let the number grow.
    return durations[durations.length - MOST_EVENTS - 1] + 1;
  }

  private void events(Profile.Lane lane, List<CallTree.Node> places) {
    Trace trace = lane.trace();
    int[] kept =
        IntStream.range(0, trace.size())
            .filter(e -> trace.durationNanos(e) >= shortest)
            .boxed()
            .sorted(Comparator.comparingLong(trace::startNanos))
            .mapToInt(Integer::intValue)
            .toArray();
    json.writeNumberProperty("omitted", trace.size() - kept.length);
    placesAndDepths(lane, places);
    column("node", kept, trace::node);
    json.writeArrayPropertyStart("start");
    long before = 0;
    for (int event : kept) {
      json.writeNumber(trace.startNanos(event) - before);
      before = trace.startNanos(event);
    }
    json.writeEndArray();
    column("duration", kept, trace::durationNanos);
    unlessNothing("allocated", kept, trace::allocatedBytes, Profile.UNKNOWN);
    unlessNothing("bytes", kept, trace::bytes, 0);
    unlessNothing("flops", kept, trace::flops, 0);
  }

  /** Where each node of the lane stands in the merged tree, and how deep on its own thread. */
  private void placesAndDepths(Profile.Lane lane, List<CallTree.Node> places) {
    int[] depth = new int[places.size()];
    for (int i = 0; i < depth.length; i++) {
      int parent = lane.nodes().get(i).parent();
      depth[i] = parent < 0 ? 0 : depth[parent] + 1;
    }
    column("at", IntStream.range(0, depth.length).toArray(), i -> indices.get(places.get(i)));
    column("depth", IntStream.range(0, depth.length).toArray(), i -> depth[i]);
  }

  private void unlessNothing(String name, int[] events, IntToLongFunction value, long nothing) {
    if (Arrays.stream(events).anyMatch(e -> value.applyAsLong(e) != nothing)) {
      column(name, events, value);
    }
  }

  private void column(String name, int[] events, IntToLongFunction value) {
    json.writeArrayPropertyStart(name);
    for (int event : events) json.writeNumber(value.applyAsLong(event));
    json.writeEndArray();
  }
}
