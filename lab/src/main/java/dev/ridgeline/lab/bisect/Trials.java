package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Stopped;

/** Runs trials of commits. */
public interface Trials extends Runner<Commit> {
  /** Makes a commit ready to run; one that is ready takes no time. */
  void prepare(Commit commit) throws Stopped;

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
