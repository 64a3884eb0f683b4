package dev.ridgeline.profiler;

import java.lang.management.ThreadInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Splits self time into running and waiting: a thread that looks every 10 ms or so at what each
 * thread with an open scope is doing, and adds the time since its last look to that scope.
 *
 * <p>Looking from outside costs the watched threads nothing: a scope is recorded as without a
 * watch. A look counts only when the thread neither began nor ended a scope meanwhile, so a wait is
 * never added to another scope. Times are estimates of as many looks as they contain; a wait that
 * goes on from one look to the next is counted in full.
 */
final class WaitWatch implements Runnable {
  static final long PERIOD_NANOS = 10_000_000;

  /**
   * Part of one processor that looking may take, as its inverse; with many threads it looks less.
   */
  private static final int COST = 50;

  /** A thread that had a processor for this part of the time, in percent, is not looked into. */
  private static final int BUSY_PERCENT = 80;

  /** Beyond so many pairs of waiter and owner, a lock's owner is not told. */
  private static final int MOST_CONTENTIONS = 1 << 14;

  private static final int READS_OF_OWNER = 3;

  private final Session session;
  private final Thread thread;
  private volatile boolean over;

  // Below: guarded by this.
  private final List<LaneWaits> lanes = new ArrayList<>();
  private final Map<Holder, long[]> contentions = new LinkedHashMap<>();
  private long last = System.nanoTime();
  private long pause = PERIOD_NANOS;
  private long looks;
  private long watchedNanos;

  private record Holder(int lane, int node, String lock, String thread, int ofLane, int ofNode) {}

  /** What a lane was last seen doing, and what its scopes have waited. */
  private static final class LaneWaits {
    long version = -1;
    WaitState state = WaitState.RUNNING;
    long waits = -1;
    long cpuNanos = -1;
    long cpuReadAt;
    long[][] nanos = new long[16][];

    void add(int node, WaitState.Kind kind, long more) {
      if (node >= nanos.length) nanos = Arrays.copyOf(nanos, Math.max(node + 1, 2 * nanos.length));
      if (nanos[node] == null) nanos[node] = new long[WaitState.Kind.values().length];
      nanos[node][kind.ordinal()] += more;
    }

    Profile.Waiting of(int node, long selfNanos) {
      long[] kinds = node < nanos.length ? nanos[node] : null;
      return kinds == null ? Profile.Waiting.NONE : Profile.Waiting.of(kinds, selfNanos);
    }
  }

