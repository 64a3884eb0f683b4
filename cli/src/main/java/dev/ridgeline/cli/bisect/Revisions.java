package dev.ridgeline.cli.bisect;

import dev.ridgeline.cli.ab.CommandTrial;
import dev.ridgeline.cli.ab.Program;
import dev.ridgeline.cli.ab.WorkloadTrial;
import dev.ridgeline.cli.ab.Worktrees;
import dev.ridgeline.cli.line.Problem;
import dev.ridgeline.lab.bisect.Commit;
import dev.ridgeline.lab.bisect.Trials;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Trials of commits, each in its worktree. What goes wrong with one is its own fault. */
final class Revisions implements Trials {
  private final Worktrees trees;
  private final Path record;
  private final What what;
  private final Set<Commit> ready = new HashSet<>();

  Revisions(Worktrees trees, Path record, What what) {
    this.trees = trees;
    this.record = record;
    this.what = what;
  }

  /** What is built and run of a commit. */
  sealed interface What {
    void build(Worktrees trees, Commit commit) throws Stopped;

    Reading run(Worktrees trees, Commit commit, Path folder, int n, double seconds, double most)
        throws Stopped;
  }

  /**
   * A command of any kind, in the worktree.
   *
   * @param build given to sh there first, or null
   * @param shown the command as it was typed
   * @param command the words that start it
   */
  record Foreign(CommandTrial trial, String build, String shown, List<String> command)
      implements What {
    @Override
    public void build(Worktrees trees, Commit commit) throws Stopped {
      trees.tree(commit.hash());
      if (build != null) trees.build(commit.hash(), build);
    }

    @Override
    public Reading run(
        Worktrees trees, Commit commit, Path folder, int n, double seconds, double most)
        throws Stopped {
      Path kept = folder.resolve("%04d".formatted(n));
      return trial.run(shown, command, trees.tree(commit.hash()), most, kept);
    }
  }

  /** A workload of this program, which is built as it was then. */
  record OfRidgeline(WorkloadTrial trial, Program program) implements What {
    @Override
    public void build(Worktrees trees, Commit commit) throws Stopped {
      trees.jar(commit.hash());
    }

    @Override
    public Reading run(
        Worktrees trees, Commit commit, Path folder, int n, double seconds, double most)
        throws Stopped {
      double length = trial.saysLength(trial.words()) ? 0 : seconds;
      Program then = program.withJar(trees.jar(commit.hash()));
      return trial.reading(trial.run(then, List.of(), length, most, folder, n));
    }
  }

  @Override
  public void prepare(Commit commit) throws Stopped {
    if (ready.contains(commit)) return;
    try {
      what.build(trees, commit);
      ready.add(commit);
    } catch (Problem e) {
      throw new Unusable(commit, e.getMessage(), e);
    }
  }

  @Override
  public Measured run(Commit commit, int number, double seconds, double mostSeconds)
      throws Stopped {
    String directory = "commits/" + commit.name();
    try {
      Path folder = record.resolve(directory);
      return new Measured(what.run(trees, commit, folder, number, seconds, mostSeconds), directory);
    } catch (Problem e) {
      throw new Unusable(commit, e.getMessage(), e);
    }
  }
}
