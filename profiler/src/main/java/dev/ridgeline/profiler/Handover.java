package dev.ridgeline.profiler;

import java.util.Arrays;

/**
 * Where a task comes from: taken with {@link Profiler#handover()} by the thread that hands work
 * over, and given to {@link Profiler#enter} by the thread that does it. {@link Profiler#task} does
 * both; worker pools that may not allocate use the two halves.
 *
 * <p>A handover stays the same object for every call of the same scope on the same thread.
 */
public final class Handover {
  /** What is handed out while nothing is recorded. */
  static final Handover OFF = new Handover(null, null, null, -1);

  /**
   * A task may end this long after its region without being called late: whoever waits for a result
   * has it a moment before the scope around its making has closed, and on a loaded machine the
   * thread that makes it may lose the processor for some slices of time in between.
   */
  private static final long GRACE_NANOS = 20_000_000;

  /** So may one that has spent this many times as long inside its region. */
  private static final int GRACE_PART = 10;

  final Session session;
  final Place place;
  private final Scope scope;

  /** The lane that hands over, −1 for none. */
  final int lane;

  // What the call that hands over has declared so far; written before its tasks can begin.
  private long bytes;
  private long flops;
  private long ops;
  private Arithmetic form = Arithmetic.F32;

  /** Moves on at each end of the region, so that tasks know which call of it they belong to. */
  private volatile int instance;

  private volatile Share[] shares = new Share[0];

  // Written by the region's own thread alone.
  private long lastEndNanos;
  long regions;
  long wallNanos;
  long offeredNanos;
  long usedNanos;
  long maxNanos;
  long unevenNanos;

  Handover(Session session, Place place, Scope scope, int lane) {
    this.session = session;
    this.place = place;
    this.scope = scope;
    this.lane = lane;
  }

  /** What one lane did for this region during its current call. Written by that lane alone. */
  static final class Share {
    final Handover region;
    private final int worker;
    private int instance;
    private long busyNanos;
    private boolean open;
    private long openSince;
    private long firstNanos;
    private long lastNanos;

    // Of the region's own thread: when this lane was at hand, and the next lane that was.
    private long fromNanos;
    private long untilNanos;
    private long insideNanos;
    private Share next;

    private Share(Handover region, int worker) {
      this.region = region;
      this.worker = worker;
      this.instance = region.instance - 1;
    }

    /** A task begins; answers the call of the region that it belongs to. */
    int begin(long now) {
      int current = region.instance;
      if (instance != current) {
        instance = current;
        busyNanos = 0;
        firstNanos = now;
      }
      openSince = now;
      open = true;
      return current;
    }

    /** The task ends; false when its call of the region was over long before. */
    boolean end(int begunIn, long begun, long now) {
      open = false;
      if (region.instance != begunIn) {
        long inside = region.lastEndNanos - begun;
        return now - region.lastEndNanos < Math.max(GRACE_NANOS, inside / GRACE_PART);
      }
      busyNanos += now - begun;
      lastNanos = now;
      return true;
    }

    /** Time inside tasks of a call of the region, the one that is still open included. */
    private long busyNanos(int ofInstance, long now) {
      if (instance != ofInstance) return 0;
      return busyNanos + (open ? now - openSince : 0);
    }

    /** Time that this lane worked while it was at hand; a task inside a task counts once. */
    private long usedNanos() {
      return Math.min(insideNanos, untilNanos - fromNanos);
    }
  }

  /** Whether a scope was open where this was taken; a task from elsewhere needs no place. */
  public boolean fromScope() {
    return session != null && place != Place.OUTSIDE;
  }

  /** The scope that hands over, for pools whose tasks are parts of it; {@code task} outside all. */
  public Scope scope() {
    return scope == null ? Profiler.TASK : scope;
  }

  /** Takes note of what the call that hands over has declared. */
  void declared(Frame by) {
    boolean some = by.declared;
    bytes = some ? by.bytes : 0;
    flops = some ? by.flops : 0;
    ops = some ? by.ops : 0;
    form = some ? by.form : Arithmetic.F32;
  }

  /** Declares a part of that for a task. */
  void declare(Frame task, double part) {
    long some = (long) (part * bytes);
    if (form.integer()) {
      task.work(form, some, (long) (part * ops));
      task.work(0, (long) (part * flops));
    } else {
      task.work(form, some, (long) (part * flops));
      task.integerWork(0, (long) (part * ops));
    }
  }

  synchronized Share newShare(int worker) {
    Share share = new Share(this, worker);
    Share[] more = Arrays.copyOf(shares, shares.length + 1);
    more[shares.length] = share;
    shares = more;
    return share;
  }

  /** Called by the region's own thread when a call of it ends; its tasks are usually joined. */
  void endInstance(long begun, long now) {
    int current = instance;
    Share atHand = null;
    for (Share share : shares) {
      long busy = share.busyNanos(current, now);
      if (busy > 0) atHand = join(atHand, share, busy, begun, now);
    }
    if (atHand != null) count(atHand, now - begun);
    lastEndNanos = now;
    // Only this thread writes it.
    instance = current + 1;
  }

  /**
   * Adds a call, weighted by its time: a mean over calls would let a thousand short ones on one
   * thread speak for the long one on all. So no more is used than was offered, and nothing is more
   * uneven than there are threads.
   */
  private void count(Share atHand, long wall) {
    long max = 0;
    long sum = 0;
    int lanes = 0;
    for (Share lane = atHand; lane != null; lane = lane.next) {
      long used = lane.usedNanos();
      if (used <= 0) continue;
      max = Math.max(max, used);
      sum += used;
      lanes++;
    }
    if (lanes == 0) return;
    int most = mostAtOnce(atHand);
    regions++;
    wallNanos += wall;
    offeredNanos += wall * most;
    usedNanos += sum;
    maxNanos += max;
    // Of threads that came one after the other, those at hand at once are the measure.
    unevenNanos += Math.round(wall * Math.min(most, (double) max * lanes / sum));
  }

  /**
   * A lane is at hand from its first task to its last, whatever the tasks are called; one that was
   * handed over by an earlier call and began late is so from this call's beginning.
   */
  private static Share join(Share first, Share share, long busy, long begun, long now) {
    long from = Math.max(begun, share.firstNanos);
    long until = share.open ? now : Math.min(now, share.lastNanos);
    for (Share seen = first; seen != null; seen = seen.next) {
      if (seen.worker != share.worker) continue;
      seen.fromNanos = Math.min(seen.fromNanos, from);
      seen.untilNanos = Math.max(seen.untilNanos, until);
      seen.insideNanos += busy;
      return first;
    }
    share.fromNanos = from;
    share.untilNanos = until;
    share.insideNanos = busy;
    share.next = first;
    return share;
  }

  /** How many lanes were at hand at once: threads that came one after the other were one. */
  private static int mostAtOnce(Share first) {
    int most = 0;
    for (Share one = first; one != null; one = one.next) {
      int here = 0;
      for (Share other = first; other != null; other = other.next) {
        if (other.fromNanos <= one.fromNanos && one.fromNanos < other.untilNanos) here++;
      }
      most = Math.max(most, here);
    }
    return most;
  }
}
