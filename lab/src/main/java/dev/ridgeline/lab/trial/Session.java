package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.verdict.Design;
import dev.ridgeline.lab.verdict.Rule;
import dev.ridgeline.lab.verdict.Sides;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Triplets of trials – A, A again and B, adjacent and in random order – until the rule has its
 * verdict or the budget is spent.
 *
 * <p>A triplet of short trials comes first: it says what a trial costs, and from that follows how
 * long each will measure. It counts for nothing else, unless the others are as short. How many
 * triplets fit is estimated again after each. No trial begins after the budget is spent, so that a
 * session ends one trial later at the most. A trial that fails costs its triplet; one that fails
 * again and again, the rest of the session. A trial during which the machine was busy with
 * something else is repeated at once, where there is time for that; the disturbed one stays in the
 * record.
 */
public final class Session {
  /**
   * Triplets that trials are made short enough for: few trials of code that is warm say more than
   * many of code that is not, as long as they are more than the fewest that prove anything.
   */
  private static final int WISHED = 6;

  /** A trial that measures a second takes so many: warming up takes the others. */
  private static final double WITH_WARM_UP = 3;

  /** Triplets at most: more tell nothing new. */
  private static final int MOST = 2000;

  /** Triplets for which there must be time before a disturbed trial is worth another. */
  private static final int BEFORE_REPEATS = Design.FEWEST_PAIRS + 1;

  private static final double SHORTEST = 0.1;

  /** By then code is about as warm as it gets, and further trials tell more than longer ones. */
  private static final double LONGEST = 0.7;

  /** Trials that measure less than so many times longer are as long. */
  private static final double LIKE = 1.5;

  /** Attempts at a trial at most. */
  private static final int ATTEMPTS = 2;

  /** So many repetitions in a row that were disturbed, too: this machine is always busy. */
  private static final int MOST_IN_VAIN = 4;

  private static final Reading NOTHING = new Reading(List.of(), Map.of(), Map.of(), "");

  /** So many trials of a side that fail in a row, and it is not worth another. */
  private static final int FAILURES = 3;

  /** The part of all trials that may be repeated. */
  private static final double REPEATS = 0.25;

  /**
   * What is asked for.
   *
   * @param threshold the smallest change that matters
   * @param budgetSeconds for all of it
   * @param seed of the order
   * @param metric name of the metric that decides, or null for the first
   */
  public record Question(double threshold, double budgetSeconds, long seed, String metric) {}

  /** Who wants to know how it goes. */
  public interface Watcher {
    /** Nobody. */
    Watcher NONE = new Watcher() {};

    /** A trial begins. */
    default void begins(Session session, Arm arm) {}

    /** The pilots have run; answers how many triplets are enough, 0 for as many as it takes. */
    default int enough() {
      return 0;
    }

    /** A triplet is whole. */
    default void after(Session session, Rule.Finding finding) {}
  }

  private final Question question;
  private final Runner runner;
  private final Watcher watcher;
  private final LongSupplier nanos;
  private final Supplier<MachineLoad> load;
  private final List<Trial> trials = new ArrayList<>();
  private final List<Map<Arm, Trial>> triplets = new ArrayList<>();
  private final long begin;
  private final List<Double> shares = new ArrayList<>();
  private int number;
  private int second = -1;
  private int repeats;
  private int most = MOST;
  private int inVain;
  private int failedInRow;
  private boolean failing;
  private int planned;
  private double seconds;
  private double tripletSeconds;
  private Design design;
  private Rule.Finding finding;
  private boolean stopped;
  private String failure;

  public Session(Question question, Runner runner, Watcher watcher, LongSupplier nanos) {
    this(question, runner, watcher, nanos, MachineLoad::now);
  }

  /** On a machine whose clock and load are known otherwise. */
  public Session(
      Question question,
      Runner runner,
      Watcher watcher,
      LongSupplier nanos,
      Supplier<MachineLoad> load) {
    this.load = load;
    this.question = question;
    this.runner = runner;
    this.watcher = watcher;
    this.nanos = nanos;
    this.begin = nanos.getAsLong();
    this.seconds = SHORTEST;
  }

  /**
   * Runs until there is a verdict, the budget is spent, somebody stops it, or a side keeps failing:
   * after the first whole triplet that leaves those before it.
   *
   * @throws Failed where a pilot fails, or a side fails so often before there is a whole triplet
   */
  public void run() {
    design = new Design(question.threshold());
    try {
      Order<Arm> order = new Order<>(List.of(Arm.values()), question.seed());
      pilot(order);
      int enough = watcher.enough();
      if (enough > 0) most = Math.min(enough, MOST);
      planned = planned();
      while (room()) {
        if (!triplet(order.next())) continue;
        planned = planned();
        if (!room()) return;
        finding = Rule.after(design, pairsSoFar());
        watcher.after(this, finding);
        if (finding.next() == Rule.Next.STOP) return;
        if (finding.next() == Rule.Next.SECOND_BLOCK) second = triplets.size();
      }
    } catch (Stopped _) {
      stopped = true;
    } catch (Failed e) {
      if (triplets.isEmpty()) throw e;
      stopped = true;
      failure = e.getMessage();
    } finally {
      boolean over = finding != null && finding.next() == Rule.Next.STOP;
      if (!over) finding = Rule.atEnd(design, pairsSoFar());
    }
  }

