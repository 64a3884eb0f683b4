package dev.ridgeline.lab.bisect;

import dev.ridgeline.lab.bisect.Bisection.Answer;
import dev.ridgeline.lab.bisect.Step.Outcome;
import dev.ridgeline.lab.bisect.Trials.Unusable;
import dev.ridgeline.lab.trial.Arm;
import dev.ridgeline.lab.trial.Experiment;
import dev.ridgeline.lab.trial.Host;
import dev.ridgeline.lab.trial.Order;
import dev.ridgeline.lab.trial.Patience;
import dev.ridgeline.lab.trial.Runner.Measured;
import dev.ridgeline.lab.trial.Runner.Stopped;
import dev.ridgeline.lab.trial.Schedule;
import dev.ridgeline.lab.trial.Session;
import dev.ridgeline.lab.verdict.Design;
import dev.ridgeline.lab.verdict.Verdict;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Halves the suspects until one is left.
 *
 * <p>First a session must prove that the ends differ at all; if it does not tell, a second one has
 * all that is left of the budget, because nothing can follow without that proof. Then commits are
 * tried one after the other, each in rounds with both ends (see {@link Halfway}). One that does not
 * run is skipped; so is one that stays undecided, until nothing else is left to try: then it is
 * tried once more with the time that is left. At last a fresh session holds the commit against its
 * parent, because a change that is real recurs.
 */
public final class Search {
  /** What the decisions of all steps together may err. */
  private static final double ERROR = 0.05;

  /** The part of the budget in which the ends should differ, so that the rest is for commits. */
  private static final double ENDS = 0.25;

  /** The part that is kept for the fresh session at the end. */
  private static final double CONFIRMATION = 0.15;

  /** Rounds of time that are kept for it where they take long: a verdict needs about so many. */
  private static final int CONFIRMATION_ROUNDS = 20;

  /** More pairs would be looked at later, and most sessions are over at the first look. */
  private static final int MOST_PAIRS = 80;

  /** Of a second session, where the first did not tell; what so many do not tell, no more will. */
  private static final int MOST_PAIRS_AGAIN = 240;

  /** More rounds than this would not make a machine any quieter. */
  private static final int MOST_ROUNDS = 200;

  /** How often an undecided commit is tried. */
  private static final int TRIES = 2;

  /** What one commit takes, the others take about: a trial that hangs is like any of them. */
  private static final String COMMIT = "commit";

  /** Why a search ends that had no time to go on. */
  static final String SPENT = "the budget is spent";

  /**
   * What is asked for.
   *
   * @param good the end that is as it should be
   * @param bad the end that is not
   * @param threshold the smallest difference between the ends that matters
   * @param budgetSeconds for all trials together
   * @param seed of the order
   * @param metric name of the metric that decides, or null for the first
   */
  public record Question(
      Commit good, Commit bad, double threshold, double budgetSeconds, long seed, String metric) {}

  /** Who wants to know how it goes. */
  public interface Watcher {
    /** Nobody. */
    Watcher NONE = new Watcher() {};

    /** A commit is built. */
    default void prepares(Commit commit) {}

    /** A trial of a session begins: of the ends, or of the commit that was found. */
    default void begins(String what, Session session, Arm arm) {}

    /**
     * A round begins.
     *
     * @param step its number, from 1
     * @param steps about how many there will be
     * @param sure how sure the nearer end is
     */
    default void round(int step, int steps, int suspects, Commit commit, int rounds, double sure) {}
  }

  private final Bisection.Setting setting;
  private final Question question;
  private final Lineage lineage;
  private final Trials trials;
  private final Watcher watcher;
  private final Host host;

  private final Patience patience;
  private final List<Step> steps = new ArrayList<>();
  private final List<Commit> good = new ArrayList<>();
  private final Map<Commit, Integer> skipped = new HashMap<>();
  private Commit bad;
  private List<Commit> commits = List.of();
  private List<Commit> suspects = List.of();
  private Allowance allowance;
  private Experiment ends;
  private Experiment confirmation;
  private double towardsBad;
  private double trialSeconds;
  private double roundSeconds;
  private double spent;
  private int decisions;
  private int number;

  public Search(
      Bisection.Setting setting,
      Question question,
      Lineage lineage,
      Trials trials,
      Watcher watcher,
      Host host) {
    this.setting = setting;
    this.question = question;
    this.lineage = lineage;
    this.trials = trials;
    this.watcher = watcher;
    this.host = host;
    this.patience = new Patience(question.budgetSeconds());
  }

