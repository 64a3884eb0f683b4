package dev.ridgeline.profiler;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One recording, from start to stop: its lanes, and the places that tasks were handed over from.
 */
final class Session {
  /** Beyond this many lanes, those of threads that have died are used again. */
  private static final int LANES_BEFORE_REUSE = 128;

  /** So many lanes may keep all the events they were promised; more share what is left. */
  private static final int LANES_FULLY_TRACED = 64;

  /** So many lanes may remember all the scopes they were promised; more share what is left. */
  private static final int LANES_FULLY_TIMED = 16;

  private static final ThreadLocal<Recorder> CURRENT = new ThreadLocal<>();

  /** Slots of the way in front of {@link #CURRENT}; a power of two. */
  private static final int QUICK = 1024;

  private final Options options;
  private final Instant started = Instant.now();
  private final long startNanos = System.nanoTime();
  private final Profile.Calibration calibration;
  private final SystemMonitor monitor;
  private final AtomicLong eventsKept = new AtomicLong();
  final Handover outside = new Handover(this, Place.OUTSIDE, null, -1);
  private final AtomicLong misplacedElsewhere = new AtomicLong();

  /**
   * Recorders by thread id, some 3 ns quicker than a thread local. Races are harmless: an entry
   * counts only for the thread that the recorder itself names, and only that thread writes it
   * there.
   */
  private final Recorder[] quick = new Recorder[QUICK];

  private final List<Recorder> lanes = new ArrayList<>();
  private int searchFrom = LANES_BEFORE_REUSE;
  private final ArrayDeque<Recorder> freeVirtual = new ArrayDeque<>();

  private final List<DeviceRecording> devices = new ArrayList<>();
  private final List<Place> places = new ArrayList<>();
  private final Map<PlaceKey, Place> placeOf = new HashMap<>();

  private record PlaceKey(int parent, String name, boolean task) {}

  /** Null without sampling. */
  final Sampler sampler;

  /** The lanes as the sampler last saw them. */
  private Recorder[] lanesSeen = new Recorder[0];

  private volatile int laneCount;

  /** Null where nobody asks what threads wait for. */
  private WaitWatch watch;

  private OwnThreads ownThreads = OwnThreads.NONE;

  private final AtomicLong changesKept = new AtomicLong();

  Session(
      Options options, Profile.Calibration calibration, SystemMonitor monitor, Sampler sampler) {
    this.options = options;
    this.calibration = calibration;
    this.monitor = monitor;
    this.sampler = sampler;
    if (sampler != null) sampler.attach(this);
  }

  /** From now on waiting is told from running. */
  void watchWaits() {
    watch = new WaitWatch(this);
    watch.start();
    ownThreads = OwnThreads.running();
  }

  /** What the threads that this session needs have allocated. */
  long ownAllocatedBytes() {
    return ownThreads.allocatedBytes();
  }

  Options options() {
    return options;
  }

  Instant started() {
    return started;
  }

  long startNanos() {
    return startNanos;
  }

  /** The calling thread's recorder in this session. */
  Recorder recorder() {
    Thread thread = Thread.currentThread();
    Recorder recorder = quick[slot(thread)];
    return recorder != null && recorder.thread == thread ? recorder : slowRecorder(thread);
  }

  private static int slot(Thread thread) {
    return (int) thread.threadId() & (QUICK - 1);
  }

  private Recorder slowRecorder(Thread thread) {
    Recorder recorder = CURRENT.get();
    if (recorder == null || recorder.session != this) {
      recorder = laneFor(thread);
      CURRENT.set(recorder);
    }
    int slot = slot(thread);
    Recorder there = quick[slot];
    // Two threads of one slot do not fight over it: the second goes the slow way.
    if (there == null || there.abandoned()) quick[slot] = recorder;
    return recorder;
  }

  /** Ends a scope by name. A thread that has opened none here gets no lane for that. */
  void end(Scope scope) {
    Recorder recorder = existingRecorder();
    if (recorder != null) recorder.end(scope);
    else misplacedElsewhere();
  }

  /** The handover for tasks that the calling thread gives away now. */
  Handover handover() {
    Recorder recorder = existingRecorder();
    return recorder != null ? recorder.handover() : outside;
  }

  /** The handover for tasks of a chain of tasks. */
  Handover passOn() {
    Recorder recorder = existingRecorder();
    return recorder != null ? recorder.passOn() : outside;
  }

  /**
   * The calling thread's recorder in this session, or null when it has none. The quick way is also
   * the sure one: threads of the common pool lose their thread locals between tasks.
   */
  private Recorder existingRecorder() {
    Thread thread = Thread.currentThread();
    Recorder recorder = quick[slot(thread)];
    if (recorder != null && recorder.thread == thread) return recorder;
    recorder = CURRENT.get();
    return recorder != null && recorder.session == this ? recorder : null;
  }

  /** Lets the calling thread forget its recorder, of whatever session. */
  static void forgetRecorder() {
    CURRENT.remove();
  }

  private synchronized Recorder laneFor(Thread thread) {
    Recorder free = thread.isVirtual() ? freeVirtual.poll() : null;
    if (free == null) free = laneOfADeadThread(thread.isVirtual());
    if (free != null) {
      free.attach(thread);
      return free;
    }
    Recorder recorder = new Recorder(this, thread, lanes.size());
    lanes.add(recorder);
    laneCount = lanes.size();
    return recorder;
  }

