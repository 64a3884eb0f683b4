package dev.ridgeline.report;

/**
 * A named rule that fired: the numbers that fired it, what to do, and what it should win.
 *
 * @param rule the rule's name, stable, in kebab case: {@code allocation-in-hot-scope}
 * @param severity how much it matters
 * @param what the observation with its numbers, one sentence
 * @param advice what to do, one sentence
 * @param win what that should win: {@code ~90 ms (4 % of thread time)}; empty when not to be said
 * @param command a command that would prove or fix it; empty when there is none
 */
public record Finding(
    String rule, Severity severity, String what, String advice, String win, String command) {

  /** How much a finding matters. */
  public enum Severity {
    /** The numbers of this run cannot be trusted as they are. */
    UNSOUND,
    /** The numbers of this run may say more about the machine than about the program. */
    DOUBTFUL,
    /** Time or memory can be won here. */
    OPPORTUNITY,
    /** The same, but only for somebody who can change the code that ran. */
    CODE,
    /** Good to know. */
    NOTE
  }
}
