package dev.ridgeline.report;

import dev.ridgeline.profiler.Histogram;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Allocation;
import dev.ridgeline.profiler.Profile.Calibration;
import dev.ridgeline.profiler.Profile.Contention;
import dev.ridgeline.profiler.Profile.FanOut;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Profile.LedgerEntry;
import dev.ridgeline.profiler.Profile.Node;
import dev.ridgeline.profiler.Profile.Slips;
import dev.ridgeline.profiler.Profile.Time;
import dev.ridgeline.profiler.Profile.Waiting;
import dev.ridgeline.profiler.Profile.Waits;
import dev.ridgeline.profiler.Profile.Work;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.SystemActivity;
import dev.ridgeline.profiler.SystemActivity.Collector;
import dev.ridgeline.profiler.SystemActivity.Pause;
import dev.ridgeline.profiler.Trace;
import dev.ridgeline.report.roofline.Bounds;
import dev.ridgeline.report.roofline.Ceilings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Profiles made by hand, a scope at a time: quiet ones, until something is set. */
final class Made {
  private static final long MILLI = 1_000_000;

  private final List<Lane> lanes = new ArrayList<>();
  private final List<Profile.Path> paths = new ArrayList<>();
  private List<Node> nodes = new ArrayList<>();
  private Level level = Level.ALLOCATION;
  private long wallMillis = 1000;
  private Calibration calibration = Calibration.NONE;
  private Slips slips = Slips.NONE;
  private long gcMillis;
  private long jitMillis;
  private long cpuMillis = 1_000_000;
  private double steal = 0.001;
  private long dropped;
  private long ownNanos;
  private final List<Contention> contentions = new ArrayList<>();

  static Made profile() {
    return new Made();
  }

  Made level(Level value) {
    level = value;
    return this;
  }

  Made wallMillis(long value) {
    wallMillis = value;
    return this;
  }

  Made calibration(double inner, double outer) {
    calibration = new Calibration(1, inner, outer, 0.4);
    return this;
  }

  Made slips(Slips value) {
    slips = value;
    return this;
  }

  Made gcMillis(long value) {
    gcMillis = value;
    return this;
  }

  Made jitMillis(long value) {
    jitMillis = value;
    return this;
  }

  Made cpuMillis(long value) {
    cpuMillis = value;
    return this;
  }

  Made steal(double value) {
    steal = value;
    return this;
  }

  Made dropped(long value) {
    dropped = value;
    return this;
  }

  /** A scope; its histogram has all calls at the mean, its work is declared. */
  Made scope(int parent, String name, long calls, double totalMillis, double selfMillis) {
    return add(parent, name, calls, totalMillis, selfMillis, null, 0, new Work(1, 1), FanOut.NONE);
  }

  /** A leaf that waits for a part of its time: for a lock, to be woken, asleep, for I/O. */
  Made waiting(
      int parent, String name, long calls, double millis, long lock, long park, long nap, long io) {
    Waiting waiting = new Waiting(lock * MILLI, park * MILLI, nap * MILLI, io * MILLI, 0);
    add(parent, name, calls, millis, millis, null, 0, Work.NONE, FanOut.NONE);
    nodes.add(nodes.removeLast().with(waiting));
    return this;
  }

  /** The first lane's scope waited while another of its scopes held a lock on some thread. */
  Made contention(int waiter, String lock, String thread, int owner, long millis) {
    int lane = owner < 0 ? -1 : 0;
    contentions.add(new Contention(0, waiter, lock, thread, lane, owner, millis * MILLI));
    return this;
  }

  /** A scope that declares no work. */
  Made idle(int parent, String name, long calls, double totalMillis, double selfMillis) {
    return add(parent, name, calls, totalMillis, selfMillis, null, 0, Work.NONE, FanOut.NONE);
  }

  /** A leaf that allocates. */
  Made allocating(int parent, String name, long calls, double millis, long bytes) {
    return add(parent, name, calls, millis, millis, null, bytes, Work.NONE, FanOut.NONE);
  }

