package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.sweep.Winner.Found;
import dev.ridgeline.lab.trial.Disturbance;
import dev.ridgeline.lab.trial.MachineLoad;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Rounds of all arms, each round in a random order, until every arm is known well enough or the
 * budget is spent; then, where one looks better than the reference, fresh rounds of those two.
 *
 * <p>A pilot of each arm comes first: it says what a trial costs, and finds out what does not run
 * before the others are waited for. Pilots count for nothing else. It ends early by how narrow the
 * intervals are, never by where they lie, so that nothing is bent towards an answer.
 */
public final class Sweep {
  /** Rounds that trials are made short enough for, or as many as the arms need to be told apart. */
  private static final int WISHED = 12;

  /** More rounds than an interval needs, so that it is not as wide as all that was measured. */
  private static final int SPARE = 3;

  /** More rounds than this tell nothing new. */
  private static final int MOST = 60;

  private static final double SHORTEST = 0.2;
  private static final double LONGEST = 5;

  /** The part of the budget that is kept for rounds of the best arm and the reference alone. */
  private static final double CONFIRMING = 0.25;

  /** The same where those two are slower than the others. */
  private static final double MOST_CONFIRMING = 0.5;

  /** How sure rounds of those two alone must be by themselves, on one side. */
  private static final double AGREES = 0.9;

  /** The part of all trials that may be repeated because the machine was busy. */
  private static final double REPEATS = 0.25;

  /**
   * What is asked for.
   *
   * @param arms at least one
   * @param reference the name of the arm that others are held against
   * @param metric name of the metric that decides, or null for the first that has a better way
   * @param threshold the smallest difference that matters
   * @param budgetSeconds for all of it
   * @param seed of the order
   * @param winner whether the best arm is wanted, and so confirmed
   * @param rounds exactly so many where the budget allows it, 0 for as many as are needed
   */
  public record Question(
      List<Arm> arms,
      String reference,
      String metric,
      double threshold,
      double budgetSeconds,
      long seed,
      boolean winner,
      int rounds) {
    /** As many rounds as are needed. */
    public Question(
        List<Arm> arms,
        String reference,
        String metric,
        double threshold,
        double budgetSeconds,
        long seed,
        boolean winner) {
      this(arms, reference, metric, threshold, budgetSeconds, seed, winner, 0);
    }

    public Question {
      arms = List.copyOf(arms);
      List<String> names = arms.stream().map(Arm::name).toList();
      if (names.stream().distinct().count() < names.size()) {
        throw new IllegalArgumentException("two arms of one name: " + names);
      }
      if (!names.contains(reference)) {
        throw new IllegalArgumentException("no arm '%s' among %s".formatted(reference, names));
      }
    }
  }

  /** Who wants to know how it goes. */
  @FunctionalInterface
  public interface Watcher {
    /** A trial begins. */
    void begins(Sweep sweep, Arm arm);
  }

  private final Question question;
  private final Trials runner;
  private final Watcher watcher;
  private final LongSupplier nanos;
  private final Supplier<MachineLoad> load;
  private final Random random;
  private final long begin;
  private final List<SweepTrial> trials = new ArrayList<>();
  private final Map<String, Map<String, String>> plans = new LinkedHashMap<>();
  private double seconds;
  private double roundSeconds;
  private int number;
  private int round;
  private int planned;
  private int repeats;
  private int sweepRounds;
  private boolean stopped;
  private String failure;
  private double wouldTake;
  private Winner winner;

  public Sweep(Question question, Trials runner, Watcher watcher, LongSupplier nanos) {
    this(question, runner, watcher, nanos, MachineLoad::now);
  }

  Sweep(
      Question question,
      Trials runner,
      Watcher watcher,
      LongSupplier nanos,
      Supplier<MachineLoad> load) {
    this.question = question;
    this.runner = runner;
    this.watcher = watcher;
    this.nanos = nanos;
    this.load = load;
    this.random = new Random(question.seed());
    this.begin = nanos.getAsLong();
  }

