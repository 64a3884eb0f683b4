package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.sweep.Aim;
import java.util.List;

/**
 * What an experiment is going to do.
 *
 * @param name of the experiment: {@code scaling}
 * @param title what is held against each other, in one line
 * @param attempts the arms
 * @param reference name of the arm that others are held against
 * @param metric that decides, or null for the first that has a better way
 * @param aim what is wanted of the arms
 * @param rounds exactly so many, however long they take unless a budget is given; 0 for as many as
 *     the budget allows
 * @param distinct whether an arm whose pilot has the reference's plan is left out
 */
record Plan(
    String name,
    String title,
    List<Attempt> attempts,
    String reference,
    String metric,
    Aim aim,
    int rounds,
    boolean distinct) {
  Plan {
    attempts = List.copyOf(attempts);
  }

  /** Whether all that is measured is ridgeline itself, so that its revision says what ran. */
  boolean ownWork() {
    return attempts.stream().allMatch(each -> each.start() instanceof Start.Workload);
  }

  /** As many rounds as the budget allows. */
  Plan(
      String name, String title, List<Attempt> attempts, String reference, String metric, Aim aim) {
    this(name, title, attempts, reference, metric, aim, 0, false);
  }

  /** The same without arms that turn out to run the reference's code. */
  Plan distinctly() {
    return new Plan(name, title, attempts, reference, metric, aim, rounds, true);
  }
}