  /** A leaf that declares its work, and allocates. */
  Made boxing(int parent, String name, long calls, double millis, long bytes) {
    Work work = new Work(1, 1);
    return add(parent, name, calls, millis, millis, null, bytes, work, FanOut.NONE);
  }

  /** A leaf that declares its work. */
  Made working(int parent, String name, long calls, double millis, long bytes, long flops) {
    Work work = new Work(bytes, flops);
    return add(parent, name, calls, millis, millis, null, 0, work, FanOut.NONE);
  }

  /** A scope that declares its work, with what is inside it. */
  Made working(int parent, String name, long calls, double total, double self, Work work) {
    return add(parent, name, calls, total, self, null, 0, work, FanOut.NONE);
  }

  /** A leaf called once for each duration. */
  Made calls(int parent, String name, double... millis) {
    long[] nanos = new long[millis.length];
    long total = 0;
    for (int i = 0; i < millis.length; i++) total += nanos[i] = (long) (millis[i] * MILLI);
    double all = (double) total / MILLI;
    return add(parent, name, millis.length, all, all, nanos, 0, Work.NONE, FanOut.NONE);
  }

  /** A place on the first lane from which tasks go to two threads. */
  Made region(int parent, String name, double wallMillis, double imbalance) {
    return region(parent, name, wallMillis, imbalance, 1, 2);
  }

  /** A place whose calls had some threads at hand each. */
  Made region(
      int parent, String name, double wallMillis, double imbalance, long calls, long atOnce) {
    long wall = Math.round(wallMillis * MILLI);
    FanOut fanOut =
        calls == 0
            ? FanOut.NONE
            : new FanOut(calls, 0, wall, wall * atOnce, 0, 0, Math.round(wall * imbalance));
    paths.add(new Profile.Path(-1, name, false));
    return add(parent, name, calls, wallMillis, wallMillis, null, 0, Work.NONE, fanOut);
  }

  /** The region just made does a task itself. */
  Made own(double busyMillis) {
    long nanos = Math.round(busyMillis * MILLI);
    int at = nodes.size() - 1;
    Node region = nodes.get(at);
    Time was = region.time();
    nodes.set(
        at,
        new Node(
            region.parent(),
            region.name(),
            region.origin(),
            time(was.calls(), was.totalNanos(), was.selfNanos() - nanos, null),
            region.allocation(),
            region.work(),
            region.fanOut()));
    nodes.add(
        new Node(
            at,
            "task",
            paths.size() - 1,
            time(1, nanos, nanos, new long[] {nanos}),
            new Allocation(0, 0),
            Work.NONE,
            FanOut.ofTask(1)));
    ownNanos = nanos;
    return this;
  }

  /** Another thread, with one task from the latest region. */
  Made worker(String thread, boolean virtual, double busyMillis) {
    return worker(thread, virtual, busyMillis, Work.NONE);
  }

  /** The same with a task that declares its work. */
  Made worker(String thread, boolean virtual, double busyMillis, Work work) {
    endLane("main", false);
    long nanos = (long) (busyMillis * MILLI);
    nodes.add(
        new Node(
            -1,
            "task",
            paths.size() - 1,
            time(1, nanos, nanos, new long[] {nanos}),
            virtual ? Allocation.NOT_RECORDED : new Allocation(0, 0),
            work,
            FanOut.ofTask(1)));
    endLane(thread, virtual);
    used(nanos + ownNanos);
    ownNanos = 0;
    return this;
  }

  /** The latest region has had so much more of its threads' time. */
  private void used(long nanos) {
    for (int lane = lanes.size() - 1; lane >= 0; lane--) {
      Lane at = lanes.get(lane);
      List<Node> all = new ArrayList<>(at.nodes());
      for (int i = all.size() - 1; i >= 0; i--) {
        Node node = all.get(i);
        FanOut was = node.fanOut();
        if (was.regions() == 0) continue;
        double used = was.usedNanos() + nanos;
        FanOut fanOut =
            new FanOut(
                was.regions(),
                0,
                was.wallNanos(),
                was.offeredNanos(),
                (long) used,
                Math.round(used * was.unevenNanos() / was.offeredNanos()),
                was.unevenNanos());
        all.set(
            i,
            new Node(
                node.parent(),
                node.name(),
                node.origin(),
                node.time(),
                node.allocation(),
                node.work(),
                fanOut));
        lanes.set(lane, new Lane(at.thread(), at.virtual(), at.threads(), all, at.trace()));
        return;
      }
    }
  }

