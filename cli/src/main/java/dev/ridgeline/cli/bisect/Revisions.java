package dev.ridgeline.cli.bisect;

import dev.ridgeline.lab.bisect.Commit;
import dev.ridgeline.lab.bisect.Trials;
import dev.ridgeline.lab.bisect.Trials.Unusable;
import dev.ridgeline.lab.process.ProcessException;
import dev.ridgeline.lab.process.Work;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.profiler.file.FileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Trials of commits, each in its worktree. What goes wrong with one is its own fault. */
final class Revisions implements Trials {
  private final Path record;
  private final Builder builder;
  private final Map<Commit, Work> ready = new HashMap<>();

  Revisions(Path record, Builder builder) {
    this.record = record;
    this.builder = builder;
  }

  /** Makes of a commit what is run. */
  interface Builder {
    Work build(String hash) throws Stopped;
  }

  @Override
  public void prepare(Commit commit) throws Stopped {
    if (ready.containsKey(commit)) return;
    try {
      ready.put(commit, builder.build(commit.hash()));
    } catch (ProcessException | FileException e) {
      throw new Unusable(commit, e.getMessage(), e);
    }
  }

  @Override
  public Measured run(Commit commit, int number, double seconds, double mostSeconds)
      throws Stopped {
    String directory = "commits/%s/%03d".formatted(commit.name(), number);
    try {
      return ready.get(commit).run(record, directory, seconds, mostSeconds);
    } catch (ProcessException | FileException e) {
      throw new Unusable(commit, e.getMessage(), e);
    }
  }
}
