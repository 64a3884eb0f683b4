package dev.ridgeline.tensor;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/** A thread of the pool: watches for an invitation, then sleeps for one. */
final class Worker extends Thread {
  private static final int IDLE = 0;
  private static final int INVITED = 1;
  private static final int JOINED = 2;
  private static final VarHandle STATE;

  static {
    try {
      STATE = MethodHandles.lookup().findVarHandle(Worker.class, "state", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final WorkerPool pool;
  private final int number;

  /**
   * The owner of the pool invites and takes back; this thread joins and becomes idle. Each such
   * object lies on cache lines of its own, since a thread is far larger than one.
   */
  private volatile int state;

  private volatile boolean parked;

  // Written by this thread alone.
  private volatile long spinNanos;
  private volatile long parkNanos;

  /** Since when it sleeps, 0 while it does not. */
  private volatile long parkedSince;

  Worker(WorkerPool pool, int number) {
    super(null, null, "ridgeline-worker-" + number, 0, false);
    this.pool = pool;
    this.number = number;
    setDaemon(true);
  }

  void invite() {
    state = INVITED;
    if (parked) LockSupport.unpark(this);
  }

  /** Takes an invitation back; false while it works on one. */
  boolean uninvite() {
    return STATE.compareAndSet(this, INVITED, IDLE) || state == IDLE;
  }

  boolean busy() {
    return state == JOINED;
  }

  @Override
  public void run() {
    while (true) {
      await();
      if (STATE.compareAndSet(this, INVITED, JOINED)) {
        pool.takePart(number);
        state = IDLE;
        pool.wakeOwner();
      }
    }
  }

  private void await() {
    long begun = System.nanoTime();
    long now = begun;
    long spin = pool.spinNanos();
    while (state != INVITED && now - begun < spin) {
      for (int i = 0; i < 16 && state != INVITED; i++) Thread.onSpinWait();
      now = System.nanoTime();
    }
    spinNanos += now - begun;
    if (state == INVITED) return;
    parkedSince = now;
    parked = true;
    while (state != INVITED) {
      LockSupport.park(pool);
      // Nobody may interrupt a worker; whoever does must not make it watch for ever.
      Thread.interrupted();
    }
    parked = false;
    parkNanos += System.nanoTime() - now;
    parkedSince = 0;
  }

  long spinNanos() {
    return spinNanos;
  }

  /** Time asleep, the present sleep included. */
  long parkNanos() {
    long since = parkedSince;
    return parkNanos + (since == 0 ? 0 : Math.max(0, System.nanoTime() - since));
  }
}
