package dev.ridgeline.cli.experiment;

import dev.ridgeline.lab.process.Child;
import dev.ridgeline.lab.process.Processes;
import dev.ridgeline.lab.process.Program;
import dev.ridgeline.lab.process.Work;
import dev.ridgeline.lab.sweep.Aim;
import dev.ridgeline.lab.sweep.Arm;
import dev.ridgeline.lab.trial.Runner;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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

  /** Runs trials of its arms. */
  Runner<Arm> runner(Child child, Path record) {
    // The cache of classes belongs to one collector: no arm shall be favoured by it.
    boolean collectors = attempts.stream().anyMatch(each -> each.start().choosesCollector());
    Program program = collectors ? Program.here().withoutCache() : Program.here();
    Map<Arm, Work> works = new HashMap<>();
    for (Attempt each : attempts) works.put(each.arm(), each.start().work(child, program, metric));
    return new Processes<>(record, Arm::name, Arm::name, works::get);
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
