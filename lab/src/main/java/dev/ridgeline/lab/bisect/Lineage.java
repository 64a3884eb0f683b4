package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.trial.Runner.Stopped;
import java.util.List;

/** Which commits come from which. */
public interface Lineage {
  /**
   * The commits that may have made the change: those that led to a bad one and to none of the good.
   *
   * @return the one that would tell most first, the bad one itself among them
   */
  List<Commit> suspects(Commit bad, List<Commit> good) throws Stopped;

  /** All that lies between two, the later one included, the eldest first. */
  List<Commit> between(Commit good, Commit bad) throws Stopped;

  /** The commit that one was made from; of a merge, the branch that was merged into. */
  Commit parent(Commit commit) throws Stopped;
}
