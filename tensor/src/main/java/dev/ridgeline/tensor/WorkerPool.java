package dev.ridgeline.tensor;

import dev.ridgeline.profiler.Handover;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/**
 * The process's worker threads, which serve one caller at a time.
 *
 * <p>The caller invites workers, each through a word of its own; an invited worker joins by
 * changing that word, and the caller takes an invitation back in the same way. So the caller waits
 * for those who joined, never for one that is still waking up.
 */
final class WorkerPool {
  static final int MOST = 1024;
  static final WorkerPool SHARED = new WorkerPool();

  private static final Scope WAIT = Scope.of("wait");

  /** How long an idle thread watches before it sleeps: longer than the gap between operations. */
  private static final long SPIN_NANOS = Ablation.SPINNING.on() ? 50_000 : 0;

  private static final VarHandle OWNER;
  private static final VarHandle NEXT;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      OWNER = lookup.findVarHandle(WorkerPool.class, "owner", Thread.class);
      NEXT = lookup.findVarHandle(WorkerPool.class, "next", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** The caller that has the pool. */
  private volatile Thread owner;

  private volatile boolean ownerParked;

  // The region: written by the owner before it invites, read by those who joined.
  private Workers.Task task;
  private int units;
  private int parts;
  private Handover from;
  private Throwable failure;

  /** The next part that nobody has taken. */
  private volatile int next;

  /** Grows, never shrinks; replaced by the owner alone. */
  private volatile Worker[] workers = new Worker[0];

  /** 0 where threads outnumber CPUs: there, watching keeps another from its work. */
  private volatile long spinNanos = SPIN_NANOS;

  private final WorkerMeter meter = new WorkerMeter();

  private WorkerPool() {
    Profiler.pool(this::reading);
  }

  private Profile.Pool reading() {
    Worker[] all = workers;
    long spin = 0;
    long park = 0;
    for (Worker worker : all) {
      spin += worker.spinNanos();
      park += worker.parkNanos();
    }
    return meter.reading(all.length, spin, park);
  }

  /** Has the pool for the calling thread, unless it is one of its own or somebody else has it. */
  boolean take(int count) {
    Thread caller = Thread.currentThread();
    if (caller instanceof Worker || owner != null || !OWNER.compareAndSet(this, null, caller)) {
      return false;
    }
    if (workers.length < count - 1) {
      try {
        grow(count - 1);
      } catch (Throwable e) {
        leave();
        throw e;
      }
    }
    return true;
  }

  private void grow(int count) {
    Worker[] more = Arrays.copyOf(workers, count);
    for (int i = workers.length; i < count; i++) {
      Worker worker = new Worker(this, i + 1);
      worker.start();
      more[i] = worker;
      workers = Arrays.copyOf(more, i + 1);
    }
  }

  void leave() {
    owner = null;
  }

  /** Does all parts with so many threads; called by the owner. */
  void spread(Workers.Task work, int allUnits, int allParts, int count) {
    long begun = System.nanoTime();
    Worker[] invited = workers;
    task = work;
    units = allUnits;
    parts = allParts;
    failure = null;
    from = Profiler.handover();
    spinNanos = count <= Workers.cpus() ? SPIN_NANOS : 0;
    next = 0;
    for (int i = 0; i < count - 1; i++) invited[i].invite();
    long dispatched = System.nanoTime();
    takePart(0);
    long waited = await(invited, count - 1);
    meter.region(allParts, dispatched - begun, waited);
    Throwable thrown = failure;
    task = null;
    from = null;
    failure = null;
    if (thrown != null) WorkerPool.<RuntimeException>rethrow(thrown);
  }

  /** Takes parts until there are none; called by the owner and by all who joined. */
  void takePart(int worker) {
    // One that came too late has nothing to tell.
    if (next >= parts) return;
    // Under the operation's own name: a reader looks for matmul, not for who did it.
    try (var scope = Profiler.enter(from, from.scope())) {
      int all = parts;
      long done = 0;
      for (int part; (part = (int) NEXT.getAndAdd(this, 1)) < all; ) {
        int first = task.first(part, all, units);
        int last = task.first(part + 1, all, units);
        task.run(worker, first, last);
        done += last - first;
      }
      if (task.isTheWork()) scope.workOf(from, (double) done / units);
    } catch (Throwable e) {
      fail(e);
    }
  }

  private synchronized void fail(Throwable e) {
    if (failure == null) failure = e;
    // Far enough that threads still counting cannot come round, and past every part.
    next = Integer.MAX_VALUE / 2;
  }

  /** Waits for everybody who joined, and takes back all other invitations. */
  private long await(Worker[] invited, int count) {
    int busy = 0;
    for (int i = 0; i < count; i++) if (!invited[i].uninvite()) busy++;
    if (busy == 0) return 0;
    long begun = System.nanoTime();
    try (var _ = Profiler.scope(WAIT)) {
      boolean interrupted = false;
      for (int i = 0; i < count; i++) interrupted |= awaitIdle(invited[i], begun);
      if (interrupted) Thread.currentThread().interrupt();
    }
    return System.nanoTime() - begun;
  }

  /** Answers whether the caller was interrupted meanwhile: that ends no wait, but is kept. */
  private boolean awaitIdle(Worker worker, long begun) {
    boolean interrupted = false;
    long spin = spinNanos();
    while (worker.busy()) {
      if (System.nanoTime() - begun < spin) {
        for (int i = 0; i < 16 && worker.busy(); i++) Thread.onSpinWait();
      } else {
        ownerParked = true;
        if (worker.busy()) LockSupport.park(this);
        ownerParked = false;
        interrupted |= Thread.interrupted();
      }
    }
    return interrupted;
  }

  /** A worker has become idle. */
  void wakeOwner() {
    if (!ownerParked) return;
    Thread waiting = owner;
    if (waiting != null) LockSupport.unpark(waiting);
  }

  /** How long to watch before sleeping. */
  long spinNanos() {
    return spinNanos;
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> void rethrow(Throwable e) throws E {
    throw (E) e;
  }
}
