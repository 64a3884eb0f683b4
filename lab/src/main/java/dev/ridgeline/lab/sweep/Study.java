package dev.ridgeline.lab.sweep;

import java.time.Instant;
import java.util.List;

/**
 * A finished sweep: what was asked, every trial, and the answer.
 *
 * @param setting what was asked
 * @param tookSeconds what it took
 * @param rounds whole rounds
 * @param repeated trials that were run again because the machine was busy
 * @param stopped whether somebody stopped it
 * @param outcome every arm and every trial
 * @param winner the best arm; null where nobody asked for it
 * @param answer what it comes to
 */
public record Study(
    Setting setting,
    double tookSeconds,
    int rounds,
    int repeated,
    boolean stopped,
    Outcome outcome,
    Winner winner,
    Answer answer) {

  /**
   * What was asked.
   *
   * @param name of the experiment: {@code scaling}
   * @param title what was held against each other, in one line
   * @param started when
   * @param command the command line, word by word
   * @param metric that decides; empty where none does
   * @param threshold the smallest difference that matters
   * @param budgetSeconds what it was allowed to take
   * @param seed of the order
   */
  public record Setting(
      String name,
      String title,
      Instant started,
      List<String> command,
      String metric,
      double threshold,
      double budgetSeconds,
      long seed) {
    public Setting {
      command = List.copyOf(command);
    }
  }

  /**
   * What a sweep measured, and what it comes to.
   *
   * @param name of the experiment
   */
  public static Study of(
      String name,
      String title,
      Instant started,
      List<String> command,
      Sweep sweep,
      Answer answer) {
    Sweep.Question asked = sweep.question();
    String metric = sweep.metric() == null ? "" : sweep.metric();
    return new Study(
        new Setting(
            name,
            title,
            started,
            command,
            metric,
            asked.threshold(),
            asked.budgetSeconds(),
            asked.seed()),
        sweep.took(),
        sweep.rounds(),
        sweep.schedule().repeated(),
        sweep.stopped(),
        sweep.outcome(),
        sweep.winner(),
        answer);
  }
}