  /**
   * Searches until the commit is found, the budget is spent, or somebody stops it.
   *
   * @throws Unusable where an end cannot be measured
   * @throws Stopped where it was stopped before anything was known
   */
  public Bisection run() throws Stopped {
    bad = question.bad();
    good.add(question.good());
    suspects = lineage.suspects(bad, good);
    commits = lineage.between(question.good(), bad);
    double budget = question.budgetSeconds();
    ends = compare("the ends", question.good(), question.bad(), ENDS * budget, budget);
    if (ends.deciding() == null) {
      if (ends.stopped()) throw new Stopped();
      String why = "nothing to decide by: the budget is too short for both ends, or no metric can";
      throw new Unusable(question.bad(), why, null);
    }
    if (ends.stopped()) return answer(Answer.UNPROVEN, "stopped");
    if (ends.verdict() == Verdict.NO_DIFFERENCE) return answer(Answer.NO_DIFFERENCE, ends.why());
    if (ends.verdict() == Verdict.INCONCLUSIVE) return answer(Answer.UNPROVEN, ends.why());
    towardsBad = Math.signum(ends.decidingRatio().estimate());
    allowance = Allowance.among(suspects.size(), ERROR);
    try {
      String stuck = halve();
      if (!stuck.isEmpty()) return answer(Answer.NARROWED, stuck);
    } catch (Stopped _) {
      return answer(Answer.NARROWED, "stopped");
    }
    return confirm();
  }

  /** Tries commits until one suspect is left; why it could not go on, or empty. */
  private String halve() throws Stopped {
    while (suspects.size() > 1) {
      Commit next = next();
      if (next == null) return "the others had to be skipped";
      double error = allowance.of(decisions + 1);
      int fit = (int) (left() / roundSeconds);
      if (fit < Halfway.fewest(error)) return SPENT;
      // More than its share, because most steps need less; the last may have all that is left.
      int share = (int) (2 * left() / (Allowance.steps(suspects.size()) + 1) / roundSeconds);
      int rounds = Math.clamp(Math.min(fit, share), Halfway.fewest(error), MOST_ROUNDS);
      Step step = step(next, new Halfway(error, rounds));
      steps.add(step);
      switch (step.outcome()) {
        case GOOD -> good.add(next);
        case BAD -> bad = next;
        case UNDECIDED -> skipped.merge(next, 1, Integer::sum);
        case UNUSABLE -> skipped.put(next, TRIES);
      }
      suspects = lineage.suspects(bad, good);
    }
    return "";
  }

  /** The most telling that was not skipped, else one that may be tried again, else null. */
  private Commit next() {
    for (int tries = 0; tries < TRIES; tries++) {
      for (Commit each : suspects) {
        if (!each.equals(bad) && skipped.getOrDefault(each, 0) == tries) return each;
      }
    }
    return null;
  }

  /** Seconds of the budget that steps may still use. */
  private double left() {
    double kept =
        Math.max(CONFIRMATION * question.budgetSeconds(), CONFIRMATION_ROUNDS * roundSeconds);
    return question.budgetSeconds() - kept - spent;
  }

  private Step step(Commit commit, Halfway rule) throws Stopped {
    try {
      watcher.prepares(commit);
      trials.prepare(commit);
    } catch (Unusable e) {
      return Step.unusable(commit, suspects.size(), e.getMessage(), 0);
    }
    // Its share of the budget was counted in rounds, so that it need not look at the clock.
    Schedule<Commit> schedule =
        new Schedule<>(
            Double.POSITIVE_INFINITY,
            Schedule.Repeats.NONE,
            (arm, _, seconds, _) -> requireMetric(arm, run(arm, seconds)),
            host);
    try {
      schedule.pilotSeconds(trialSeconds);
      schedule.pilot(commit);
      schedule.begin(trialSeconds, roundSeconds);
      decisions++;
      return rounds(commit, rule, schedule);
    } catch (Unusable e) {
      String whose = e.commit().equals(commit) ? "" : "an end failed: ";
      return Step.unusable(commit, suspects.size(), whose + e.getMessage(), schedule.took());
    } finally {
      spent += schedule.took();
    }
  }

  private Step rounds(Commit commit, Halfway rule, Schedule<Commit> schedule) throws Stopped {
    List<Commit> arms = List.of(question.good(), commit, question.bad());
    Order<Commit> order = new Order<>(arms, question.seed() + steps.size());
    Step step = step(commit, rule, schedule);
    while (step.rounds() < rule.rounds() && step.outcome() == Outcome.UNDECIDED) {
      watcher.round(
          steps.size() + 1,
          steps.size() + Allowance.steps(suspects.size()),
          suspects.size(),
          commit,
          step.rounds(),
          step.sure());
      schedule.round(order);
      step = step(commit, rule, schedule);
    }
    roundSeconds += (schedule.took() / (step.rounds() + 1.0 / 3) - roundSeconds) / 2;
    return step;
  }