  /** A triplet of short trials: it says how long the others shall be, and counts if as short. */
  private void pilot(Order<Arm> order) throws Stopped {
    double tried = seconds;
    while (left() > 0 && !triplet(order.next())) {}
    if (triplets.isEmpty()) return;
    double each = tripletSeconds / 3;
    chooseLength(each);
    // What takes less than it should, as a foreign command may, does not heed it.
    boolean heeds = each >= WITH_WARM_UP * tried;
    if (!heeds || seconds <= LIKE * tried) return;
    tripletSeconds += 3 * WITH_WARM_UP * (seconds - tried);
    triplets.clear();
    shares.clear();
    for (int i = 0; i < trials.size(); i++) trials.set(i, trials.get(i).asPilot());
  }

  /** Trials as long as the fewest triplets that one would wish for leave time. */
  private void chooseLength(double trialSeconds) {
    double overhead = Math.max(0, trialSeconds - WITH_WARM_UP * seconds);
    double wished = left() / (3 * WISHED) - overhead;
    // What takes long to start is worth as long a look.
    double longest = Math.max(WITH_WARM_UP * LONGEST, overhead);
    seconds = Math.clamp(wished, WITH_WARM_UP * SHORTEST, longest) / WITH_WARM_UP;
  }

  /** How many triplets there will be, as far as is known now. */
  private int planned() {
    double fit = Math.max(0, left()) / Math.max(tripletSeconds, 1e-9);
    return (int) Math.min(most, triplets.size() + fit);
  }

  /** Whether another triplet fits, but for the end of its last trial. */
  private boolean room() {
    return triplets.size() < most && left() > tripletSeconds * 2 / 3;
  }

  /** Runs a triplet; false where time was up or a trial failed, and it counts for nothing. */
  private boolean triplet(List<Arm> order) throws Stopped {
    double from = elapsed();
    int first = trials.size();
    Map<Arm, Trial> triplet = new EnumMap<>(Arm.class);
    for (Arm arm : order) {
      if (left() <= 0) {
        setAside(first);
        return false;
      }
      try {
        triplet.put(arm, calm(arm, triplet.size() + 1));
      } catch (Failed e) {
        setAside(first);
        if (failedInRow >= FAILURES || never(arm)) throw e;
        return false;
      }
    }
    triplets.add(triplet);
    double took = elapsed() - from;
    // The pilots were cold: the first triplet says more than they do.
    tripletSeconds += (took - tripletSeconds) / Math.min(triplets.size(), 5);
    shares.add(Math.max(elapsed() / question.budgetSeconds(), (double) triplets.size() / most));
    return true;
  }

  /** Whether no trial of this side has run yet. */
  private boolean never(Arm arm) {
    return trials.stream().noneMatch(trial -> !trial.failed() && trial.arm().isB() == arm.isB());
  }

  private void setAside(int first) {
    for (int i = first; i < trials.size(); i++) trials.set(i, trials.get(i).setAside());
  }

  private Trial calm(Arm arm, int place) throws Stopped {
    Trial trial = trial(arm, triplets.size() + 1, place, 1);
    for (int attempt = 2; attempt <= ATTEMPTS && again(trial); attempt++) {
      repeats++;
      Trial other = trial(arm, triplets.size() + 1, place, attempt);
      inVain = other.disturbance().tooMuch() ? inVain + 1 : 0;
      trial = calmer(trial, other);
    }
    return trial;
  }

  /** Of two attempts the less disturbed one counts, whatever they measured. */
  private Trial calmer(Trial one, Trial other) {
    boolean first = one.disturbance().extent() < other.disturbance().extent();
    Trial not = first ? other : one;
    trials.set(trials.indexOf(not), not.setAside());
    return first ? one : other;
  }

  private boolean again(Trial trial) {
    return trial.disturbance().tooMuch()
        && inVain < MOST_IN_VAIN
        && repeats < Math.ceil(3 * planned * REPEATS)
        && left() - trial.seconds() > (BEFORE_REPEATS - triplets.size()) * tripletSeconds
        && left() > trial.seconds();
  }