  /**
   * Runs until enough is known, the budget is spent, somebody stops it, or a trial fails: what
   * fails after the first whole round costs the round it is in and those that would have followed.
   *
   * @throws Failed where a trial fails before
   */
  public void run() {
    try {
      if (!pilots()) return;
      int most = question.rounds() > 0 ? question.rounds() : MOST;
      do {
        // What a round takes is known better after each.
        planned = Math.min(most, round + rounds(untilConfirming() - took(), roundSeconds, 1));
        round(question.arms());
      } while (round < most && took() + roundSeconds <= untilConfirming() && !known());
      sweepRounds = round;
      if (question.winner()) confirm();
    } catch (Stopped _) {
      endEarly();
    } catch (Failed e) {
      if (round == 0) throw e;
      failure = e.getMessage();
      endEarly();
    }
  }

  private void endEarly() {
    stopped = true;
    if (sweepRounds == 0) sweepRounds = round;
    if (question.winner()) {
      // Who looks best has not proved itself.
      Winner best = candidate();
      winner = best.real() ? confirmed(best) : best;
    }
  }

  /** One of each; false where they alone take longer than all may. */
  private boolean pilots() throws Stopped {
    int arms = question.arms().size();
    double wishedRounds = Math.max(WISHED, HodgesLehmann.fewest(confidence()) + SPARE);
    seconds = Math.clamp(question.budgetSeconds() / (arms * (wishedRounds + 1) * 2), SHORTEST, 1);
    double tried = seconds;
    double overhead = 0;
    for (Arm arm : question.arms()) {
      SweepTrial pilot = trial(arm, 1).setAside();
      trials.set(trials.size() - 1, pilot);
      overhead += Math.max(0, pilot.seconds() - tried);
      if (took() > question.budgetSeconds()) {
        wouldTake = took() / trials.size() * arms * (wishedRounds + 1);
        return false;
      }
    }
    double each = overhead / arms;
    double wished = (untilConfirming() - took()) / (arms * wishedRounds) - each;
    // A number of rounds says nothing of how long each shall be.
    if (question.rounds() == 0) {
      seconds = Math.clamp(wished, Math.max(SHORTEST, each / 4), Math.max(LONGEST, each));
    }
    roundSeconds = arms * (each + seconds);
    return true;
  }

  /** How many rounds go into a time. */
  private static int rounds(double time, double each, int fewest) {
    return each > 0 ? (int) Math.clamp(time / each, fewest, MOST) : MOST;
  }

  /** When rounds of all arms have to be over. */
  private double untilConfirming() {
    double budget = question.budgetSeconds();
    if (!question.winner() || question.arms().size() == 1) return budget;
    double dearest = 0;
    for (Arm arm : question.arms()) {
      if (!arm.name().equals(question.reference())) {
        dearest = Math.max(dearest, cost(arm.name()));
      }
    }
    double needed = fewestConfirming() * (dearest + cost(question.reference()));
    return budget - Math.clamp(needed, CONFIRMING * budget, MOST_CONFIRMING * budget);
  }

  private static int fewestConfirming() {
    return HodgesLehmann.fewest(2 * AGREES - 1);
  }

  /** What a trial of an arm takes, by those that were as long as trials are now. */
  private double cost(String arm) {
    double[] took =
        trials.stream()
            .filter(trial -> trial.round() > 0 && trial.arm().equals(arm))
            .mapToDouble(SweepTrial::seconds)
            .toArray();
    return took.length == 0 ? 0 : Median.of(took);
  }

