package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Trace;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The way from the call that handed a task over to that task, for the arrows of a timeline.
 *
 * <p>The call is that of the task's place of origin, on the thread that handed it over, which was
 * open when the task began. A task that began later has none.
 *
 * @param fromLane the thread that handed over
 * @param fromEvent the call that did
 * @param toLane the thread that ran the task
 * @param toEvent the task
 */
record Flow(int fromLane, int fromEvent, int toLane, int toEvent) {
  private record Calls(int lane, Node place) {}

  /** All flows between events from the given ones on, a list for each lane of tasks. */
  static List<Flow> of(Profile profile, CallTree tree, int[] first) {
    List<Lane> lanes = profile.timeline();
    Map<Calls, TreeMap<Long, Integer>> regions = new HashMap<>();
    for (int l = 0; l < first.length; l++) {
      Trace trace = lanes.get(l).trace();
      for (int e = first[l]; e < trace.size(); e++) {
        Node place = tree.places(l).get(trace.node(e));
        if (place.region() == null) continue;
        regions
            .computeIfAbsent(new Calls(l, place), _ -> new TreeMap<>())
            .put(trace.startNanos(e), e);
      }
    }
    List<Flow> flows = new ArrayList<>();
    for (int l = 0; l < first.length; l++) {
      Trace trace = lanes.get(l).trace();
      for (int e = first[l]; e < trace.size(); e++) {
        int by = trace.handedOverBy(e);
        if (by < 0 || by >= first.length) continue;
        Node origin = tree.places(l).get(trace.node(e)).parent();
        TreeMap<Long, Integer> calls = regions.get(new Calls(by, origin));
        if (calls == null) continue;
        Map.Entry<Long, Integer> call = calls.floorEntry(trace.startNanos(e));
        if (call == null) continue;
        long open = lanes.get(by).trace().durationNanos(call.getValue());
        if (trace.startNanos(e) - call.getKey() <= open) {
          flows.add(new Flow(by, call.getValue(), l, e));
        }
      }
    }
    return flows;
  }
}
