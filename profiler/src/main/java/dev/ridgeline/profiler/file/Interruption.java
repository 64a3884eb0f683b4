package dev.ridgeline.profiler.file;

/** Sees to it that what is broken off by Ctrl-C, or by the end of a session, is tidied up. */
public final class Interruption implements AutoCloseable {
  private final Thread hook;

  private Interruption(Thread hook) {
    this.hook = hook;
  }

  /** Until this is closed, a process that is ended does this first. */
  public static Interruption tidies(Runnable tidying) {
    Thread hook = new Thread(tidying, "tidy-up");
    try {
      Runtime.getRuntime().addShutdownHook(hook);
    } catch (IllegalStateException _) {
      // It is ending already, and what is begun now is part of that.
    }
    return new Interruption(hook);
  }

  @Override
  public void close() {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is ending, and the hook with it.
    }
  }
}