  Profile build() {
    endLane("main", false);
    return new Profile(
        level,
        Instant.parse("2026-11-15T10:00:00Z"),
        wallMillis * MILLI,
        lanes,
        List.of(),
        paths,
        calibration,
        new SystemActivity(
            List.of(new Collector("G1", gcMillis == 0 ? 0 : 3, gcMillis)),
            gcMillis == 0 ? List.of() : List.of(new Pause(0, gcMillis * MILLI / 2, "G1", "why", 9)),
            jitMillis,
            cpuMillis * MILLI,
            steal,
            9_000_000,
            31_000_000,
            6_000_000_000L,
            412_000_000),
        List.of(new LedgerEntry("kv cache", 1_000_000, 4_200_000)),
        slips,
        Samples.NONE,
        List.of(),
        new Waits(100, 10 * MILLI, 0, contentions));
  }

  /** A report without facts about a machine. */
  Report report() {
    return report(Ceilings.NONE);
  }

  /** A report of a machine that can do so much. */
  Report report(Ceilings ceilings) {
    Profile profile = build();
    var tree = profile.tree();
    var folded = tree.folded(profile);
    Bounds bounds = Bounds.of(profile, tree, ceilings);
    return new Report(
        new Report.Headline(
            "title", "subtitle", List.of(new Report.Figure("471 texts/s", "median"))),
        List.of(),
        List.of(),
        profile,
        tree,
        Findings.of(
            profile,
            folded,
            bounds.folded(profile, tree, folded),
            "ridgeline ab --a-rev HEAD -- embed"),
        List.of(),
        bounds);
  }

  private Made add(
      int parent,
      String name,
      long calls,
      double totalMillis,
      double selfMillis,
      long[] nanos,
      long bytes,
      Work work,
      FanOut fanOut) {
    long total = Math.round(totalMillis * MILLI);
    nodes.add(
        new Node(
            parent,
            name,
            Node.SCOPE,
            time(calls, total, Math.round(selfMillis * MILLI), nanos),
            level.compareTo(Level.ALLOCATION) >= 0
                ? new Allocation(bytes, bytes)
                : Allocation.NOT_RECORDED,
            work,
            fanOut));
    return this;
  }

  private static Time time(long calls, long total, long self, long[] nanos) {
    if (nanos == null) {
      long mean = calls == 0 ? 0 : total / calls;
      return new Time(calls, 0, total, self, mean, mean, histogram(mean, calls));
    }
    Histogram histogram = Histogram.EMPTY;
    long min = Long.MAX_VALUE;
    long max = 0;
    for (long one : nanos) {
      min = Math.min(min, one);
      max = Math.max(max, one);
      histogram = histogram.plus(histogram(one, 1));
    }
    return new Time(calls, 0, total, self, min, max, histogram);
  }

  /** The bucket of a duration, as the profiler counts it. */
  private static Histogram histogram(long nanos, long calls) {
    int exponent = 63 - Long.numberOfLeadingZeros(Math.max(1, nanos));
    int bucket =
        nanos < 8 ? (int) nanos : ((exponent - 2) << 3) + (int) ((nanos >>> (exponent - 3)) & 7);
    return Histogram.of(bucket, calls);
  }

  private void endLane(String thread, boolean virtual) {
    if (nodes.isEmpty()) return;
    Trace trace = dropped == 0 ? Trace.EMPTY : Trace.of(dropped, 0, 0, 1, 0, 0, 0);
    lanes.add(new Lane(thread, virtual, 1, nodes, trace));
    nodes = new ArrayList<>();
    dropped = 0;
  }
}
