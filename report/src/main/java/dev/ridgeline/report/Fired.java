package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.Finding.Severity;
import java.util.Arrays;

/**
 * What a rule found, and its rank among others of its severity.
 *
 * @param worthNanos thread time that may be won, 0 when not to be said
 * @param scope the scope it is about, empty when about the whole run
 */
record Fired(Finding finding, double worthNanos, String scope) {
  /** Time or memory can be won. */
  static Fired opportunity(String rule, String what, Object... facts) {
    return of(Severity.OPPORTUNITY, rule, what, facts);
  }

  /** Nothing is to be won from it but the truth. */
  static Fired unsound(String rule, String what, Object... facts) {
    return of(Severity.UNSOUND, rule, what, facts);
  }

  /** It may explain the numbers better than the program does. */
  static Fired doubtful(String rule, String what, Object... facts) {
    return of(Severity.DOUBTFUL, rule, what, facts);
  }

  /** It is good to know. */
  static Fired note(String rule, String what, Object... facts) {
    return of(Severity.NOTE, rule, what, facts);
  }

  /** The facts go where the sentence has its {@code %s}; places go by their names. */
  private static Fired of(Severity severity, String rule, String what, Object... facts) {
    return new Fired(new Finding(rule, severity, say(what, facts), "", "", ""), 0, "");
  }

  private static String say(String sentence, Object... facts) {
    return sentence.formatted(
        Arrays.stream(facts)
            .map(fact -> fact instanceof Node node ? Evidence.name(node) : fact)
            .toArray());
  }

  /** What to do about it. */
  Fired advice(String advice, Object... facts) {
    return with(finding.what(), say(advice, facts), finding.win(), finding.command());
  }

  /** What that should win, in words. */
  Fired wins(String win) {
    return with(finding.what(), finding.advice(), win, finding.command());
  }

  /** A command that proves it or does it. */
  Fired command(String command) {
    return with(finding.what(), finding.advice(), finding.win(), command);
  }

  /** How much more it says. */
  Fired and(String more) {
    return with(finding.what() + more, finding.advice(), finding.win(), finding.command());
  }

  private Fired with(String what, String advice, String win, String command) {
    Finding other = new Finding(finding.rule(), severity(), what, advice, win, command);
    return new Fired(other, worthNanos, scope);
  }

  /** What it is about; all of the same speak once, together. */
  Fired about(String what) {
    return new Fired(finding, worthNanos, what);
  }

  Fired about(Node node) {
    return about(node.name());
  }

  /** What it is ranked by. */
  Fired worth(double nanos) {
    return new Fired(finding, nanos, scope);
  }

  Severity severity() {
    return finding.severity();
  }
}
