package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
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

  private record Step(int parent, String name, boolean task) {}

  private final Profile profile;
  private final JsonGenerator json;
  private final Map<Step, Integer> steps = new HashMap<>();
  private final List<Integer> places = new ArrayList<>();
  private final long shortest;

  HtmlTrace(
      Profile profile,
      List<CallTree.Node> nodes,
      Map<CallTree.Node, Integer> indices,
      JsonGenerator json) {
    this.profile = profile;
    this.json = json;
    for (int i = 1; i < nodes.size(); i++) {
      CallTree.Node node = nodes.get(i);
      steps.put(new Step(indices.get(node.parent()), node.name(), node.isTask()), i);
    }
    for (Profile.Path path : profile.paths()) {
      int parent = path.parent() < 0 ? 0 : places.get(path.parent());
      places.add(steps.get(new Step(parent, path.name(), path.task())));
    }
    shortest = shortest();
  }

  void write() {
    json.writeArrayPropertyStart("lanes");
    for (Profile.Lane lane : profile.lanes()) {
      json.writeStartObject();
      json.writeStringProperty("thread", lane.thread());
      json.writeBooleanProperty("virtual", lane.virtual());
      json.writeNumberProperty("threads", lane.threads());
      json.writeNumberProperty("total", lane.totalNanos());
      json.writeNumberProperty("dropped", lane.trace().dropped());
      if (lane.trace().size() > 0) events(lane);
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** The duration from which events are embedded. */
  private long shortest() {
    long[] durations =
        profile.lanes().stream()
            .map(Profile.Lane::trace)
            .flatMapToLong(t -> IntStream.range(0, t.size()).mapToLong(t::durationNanos))
            .toArray();
    if (durations.length <= MOST_EVENTS) return 0;
    Arrays.sort(durations);
    // One more than the first that has to go, so that ties do not let the number grow.
    return durations[durations.length - MOST_EVENTS - 1] + 1;
  }

  private void events(Profile.Lane lane) {
    Trace trace = lane.trace();
    int[] kept =
        IntStream.range(0, trace.size())
            .filter(e -> trace.durationNanos(e) >= shortest)
            .boxed()
            .sorted(Comparator.comparingLong(trace::startNanos))
            .mapToInt(Integer::intValue)
            .toArray();
    json.writeNumberProperty("omitted", trace.size() - kept.length);
    placesAndDepths(lane);
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
  private void placesAndDepths(Profile.Lane lane) {
    List<Profile.Node> nodes = lane.nodes();
    int[] at = new int[nodes.size()];
    int[] depth = new int[nodes.size()];
    for (int i = 0; i < at.length; i++) {
      Profile.Node node = nodes.get(i);
      int parent =
          switch (node.origin()) {
            case Profile.Node.SCOPE -> node.parent() < 0 ? 0 : at[node.parent()];
            case Profile.Node.OUTSIDE -> 0;
            default -> places.get(node.origin());
          };
      at[i] = steps.get(new Step(parent, node.name(), node.isTask()));
      depth[i] = node.parent() < 0 ? 0 : depth[node.parent()] + 1;
    }
    column("at", IntStream.range(0, at.length).toArray(), i -> at[i]);
    column("depth", IntStream.range(0, at.length).toArray(), i -> depth[i]);
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
