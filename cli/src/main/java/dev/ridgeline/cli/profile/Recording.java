package dev.ridgeline.cli.profile;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;

/** Takes the profile of a workload. */
final class Recording {
  private Recording() {}

  /** Warms up in a session that is thrown away, then measures in the one that counts. */
  static Profile of(Workload workload, Level level, Progress progress) {
    session(level, () -> workload.warmUp(progress));
    return session(level, () -> workload.measure(progress));
  }

  private static Profile session(Level level, Runnable work) {
    Profiler.start(Options.of(level));
    boolean done = false;
    try {
      work.run();
      done = true;
    } finally {
      if (!done) Profiler.stop();
    }
    return Profiler.stop();
  }
}
