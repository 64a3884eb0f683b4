package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Trials.Unusable;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Metric.Better;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A line of commits on a made-up machine: one of them made it slower; trials take time, drift, come
 * out in two modes, and now and then meet a neighbour.
 */
class SimulatedMachine implements Lineage, Trials {
  /** What one trial adds, as a log-ratio. */
  interface Noise {
    double of(Random random, double seconds);
  }

  static final double TRIAL_SECONDS = 0.3;

  private final List<Commit> commits = new ArrayList<>();
  private final Random random;
  private final Noise noise;
  private final int planted;
  private final double change;
  private long now;

  /** How long trials were waited for. */
  double longestWait;

  double shortestWait = Double.POSITIVE_INFINITY;

  /** Places of commits that do not run. */
  final Set<Integer> broken = new HashSet<>();

  /** Made slower by a commit and by nothing else. */
  SimulatedMachine(int count, int planted, double change, Noise noise, long seed) {
    for (int i = 0; i <= count; i++) {
      commits.add(new Commit("%040d".formatted(i), "Somebody", "2026-11-16", "change " + i));
    }
    this.planted = planted;
    this.change = change;
    this.noise = noise;
    this.random = new Random(seed);
  }

  Commit commit(int place) {
    return commits.get(place);
  }

  Bisection search(double budget, long seed) {
    var setting = new Bisection.Setting(Instant.EPOCH, List.of("ridgeline"), "repository", "it");
    var question =
        new Search.Question(commits.getFirst(), commits.getLast(), 0.02, budget, seed, null);
    Search search =
        new Search(
            setting,
            question,
            this,
            this,
            Search.Watcher.NONE,
            new Host(() -> now, () -> new MachineLoad(now / 10_000_000, 0, 0, 0)));
    try {
      return search.run();
    } catch (Stopped e) {
      throw new AssertionError(e);
    }
  }

  /** How much slower a commit is than the first, as a log-ratio. */
  double slower(int place) {
    return place >= planted ? Math.log1p(change) : 0;
  }

  @Override
  public List<Commit> suspects(Commit bad, List<Commit> good) {
    int from = good.stream().mapToInt(commits::indexOf).max().orElseThrow() + 1;
    int to = commits.indexOf(bad) + 1;
    List<Commit> suspects = new ArrayList<>(commits.subList(from, to));
    double middle = (from + to - 2) / 2.0;
    suspects.sort(Comparator.comparingDouble(each -> Math.abs(commits.indexOf(each) - middle)));
    return suspects;
  }

  @Override
  public List<Commit> between(Commit good, Commit bad) {
    return commits.subList(commits.indexOf(good) + 1, commits.indexOf(bad) + 1);
  }

  @Override
  public Commit parent(Commit commit) {
    return commits.get(commits.indexOf(commit) - 1);
  }

  @Override
  public void prepare(Commit commit) {
    if (broken.contains(commits.indexOf(commit))) {
      throw new Unusable(commit, "does not build", null);
    }
  }

  @Override
  public Measured run(Commit commit, int number, double seconds, double mostSeconds) {
    longestWait = Math.max(longestWait, mostSeconds);
    shortestWait = Math.min(shortestWait, mostSeconds);
    double took = Math.exp(slower(commits.indexOf(commit)) + noise.of(random, now / 1e9));
    now += (long) (1e9 * TRIAL_SECONDS * took);
    return new Measured(Reading.of(new Reading.Value("time", "s", Better.LOWER, took)), "");
  }
}