  private void round(List<Arm> arms) throws Stopped {
    double from = took();
    List<Arm> order = new ArrayList<>(arms);
    Collections.shuffle(order, random);
    int first = trials.size();
    round++;
    try {
      for (int i = 0; i < order.size(); i++) {
        SweepTrial trial = trial(order.get(i), i + 1);
        if (mayRepeat(trial)) {
          repeats++;
          calmer(trial, trial(order.get(i), i + 1));
        }
      }
    } catch (Stopped | Failed stop) {
      // Half a round compares nothing.
      for (int i = first; i < trials.size(); i++) trials.set(i, trials.get(i).setAside());
      round--;
      throw stop;
    }
    if (arms.size() < question.arms().size()) return;
    // The first says more than what the pilots promised: their commands may heed no seconds.
    roundSeconds += (took() - from - roundSeconds) / Math.min(round, 5);
  }

  private boolean mayRepeat(SweepTrial trial) {
    return trial.disturbance().tooMuch()
        && repeats < REPEATS * trials.size()
        && left() > 2 * roundSeconds;
  }

  /** Of two attempts the less disturbed one counts, whatever they measured. */
  private void calmer(SweepTrial one, SweepTrial other) {
    SweepTrial not = one.disturbance().extent() < other.disturbance().extent() ? other : one;
    trials.set(trials.indexOf(not), not.setAside());
  }

  private SweepTrial trial(Arm arm, int place) throws Stopped {
    watcher.begins(this, arm);
    double from = took();
    MachineLoad before = load.get();
    Trials.Measured measured = runner.run(arm, ++number, seconds);
    Disturbance disturbance = load.get().since(before);
    plans.putIfAbsent(arm.name(), measured.plan());
    SweepTrial trial =
        new SweepTrial(
            arm.name(),
            round,
            place,
            round > 0,
            took() - from,
            disturbance,
            measured.reading(),
            measured.directory());
    trials.add(trial);
    return trial;
  }

  /** Whether every arm is known to within half of what matters. */
  private boolean known() {
    if (question.rounds() > 0) return false;
    double widest = uncertainty();
    return widest < Math.log1p(question.threshold()) / 2;
  }

  private double confidence() {
    return question.winner() ? Winner.confidence(question.arms().size()) : Outcome.CONFIDENCE;
  }

  /**
   * Half the widest interval of an arm's ratio to the reference, as a log, and of its level where
   * it is alone; infinite at first.
   */
  public double uncertainty() {
    String metric = metric();
    if (metric == null) return Double.POSITIVE_INFINITY;
    Outcome outcome = outcome();
    if (question.arms().size() == 1) {
      Interval level = outcome.level(question.reference(), metric);
      return level.bounded() && level.low() > 0
          ? Math.log(level.high() / level.low()) / 2
          : Double.POSITIVE_INFINITY;
    }
    double widest = 0;
    for (Arm arm : question.arms()) {
      if (arm.name().equals(question.reference())) continue;
      Interval ratio = outcome.ratio(arm.name(), question.reference(), metric, confidence());
      if (!ratio.bounded()) return Double.POSITIVE_INFINITY;
      widest = Math.max(widest, (ratio.high() - ratio.low()) / 2);
    }
    return widest;
  }

  /** Looks for the best, and lets it prove itself. */
  private void confirm() throws Stopped {
    winner = candidate();
    if (winner.found() != Found.WINNER) return;
    List<Arm> two =
        question.arms().stream()
            .filter(a -> a.name().equals(winner.arm()) || a.name().equals(question.reference()))
            .toList();
    double each = cost(winner.arm()) + cost(question.reference());
    int fewest = fewestConfirming();
    int wanted = rounds(left(), each, fewest);
    planned = round + wanted;
    for (int i = 0; i < wanted && (i < fewest || left() > each); i++) round(two);
    winner = confirmed(winner);
  }

