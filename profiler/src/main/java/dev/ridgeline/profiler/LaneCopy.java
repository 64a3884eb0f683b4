package dev.ridgeline.profiler;

import java.util.ArrayList;
import java.util.List;

/**
 * What a recorder held at one moment; calls that were open then are counted up to it.
 *
 * <p>Threads: read by the recorder's own thread, or by another one that asks {@link Recorder#copy},
 * which throws away a copy that its recorder was changed under. Until then nothing here may be
 * believed, nor may anything here be changed.
 */
record LaneCopy(Profile.Lane lane, Profile.Slips slips) {

  static LaneCopy of(Recorder from) {
    Profile.Lane lane =
        new Profile.Lane(
            name(from),
            from.virtual,
            from.attachments,
            nodes(from),
            from.ring == null ? Trace.EMPTY : from.ring.trace());
    return new LaneCopy(
        lane, new Profile.Slips(from.misplaced, from.unclosed, from.suppressed, from.lateTasks));
  }

  private static String name(Recorder from) {
    if (!from.threadName.isBlank()) return from.threadName;
    return from.virtual ? "virtual" : "unnamed";
  }

  private static List<Profile.Node> nodes(Recorder from) {
    long now = System.nanoTime();
    int count = from.nodeCount;
    LiveNode[] nodes = from.nodes;
    Frame[] frames = from.frames;
    // Calls that are open now, by node: a node is on the stack at most once.
    Frame[] open = new Frame[count];
    Frame[] openChild = new Frame[count];
    int top = from.depth;
    for (int d = 1; d <= top; d++) {
      LiveNode node = frames[d].node;
      if (node == null) break;
      open[node.index] = frames[d];
      if (node.parent != from.root) openChild[node.parent.index] = frames[d];
    }
    long allocated =
        top > 0 && from.allocation ? Math.max(allocatedBytes(from.thread), from.lastReading()) : 0;
    List<Profile.Node> copies = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      copies.add(node(nodes[i], open[i], openChild[i], now, allocated, from.allocation));
    }
    return copies;
  }

  private static long allocatedBytes(Thread owner) {
    if (owner == Thread.currentThread()) return Recorder.THREADS.getCurrentThreadAllocatedBytes();
    return owner == null
        ? Profile.UNKNOWN
        : Recorder.THREADS.getThreadAllocatedBytes(owner.threadId());
  }

  private static Profile.Node node(
      LiveNode node, Frame open, Frame openChild, long now, long allocatedNow, boolean allocation) {
    long total = node.totalNanos;
    long children = node.childNanos;
    long allocated = node.allocated;
    long childAllocated = node.childAllocated;
    if (open != null) {
      total += now - open.startNanos;
      allocated += allocatedNow - open.startAllocated;
    }
    if (openChild != null) {
      children += now - openChild.startNanos;
      childAllocated += allocatedNow - openChild.startAllocated;
    }
    Handover region = node.handover;
    return new Profile.Node(
        node.parent.index,
        node.scope.name(),
        node.origin == null ? Profile.Node.SCOPE : node.origin.index(),
        new Profile.Time(
            node.calls,
            open == null ? 0 : 1,
            total,
            total - children,
            node.calls == 0 ? 0 : node.minNanos,
            node.maxNanos,
            node.histogram()),
        allocation
            ? new Profile.Allocation(allocated, allocated - childAllocated)
            : Profile.Allocation.NOT_RECORDED,
        new Profile.Work(node.bytes, node.flops, node.ops, node.form),
        region == null
            ? Profile.FanOut.ofTask(node.threads)
            : new Profile.FanOut(
                region.regions,
                node.threads,
                region.wallNanos,
                region.offeredNanos,
                region.usedNanos,
                region.maxNanos,
                region.unevenNanos));
  }
}
