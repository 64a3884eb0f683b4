package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The rules that end every report, and their order: what is unsound first, then by worth. */
public final class Findings {
  /** At most so many of one rule: the third of a kind says what the tenth would. */
  private static final int PER_RULE = 3;

  private static final List<Rule> RULES =
      List.of(
          SoundnessRules::misusedScopes,
          SoundnessRules::suppressedCalls,
          SoundnessRules::lateTasks,
          SoundnessRules::cpuSteal,
          SoundnessRules::jitStillCompiling,
          SoundnessRules::recorderOverhead,
          SoundnessRules::belowFloor,
          SoundnessRules::droppedEvents,
          SoundnessRules::noWorkDeclared,
          TimeRules::dominantScope,
          TimeRules::deepSelfTime,
          TimeRules::highVariance,
          TimeRules::manyShortCalls,
          MemoryRules::allocationInHotScope,
          MemoryRules::gcPressure,
          ParallelRules::imbalance,
          ParallelRules::idleRegion);

  private Findings() {}

  /** What fires on a profile. */
  public static List<Finding> of(Profile profile, CallTree tree) {
    Evidence evidence = Evidence.of(profile, tree);
    Comparator<Fired> byWorth = Comparator.comparingDouble(Fired::worthNanos).reversed();
    return RULES.stream()
        .flatMap(rule -> rule.check(evidence).sorted(byWorth).limit(PER_RULE))
        .sorted(Comparator.comparing(Fired::severity).thenComparing(byWorth))
        .map(Fired::finding)
        .toList();
  }

  /** Something to look for. */
  @FunctionalInterface
  interface Rule {
    Stream<Fired> check(Evidence evidence);
  }

  /**
   * A finding and its rank among others of its severity.
   *
   * @param worthNanos thread time that may be won, 0 when not to be said
   */
  record Fired(Finding finding, double worthNanos) {
    Finding.Severity severity() {
      return finding.severity();
    }
  }

  /** A finding that nothing is to be won from but the truth. */
  static Fired unsound(String rule, String what, String advice) {
    return new Fired(new Finding(rule, Finding.Severity.UNSOUND, what, advice, "", ""), 0);
  }

  /** A finding that is good to know. */
  static Fired note(String rule, String what, String advice) {
    return new Fired(new Finding(rule, Finding.Severity.NOTE, what, advice, "", ""), 0);
  }
}
