package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Trace;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Raw events as {@code trace.perfetto-trace}: a track for each thread, arrows from the call that
 * handed a task over to the task, and counters of the work declared on each thread so far.
 *
 * <p>Times are nanoseconds since the session's start on the monotonic clock; a clock snapshot ties
 * them to the wall clock. One packet sequence; names are interned.
 */
public final class Perfetto {
  // Fields of perfetto_trace.proto, by message.
  private static final int PACKET = 1;
  private static final int PACKET_CLOCK_SNAPSHOT = 6;
  private static final int PACKET_TIMESTAMP = 8;
  private static final int PACKET_SEQUENCE = 10;
  private static final int PACKET_TRACK_EVENT = 11;
  private static final int PACKET_INTERNED = 12;
  private static final int PACKET_FLAGS = 13;
  private static final int PACKET_DEFAULTS = 59;
  private static final int PACKET_TRACK = 60;
  private static final int SNAPSHOT_CLOCK = 1;
  private static final int CLOCK_ID = 1;
  private static final int CLOCK_TIME = 2;
  private static final int DEFAULTS_CLOCK = 58;
  private static final int INTERNED_NAME = 2;
  private static final int INTERNED_ANNOTATION = 3;
  private static final int INTERNED_ID = 1;
  private static final int INTERNED_TEXT = 2;
  private static final int TRACK_UUID = 1;
  private static final int TRACK_NAME = 2;
  private static final int TRACK_PROCESS = 3;
  private static final int TRACK_THREAD = 4;
  private static final int TRACK_PARENT = 5;
  private static final int TRACK_COUNTER = 8;
  private static final int PROCESS_PID = 1;
  private static final int PROCESS_NAME = 6;
  private static final int THREAD_PID = 1;
  private static final int THREAD_TID = 2;
  private static final int THREAD_NAME = 5;
  private static final int COUNTER_UNIT = 3;
  private static final int COUNTER_UNIT_NAME = 6;
  private static final int EVENT_ANNOTATION = 4;
  private static final int EVENT_TYPE = 9;
  private static final int EVENT_NAME_ID = 10;
  private static final int EVENT_TRACK = 11;
  private static final int EVENT_COUNTER_VALUE = 12;
  private static final int EVENT_NAME = 23;
  private static final int EVENT_COUNTER_TRACK = 31;
  private static final int EVENT_FLOW = 47;
  private static final int EVENT_FLOW_END = 48;
  private static final int ANNOTATION_NAME_ID = 1;
  private static final int ANNOTATION_NUMBER = 4;

  private static final int BEGIN = 1;
  private static final int END = 2;
  private static final int INSTANT = 3;
  private static final int REALTIME = 1;
  private static final int MONOTONIC = 3;
  private static final int BOOTTIME = 6;
  private static final int UNIT_BYTES = 3;
  private static final int STATE_CLEARED = 1;
  private static final int STATE_NEEDED = 2;

  private static final int SEQUENCE = 1;
  private static final int PID = 1;
  private static final long PROCESS = 1;
  private static final List<String> ANNOTATIONS =
      List.of("allocated bytes", "declared bytes", "declared FLOPs");

  /** Both ends of an arrow, nine bytes each with their tags of two. */
  private static final long COST_OF_FLOW = 24;

  private static final long COST_OF_NOTE = 400;

  private final Profile profile;
  private final List<Lane> lanes;
  private final CallTree tree;
  private final Metered out;
  private final Map<String, Integer> names = new HashMap<>();
  private final Set<Node> counted = new HashSet<>();
  private final Map<Long, List<Long>> flowsFrom = new HashMap<>();
  private final Map<Long, Long> flowTo = new HashMap<>();

  private Perfetto(Profile profile, Metered out) {
    this.profile = profile;
    this.lanes = profile.timeline();
    this.tree = profile.tree();
    this.out = out;
  }

