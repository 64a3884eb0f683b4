package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What one queue of a device did in a session. Read by any thread, written by the queue's. */
final class DeviceRecording {

  final Session session;
  private final String name;

  /** By the index of their place. */
  private Operation[] byPlace = new Operation[16];

  private final List<Operation> operations = new ArrayList<>();
  private long busyNanos;
  private long idleNanos;
  private long lastEnd = Long.MIN_VALUE;

  /** Null below TRACE. */
  private final EventRing ring;

  DeviceRecording(Session session, String name) {
    this.session = session;
    this.name = name;
    this.ring = EventRing.of(session);
  }

  /** An operation that is asked for at one place. */
  private static final class Operation {
    final Place place;
    final int index;
    final long[] histogram = new long[Histogram.BUCKETS];
    long calls;
    long nanos;
    long minNanos = Long.MAX_VALUE;
    long maxNanos;
    long bytes;
    long flops;
    long ops;
    Arithmetic form = Arithmetic.F32;

    Operation(Place place, int index) {
      this.place = place;
      this.index = index;
    }

    Profile.Node node() {
      return new Profile.Node(
          -1,
          place.name(),
          place.index(),
          new Profile.Time(calls, 0, nanos, nanos, minNanos, maxNanos, Histogram.of(0, histogram)),
          Profile.Allocation.NOT_RECORDED,
          new Profile.Work(bytes, flops, ops, form),
          Profile.FanOut.NONE);
    }
  }

  synchronized void add(Submission done, long begin, long end) {
    Operation operation = operation(done.place);
    long nanos = Math.max(0, end - begin);
    operation.calls++;
    operation.nanos += nanos;
    operation.minNanos = Math.min(operation.minNanos, nanos);
    operation.maxNanos = Math.max(operation.maxNanos, nanos);
    operation.histogram[Histogram.bucket(nanos)]++;
    operation.bytes += done.bytes;
    operation.flops += done.flops;
    operation.ops += done.ops;
    if (done.form != Arithmetic.F32) operation.form = done.form;
    long from = Math.max(begin, lastEnd);
    if (lastEnd != Long.MIN_VALUE) idleNanos += from - lastEnd;
    busyNanos += Math.max(0, end - from);
    lastEnd = Math.max(end, from);
    if (ring == null) return;
    if (ring.wantsRoom(1)) ring.makeRoom(1);
    ring.add(operation.index, begin, nanos, Profile.UNKNOWN, done.bytes, done.flops);
  }

  private Operation operation(Place place) {
    int at = place.index();
    if (at >= byPlace.length) byPlace = Arrays.copyOf(byPlace, Math.max(at + 1, 2 * at));
    if (byPlace[at] == null) {
      byPlace[at] = new Operation(place, operations.size());
      operations.add(byPlace[at]);
    }
    return byPlace[at];
  }

  synchronized Profile.Device copy() {
    List<Profile.Node> nodes = operations.stream().map(Operation::node).toList();
    Trace trace = ring == null ? Trace.EMPTY : ring.trace();
    return new Profile.Device(name, busyNanos, idleNanos, nodes, trace);
  }
}