  WaitWatch(Session session) {
    this.session = session;
    this.thread = new Thread(null, this, OwnThreads.PREFIX + "waits of ridgeline", 0, false);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void close() {
    over = true;
    LockSupport.unpark(thread);
    try {
      thread.join(1_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void run() {
    while (!over) {
      // At random, lest a program that waits in our rhythm be always met in the same place.
      long half = pause / 2;
      LockSupport.parkNanos(half + ThreadLocalRandom.current().nextLong(pause));
      if (!over) look();
    }
  }

  /** Looks at every thread once; any thread may. */
  synchronized void look() {
    long cpu = Recorder.THREADS.getCurrentThreadCpuTime();
    long now = System.nanoTime();
    long since = now - last;
    last = now;
    looks++;
    watchedNanos += since;
    Recorder[] recorders = session.recorders();
    while (lanes.size() < recorders.length) lanes.add(new LaneWaits());
    for (int i = 0; i < recorders.length; i++) look(recorders, i, now, since);
    // Not by the clock: a look may have to wait for a processor, as those may that it looks at.
    pause = Math.max(PERIOD_NANOS, COST * (Recorder.THREADS.getCurrentThreadCpuTime() - cpu));
  }

  private void look(Recorder[] all, int lane, long now, long since) {
    Recorder recorder = all[lane];
    LaneWaits seen = lanes.get(lane);
    long version = recorder.version();
    LiveNode node = recorder.innermost();
    Thread watched = recorder.thread;
    WaitState before = seen.state;
    boolean inSameScope = version == seen.version;
    seen.version = version;
    seen.state = WaitState.RUNNING;
    if ((version & 1) != 0 || node == null || watched == null) return;
    WaitState state = state(watched, seen, before, inSameScope, now);
    // One that has gone on meanwhile was running, and where it is now nobody can tell.
    if (state == WaitState.RUNNING || recorder.version() != version) return;
    seen.state = state;
    // All of it, however late this look is: less would take looks under load for shorter waits.
    seen.add(node.index, state.kind(), since);
    if (state.kind() == WaitState.Kind.LOCK) contend(all, recorder, node, state, since);
  }

  private static WaitState state(
      Thread watched, LaneWaits seen, WaitState before, boolean inSameScope, long now) {
    switch (watched.getState()) {
      case RUNNABLE -> {
        return isBusy(watched, seen, now) ? WaitState.RUNNING : WaitState.ofRunnable(watched);
      }
      case BLOCKED, WAITING, TIMED_WAITING -> {
        if (watched.isVirtual()) return WaitState.ofVirtual(watched);
        ThreadInfo info = Recorder.THREADS.getThreadInfo(watched.threadId());
        if (info == null) return WaitState.RUNNING;
        long waits = info.getWaitedCount();
        boolean same = inSameScope && waits == seen.waits && before.kind() == WaitState.Kind.SLEEP;
        seen.waits = waits;
        return same ? before : WaitState.of(watched, info);
      }
      default -> {
        return WaitState.RUNNING;
      }
    }
  }

  /** Whether a thread has used most of the time since it was last asked, so that it runs. */
  private static boolean isBusy(Thread watched, LaneWaits seen, long now) {
    if (watched.isVirtual()) return true;
    long cpu = Recorder.THREADS.getThreadCpuTime(watched.threadId());
    long used = cpu - seen.cpuNanos;
    long elapsed = now - seen.cpuReadAt;
    boolean known = cpu >= 0 && seen.cpuNanos >= 0;
    seen.cpuNanos = cpu;
    seen.cpuReadAt = now;
    return known && 100 * used >= BUSY_PERCENT * elapsed;
  }

  private void contend(
      Recorder[] all, Recorder waiter, LiveNode node, WaitState state, long nanos) {
    int ofLane = -1;
    int ofNode = -1;
    for (Recorder lane : all) {
      Thread owner = lane.thread;
      if (owner == null || owner.threadId() != state.owner()) continue;
      LiveNode open = openOn(lane);
      if (open == null) continue;
      ofLane = lane.lane;
      ofNode = open.index;
    }
    Holder holder =
        new Holder(waiter.lane, node.index, state.lock(), state.ownerName(), ofLane, ofNode);
    if (contentions.size() >= MOST_CONTENTIONS && !contentions.containsKey(holder)) return;
    contentions.computeIfAbsent(holder, _ -> new long[1])[0] += nanos;
  }

  /** The owner may be running: what it is in is read until it stood still, or is what was last. */
  private static LiveNode openOn(Recorder owner) {
    LiveNode open = null;
    for (int i = 0; i < READS_OF_OWNER; i++) {
      long version = owner.version();
      open = owner.innermost();
      if ((version & 1) == 0 && version == owner.version()) break;
    }
    return open;
  }

  /** The lanes with the self time of each node split; no node has waited longer than that. */
  synchronized List<Profile.Lane> split(List<Profile.Lane> recorded) {
    List<Profile.Lane> split = new ArrayList<>(recorded.size());
    for (int i = 0; i < recorded.size(); i++) {
      Profile.Lane lane = recorded.get(i);
      split.add(i < lanes.size() ? split(lane, lanes.get(i)) : lane);
    }
    return split;
  }

  private static Profile.Lane split(Profile.Lane lane, LaneWaits seen) {
    List<Profile.Node> nodes = new ArrayList<>(lane.nodes().size());
    for (int i = 0; i < lane.nodes().size(); i++) {
      Profile.Node node = lane.nodes().get(i);
      nodes.add(node.with(seen.of(i, node.time().selfNanos())));
    }
    return new Profile.Lane(lane.thread(), lane.virtual(), lane.threads(), nodes, lane.trace());
  }

  /** Who waited for whom; of scopes that these lanes, as they were split, know. */
  synchronized Profile.Waits waits(List<Profile.Lane> split) {
    List<Profile.Contention> rows = new ArrayList<>();
    contentions.forEach(
        (holder, nanos) -> {
          if (!isKnown(split, holder.lane, holder.node)) return;
          boolean known = isKnown(split, holder.ofLane, holder.ofNode);
          long seen = lanes.get(holder.lane).nanos[holder.node][WaitState.Kind.LOCK.ordinal()];
          long kept = split.get(holder.lane).nodes().get(holder.node).waiting().lockNanos();
          rows.add(
              new Profile.Contention(
                  holder.lane,
                  holder.node,
                  holder.lock,
                  holder.thread,
                  known ? holder.ofLane : -1,
                  known ? holder.ofNode : -1,
                  Math.round((double) nanos[0] * kept / seen)));
        });
    return new Profile.Waits(looks, looks == 0 ? 0 : watchedNanos / looks, rows);
  }

  private static boolean isKnown(List<Profile.Lane> lanes, int lane, int node) {
    return lane >= 0 && lane < lanes.size() && node < lanes.get(lane).nodes().size();
  }
}
