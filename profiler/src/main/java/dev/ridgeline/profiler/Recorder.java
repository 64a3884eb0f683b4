package dev.ridgeline.profiler;

import com.sun.management.ThreadMXBean;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * One thread's stack and tree.
 *
 * <p>Threads: only the attached thread begins and ends scopes, without a lock or an atomic
 * operation. Any thread may ask for a {@link #copy}: changes happen while {@link #version} is odd,
 * so a copy is valid when the version was even and stayed the same. A thread that is too busy for
 * that is asked to copy for itself at its next begin or end. One of the two always comes about: a
 * thread that calls answers, and one that does not call leaves the version alone.
 */
final class Recorder {
  static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final boolean ALLOCATION_READABLE =
      THREADS.isThreadAllocatedMemorySupported() && THREADS.isThreadAllocatedMemoryEnabled();
  private static final int MAX_DEPTH = 10_000;
  private static final long MANY = -1;

  /** What operations of a device are called that were asked for outside of every scope. */
  private static final String UNPLACED = "outside of scopes";

  private static final VarHandle VERSION;

  static {
    try {
      VERSION = MethodHandles.lookup().findVarHandle(Recorder.class, "version", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  final Session session;
  final boolean virtual;

  /** Position in {@link Profile#lanes}. */
  final int lane;

  final boolean allocation;

  /** Null below TRACE. */
  final EventRing ring;

  /** Which scope was open when, for samples; null without sampling. */
  private Timeline timeline;

  /** The same for other threads to read. */
  private volatile Timeline sharedTimeline;

  private final boolean keepsCalls;
  private final long slowNanos;

  /** The thread that writes here now; null while no virtual thread has this lane. */
  Thread thread;

  String threadName;

  /** The thread that alone has written here, or {@link #MANY}. */
  private volatile long onlyThread;

  long attachments;

  final LiveNode root = new LiveNode(null, null, -1, null);
  LiveNode[] nodes = new LiveNode[16];
  int nodeCount;
  Frame[] frames;
  int depth;

  /** Stands for every call beyond {@link #MAX_DEPTH}; how many of them are open. */
  private final Frame beyond = new Frame(this, MAX_DEPTH + 1);

  private int openBeyond;

  private long lastAllocated;
  long misplaced;
  long unclosed;
  long suppressed;
  long lateTasks;

  private long version;
  private volatile CopyRequest asked;

  Recorder(Session session, Thread thread, int lane) {
    this.session = session;
    this.lane = lane;
    this.virtual = thread.isVirtual();
    // Allocated bytes cannot be read on a virtual thread: unknown, not zero.
    this.allocation = session.options().level().allocation() && !virtual && ALLOCATION_READABLE;
    this.ring = EventRing.of(session);
    Sampling sampling = session.options().sampling();
    if (sampling.on()) useTimeline(new Timeline(Timeline.FIRST_CHANGES));
    this.slowNanos = sampling.slowScope().toNanos();
    this.keepsCalls = ring != null || timeline != null;
    this.frames = new Frame[0];
    growFrames(16);
    frames[0].node = root;
    attach(thread);
  }

  /** Gives this lane to a thread; whatever its last one left open is closed. */
  void attach(Thread next) {
    if (depth > 0) {
      long now = System.nanoTime();
      unwind(frames[1], now, lastReading());
      unclosed++;
      if (timeline != null) timeline.add(now, root.index);
    }
    thread = next;
    if (timeline != null) timeline.setThread(next.threadId());
    attachments++;
    onlyThread = attachments == 1 ? next.threadId() : MANY;
    if (threadName == null) threadName = next.getName();
  }

  boolean abandoned() {
    Thread owner = thread;
    return owner == null || !owner.isAlive();
  }

  // The hot path: begin, end.

  Frame begin(Scope scope) {
    LiveNode parent = frames[depth].node;
    LiveNode node = parent == null ? null : parent.child(scope);
    if (node == null) node = makeChild(parent, scope, null);
    return push(node);
  }

  Frame beginTask(Handover from, Scope scope) {
    LiveNode parent = frames[depth].node;
    LiveNode node = parent == null ? null : parent.task(scope, from.place);
    if (node == null) node = makeChild(parent, scope, from.place);
    Handover.Share share = node == null ? null : node.share(from);
    if (share == null && node != null) share = makeShare(node, from);
    Frame frame = push(node);
    if (node != null) {
      if (node.lastAttachment != attachments) {
        node.lastAttachment = attachments;
        node.threads++;
      }
      frame.share = share;
      frame.regionInstance = share.begin(frame.startNanos);
    }
    return frame;
  }

  private Frame push(LiveNode node) {
    int deeper = depth + 1;
    if (deeper >= frames.length) {
      if (deeper > MAX_DEPTH) {
        openBeyond++;
        return beyond;
      }
      growFrames(Math.min(2 * deeper, MAX_DEPTH + 1));
    }
    Frame frame = frames[deeper];
    if (keepsCalls) makeRoom();
    long v = beginChange();
    frame.node = node;
    frame.declared = false;
    depth = deeper;
    if (keepsCalls && node != null) {
      frame.bytesBefore = node.bytes;
      frame.flopsBefore = node.flops;
    }
    if (allocation) frame.startAllocated = THREADS.getCurrentThreadAllocatedBytes();
    // Last, so that as little as possible of our own work is inside what we measure.
    frame.startNanos = System.nanoTime();
    endChange(v);
    if (timeline != null && node != null) timeline.add(frame.startNanos, node.index);
    if (asked != null) answer();
    return frame;
  }

  /** From here to {@link #endChange} no copy by another thread is valid. */
  private long beginChange() {
    long v = version;
    VERSION.setOpaque(this, v + 1);
    VarHandle.storeStoreFence();
    return v;
  }

  private void endChange(long v) {
    VERSION.setRelease(this, v + 2);
  }

  void end(Frame frame) {
    if (Burn.SCOPE != null) Burn.inside(frame);
    long now = System.nanoTime();
    if (Thread.currentThread() != thread) {
      session.misplacedElsewhere();
    } else if (frame.depth > depth || frame.depth == 0) {
      if (frame == beyond && openBeyond > 0) openBeyond--;
      else misplaced++;
    } else {
      long allocated = 0;
      if (allocation) {
        allocated = THREADS.getCurrentThreadAllocatedBytes();
        lastAllocated = allocated;
      }
      LiveNode node = frame.node;
      long v = beginChange();
      if (frame.depth == depth) pop(frame, now, allocated);
      else unwind(frame, now, allocated);
      endChange(v);
      if (timeline != null && node != null) left(frame, node, now, allocated);
      if (asked != null) answer();
      if (virtual && depth == 0) session.detach(this);
    }
  }

  /** Ends the innermost open scope of this name, and everything inside it. */
  void end(Scope scope) {
    if (openBeyond > 0) {
      openBeyond--;
      return;
    }
    for (int d = depth; d > 0; d--) {
      LiveNode node = frames[d].node;
      if (node != null && node.scope == scope) {
        end(frames[d]);
        return;
      }
    }
    misplaced++;
  }

  private void unwind(Frame frame, long now, long allocated) {
    unclosed += openBeyond;
    openBeyond = 0;
    while (depth > frame.depth) {
      pop(frames[depth], now, allocated);
      unclosed++;
    }
    pop(frame, now, allocated);
  }

  private void pop(Frame frame, long now, long allocated) {
    depth = frame.depth - 1;
    LiveNode node = frame.node;
    if (node == null) return;
    frame.node = null;
    long nanos = now - frame.startNanos;
    node.add(nanos);
    node.parent.childNanos += nanos;
    long bytes = Profile.UNKNOWN;
    if (allocation) {
      bytes = allocated - frame.startAllocated;
      node.allocated += bytes;
      node.parent.childAllocated += bytes;
    }
    if (node.origin != null && !frame.share.end(frame.regionInstance, frame.startNanos, now)) {
      lateTasks++;
    }
    if (node.handover != null) node.handover.endInstance(frame.startNanos, now);
    if (ring == null) return;
    ring.add(
        node.origin == null ? node.index : Trace.task(node.index, frame.share.region.lane),
        frame.startNanos,
        nanos,
        bytes,
        node.bytes - frame.bytesBefore,
        node.flops - frame.flopsBefore);
  }

  /** Notes for samples that a scope was left, and writes a slow one into their recording. */
  private void left(Frame frame, LiveNode node, long now, long allocated) {
    timeline.add(now, node.parent.index);
    long nanos = now - frame.startNanos;
    if (nanos < slowNanos || session.sampler == null) return;
    long before = ownAllocation();
    session.sampler.slowScope(
        node,
        frame.startNanos,
        nanos,
        node.bytes - frame.bytesBefore,
        node.flops - frame.flopsBefore,
        allocation ? allocated - frame.startAllocated : Profile.UNKNOWN);
    forgive(before);
  }

  private void makeRoom() {
    // For the ends of all that is open, before it turns for the first time. Not at an end, which
    // has already read the thread's counter of allocated bytes.
    if (ring != null && ring.wantsRoom(depth + 1)) {
      long before = ownAllocation();
      ring.makeRoom(depth + 1);
      forgive(before);
    }
    if (timeline != null && timeline.wantsMore()) growTimeline();
  }

  private void growTimeline() {
    if (!session.mayKeepMoreChanges(timeline.capacity())) return;
    long before = ownAllocation();
    useTimeline(timeline.grown());
    forgive(before);
  }

  private void useTimeline(Timeline next) {
    timeline = next;
    sharedTimeline = next;
  }

  /**
   * The node that was innermost on a thread at a time, −1 for none, {@link Timeline#ELSEWHERE} or
   * {@link Timeline#OUT_OF_REACH}. For any thread.
   */
  int nodeAt(long nanos, long threadId, boolean virtualThread) {
    if (virtualThread != virtual || !mayBe(threadId)) return Timeline.ELSEWHERE;
    return sharedTimeline.at(nanos, threadId);
  }

  /** Whether a thread may have written here. For any thread. */
  boolean mayBe(long threadId) {
    long only = onlyThread;
    return only == MANY || only == threadId;
  }

  /** Odd while this changes, another with each begin and end. For any thread. */
  long version() {
    return (long) VERSION.getAcquire(this);
  }

  /**
   * The innermost open scope that is recorded, null for none. For any thread, which must ask for
   * the {@link #version} before and after.
   */
  LiveNode innermost() {
    Frame[] open = frames;
    for (int d = Math.min(depth, open.length - 1); d > 0; d--) {
      LiveNode node = open[d].node;
      if (node != null) {
        VarHandle.loadLoadFence();
        return node;
      }
    }
    return null;
  }

  // The slow path: first times. What it allocates is ours and is kept out of the open scopes.

  /** Makes the node of a scope, or of a task from a place. */
  private LiveNode makeChild(LiveNode parent, Scope scope, Place from) {
    if (parent == null || nodeCount >= session.options().maxNodes() || depth >= MAX_DEPTH) {
      suppressed++;
      return null;
    }
    long before = ownAllocation();
    LiveNode node = new LiveNode(parent, scope, nodeCount, from);
    long v = beginChange();
    if (nodeCount == nodes.length) nodes = Arrays.copyOf(nodes, 2 * nodes.length);
    nodes[nodeCount++] = node;
    endChange(v);
    if (from == null) parent.addChild(node);
    else parent.addTask(node);
    forgive(before);
    return node;
  }

  private Handover.Share makeShare(LiveNode node, Handover from) {
    long before = ownAllocation();
    Handover.Share share = from.newShare(lane);
    node.addShare(share);
    forgive(before);
    return share;
  }

  private void growFrames(int wanted) {
    long before = frames.length == 0 ? 0 : ownAllocation();
    int old = frames.length;
    Frame[] more = Arrays.copyOf(frames, wanted);
    for (int d = old; d < wanted; d++) more[d] = new Frame(this, d);
    frames = more;
    if (old > 0) forgive(before);
  }

  /** The thread's counter as last seen, for one that has died with scopes open. */
  long lastReading() {
    return Math.max(lastAllocated, frames[depth].startAllocated);
  }

  private long ownAllocation() {
    return allocation ? THREADS.getCurrentThreadAllocatedBytes() : 0;
  }

  private void forgive(long before) {
    if (!allocation) return;
    long own = THREADS.getCurrentThreadAllocatedBytes() - before;
    long v = beginChange();
    for (int d = 1; d <= depth; d++) frames[d].startAllocated += own;
    endChange(v);
  }

  // Hand-over.

  /** The handover for tasks that the scope open now gives away. */
  Handover handover() {
    LiveNode node = frames[depth].node;
    // Inside a suppressed call the nearest recorded scope speaks for it.
    for (int d = depth; node == null; d--) node = frames[d].node;
    if (node == root) return session.outside;
    if (node.handover == null) {
      long before = ownAllocation();
      node.handover = new Handover(session, Place.of(node, session), node.scope, lane);
      forgive(before);
    }
    if (frames[depth].node == node) node.handover.declared(frames[depth]);
    return node.handover;
  }

  /** See {@link Profiler#submit}. */
  void submit(Submission into) {
    into.take(frames[depth]);
    LiveNode node = frames[depth].node;
    for (int d = depth; node == null; d--) node = frames[d].node;
    Place place = node.place;
    if (place == null) {
      long before = ownAllocation();
      place = node == root ? session.place(null, UNPLACED, false) : Place.of(node, session);
      forgive(before);
    }
    into.place = place;
    into.session = session;
  }

  /** See {@link Profiler#passOn}. */
  Handover passOn() {
    Frame frame = frames[depth];
    LiveNode node = frame.node;
    if (node == null || node == root) return handover();
    if (node.origin != null) return frame.share.region;
    if (node.passedOn != null) return node.passedOn;
    Place above = Place.ofSameNameAbove(node);
    if (above == null) return node.passedOn = handover();
    long before = ownAllocation();
    node.passedOn = new Handover(session, above, node.scope, lane);
    forgive(before);
    return node.passedOn;
  }

  /** Time of all finished calls at a path of scopes; for calibration, on the own thread. */
  long totalNanos(Scope... path) {
    LiveNode node = root;
    for (Scope scope : path) node = node.child(scope);
    return node.totalNanos;
  }

  // Copies: see LaneCopy for what is in one.

  /** A request that the recorder's own thread copies itself. */
  private static final class CopyRequest {
    volatile LaneCopy answer;
  }

  private void answer() {
    CopyRequest request = asked;
    if (request == null) return;
    asked = null;
    long before = ownAllocation();
    request.answer = LaneCopy.of(this);
    forgive(before);
  }

  /** What is recorded so far, scopes that are open now counted up to now. */
  LaneCopy copy() {
    if (Thread.currentThread() == thread) return LaneCopy.of(this);
    CopyRequest request = new CopyRequest();
    while (true) {
      long before = (long) VERSION.getAcquire(this);
      if ((before & 1) == 0) {
        LaneCopy copy = tryCopy();
        VarHandle.loadLoadFence();
        if (copy != null && before == (long) VERSION.getOpaque(this)) {
          asked = null;
          return copy;
        }
      }
      if (request.answer != null) return request.answer;
      asked = request;
      LockSupport.parkNanos(20_000);
      if (request.answer != null) return request.answer;
    }
  }

  private LaneCopy tryCopy() {
    try {
      return LaneCopy.of(this);
    } catch (RuntimeException race) {
      // The tree changed under the reading: the version will say so, too.
      return null;
    }
  }
}
