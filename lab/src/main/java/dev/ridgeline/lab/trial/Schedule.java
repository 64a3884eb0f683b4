package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Trials of some arms in rounds, within a budget: the one place that runs them.
 *
 * <p>In a round each arm runs once, next to the others and in an order that chance chooses, so that
 * whatever the machine does meanwhile hits all of them alike: rounds are what arms are compared by,
 * and a round that is not whole counts for nothing. No trial begins after the budget is spent, so
 * that it is exceeded by one trial at most, and one that hangs is not waited for for ever (see
 * {@link Patience}).
 *
 * <p>Pilots come first: they say what trials cost, and from that their owner chooses how long each
 * will measure. They count for nothing, unless they turn out to be as good as the others. What a
 * round takes is estimated again after each.
 *
 * <p>A trial during which the machine was busy with something else is repeated at once, where time
 * is left for that. Of two attempts the less disturbed one counts, whatever they measured; the
 * other stays in the record.
 */
public final class Schedule<A> {
  /** The part of all trials that may be repeated. */
  private static final double REPEATS = 0.25;

  /** So many repetitions in a row that were disturbed, too: nothing gets quieter now. */
  private static final int MOST_IN_VAIN = 2;

  /** Rounds that must still fit before a disturbed trial is worth another. */
  private static final int BEFORE_REPEATS = 2;

  /** So many of the last rounds say what the next will take. */
  private static final int RECENT = 5;

  /**
   * When disturbed trials are repeated.
   *
   * @param fewest rounds without which there is no answer: they go before repetitions
   * @param onceCalm whether a machine that was never calm is taken for one that never will be
   */
  public record Repeats(int fewest, boolean onceCalm) {
    /** Never. */
    public static final Repeats NONE = new Repeats(Integer.MAX_VALUE, true);
  }

  private final double budgetSeconds;
  private final Repeats repeats;
  private final Runner<A> runner;
  private final Host host;
  private final Patience patience;
  private final long begin;
  private final List<Trial<A>> trials = new ArrayList<>();
  private final List<Map<A, Trial<A>>> rounds = new ArrayList<>();
  private boolean pilots = true;
  private double seconds;
  private double roundSeconds;
  private int number;
  private int repeated;
  private int inVain;
  private boolean calm;

  public Schedule(double budgetSeconds, Repeats repeats, Runner<A> runner, Host host) {
    this.budgetSeconds = budgetSeconds;
    this.repeats = repeats;
    this.runner = runner;
    this.host = host;
    this.patience = new Patience(budgetSeconds);
    this.begin = host.nanos().getAsLong();
  }

  /** How long pilots measure. */
  public void pilotSeconds(double seconds) {
    this.seconds = seconds;
  }

  /** Runs a pilot of one arm. */
  public Trial<A> pilot(A arm) throws Stopped {
    return trial(arm, 1, 1);
  }

  /** Lets the last pilot of each arm count as the first round. */
  public void countPilots() {
    Map<A, Trial<A>> last = new LinkedHashMap<>();
    for (Trial<A> trial : trials) {
      if (trial.round() == 0 && !trial.failed()) last.put(trial.arm(), trial);
    }
    last.replaceAll((_, trial) -> replace(trial, trial.counted()));
    rounds.clear();
    rounds.add(last);
    pilots = false;
  }

  /**
   * Ends the pilots.
   *
   * @param seconds how long each trial measures from now on
   * @param roundSeconds what a round will take, as far as is known
   */
  public void begin(double seconds, double roundSeconds) {
    this.seconds = seconds;
    this.roundSeconds = roundSeconds;
    if (pilots) rounds.clear();
    pilots = false;
  }

  /**
   * Runs a round; false where time was up before it was whole.
   *
   * @throws Failed where a trial failed, which costs the round
   */
  public boolean round(Order<A> order) throws Stopped {
    double from = took();
    int first = trials.size();
    Map<A, Trial<A>> round = new LinkedHashMap<>();
    boolean whole = false;
    try {
      for (A arm : order.next()) {
        if (left() <= 0) return false;
        round.put(arm, calmer(arm, round.size() + 1));
      }
      whole = true;
    } finally {
      if (!whole) setAside(first, order.size());
    }
    rounds.add(round);
    // Pilots were cold, and their commands may heed no seconds: the first round says more.
    roundSeconds += (took() - from - roundSeconds) / Math.min(rounds.size(), RECENT);
    return true;
  }

  /** Half a round compares nothing; what one takes it tells all the same, where none was whole. */
  private void setAside(int first, int arms) {
    for (int i = first; i < trials.size(); i++) {
      trials.set(i, trials.get(i).setAside());
      if (rounds.isEmpty()) roundSeconds = Math.max(roundSeconds, arms * trials.get(i).seconds());
    }
  }

  private Trial<A> calmer(A arm, int place) throws Stopped {
    Trial<A> one = trial(arm, place, 1);
    if (!mayRepeat(one)) return one;
    repeated++;
    Trial<A> other = trial(arm, place, 2);
    if (other.disturbance().tooMuch()) inVain++;
    boolean first = one.disturbance().extent() < other.disturbance().extent();
    Trial<A> not = first ? other : one;
    replace(not, not.setAside());
    return first ? one : other;
  }

  private boolean mayRepeat(Trial<A> trial) {
    int kept = Math.max(BEFORE_REPEATS, repeats.fewest() - rounds.size());
    return trial.disturbance().tooMuch()
        && !pilots
        && (calm || !repeats.onceCalm())
        && inVain < MOST_IN_VAIN
        && repeated < REPEATS * trials.size()
        && left() - trial.seconds() > kept * roundSeconds;
  }

  private Trial<A> replace(Trial<A> trial, Trial<A> by) {
    trials.set(trials.lastIndexOf(trial), by);
    return by;
  }

  private Trial<A> trial(A arm, int place, int attempt) throws Stopped {
    double from = took();
    MachineLoad before = host.load().get();
    Measured measured = Measured.NOTHING;
    Failed failed = null;
    try {
      measured = runner.run(arm, ++number, seconds, patience.with(arm, seconds));
    } catch (Failed e) {
      failed = e;
    }
    Disturbance disturbance = host.load().get().since(before);
    double took = took() - from;
    int round = pilots ? 0 : rounds.size() + 1;
    boolean counts = failed == null && !pilots;
    String failure = failed == null ? "" : failed.why();
    var trial =
        new Trial<>(arm, round, place, attempt, counts, took, disturbance, measured, failure);
    trials.add(trial);
    if (failed != null) throw failed;
    patience.took(arm, took);
    if (!disturbance.tooMuch()) {
      calm = true;
      inVain = 0;
    }
    return trial;
  }

  /** Every trial, those that do not count included, in the order in which they ran. */
  public List<Trial<A>> trials() {
    return List.copyOf(trials);
  }

  /** The trials of each whole round by their arms. */
  public List<Map<A, Trial<A>>> rounds() {
    return rounds;
  }

  /** How long a trial measures. */
  public double seconds() {
    return seconds;
  }

  /** About how long a round takes. */
  public double roundSeconds() {
    return roundSeconds;
  }

  /** Trials that were run again. */
  public int repeated() {
    return repeated;
  }

  /** Seconds since it began. */
  public double took() {
    return host.since(begin);
  }

  /** Seconds of the budget that are left. */
  public double left() {
    return budgetSeconds - took();
  }
}