  private Recorder laneOfADeadThread(boolean virtual) {
    if (lanes.size() < searchFrom) return null;
    for (Recorder lane : lanes) {
      // A lane without a thread lies in freeVirtual.
      if (lane.virtual == virtual && lane.thread != null && lane.abandoned()) return lane;
    }
    // None: while that many threads live, every search would be long and in vain.
    searchFrom = lanes.size() + lanes.size() / 2;
    return null;
  }

  /** A virtual thread has closed its outermost scope: the next one may have its lane. */
  void detach(Recorder recorder) {
    // A frame of an earlier session may close late: the thread's recorder is another's then.
    if (CURRENT.get() == recorder) CURRENT.remove();
    synchronized (this) {
      // Both at once: a lane without a thread that is not in the list is taken for a dead one's.
      recorder.thread = null;
      freeVirtual.push(recorder);
    }
  }

  synchronized Place place(Place parent, String name, boolean task) {
    int above = parent == null ? -1 : parent.index();
    return placeOf.computeIfAbsent(
        new PlaceKey(above, name, task),
        key -> {
          Place place = new Place(above < 0 ? null : parent, name, task, places.size());
          places.add(place);
          return place;
        });
  }

  /** A queue of a device begins to record. */
  synchronized void add(DeviceRecording device) {
    devices.add(device);
  }

  /** Takes room for events of one lane out of what all lanes together may keep. */
  boolean mayKeepMoreEvents(int more) {
    if (eventsKept.addAndGet(more) <= (long) LANES_FULLY_TRACED * options.traceEvents())
      return true;
    eventsKept.addAndGet(-more);
    return false;
  }

  /** Takes room for changes of one lane out of what all timelines together may keep. */
  boolean mayKeepMoreChanges(int more) {
    long limit = Math.min(LANES_FULLY_TIMED * (long) Timeline.MOST_CHANGES, heapForChanges());
    if (changesKept.addAndGet(more) <= limit) return true;
    changesKept.addAndGet(-more);
    return false;
  }

  private static long heapForChanges() {
    return Runtime.getRuntime().maxMemory() / 32 / (2 * Long.BYTES);
  }

  /** The scope that was open on a thread at a time. Called by the sampler alone. */
  SampleTable.Owner owner(long threadId, boolean virtual, long nanos) {
    if (lanesSeen.length != laneCount) {
      synchronized (this) {
        lanesSeen = lanes.toArray(Recorder[]::new);
      }
    }
    boolean forgotten = false;
    for (Recorder lane : lanesSeen) {
      int node = lane.nodeAt(nanos, threadId, virtual);
      if (node >= 0) return new SampleTable.Owner(lane.lane, node);
      if (node == -1) return SampleTable.Owner.OUTSIDE;
      forgotten |= node == Timeline.OUT_OF_REACH;
    }
    return forgotten ? SampleTable.Owner.UNATTRIBUTED : SampleTable.Owner.OUTSIDE;
  }

  /** All recorders so far, by lane. */
  synchronized Recorder[] recorders() {
    return lanes.toArray(Recorder[]::new);
  }

  /** Whether a lane is that of a thread, or was one's after the other. */
  synchronized boolean ranOn(int lane, long threadId) {
    return lanes.get(lane).mayBe(threadId);
  }

  void misplacedElsewhere() {
    misplacedElsewhere.incrementAndGet();
  }

  /** What is recorded so far. */
  Profile profile() {
    // Before the lanes are copied: no wait is then longer than the scope it is in.
    if (watch != null) watch.look();
    Recorder[] recorders = recorders();
    List<Profile.Lane> copies = new ArrayList<>();
    long misplaced = misplacedElsewhere.get();
    long unclosed = 0;
    long suppressed = 0;
    long late = 0;
    for (Recorder recorder : recorders) {
      LaneCopy copy = recorder.copy();
      copies.add(copy.lane());
      misplaced += copy.slips().misplacedEnds();
      unclosed += copy.slips().unclosed();
      suppressed += copy.slips().suppressed();
      late += copy.slips().lateTasks();
    }
    // After the lanes: all that they can have used is then in its processor time.
    SystemActivity activity = monitor.activity();
    Profile.Waits waits = Profile.Waits.NONE;
    if (watch != null) {
      WaitSplit split = watch.split(copies, activity.cpuNanos());
      copies = split.lanes();
      waits = watch.waits(split);
    }
    List<Profile.Device> queues;
    synchronized (this) {
      queues = devices.stream().map(DeviceRecording::copy).toList();
    }
    // After lanes and devices: every place that they name is then in the list.
    List<Profile.Path> paths;
    synchronized (this) {
      paths = places.stream().map(Place::path).toList();
    }
    Profile profile =
        new Profile(
            options.level(),
            started,
            System.nanoTime() - startNanos,
            copies,
            queues,
            paths,
            calibration,
            activity,
            Ledger.entries(),
            new Profile.Slips(misplaced, unclosed, suppressed, late),
            sampler == null ? Samples.NONE : sampler.samples(copies),
            Pools.entries(),
            waits);
    return profile.withBoundedOwnWork();
  }

  /** Everything recorded; nothing is after this. */
  Profile end() {
    Profile profile = profile();
    try {
      return sampler == null
          ? profile
          : profile.withSamples(sampler.stop(profile)).withBoundedOwnWork();
    } finally {
      if (watch != null) watch.close();
      monitor.close();
    }
  }
}
