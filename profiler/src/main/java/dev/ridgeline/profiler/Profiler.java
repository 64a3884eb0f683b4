package dev.ridgeline.profiler;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.function.Supplier;

/**
 * The door of the profiler: scopes for programs, sessions for whoever wants to see them.
 *
 * <pre>{@code
 * static final Scope ATTENTION = Scope.of("attention");
 *
 * try (var s = Profiler.scope(ATTENTION)) {
 *   …
 *   s.work(bytes, flops);
 * }
 * }</pre>
 *
 * <p>Outside of a session a scope costs less than a nanosecond, about 0.3 ns as measured. Inside
 * one, each thread writes a tree of its own, without locks and, once a scope has been seen at its
 * place, without allocation.
 */
public final class Profiler {
  static final Scope TASK = Scope.of("task");
  private static final Object LOCK = new Object();

  /** What scopes go to; null while nothing is recorded. */
  private static volatile Session active;

  /** The session between start and stop, at level OFF too. Guarded by {@link #LOCK}. */
  private static Session session;

  private Profiler() {}

  // Scopes.

  /** Opens a scope; the frame closes it. */
  public static Frame scope(Scope scope) {
    Session recording = active;
    return recording == null ? Frame.OFF : recording.recorder().begin(scope);
  }

  /**
   * Opens a scope without a frame, for the hottest loops. Pair it with {@link #end} inside an outer
   * {@link #scope}, which mends what an exception leaves open.
   */
  public static void begin(Scope scope) {
    Session recording = active;
    if (recording != null) recording.recorder().begin(scope);
  }

  /** Closes the innermost open scope of this name, and everything inside it. */
  public static void end(Scope scope) {
    Session recording = active;
    if (recording != null) recording.end(scope);
  }

  // Other threads.

  /** The same work, recorded under the scope that is open here, wherever it will run. */
  public static Runnable task(Runnable work) {
    return task(TASK, work);
  }

  /** {@link #task(Runnable)} under a name of its own. */
  public static Runnable task(Scope name, Runnable work) {
    Handover from = handover();
    if (from == Handover.OFF) return work;
    return () -> {
      try (var _ = enter(from, name)) {
        work.run();
      }
    };
  }

  /** The same work, recorded under the scope that is open here, wherever it will run. */
  public static <T> Callable<T> task(Callable<T> work) {
    return task(TASK, work);
  }

  /** {@link #task(Callable)} under a name of its own. */
  public static <T> Callable<T> task(Scope name, Callable<T> work) {
    Handover from = handover();
    if (from == Handover.OFF) return work;
    return () -> {
      try (var _ = enter(from, name)) {
        return work.call();
      }
    };
  }

  /** An executor whose tasks are recorded under the scope that was open where they were given. */
  public static Executor executor(Executor executor) {
    return work -> executor.execute(task(work));
  }

  /** An executor whose tasks are recorded under the scope that was open where they were given. */
  public static ExecutorService executor(ExecutorService executor) {
    return executor instanceof TaskExecutor ? executor : new TaskExecutor(executor);
  }

  /** Where a task comes from that is handed over now. Allocates nothing once it was asked for. */
  public static Handover handover() {
    Session recording = active;
    return recording == null ? Handover.OFF : recording.handover();
  }

  /**
   * {@link #handover} for programs whose tasks hand over tasks without end. A task that opened no
   * scope of its own passes on the place it came from itself, and a scope that is already open
   * further up the chain of tasks passes on that one, so that the tree stays as deep as the code.
   */
  public static Handover passOn() {
    Session recording = active;
    return recording == null ? Handover.OFF : recording.passOn();
  }

  /** Opens the scope of a task on the thread that does it. */
  public static Frame enter(Handover from) {
    return enter(from, TASK);
  }

  /** Opens the scope of a task, under a name of its own, on the thread that does it. */
  public static Frame enter(Handover from, Scope name) {
    Session recording = active;
    // A task that outlived its session belongs to none.
    if (recording == null || from.session != recording) return Frame.OFF;
    return recording.recorder().beginTask(from, name);
  }

  // Devices.

  /**
   * Notes that the scope that is open here has given an operation to a device, which completes it
   * later ({@link DeviceQueue#done}). What this call of the scope has declared is the device's work
   * from now on, since the thread does not do it. Allocates nothing once a place is known.
   */
  public static void submit(Submission operation) {
    Session recording = active;
    if (recording == null) operation.session = null;
    else recording.recorder().submit(operation);
  }

  // Memory outside the heap.

  /** Enters memory outside the heap under a name, until it is closed. Works without a session. */
  public static Owned owned(String owner, long bytes) {
    return Ledger.enter(owner, bytes);
  }

  // Worker pools.

  /**
   * Adds a pool to every profile from now on.
   *
   * @param meter answers what the pool has done since it was made; called at the start and at each
   *     snapshot of a session, on any thread
   */
  public static void pool(Supplier<Profile.Pool> meter) {
    Pools.add(meter);
  }

  /** What pools have done since the session began, without the cost of a whole snapshot. */
  public static List<Profile.Pool> pools() {
    return Pools.entries();
  }

  // Sessions.

  /** Starts a session. There is one at a time. */
  public static void start(Options options) {
    synchronized (LOCK) {
      if (session != null) {
        throw new IllegalStateException(
            "a session at level %s is running since %s: stop it first"
                .formatted(session.options().level(), session.started()));
      }
      Profile.Calibration cost =
          options.calibrate() ? Calibrator.of(options) : Profile.Calibration.NONE;
      Sampler sampler = options.sampling().on() ? sampler(options.sampling()) : null;
      Ledger.startSession();
      Pools.startSession();
      session = new Session(options, cost, new SystemMonitor(), sampler);
      if (options.level() == Level.OFF) return;
      session.watchWaits();
      active = session;
    }
  }

  private static Sampler sampler(Sampling sampling) {
    try {
      return new Sampler(sampling);
    } catch (NoClassDefFoundError e) {
      throw new IllegalStateException(
          "no flight recorder in this JVM: sampling needs the module jdk.jfr", e);
    }
  }

  /** Ends the session. Scopes that are still open are counted up to now, and marked. */
  public static Profile stop() {
    synchronized (LOCK) {
      Session ending = requireSession();
      active = null;
      session = null;
      try {
        return ending.end();
      } finally {
        Session.forgetRecorder();
      }
    }
  }

  /** What the running session has recorded so far. */
  public static Profile snapshot() {
    synchronized (LOCK) {
      return requireSession().profile();
    }
  }

  /**
   * The recorder's own cost with these options. Measured at the first call, which takes up to a
   * second, on any thread; for a session that was to start without that delay.
   */
  public static Profile.Calibration calibration(Options options) {
    return Calibrator.of(options);
  }

  /** Whether a session is running. */
  public static boolean running() {
    synchronized (LOCK) {
      return session != null;
    }
  }

  /** The level of the running session, OFF when there is none. */
  public static Level level() {
    Session recording = active;
    return recording == null ? Level.OFF : recording.options().level();
  }

  /**
   * Heap bytes that the profiler's own threads have allocated since they began: what a count over
   * all threads must leave out. Meaningful as a difference within a session; 0 without one.
   * Allocates nothing.
   */
  public static long ownAllocatedBytes() {
    Session recording = active;
    return recording == null ? 0 : recording.ownAllocatedBytes();
  }

  private static Session requireSession() {
    if (session == null) throw new IllegalStateException("no session is running: start one first");
    return session;
  }
}
