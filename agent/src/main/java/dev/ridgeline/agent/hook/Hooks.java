package dev.ridgeline.agent.hook;

/**
 * The methods that woven code calls. The sink is a constant for the JIT, so that nothing remains of
 * the way through here.
 */
public final class Hooks {
  private static final Sink SINK = Sink.installed;

  private Hooks() {}

  /** At the beginning of a woven method. */
  public static Object begin(int scope) {
    return SINK.begin(scope);
  }

  /** At every end of a woven method. */
  public static void end(Object frame) {
    if (frame != null) SINK.end(frame);
  }

  /** Where a task is given to others. */
  public static void handOver(Object task, Object to) {
    SINK.handOver(task, to);
  }

  /** Where a task is made that an executor, if there is one, will get when something is done. */
  public static void promise(Object task, Object executor) {
    if (executor != null) SINK.promise(task);
  }

  /** Where a task begins that may have been given by others. */
  public static Object enter(Object task) {
    return SINK.enter(task);
  }

  /** In place of {@code task.run()} in the workers of a pool. */
  public static void run(Runnable task) {
    run(SINK.enter(task), task);
  }

  /** In place of {@code task.run()} in a thread, which itself is what was handed over. */
  public static void runThread(Runnable task) {
    run(SINK.enterThread(task), task);
  }

  private static void run(Object frame, Runnable task) {
    try {
      task.run();
    } finally {
      if (frame != null) SINK.end(frame);
    }
  }
}
