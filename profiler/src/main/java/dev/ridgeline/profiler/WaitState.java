package dev.ridgeline.profiler;

import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.util.concurrent.locks.LockSupport;

/**
 * What a thread was seen doing.
 *
 * @param kind what it waits for; null when it runs
 * @param lock the class of the lock it waits for
 * @param owner the thread that holds it, −1 when not known
 * @param ownerName what that thread is called
 */
record WaitState(Kind kind, String lock, long owner, String ownerName) {
  /** What a thread can wait for, in the order of {@link Profile.Waiting}. */
  enum Kind {
    LOCK,
    PARKED,
    SLEEP,
    IO,
    OTHER
  }

  static final WaitState RUNNING = new WaitState(null, "", -1, "");
  private static final WaitState PARKED = new WaitState(Kind.PARKED, "", -1, "");
  private static final WaitState SLEEP = new WaitState(Kind.SLEEP, "", -1, "");
  private static final WaitState IO = new WaitState(Kind.IO, "", -1, "");
  private static final WaitState UNKNOWN_LOCK = new WaitState(Kind.LOCK, "", -1, "");
  static final WaitState OTHER = new WaitState(Kind.OTHER, "", -1, "");

  private static final String LOCKS = "java.util.concurrent.locks.";

  /** So far from the top of a stack stands what the thread waits in. */
  private static final int NEAR_THE_TOP = 8;

  /**
   * Whether this waits for a lock that nobody holds any more, and that somebody held before: it was
   * released, and the waiter has not woken up yet.
   */
  boolean isHandedOverBy(WaitState before) {
    boolean same = lock.isEmpty() || lock.equals(before.lock);
    return kind == Kind.LOCK && owner < 0 && before.kind == Kind.LOCK && same;
  }

  /** A platform thread that does not run. */
  static WaitState of(Thread thread, ThreadInfo info) {
    Object blocker = LockSupport.getBlocker(thread);
    LockInfo on = info.getLockInfo();
    return switch (info.getThreadState()) {
      case BLOCKED -> on == null ? OTHER : locked(on.getClassName(), info);
      case WAITING, TIMED_WAITING -> {
        if (blocker != null) {
          String name = blocker.getClass().getName();
          yield isLock(name) ? locked(name, info) : PARKED;
        }
        // Object.wait, which is to be woken as one who is parked.
        yield on != null ? PARKED : onStack(thread);
      }
      // The JVM names no owner that is a virtual thread, and then says that the thread runs.
      default -> thread.getState() == Thread.State.BLOCKED ? UNKNOWN_LOCK : RUNNING;
    };
  }

  /** A virtual thread that does not run; who holds a lock the JVM does not tell. */
  static WaitState ofVirtual(Thread thread) {
    if (thread.getState() == Thread.State.BLOCKED) return UNKNOWN_LOCK;
    Object blocker = LockSupport.getBlocker(thread);
    if (blocker == null) return onStack(thread);
    String name = blocker.getClass().getName();
    return isLock(name) ? new WaitState(Kind.LOCK, lockName(name), -1, "") : PARKED;
  }

  /**
   * A platform thread that has no processor though the JVM takes it for running: it waits for I/O
   * when it is in a native method that does that, and else for a processor, which is not told from
   * running.
   */
  static WaitState ofRunnable(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    return stack.length > 0 && stack[0].isNativeMethod() && isIo(stack[0]) ? IO : RUNNING;
  }

  private static WaitState locked(String lock, ThreadInfo info) {
    String owner = info.getLockOwnerName();
    return new WaitState(
        Kind.LOCK, lockName(lock), info.getLockOwnerId(), owner == null ? "" : owner);
  }

  /** Queues, latches and pools are parked on conditions, and no one holds them. */
  private static boolean isLock(String type) {
    return type.startsWith(LOCKS + "Reentrant") || type.startsWith(LOCKS + "Stamped");
  }

  /** {@code ReentrantLock}, not {@code ReentrantLock$NonfairSync}; others as source names them. */
  private static String lockName(String type) {
    String name = SampleJoin.typeName(type);
    return isLock(name) && name.indexOf('$') > 0 ? name.substring(0, name.indexOf('$')) : name;
  }

  private static WaitState onStack(Thread thread) {
    StackTraceElement[] stack = thread.getStackTrace();
    for (int i = 0; i < Math.min(NEAR_THE_TOP, stack.length); i++) {
      StackTraceElement frame = stack[i];
      boolean ofThreads =
          frame.getClassName().equals("java.lang.Thread")
              || frame.getClassName().equals("java.lang.VirtualThread");
      if (ofThreads && frame.getMethodName().startsWith("sleep")) return SLEEP;
      // A virtual thread is parked while its carrier waits for the socket.
      if (isIo(frame)) return IO;
    }
    for (StackTraceElement frame : stack) {
      if (frame.getMethodName().startsWith("park")) return PARKED;
    }
    return OTHER;
  }

  private static boolean isIo(StackTraceElement frame) {
    String type = frame.getClassName();
    return type.startsWith("java.io.")
        || type.startsWith("java.net.")
        || type.startsWith("sun.nio.")
        || type.startsWith("sun.net.");
  }
}