  private Winner candidate() {
    Outcome outcome = outcome();
    String metric = metric();
    String reference = question.reference();
    double matters = Math.log1p(question.threshold());
    String best = reference;
    Interval most = null;
    for (Arm arm : question.arms()) {
      if (arm.name().equals(reference)) continue;
      Interval gain = gain(outcome, arm.name(), reference, metric, confidence(), 1, sweepRounds);
      if (most == null || better(gain, most, matters)) {
        best = arm.name();
        most = gain;
      }
    }
    // One arm alone has nobody to win against.
    if (most == null) return new Winner(reference, Found.NONE, null, null, List.of());
    boolean better = most.low() > matters;
    Found found = better ? Found.WINNER : most.bounded() ? Found.NONE : Found.TOO_FEW;
    String of = better ? best : reference;
    List<String> alike = new ArrayList<>();
    for (Arm arm : question.arms()) {
      if (arm.name().equals(of)) continue;
      Interval gain = gain(outcome, of, arm.name(), metric, confidence(), 1, sweepRounds);
      if (!(gain.low() > 0)) alike.add(arm.name());
    }
    return new Winner(best, found, most, null, alike);
  }

  /** What is better for sure goes before what only looks better; NaN goes last. */
  private static boolean better(Interval one, Interval other, double matters) {
    boolean sure = one.low() > matters;
    if (sure != other.low() > matters) return sure;
    return one.estimate() > other.estimate() || Double.isNaN(other.estimate());
  }

  private Winner confirmed(Winner candidate) {
    Outcome outcome = outcome();
    Interval again =
        gain(
            outcome,
            candidate.arm(),
            question.reference(),
            metric(),
            2 * AGREES - 1,
            sweepRounds + 1,
            round);
    Interval all =
        gain(
            outcome, candidate.arm(), question.reference(), metric(), Outcome.CONFIDENCE, 1, round);
    boolean agrees = again.low() > 0 && all.low() > Math.log1p(question.threshold());
    Found found =
        agrees ? Found.WINNER : again.bounded() ? Found.NOT_CONFIRMED : Found.NOT_REPEATED;
    return new Winner(candidate.arm(), found, candidate.first(), again, candidate.alike());
  }

  private static Interval gain(
      Outcome outcome,
      String arm,
      String base,
      String metric,
      double confidence,
      int from,
      int to) {
    Interval ratio = HodgesLehmann.of(outcome.logRatios(arm, base, metric, from, to), confidence);
    return outcome.better(metric) == Better.LOWER ? ratio.negated() : ratio;
  }

  /** The metric that decides, or null as long as there is none. */
  public String metric() {
    if (question.metric() != null) return question.metric();
    for (SweepTrial trial : trials) {
      for (Reading.Value value : trial.reading().metrics()) {
        if (value.better() != Better.NEITHER) return value.name();
      }
    }
    return null;
  }

  /** What is there so far. */
  public Outcome outcome() {
    return new Outcome(question.arms(), question.reference(), trials, plans);
  }

  /** Which arm is the best, or null where nobody asked. */
  public Winner winner() {
    return winner;
  }

  public Question question() {
    return question;
  }

  /** Rounds that are whole. */
  public int rounds() {
    return round;
  }

  /** Rounds that fit into the budget; 0 as long as nobody knows. */
  public int planned() {
    return planned;
  }

  public boolean stopped() {
    return stopped;
  }

  /** What a trial failed by that ended it, or null. */
  public String failure() {
    return failure;
  }

  /** About what it takes, where one trial of each arm was too much for the budget; 0 elsewhere. */
  public double wouldTake() {
    return wouldTake;
  }

  public int repeated() {
    return repeats;
  }

  /** How long a trial measures. */
  public double trialSeconds() {
    return seconds;
  }

  /** About how long a round of all arms takes. */
  public double roundSeconds() {
    return roundSeconds;
  }

  /** Seconds since it began. */
  public double took() {
    return (nanos.getAsLong() - begin) / 1e9;
  }

  /** Seconds of the budget that are left. */
  public double left() {
    return question.budgetSeconds() - took();
  }

  /** Seconds that it will still take: what is left, or less where the rounds are counted. */
  public double toGo() {
    double left = Math.max(0, left());
    if (question.rounds() == 0 || planned == 0) return left;
    return Math.min(left, roundSeconds * (planned - round + 1));
  }
}
