package dev.ridgeline.profiler;

import java.lang.management.ThreadInfo;
import java.util.ArrayList;
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
 * watch. A thread waits in the scope that was open when it was met, so a wait is never added to
 * another scope. Times are estimates of as many looks as they contain; a wait that goes on from one
 * look to the next is counted in full. Of many threads some are looked at, which stand for all; see
 * {@link WaitSplit} for what no look met.
 */
final class WaitWatch implements Runnable {
  static final long PERIOD_NANOS = 10_000_000;

  /**
   * Part of one processor that looking may take, as its inverse; with many threads it looks less.
   */
  private static final int COST = 50;

  /** Looking into threads may take as long, with looks so far apart that this is no more. */
  private static final long LOOK_NANOS = 1_000_000;

  /** So many threads are always looked into, and of more as many as that time allows. */
  private static final int FEWEST = 16;

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
  private long runnableNanos;
  private int[] openLanes = new int[64];

  /** What looking into one thread costs; 0 until it is known. */
  private long nanosOfOne;

  /** Who waits where, and what holds the lock. */
  record Holder(int lane, int node, String lock, String thread, int ofLane, int ofNode) {
    /** Whether the lock's owner is in no scope. */
    private boolean isNowhere() {
      return ofLane < 0;
    }

    /** Whether the same thread waits for the same owner, wherever that is. */
    private boolean isAlso(Holder other) {
      return other != null
          && lane == other.lane
          && node == other.node
          && lock.equals(other.lock)
          && thread.equals(other.thread);
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

  /** Looks at threads once; any thread may. */
  synchronized void look() {
    long cpu = Recorder.THREADS.getCurrentThreadCpuTime();
    long now = System.nanoTime();
    long since = now - last;
    last = now;
    looks++;
    watchedNanos += since;
    Recorder[] recorders = session.recorders();
    while (lanes.size() < recorders.length) lanes.add(new LaneWaits());
    int open = findOpen(recorders);
    long found = Recorder.THREADS.getCurrentThreadCpuTime();
    int some = Math.min(open, affordable(found - cpu));
    for (int i = 0; i < some; i++) {
      // By chance, lest those that began first be all that is ever seen.
      int swap = i + (some == open ? 0 : ThreadLocalRandom.current().nextInt(open - i));
      int lane = openLanes[swap];
      openLanes[swap] = openLanes[i];
      look(recorders, lane, now, Math.round((double) since * open / some));
    }
    long ended = Recorder.THREADS.getCurrentThreadCpuTime();
    if (some > 0) nanosOfOne = (nanosOfOne + (ended - found) / some) / 2;
    // Not by the clock: a look may have to wait for a processor, as those may that it looks at.
    pause = pauseAfter(pause, ended - cpu);
  }

  /**
   * How long to wait after a look. At most twice as long as before it: the first looks of a JVM
   * take long, and a pause by their cost would miss all that happens next.
   */
  static long pauseAfter(long pause, long costNanos) {
    return Math.clamp(COST * costNanos, PERIOD_NANOS, 2 * pause);
  }

  /** Notes the lanes with an open scope in {@link #openLanes}; how many there are. */
  private int findOpen(Recorder[] recorders) {
    if (openLanes.length < recorders.length) openLanes = new int[2 * recorders.length];
    int open = 0;
    for (int i = 0; i < recorders.length; i++) {
      if (recorders[i].innermost() != null) openLanes[open++] = i;
    }
    return open;
  }

  /** So many threads may be looked into; finding them has cost something already. */
  private int affordable(long findingNanos) {
    if (nanosOfOne == 0) return FEWEST;
    return (int) Math.max(FEWEST, Math.max(findingNanos, LOOK_NANOS) / nanosOfOne);
  }

  private void look(Recorder[] all, int lane, long now, long nanos) {
    Recorder recorder = all[lane];
    LaneWaits seen = lanes.get(lane);
    long version = recorder.version();
    LiveNode node = recorder.innermost();
    Thread watched = recorder.thread;
    WaitState before = seen.state;
    boolean inSameScope = version == seen.version;
    seen.version = version;
    seen.state = WaitState.RUNNING;
    if ((version & 1) != 0) runnableNanos += nanos;
    if ((version & 1) != 0 || node == null || watched == null) return;
    boolean waits = watched.getState() != Thread.State.RUNNABLE;
    // One that has gone on meanwhile was running.
    if (recorder.version() != version) waits = false;
    WaitState state = state(watched, seen, before, inSameScope, now);
    // It waited here, but what was asked then is about what came after.
    if (recorder.version() != version) state = waits ? WaitState.OTHER : WaitState.RUNNING;
    seen.state = state;
    // All of it, however late this look is: less would take looks under load for shorter waits.
    seen.add(node.index, state, nanos);
    if (state == WaitState.RUNNING) runnableNanos += nanos;
    if (state.kind() == WaitState.Kind.LOCK)
      contend(all, seen, recorder, node, state == before, nanos);
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
        boolean inSameWait = inSameScope && info.getWaitedCount() == seen.waits;
        seen.waits = info.getWaitedCount();
        if (inSameWait && before.kind() == WaitState.Kind.SLEEP) return before;
        WaitState state = WaitState.of(watched, info);
        return inSameScope && state.isHandedOverBy(before) ? before : state;
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
      Recorder[] all,
      LaneWaits seen,
      Recorder waiter,
      LiveNode node,
      boolean isHandedOver,
      long nanos) {
    // Who released the lock may be anywhere by now; what it was in while it held it was noted.
    if (!isHandedOver) {
      Holder now = holder(all, waiter.lane, node.index, seen.state);
      boolean isReleased =
          now.isNowhere() && now.isAlso(seen.holder) && !isHeld(waiter, seen.state);
      if (!isReleased) seen.holder = now;
    }
    Holder holder = seen.holder;
    if (contentions.size() >= MOST_CONTENTIONS && !contentions.containsKey(holder)) return;
    contentions.computeIfAbsent(holder, _ -> new long[1])[0] += nanos;
  }

  /** Whether a thread still waits for the owner that it was seen to wait for. */
  private static boolean isHeld(Recorder waiter, WaitState state) {
    Thread watched = waiter.thread;
    if (watched == null) return false;
    ThreadInfo info = Recorder.THREADS.getThreadInfo(watched.threadId());
    return info != null && info.getLockOwnerId() == state.owner();
  }

  private static Holder holder(Recorder[] all, int ofLane, int ofNode, WaitState state) {
    int lane = -1;
    int node = -1;
    for (Recorder other : all) {
      Thread owner = other.thread;
      if (owner == null || owner.threadId() != state.owner()) continue;
      LiveNode open = openOn(other);
      if (open == null) continue;
      lane = other.lane;
      node = open.index;
    }
    return new Holder(ofLane, ofNode, state.lock(), state.ownerName(), lane, node);
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

  /** The self time of each node split; no node has waited longer than that. */
  synchronized WaitSplit split(List<Profile.Lane> recorded, long cpuNanos) {
    return new WaitSplit(recorded, lanes, runnableNanos, cpuNanos);
  }

  /** Who waited for whom; of scopes that were split. */
  synchronized Profile.Waits waits(WaitSplit split) {
    List<Profile.Lane> known = split.lanes();
    List<Profile.Contention> rows = new ArrayList<>();
    contentions.forEach(
        (holder, nanos) -> {
          if (!isKnown(known, holder.lane, holder.node)) return;
          boolean ofKnown = isKnown(known, holder.ofLane, holder.ofNode);
          rows.add(
              new Profile.Contention(
                  holder.lane,
                  holder.node,
                  holder.lock,
                  holder.thread,
                  ofKnown ? holder.ofLane : -1,
                  ofKnown ? holder.ofNode : -1,
                  Math.round(nanos[0] * split.partOfLock(holder.lane, holder.node))));
        });
    return new Profile.Waits(looks, looks == 0 ? 0 : watchedNanos / looks, runnableNanos, rows);
  }

  private static boolean isKnown(List<Profile.Lane> lanes, int lane, int node) {
    return lane >= 0 && lane < lanes.size() && node < lanes.get(lane).nodes().size();
  }
}