  /** Writes a profile's raw events, the newest as far as {@code limitBytes} allow. */
  public static Kept write(Profile profile, OutputStream out, long limitBytes) throws IOException {
    try {
      return new Perfetto(profile, new Metered(out)).write(limitBytes);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private Kept write(long limitBytes) {
    findCounted();
    clock();
    state();
    for (int l = 0; l < lanes.size(); l++) tracks(l);
    int[] first = Kept.first(profile, limitBytes - out.bytes() - COST_OF_NOTE, this::cost);
    Kept kept = Kept.of(profile, first, limitBytes);
    flows(first);
    if (!kept.missing().isEmpty()) {
      event(
          0,
          new Proto()
              .number(EVENT_TYPE, INSTANT)
              .number(EVENT_TRACK, PROCESS)
              .text(EVENT_NAME, kept.missing()));
    }
    for (int l = 0; l < first.length; l++) slices(l, first[l]);
    return kept;
  }

  /** Places that declare work with none around them that does: those speak for all inside. */
  private void findCounted() {
    Set<Node> declared = new HashSet<>();
    for (int l = 0; l < lanes.size(); l++) {
      List<Profile.Node> nodes = lanes.get(l).nodes();
      for (int i = 0; i < nodes.size(); i++) {
        if (nodes.get(i).work().declared()) declared.add(tree.places(l).get(i));
      }
    }
    Set<Node> covered = new HashSet<>();
    tree.forEach(
        place -> {
          if (covered.contains(place.parent()) || declared.contains(place.parent())) {
            covered.add(place);
          } else if (declared.contains(place)) {
            counted.add(place);
          }
        });
  }

  private void clock() {
    Proto snapshot = new Proto();
    for (int clock : new int[] {MONOTONIC, BOOTTIME, REALTIME}) {
      long time = clock == REALTIME ? PprofFile.epochNanos(profile.started()) : 0;
      snapshot.message(
          SNAPSHOT_CLOCK, new Proto().number(CLOCK_ID, clock).number(CLOCK_TIME, time));
    }
    write(packet(new Proto().message(PACKET_CLOCK_SNAPSHOT, snapshot)));
  }

  /** What later packets of the sequence rely on: names by number, from 1, and the clock. */
  private void state() {
    Proto interned = new Proto();
    for (Node node : tree.nodes()) {
      if (names.putIfAbsent(node.name(), names.size() + 1) != null) continue;
      interned.message(INTERNED_NAME, name(names.size(), node.name()));
    }
    for (int i = 0; i < ANNOTATIONS.size(); i++) {
      interned.message(INTERNED_ANNOTATION, name(i + 1, ANNOTATIONS.get(i)));
    }
    write(
        packet(
            new Proto()
                .number(PACKET_FLAGS, STATE_CLEARED)
                .message(PACKET_DEFAULTS, new Proto().number(DEFAULTS_CLOCK, MONOTONIC))
                .message(PACKET_INTERNED, interned)));
    Proto process = new Proto().number(PROCESS_PID, PID).text(PROCESS_NAME, "ridgeline");
    track(new Proto().number(TRACK_UUID, PROCESS).message(TRACK_PROCESS, process));
  }

  private static Proto name(int id, String text) {
    return new Proto().number(INTERNED_ID, id).text(INTERNED_TEXT, text);
  }

  private void tracks(int l) {
    Lane lane = lanes.get(l);
    // One that had the process's number would be taken for its main thread.
    Proto thread = new Proto().number(THREAD_PID, PID).number(THREAD_TID, PID + 1L + l);
    thread.text(THREAD_NAME, lane.thread());
    track(new Proto().number(TRACK_UUID, thread(l)).message(TRACK_THREAD, thread));
    if (tree.places(l).stream().noneMatch(counted::contains)) return;
    counter(thread(l), 1, "declared bytes", new Proto().number(COUNTER_UNIT, UNIT_BYTES));
    counter(thread(l), 2, "declared FLOPs", new Proto().text(COUNTER_UNIT_NAME, "FLOP"));
  }

  /** A thread's track; those of its counters have the next two numbers. */
  private static long thread(int lane) {
    return PROCESS + 1 + 3L * lane;
  }

  private void counter(long thread, int which, String name, Proto counter) {
    track(
        new Proto()
            .number(TRACK_UUID, thread + which)
            .text(TRACK_NAME, name)
            .number(TRACK_PARENT, thread)
            .message(TRACK_COUNTER, counter));
  }

  private void flows(int[] first) {
    long id = 0;
    for (Flow flow : Flow.of(profile, tree, first)) {
      id++;
      long from = key(flow.fromLane(), flow.fromEvent());
      flowsFrom.computeIfAbsent(from, _ -> new ArrayList<>()).add(id);
      flowTo.put(key(flow.toLane(), flow.toEvent()), id);
    }
  }

  private static long key(int lane, int event) {
    return (long) lane << 32 | event;
  }

  /** Both packets of a slice, as if times and counters were the largest there are. */
  private long cost(int l, int event) {
    long largest = Long.MAX_VALUE;
    long[] declared = {largest, largest};
    boolean task = lanes.get(l).trace().handedOverBy(event) >= 0;
    return packet(largest, beginning(l, event, declared)).size()
        + packet(largest, ending(l, event, declared)).size()
        + (task ? COST_OF_FLOW : 0);
  }

  private void slices(int l, int first) {
    Lane lane = lanes.get(l);
    Trace trace = lane.trace();
    long[] declared = new long[2];
    new Slices(lane, first)
        .walk(
            new Slices.Visitor() {
              @Override
              public void begin(int event, long at) {
                Perfetto.this.event(at, beginning(l, event, declared));
              }

              @Override
              public void end(int event, long at) {
                if (counts(l, event)) {
                  declared[0] += trace.bytes(event);
                  declared[1] += trace.flops(event);
                }
                Perfetto.this.event(at, ending(l, event, declared));
              }
            });
  }

  private boolean counts(int l, int event) {
    Trace trace = lanes.get(l).trace();
    return (trace.bytes(event) != 0 || trace.flops(event) != 0)
        && counted.contains(tree.places(l).get(trace.node(event)));
  }

  private Proto beginning(int l, int event, long[] declared) {
    Lane lane = lanes.get(l);
    Trace trace = lane.trace();
    Proto begin = edge(BEGIN, l, event, declared);
    begin.number(EVENT_NAME_ID, names.get(lane.nodes().get(trace.node(event)).name()));
    long[] values = {trace.allocatedBytes(event), trace.bytes(event), trace.flops(event)};
    for (int i = 0; i < values.length; i++) {
      if (values[i] <= 0) continue;
      Proto annotation = new Proto().number(ANNOTATION_NAME_ID, i + 1);
      begin.message(EVENT_ANNOTATION, annotation.number(ANNOTATION_NUMBER, values[i]));
    }
    for (long flow : flowsFrom.getOrDefault(key(l, event), List.of())) {
      begin.fixed64(EVENT_FLOW, flow);
    }
    Long flow = flowTo.get(key(l, event));
    if (flow != null) begin.fixed64(EVENT_FLOW_END, flow);
    return begin;
  }

  private Proto ending(int l, int event, long[] declared) {
    return edge(END, l, event, declared);
  }

  private Proto edge(int type, int l, int event, long[] declared) {
    Proto edge = new Proto().number(EVENT_TYPE, type).number(EVENT_TRACK, thread(l));
    if (counts(l, event)) {
      for (int i = 0; i < declared.length; i++) {
        edge.number(EVENT_COUNTER_TRACK, thread(l) + 1 + i);
        edge.number(EVENT_COUNTER_VALUE, declared[i]);
      }
    }
    return edge;
  }

  private void event(long at, Proto event) {
    write(packet(at, event));
  }

  private static Proto packet(long at, Proto event) {
    return packet(
        new Proto()
            .number(PACKET_TIMESTAMP, at)
            .number(PACKET_FLAGS, STATE_NEEDED)
            .message(PACKET_TRACK_EVENT, event));
  }

  private static Proto packet(Proto content) {
    return new Proto().message(PACKET, content.number(PACKET_SEQUENCE, SEQUENCE));
  }

  private void track(Proto descriptor) {
    write(packet(new Proto().message(PACKET_TRACK, descriptor)));
  }

  private void write(Proto packet) {
    try {
      packet.flush(out);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