  private Trial trial(Arm arm, int triplet, int place, int attempt) throws Stopped {
    watcher.begins(this, arm);
    double from = elapsed();
    MachineLoad before = load.get();
    try {
      Measured measured = runner.run(arm, ++number, seconds);
      Disturbance disturbance = load.get().since(before);
      String directory = measured.directory();
      Reading reading = measured.reading();
      double took = elapsed() - from;
      if (triplets.isEmpty()) tripletSeconds = Math.max(tripletSeconds, 3 * took);
      Trial trial =
          new Trial(arm, triplet, place, attempt, true, took, disturbance, reading, directory, "");
      trials.add(trial);
      if (arm.isB() == failing) failedInRow = 0;
      return trial;
    } catch (Failed e) {
      Disturbance disturbance = load.get().since(before);
      double took = elapsed() - from;
      trials.add(
          new Trial(arm, triplet, place, attempt, false, took, disturbance, NOTHING, "", e.why()));
      failedInRow = arm.isB() == failing ? failedInRow + 1 : 1;
      failing = arm.isB();
      throw e;
    }
  }

  private Rule.Pairs pairsSoFar() {
    Sides sides = deciding();
    if (sides == null || !sides.hasRatios()) {
      return new Rule.Pairs(new double[0], new double[0], new double[0], -1);
    }
    double[] spent = shares.stream().mapToDouble(Double::doubleValue).toArray();
    return new Rule.Pairs(sides.effects(), sides.noises(), spent, second);
  }

  /**
   * The metric that decides: the one asked for, else the first that has a better way and ratios.
   */
  public Sides deciding() {
    for (Sides each : metrics()) {
      boolean asked =
          question.metric() == null
              ? each.better() != Better.NEITHER && each.hasRatios()
              : each.name().equals(question.metric());
      if (asked) return each;
    }
    return null;
  }

  /** Every metric that all trials have. */
  public List<Sides> metrics() {
    List<Sides> all = new ArrayList<>();
    if (triplets.isEmpty()) return all;
    for (Reading.Value value : triplets.getFirst().get(Arm.A).reading().metrics()) {
      all.add(sides(value, trial -> trial.value(value.name())));
    }
    return all;
  }

  /** Self time of every scope that all trials have. */
  public List<Sides> scopes(String unit) {
    Set<String> names = new TreeSet<>();
    for (Map<Arm, Trial> triplet : triplets) {
      for (Trial trial : triplet.values()) {
        names.addAll(trial.reading().scopes().keySet());
      }
    }
    List<Sides> all = new ArrayList<>();
    for (String name : names) {
      var value = new Reading.Value(name, unit, Better.LOWER, Double.NaN);
      Sides sides = sides(value, trial -> trial.reading().scopes().getOrDefault(name, Double.NaN));
      if (sides.hasRatios()) all.add(sides);
    }
    return all;
  }

  private Sides sides(Reading.Value value, ToDoubleFunction<Trial> number) {
    double[][] numbers = new double[3][triplets.size()];
    for (int i = 0; i < triplets.size(); i++) {
      for (Arm arm : Arm.values()) {
        numbers[arm.ordinal()][i] = number.applyAsDouble(triplets.get(i).get(arm));
      }
    }
    return new Sides(
        value.name(), value.unit(), value.better(), numbers[0], numbers[1], numbers[2]);
  }

  private double elapsed() {
    return (nanos.getAsLong() - begin) / 1e9;
  }

  /** Seconds of the budget that are left. */
  public double left() {
    return question.budgetSeconds() - elapsed();
  }

  /** Seconds since the session began. */
  public double took() {
    return elapsed();
  }

  public Question question() {
    return question;
  }

  /** Every trial, pilots and disturbed ones included, in the order in which they ran. */
  public List<Trial> trials() {
    return List.copyOf(trials);
  }

  /** Triplets that are whole. */
  public int pairs() {
    return triplets.size();
  }

  /** What was fixed before the first triplet. */
  public Design design() {
    return design;
  }

  /** Triplets that there are and that still fit, as far as is known. */
  public int plannedPairs() {
    return planned;
  }

  /** About how long a triplet takes. */
  public double tripletSeconds() {
    return tripletSeconds;
  }

  /** How long a trial measures. */
  public double trialSeconds() {
    return seconds;
  }

  /** Triplets of the first block, or −1 when there was no second. */
  public int firstBlock() {
    return second < triplets.size() ? second : -1;
  }

  public int repeats() {
    return repeats;
  }

  /** Trials that count although the machine was busy with something else. */
  public int disturbed() {
    return (int) trials.stream().filter(t -> t.counts() && t.disturbance().tooMuch()).count();
  }

  public boolean stopped() {
    return stopped;
  }

  /** What a trial failed by that ended it, or null. */
  public String failure() {
    return failure;
  }

  /** What the rule says of it. */
  public Rule.Finding finding() {
    return finding;
  }
}
