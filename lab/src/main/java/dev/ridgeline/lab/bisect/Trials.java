package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;

/** Runs trials of commits, each in a process of its own. */
public interface Trials {
  /** Makes a commit ready to run; one that is ready takes no time. */
  void prepare(Commit commit) throws Stopped;

  /**
   * Runs one to its end.
   *
   * @param number of the trial, from 1
   * @param seconds about how long to measure, once warm
   * @param mostSeconds it may take before it counts as hanging
   */
  Measured run(Commit commit, int number, double seconds, double mostSeconds) throws Stopped;

  /** A commit cannot be measured: it does not build, or what is measured fails there. */
  final class Unusable extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Commit commit;

    public Unusable(Commit commit, String why, Throwable cause) {
      super(why, cause);
      this.commit = commit;
    }

    /** Which. */
    public Commit commit() {
      return commit;
    }
  }
}
