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
record RuleHit(Finding finding, double worthNanos, String scope) {
  /** Time or memory can be won. */
  static RuleHit opportunity(String rule, String what, Object... facts) {
    return of(Severity.OPPORTUNITY, rule, what, facts);
  }

  /** Nothing is to be won from it but the truth. */
  static RuleHit unsound(String rule, String what, Object... facts) {
    return of(Severity.UNSOUND, rule, what, facts);
  }

  /** It may explain the numbers better than the program does. */
  static RuleHit doubtful(String rule, String what, Object... facts) {
    return of(Severity.DOUBTFUL, rule, what, facts);
  }

  /** It is good to know. */
  static RuleHit note(String rule, String what, Object... facts) {
    return of(Severity.NOTE, rule, what, facts);
  }

  /** The facts go where the sentence has its {@code %s}; places go by their names. */
  private static RuleHit of(Severity severity, String rule, String what, Object... facts) {
    return new RuleHit(new Finding(rule, severity, say(what, facts), "", "", ""), 0, "");
  }

  private static String say(String sentence, Object... facts) {
    return sentence.formatted(
        Arrays.stream(facts)
            .map(fact -> fact instanceof Node node ? Evidence.name(node) : fact)
            .toArray());
  }

  /** What to do about it. */
  RuleHit advice(String advice, Object... facts) {
    return with(finding.what(), say(advice, facts), finding.win(), finding.command());
  }

  /** What that should win, in words. */
  RuleHit wins(String win) {
    return with(finding.what(), finding.advice(), win, finding.command());
  }

  /** A command that proves it or does it. */
  RuleHit command(String command) {
    return with(finding.what(), finding.advice(), finding.win(), command);
  }

  /** How much more it says. */
  RuleHit and(String more) {
    return with(finding.what() + more, finding.advice(), finding.win(), finding.command());
  }

  private RuleHit with(String what, String advice, String win, String command) {
    Finding other = new Finding(finding.rule(), severity(), what, advice, win, command);
    return new RuleHit(other, worthNanos, scope);
  }

  /** What it is about; all of the same speak once, together. */
  RuleHit about(String what) {
    return new RuleHit(finding, worthNanos, what);
  }

  RuleHit about(Node node) {
    return about(node.name());
  }

  /** What it is ranked by. */
  RuleHit worth(double nanos) {
    return new RuleHit(finding, nanos, scope);
  }

  Severity severity() {
    return finding.severity();
  }
}
