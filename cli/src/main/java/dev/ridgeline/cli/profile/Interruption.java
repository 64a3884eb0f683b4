package dev.ridgeline.cli.profile;

import dev.ridgeline.report.run.RunDraft;

/** Sees to it that a run which is broken off by Ctrl-C leaves nothing behind. */
final class Interruption implements AutoCloseable {
  private final Thread hook;

  private Interruption(Thread hook) {
    this.hook = hook;
  }

  /** Until this is closed, an interrupted process throws the draft away. */
  static Interruption discards(RunDraft draft) {
    Thread hook = new Thread(draft::close, "discard-draft");
    Runtime.getRuntime().addShutdownHook(hook);
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
