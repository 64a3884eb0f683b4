package dev.ridgeline.cli.workload;

import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.cli.line.Progress;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profiler;
import java.io.UncheckedIOException;

/** Takes the profile of a workload. */
public final class Recording {
  private Recording() {}

  /** Warms up in a session that is thrown away, then measures in the one that counts. */
  public static Profile of(Workload workload, Options options, Progress progress) {
    // Sampled, too: code that is warm must be the code that will be measured.
    Options warm = options.withSampling(options.sampling().withRecording(null));
    session(warm, () -> workload.warmUp(progress));
    return session(options, () -> workload.measure(progress));
  }

  /** The profile of a piece of work. */
  public static Profile session(Options options, Runnable work) {
    try {
      Profiler.start(options);
    } catch (IllegalStateException e) {
      throw new Problem(e.getMessage(), e);
    }
    boolean done = false;
    try {
      work.run();
      done = true;
    } finally {
      if (!done) Profiler.stop();
    }
    try {
      return Profiler.stop();
    } catch (UncheckedIOException e) {
      throw new Problem(e.getMessage(), e);
    }
  }
}
