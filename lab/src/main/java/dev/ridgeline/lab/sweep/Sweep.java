package dev.ridgeline.lab.sweep;

import dev.ridgeline.lab.stats.HodgesLehmann;
import dev.ridgeline.lab.stats.Interval;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.sweep.Winner.Found;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.Order;
import dev.ridgeline.lab.trial.Reading;
import dev.ridgeline.lab.trial.Runner;
import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.trial.Schedule;
import dev.ridgeline.lab.trial.Trial;
import dev.ridgeline.report.run.Metric.Better;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rounds of all arms, each round in a random order, until every arm is known well enough or the
 * budget is spent; then, where one looks better than the reference, fresh rounds of those two.
 *
 * <p>A pilot of each arm comes first: it says what a trial costs, and finds out what does not run
 * before the others are waited for. Pilots count for nothing else, unless there is no time for a
 * single round. It ends early by how narrow the intervals are, never by where they lie, so that
 * nothing is bent towards an answer.
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

  /**
   * What is asked for.
   *
   * @param arms at least one
   * @param reference the name of the arm that others are held against
   * @param metric name of the metric that decides, or null for the first that has a better way
   * @param threshold the smallest difference that matters
   * @param budgetSeconds for all of it
   * @param seed of the order
   * @param aim what is wanted of the arms
   * @param rounds exactly so many where the budget allows it, 0 for as many as are needed
   * @param distinct whether an arm whose pilot has plan and results of the reference's is left out:
   *     it runs the same code
   */
  public record Question(
      List<Arm> arms,
      String reference,
      String metric,
      double threshold,
      double budgetSeconds,
      long seed,
      Aim aim,
      int rounds,
      boolean distinct) {
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

    boolean winner() {
      return aim == Aim.WINNER;
    }
  }

  /** Who wants to know how it goes. */
  @FunctionalInterface
  public interface Watcher {
    /** A trial begins. */
    void begins(Sweep sweep, Arm arm);
  }

  private final Question question;
  private final Schedule<Arm> schedule;
  private final Map<String, Map<String, String>> plans = new LinkedHashMap<>();

  /** Those that are measured. */
  private List<Arm> arms;

  private int planned;
  private int sweepRounds;
  private boolean stopped;
  private String failure;
  private double wouldTake;
  private Winner winner;

  public Sweep(Question question, Runner<Arm> runner, Watcher watcher, Host host) {
    this.question = question;
    this.arms = question.arms();
    this.schedule =
        new Schedule<>(
            question.budgetSeconds(),
            new Schedule.Repeats(0, true),
            (arm, number, seconds, mostSeconds) -> {
              watcher.begins(this, arm);
              Runner.Measured measured = runner.run(arm, number, seconds, mostSeconds);
              plans.putIfAbsent(arm.name(), measured.plan());
              return measured;
            },
            host);
  }

  /**
   * Runs until enough is known, the budget is spent, somebody stops it, or a trial fails: what
   * fails after the first whole round costs the round it is in and those that would have followed.
   *
   * @throws Failed where a trial fails before
   */
  public void run() {
    try {
      if (!pilots()) {
        takePilots();
        return;
      }
      int most = question.rounds() > 0 ? question.rounds() : MOST;
      Order<Arm> order = new Order<>(arms, question.seed());
      boolean whole;
      do {
        // What a round takes is known better after each.
        int fit = rounds(untilConfirming() - took(), schedule.roundSeconds(), 1);
        planned = Math.min(most, rounds() + fit);
        whole = schedule.round(order);
      } while (whole
          && rounds() < most
          && took() + schedule.roundSeconds() <= untilConfirming()
          && !known());
      if (rounds() == 0) {
        wouldTake = enough(schedule.roundSeconds(), arms.size(), question.winner());
        takePilots();
        return;
      }
      sweepRounds = rounds();
      if (question.winner()) confirm();
    } catch (Stopped _) {
      endEarly();
    } catch (Failed e) {
      if (rounds() == 0) throw e;
      failure = e.getMessage();
      endEarly();
    }
  }

  private void endEarly() {
    stopped = true;
    conclude();
  }

  /** Where there is nothing else, pilots of all arms are better than no answer. */
  private void takePilots() {
    if (measured().filter(trial -> trial.round() == 0).count() < question.arms().size()) return;
    schedule.countPilots();
    conclude();
  }

  private void conclude() {
    if (sweepRounds == 0) sweepRounds = rounds();
    if (question.winner()) {
      // Who looks best has not proved itself.
      Winner best = contest().best();
      winner = best.real() ? contest().confirmed(best) : best;
    }
  }

  /** One of each; false where they show that not even one round can be had. */
  private boolean pilots() throws Stopped {
    double wishedRounds = Math.max(WISHED, HodgesLehmann.fewest(confidence()) + SPARE);
    double trialsWished = arms.size() * (wishedRounds + 1);
    double tried = Math.clamp(question.budgetSeconds() / (trialsWished * 2), SHORTEST, 1);
    schedule.pilotSeconds(tried);
    for (Arm arm : question.arms()) {
      schedule.pilot(arm);
      if (took() + cheapestRest(1) > question.budgetSeconds()) {
        double mean = measured().mapToDouble(Trial::seconds).average().orElseThrow();
        wouldTake = enough(mean * arms.size(), arms.size(), question.winner());
        // Pilots of all arms are an answer.
        if (took() + cheapestRest(0) > question.budgetSeconds()) return false;
      }
    }
    if (wouldTake > 0) return false;
    leaveOut();
    double each = 0;
    for (Arm arm : arms) {
      each += Math.max(0, costs().get(arm.name()) - tried) / arms.size();
    }
    double wished = (untilConfirming() - took()) / (arms.size() * wishedRounds) - each;
    double seconds = tried;
    // A number of rounds says nothing of how long each shall be.
    if (question.rounds() == 0) {
      seconds = Math.clamp(wished, Math.max(SHORTEST, each / 4), Math.max(LONGEST, each));
      // One round has to go into what is left.
      seconds = Math.min(seconds, Math.max(SHORTEST, left() / arms.size() - each));
    }
    schedule.begin(seconds, arms.size() * (each + seconds));
    return true;
  }

  /**
   * The least that pilots which are missing and rounds take, by the pilots so far. A trial of an
   * arm that was not tried takes as long as the quickest; the very first may have been slow because
   * nothing was in memory yet, and says nothing alone.
   */
  private double cheapestRest(int rounds) {
    int all = question.arms().size();
    double[] took = measured().mapToDouble(Trial::seconds).toArray();
    int missing = all - took.length;
    double[] others = Arrays.stream(took).skip(1).sorted().toArray();
    if (others.length == 0) return missing == 0 ? rounds * took[0] : 0;
    double quickest = Math.min(took[0], others[0]);
    if (missing > 0) return (missing + rounds * all) * quickest;
    return rounds * (Arrays.stream(others).sum() + Math.min(took[0], others[others.length - 1]));
  }

  /** What runs the same code as the reference, with the same results, cannot differ from it. */
  private void leaveOut() {
    Map<String, String> plan = plans.get(question.reference());
    if (!question.distinct() || plan.isEmpty()) return;
    Map<String, Set<String>> digests = outcome().digests();
    Set<String> digest = digests.get(question.reference());
    arms =
        arms.stream()
            .filter(
                arm ->
                    arm.name().equals(question.reference())
                        || !plans.get(arm.name()).equals(plan)
                        || !Objects.equals(digests.get(arm.name()), digest))
            .toList();
  }

  /**
   * A budget that gives every arm an interval, and the best one rounds to prove itself.
   *
   * @param round seconds of one
   */
  static double enough(double round, int arms, boolean winner) {
    double confidence = winner ? Winner.confidence(arms) : Outcome.CONFIDENCE;
    double share = winner && arms > 1 ? 1 / (1 - CONFIRMING) : 1;
    return round * (HodgesLehmann.fewest(confidence) + SPARE + 1) * share;
  }

  /** How many rounds go into a time. */
  private static int rounds(double time, double each, int fewest) {
    return each > 0 ? (int) Math.clamp(time / each, fewest, MOST) : MOST;
  }

  /** When rounds of all arms have to be over. */
  private double untilConfirming() {
    double budget = question.budgetSeconds();
    if (!question.winner() || arms.size() == 1) return budget;
    double dearest = 0;
    for (Arm arm : arms) {
      if (!arm.name().equals(question.reference())) {
        dearest = Math.max(dearest, cost(arm.name()));
      }
    }
    double needed = Contest.fewest() * (dearest + cost(question.reference()));
    double until = budget - Math.clamp(needed, CONFIRMING * budget, MOST_CONFIRMING * budget);
    // So few rounds can find nobody who would have to prove himself: all of the time is theirs.
    boolean few =
        rounds() + (until - took()) / schedule.roundSeconds() < HodgesLehmann.fewest(confidence());
    return schedule.roundSeconds() > 0 && few ? budget : until;
  }

  /** What a trial of an arm takes, by those that were as long as trials are now. */
  private double cost(String arm) {
    double[] took =
        measured()
            .filter(trial -> trial.round() > 0 && trial.arm().name().equals(arm))
            .mapToDouble(Trial::seconds)
            .toArray();
    return took.length == 0 ? 0 : Median.of(took);
  }

  /** Whether every arm is known to within half of what matters. */
  private boolean known() {
    if (question.rounds() > 0) return false;
    double widest = uncertainty();
    return widest < Math.log1p(question.threshold()) / 2;
  }

  private double confidence() {
    return question.winner() ? Winner.confidence(arms.size()) : Outcome.CONFIDENCE;
  }

  /**
   * Half the widest interval of an arm's ratio to the reference, as a log, and of its level where
   * it is alone; as a part of the reference where arms are its parts; infinite at first.
   */
  public double uncertainty() {
    String metric = metric();
    if (metric == null) return Double.POSITIVE_INFINITY;
    Outcome outcome = outcome();
    if (arms.size() == 1) {
      Interval level = outcome.level(question.reference(), metric);
      return level.bounded() && level.low() > 0
          ? Math.log(level.high() / level.low()) / 2
          : Double.POSITIVE_INFINITY;
    }
    double widest = 0;
    for (Arm arm : arms) {
      if (arm.name().equals(question.reference())) continue;
      Interval ratio = outcome.ratio(arm.name(), question.reference(), metric, confidence());
      if (!ratio.bounded() || onlyTies(outcome, arm, ratio)) return Double.POSITIVE_INFINITY;
      boolean part = question.aim() == Aim.PARTS;
      double width =
          part ? Math.exp(ratio.high()) - Math.exp(ratio.low()) : ratio.high() - ratio.low();
      widest = Math.max(widest, width / 2);
    }
    return widest;
  }

  /** Values that come in few sizes agree too often: an interval of no width is no certainty. */
  private boolean onlyTies(Outcome outcome, Arm arm, Interval ratio) {
    if (ratio.high() > ratio.low()) return false;
    double[] ratios = outcome.logRatios(arm.name(), question.reference(), metric(), 1, rounds());
    return Arrays.stream(ratios).distinct().count() > 1;
  }

  /** Looks for the best, and lets it prove itself. */
  private void confirm() throws Stopped {
    winner = contest().best();
    if (winner.found() != Found.WINNER) return;
    List<Arm> two =
        arms.stream()
            .filter(a -> a.name().equals(winner.arm()) || a.name().equals(question.reference()))
            .toList();
    double each = cost(winner.arm()) + cost(question.reference());
    int fewest = Contest.fewest();
    // Who counts the rounds counts these, too.
    int counted = question.rounds();
    int wanted = counted > 0 ? Math.max(fewest, counted) : rounds(left(), each, fewest);
    planned = rounds() + wanted;
    Order<Arm> order = new Order<>(two, question.seed());
    boolean whole = true;
    for (int i = 0; whole && i < wanted && (i < fewest || left() > each); i++) {
      whole = schedule.round(order);
    }
    winner = contest().confirmed(winner);
  }

  private Contest contest() {
    return new Contest(question, outcome(), metric(), confidence(), sweepRounds, rounds());
  }

  /** The metric that decides, or null as long as there is none. */
  public String metric() {
    if (question.metric() != null) return question.metric();
    String nothing = null;
    for (Trial<Arm> trial : schedule.trials()) {
      for (Reading.Value value : trial.reading().metrics()) {
        if (value.better() == Better.NEITHER) continue;
        // What is 0, as allocations ought to be, has no ratio.
        if (value.number() > 0) return value.name();
        if (nothing == null) nothing = value.name();
      }
    }
    return nothing;
  }

  /** What is there so far. */
  public Outcome outcome() {
    Map<String, Map<String, String>> those = new LinkedHashMap<>(plans);
    for (Arm arm : leftOut()) those.remove(arm.name());
    return new Outcome(arms, question.reference(), measured().toList(), those);
  }

  /** Trials that did not fail. */
  private Stream<Trial<Arm>> measured() {
    return schedule.trials().stream().filter(trial -> !trial.failed());
  }

  /** Arms whose pilots had the plan of the reference, where such are not wanted. */
  public List<Arm> leftOut() {
    return question.arms().stream().filter(arm -> !arms.contains(arm)).toList();
  }

  /** Seconds that the last trial of each arm took that had one. */
  public Map<String, Double> costs() {
    Map<String, Double> costs = new LinkedHashMap<>();
    measured().forEach(trial -> costs.put(trial.arm().name(), trial.seconds()));
    return costs;
  }

  /** Which arm is the best, or null where nobody asked. */
  public Winner winner() {
    return winner;
  }

  /** Who runs its trials. */
  public Schedule<Arm> schedule() {
    return schedule;
  }

  public Question question() {
    return question;
  }

  /** Rounds that are whole. */
  public int rounds() {
    return schedule.rounds().size();
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

  /**
   * A budget that would do, where this one had no room for one round; 0 elsewhere. The answer rests
   * on the pilots then, or there are no rounds, where not even those are whole.
   */
  public double wouldTake() {
    return wouldTake;
  }

  /** Seconds since it began. */
  public double took() {
    return schedule.took();
  }

  /** Seconds of the budget that are left. */
  public double left() {
    return schedule.left();
  }

  /** Seconds that it will still take: what is left, or less where the rounds are counted. */
  public double toGo() {
    double left = Math.max(0, left());
    if (question.rounds() == 0 || planned == 0) return left;
    return Math.min(left, schedule.roundSeconds() * (planned - rounds() + 1));
  }
}
