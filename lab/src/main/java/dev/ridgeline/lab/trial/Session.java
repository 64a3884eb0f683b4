package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.trial.Runner.Failed;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.verdict.Design;
import dev.ridgeline.lab.verdict.Rule;
import dev.ridgeline.lab.verdict.Sides;
import dev.ridgeline.report.run.Metric.Better;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
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

  private static final double SHORTEST = 0.1;

  /** By then code is about as warm as it gets, and further trials tell more than longer ones. */
  private static final double LONGEST = 0.7;

  /** Trials that measure less than so many times longer are as long. */
  private static final double LIKE = 1.5;

  /** So many trials of a side that fail in a row, and it is not worth another. */
  private static final int FAILURES = 3;

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
    default int enough(Session session) {
      return 0;
    }
  }

  private final Question question;
  private final Watcher watcher;
  private final Schedule<Arm> schedule;
  private final Order<Arm> order;
  private final List<Double> shares = new ArrayList<>();
  private int second = -1;
  private int most = MOST;
  private int planned;
  private Design design;
  private Rule.Finding finding;
  private boolean stopped;
  private String failure;

  public Session(Question question, Runner<Arm> runner, Watcher watcher, Host host) {
    this.question = question;
    this.watcher = watcher;
    this.order = new Order<>(List.of(Arm.values()), question.seed());
    this.schedule =
        new Schedule<>(
            question.budgetSeconds(),
            new Schedule.Repeats(Design.FEWEST_PAIRS + 1, false),
            (arm, number, seconds, mostSeconds) -> {
              watcher.begins(this, arm);
              return runner.run(arm, number, seconds, mostSeconds);
            },
            host);
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
      pilot();
      int enough = watcher.enough(this);
      if (enough > 0) most = Math.min(enough, MOST);
      planned = planned();
      while (room()) {
        if (!triplet()) continue;
        planned = planned();
        if (!room()) return;
        finding = Rule.after(design, pairsSoFar());
        if (finding.next() == Rule.Next.STOP) return;
        if (finding.next() == Rule.Next.SECOND_BLOCK) second = pairs();
      }
    } catch (Stopped _) {
      stopped = true;
    } catch (Failed e) {
      if (pairs() == 0) throw e;
      stopped = true;
      failure = e.getMessage();
    } finally {
      boolean over = finding != null && finding.next() == Rule.Next.STOP;
      if (!over) finding = Rule.atEnd(design, pairsSoFar());
    }
  }

  /** A triplet of short trials: it says how long the others shall be, and counts if as short. */
  private void pilot() throws Stopped {
    schedule.pilotSeconds(SHORTEST);
    while (left() > 0 && !triplet()) {}
    if (pairs() == 0) return;
    double each = schedule.roundSeconds() / 3;
    double seconds = length(each);
    // What takes less than it should, as a foreign command may, does not heed it.
    boolean heeds = each >= WITH_WARM_UP * SHORTEST;
    if (!heeds || seconds <= LIKE * SHORTEST) {
      schedule.countPilots();
      schedule.begin(seconds, schedule.roundSeconds());
    } else {
      shares.clear();
      schedule.begin(seconds, schedule.roundSeconds() + 3 * WITH_WARM_UP * (seconds - SHORTEST));
    }
  }

  /** Trials as long as the fewest triplets that one would wish for leave time. */
  private double length(double trialSeconds) {
    double overhead = Math.max(0, trialSeconds - WITH_WARM_UP * SHORTEST);
    double wished = left() / (3 * WISHED) - overhead;
    // What takes long to start is worth as long a look.
    double longest = Math.max(WITH_WARM_UP * LONGEST, overhead);
    return Math.clamp(wished, WITH_WARM_UP * SHORTEST, longest) / WITH_WARM_UP;
  }

  /** How many triplets there will be, as far as is known now. */
  private int planned() {
    double fit = Math.max(0, left()) / Math.max(schedule.roundSeconds(), 1e-9);
    return (int) Math.min(most, pairs() + fit);
  }

  /** Whether another triplet fits, but for the end of its last trial. */
  private boolean room() {
    return pairs() < most && left() > schedule.roundSeconds() * 2 / 3;
  }

  /** Runs a triplet; false where time was up or a trial failed, and it counts for nothing. */
  private boolean triplet() throws Stopped {
    try {
      if (!schedule.round(order)) return false;
    } catch (Failed e) {
      if (isHopeless()) throw e;
      return false;
    }
    shares.add(Math.max(took() / question.budgetSeconds(), (double) pairs() / most));
    return true;
  }

  /** Whether the side whose trial ran last failed too often in a row, or always. */
  private boolean isHopeless() {
    boolean b = trials().getLast().arm().isB();
    List<Trial<Arm>> side = trials().stream().filter(trial -> trial.arm().isB() == b).toList();
    int last = Math.max(0, side.size() - FAILURES);
    boolean inRow = side.size() >= FAILURES && side.stream().skip(last).allMatch(Trial::failed);
    return inRow || side.stream().allMatch(Trial::failed);
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
    if (pairs() == 0) return all;
    for (Reading.Value value : schedule.rounds().getFirst().get(Arm.A).reading().metrics()) {
      all.add(sides(value, trial -> trial.value(value.name())));
    }
    return all;
  }

  /** Self time of every scope that all trials have. */
  public List<Sides> scopes(String unit) {
    Set<String> names = new TreeSet<>();
    for (Map<Arm, Trial<Arm>> triplet : schedule.rounds()) {
      triplet.values().forEach(trial -> names.addAll(trial.reading().scopes().keySet()));
    }
    List<Sides> all = new ArrayList<>();
    for (String name : names) {
      var value = new Reading.Value(name, unit, Better.LOWER, Double.NaN);
      Sides sides = sides(value, trial -> trial.reading().scopes().getOrDefault(name, Double.NaN));
      if (sides.hasRatios()) all.add(sides);
    }
    return all;
  }

  private Sides sides(Reading.Value value, ToDoubleFunction<Trial<Arm>> number) {
    double[][] numbers = new double[3][pairs()];
    for (int i = 0; i < pairs(); i++) {
      for (Arm arm : Arm.values()) {
        numbers[arm.ordinal()][i] = number.applyAsDouble(schedule.rounds().get(i).get(arm));
      }
    }
    return new Sides(
        value.name(), value.unit(), value.better(), numbers[0], numbers[1], numbers[2]);
  }

  /** Seconds of the budget that are left. */
  public double left() {
    return schedule.left();
  }

  /** Seconds since the session began. */
  public double took() {
    return schedule.took();
  }

  /** Who runs its trials. */
  public Schedule<Arm> schedule() {
    return schedule;
  }

  public Question question() {
    return question;
  }

  /** Every trial, pilots and disturbed ones included, in the order in which they ran. */
  public List<Trial<Arm>> trials() {
    return schedule.trials();
  }

  /** Triplets that are whole. */
  public int pairs() {
    return schedule.rounds().size();
  }

  /** What was fixed before the first triplet. */
  public Design design() {
    return design;
  }

  /** Triplets that there are and that still fit, as far as is known. */
  public int plannedPairs() {
    return planned;
  }

  /** Triplets of the first block, or −1 when there was no second. */
  public int firstBlock() {
    return second < pairs() ? second : -1;
  }

  /** Trials that count although the machine was busy with something else. */
  public int disturbed() {
    return (int) trials().stream().filter(t -> t.counts() && t.disturbance().tooMuch()).count();
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
