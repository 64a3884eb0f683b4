package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.List;

/** A node of the tree that one thread is writing. Only that thread changes it. */
final class LiveNode {
  final LiveNode parent;
  final Scope scope;

  /** Position in the recorder's list of nodes; −1 for the root, which is not in it. */
  final int index;

  /** Null for a plain scope; for a task, the place it was handed over from. */
  final Place origin;

  /** Counts by duration, unsigned; what passes 2³² carries over into {@link #carries}. */
  final int[] histogram;

  private long[] carries;

  long calls;
  long totalNanos;
  long childNanos;
  long minNanos = Long.MAX_VALUE;
  long maxNanos;
  long allocated;
  long childAllocated;
  long bytes;
  long flops;
  long ops;
  Arithmetic form = Arithmetic.F32;

  /** Tasks only: threads that ran it in this lane. */
  long threads;

  long lastAttachment = -1;

  /** Set once a task was handed over from here. */
  Handover handover;

  /** Set once a task was passed on from here. */
  Handover passedOn;

  /** Set once this node's place in the merged tree was asked for. */
  Place place;

  /** Set once a slow call was written. */
  private String pathText;

  private LiveNode[] table = new LiveNode[4];
  private int tableUsed;
  private LiveNode[] tasks = new LiveNode[0];
  private Handover.Share[] shares = new Handover.Share[0];

  LiveNode(LiveNode parent, Scope scope, int index, Place origin) {
    this.parent = parent;
    this.scope = scope;
    this.index = index;
    this.origin = origin;
    this.histogram = index < 0 ? new int[0] : new int[Histogram.BUCKETS];
  }

  /** Names from the top of the merged tree to this node. */
  List<String> path() {
    List<String> path = new ArrayList<>();
    Place from = null;
    for (LiveNode node = this; node.scope != null && from == null; node = node.parent) {
      path.add(node.scope.name());
      from = node.origin;
    }
    for (Place at = from; at != null && at != Place.OUTSIDE; at = at.parent()) path.add(at.name());
    return path.reversed();
  }

  /** {@link #path} for readers; made once, for each slow call asks. */
  String pathText() {
    if (pathText == null) pathText = String.join(" › ", path());
    return pathText;
  }

  /** The child for a scope, or null when there is none yet. */
  LiveNode child(Scope wanted) {
    LiveNode[] slots = table;
    int mask = slots.length - 1;
    for (int i = wanted.id & mask; ; i = (i + 1) & mask) {
      LiveNode found = slots[i];
      if (found == null || found.scope == wanted) return found;
    }
  }

  void addChild(LiveNode child) {
    if (2 * (tableUsed + 1) > table.length) {
      LiveNode[] old = table;
      table = new LiveNode[2 * old.length];
      for (LiveNode node : old) if (node != null) put(node);
    }
    put(child);
    tableUsed++;
  }

  private void put(LiveNode child) {
    int mask = table.length - 1;
    int i = child.scope.id & mask;
    while (table[i] != null) i = (i + 1) & mask;
    table[i] = child;
  }

  /** The task from a place, or null when there is none yet. */
  LiveNode task(Scope wanted, Place from) {
    for (LiveNode task : tasks) if (task.scope == wanted && task.origin == from) return task;
    return null;
  }

  void addTask(LiveNode task) {
    tasks = append(tasks, task, new LiveNode[tasks.length + 1]);
  }

  /** This task's share of a region, or null when it has none yet. */
  Handover.Share share(Handover region) {
    for (Handover.Share share : shares) if (share.region == region) return share;
    return null;
  }

  void addShare(Handover.Share share) {
    shares = append(shares, share, new Handover.Share[shares.length + 1]);
  }

  private static <T> T[] append(T[] old, T last, T[] longer) {
    System.arraycopy(old, 0, longer, 0, old.length);
    longer[old.length] = last;
    return longer;
  }

  void add(long nanos) {
    calls++;
    totalNanos += nanos;
    if (nanos < minNanos) minNanos = nanos;
    if (nanos > maxNanos) maxNanos = nanos;
    int bucket = Histogram.bucket(nanos);
    if (++histogram[bucket] == 0) carry(bucket);
  }

  private void carry(int bucket) {
    if (carries == null) carries = new long[Histogram.BUCKETS];
    carries[bucket] += 1L << 32;
  }

  Histogram histogram() {
    long[] counts = new long[histogram.length];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = Integer.toUnsignedLong(histogram[i]) + (carries == null ? 0 : carries[i]);
    }
    return Histogram.of(0, counts);
  }
}
