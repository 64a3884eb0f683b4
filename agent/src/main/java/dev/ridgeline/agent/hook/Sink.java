package dev.ridgeline.agent.hook;

/** Where the calls of woven code go; there is one for the life of the JVM. */
public abstract class Sink {
  /** Set before {@link Hooks} is first used, and never again. */
  static Sink installed;

  /** Makes this the one. */
  public final void install() {
    if (installed != null) throw new IllegalStateException("hooks lead elsewhere already");
    installed = this;
  }

  /** Opens the scope with a number; null when it is switched off. */
  public abstract Object begin(int scope);

  /** Closes what {@link #begin} or {@link #enter} opened; null is nothing. */
  public abstract void end(Object frame);

  /**
   * Notes that a task is handed over here.
   *
   * @param task a task or a thread
   * @param to the pool that takes it; null when that does not matter
   */
  public abstract void handOver(Object task, Object to);

  /** Notes that a task is handed over here, though its executor will only get it later. */
  public abstract void promise(Object task);

  /** Opens the scope of a task that was handed over; null when it was not. */
  public abstract Object enter(Object task);

  /** {@link #enter} for a thread that begins with a task; the workers of a pool are none. */
  public abstract Object enterThread(Runnable task);
}