  /** What the rounds so far say of a commit. */
  private Step step(Commit commit, Halfway rule, Schedule<Commit> schedule) {
    double[] good = values(schedule, question.good());
    double[] tried = values(schedule, commit);
    double[] bad = values(schedule, question.bad());
    // Positive towards the bad end, whichever way is better.
    double[] places =
        Arrays.stream(Step.places(good, tried, bad)).map(place -> towardsBad * place).toArray();
    Halfway.End end = rule.after(places);
    long disturbed =
        schedule.rounds().stream()
            .filter(round -> round.values().stream().anyMatch(t -> t.disturbance().tooMuch()))
            .count();
    return new Step(
        commit,
        suspects.size(),
        end == null ? Outcome.UNDECIDED : end == Halfway.End.GOOD ? Outcome.GOOD : Outcome.BAD,
        end == null ? "between the ends after " + tried.length + " rounds" : "",
        rule.place(places),
        good,
        tried,
        bad,
        (int) disturbed,
        schedule.took());
  }

  private double[] values(Schedule<Commit> schedule, Commit commit) {
    String metric = ends.deciding().metric();
    return schedule.rounds().stream().mapToDouble(each -> each.get(commit).value(metric)).toArray();
  }

  private Measured requireMetric(Commit commit, Measured measured) {
    String metric = ends.deciding().metric();
    double value = measured.reading().value(metric);
    if (value > 0 && value < Double.POSITIVE_INFINITY) return measured;
    throw new Unusable(commit, "it does not measure " + metric, null);
  }

  private Measured run(Commit commit, double seconds) throws Stopped {
    long begin = host.nanos().getAsLong();
    Measured measured = trials.run(commit, ++number, seconds, patience.with(COMMIT, seconds));
    patience.took(COMMIT, host.since(begin));
    return measured;
  }

  /** The commit against its parent, by trials that have decided nothing yet. */
  private Bisection confirm() throws Stopped {
    Commit commit = suspects.getFirst();
    Commit parent = lineage.parent(commit);
    try {
      double rest = Math.max(question.budgetSeconds() - spent, CONFIRMATION_ROUNDS * roundSeconds);
      confirmation = compare("the commit against its parent", parent, commit, rest, rest);
    } catch (Stopped _) {
      return answer(Answer.NOT_CONFIRMED, "stopped before it was compared with its parent");
    } catch (Unusable e) {
      return answer(Answer.NOT_CONFIRMED, "its parent cannot be measured: " + e.getMessage());
    }
    if (confirmation.verdict() == ends.verdict()) {
      return answer(Answer.FOUND, "a fresh session against its parent agrees");
    }
    return answer(
        Answer.NOT_CONFIRMED,
        "compared with its parent in a fresh session it is '%s': %s"
            .formatted(confirmation.verdict().word(), confirmation.why()));
  }

  /**
   * Two commits, by a session; by another one, where the first does not tell and time is left.
   *
   * @param budget of the first
   * @param all of both together
   */
  private Experiment compare(String what, Commit a, Commit b, double budget, double all)
      throws Stopped {
    for (Commit each : List.of(a, b)) {
      watcher.prepares(each);
      trials.prepare(each);
    }
    Session first = session(what, a, b, budget, MOST_PAIRS);
    boolean again =
        first.finding().verdict() == Verdict.INCONCLUSIVE
            && !first.stopped()
            && all - first.took() > Design.FEWEST_PAIRS * first.schedule().roundSeconds();
    Session session =
        again ? session(what + ", again", a, b, all - first.took(), MOST_PAIRS_AGAIN) : first;
    return Experiment.of(
        session,
        new Experiment.Setting(
            setting.started(), setting.command(), setting.measured(), a.title(), b.title(), true),
        "");
  }

  private Session session(String what, Commit a, Commit b, double budget, int mostPairs) {
    var asked =
        new Session.Question(
            question.threshold(),
            budget,
            question.seed() ^ number,
            ends == null ? question.metric() : ends.deciding().metric());
    Session session =
        new Session(
            asked,
            (arm, _, seconds, _) -> run(arm.isB() ? b : a, seconds),
            new Session.Watcher() {
              @Override
              public void begins(Session session, Arm arm) {
                watcher.begins(what, session, arm);
              }

              @Override
              public int enough(Session session) {
                return mostPairs;
              }
            },
            host);
    session.run();
    spent += session.took();
    trialSeconds = session.schedule().seconds();
    roundSeconds = session.schedule().roundSeconds();
    return session;
  }

  private Bisection answer(Answer answer, String why) {
    List<Commit> left = commits.stream().filter(suspects::contains).toList();
    return new Bisection(
        setting,
        question,
        answer,
        why,
        ends,
        commits,
        steps,
        left,
        confirmation,
        1 - (allowance == null ? 0 : allowance.spent(decisions)),
        spent);
  }
}
