package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.roofline.Bounds;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The rules that end every report, and their order: what is unsound first, then by worth. */
public final class Findings {
  /** At most so many of one rule: the third of a kind says what the tenth would. */
  private static final int PER_RULE = 3;

  /** What makes times longer than the program does: wins that are reckoned from them say so. */
  private static final Set<String> BENDING =
      Set.of("cpu-steal", "cpu-waiting", "jit-still-compiling");

  private static final List<Rule> RULES =
      List.of(
          SoundnessRules::misusedScopes,
          SoundnessRules::suppressedCalls,
          SoundnessRules::lateTasks,
          SoundnessRules::cpuSteal,
          SoundnessRules::cpuWaiting,
          SoundnessRules::jitStillCompiling,
          SoundnessRules::recorderOverhead,
          SoundnessRules::belowFloor,
          SoundnessRules::droppedEvents,
          SoundnessRules::noWorkDeclared,
          RooflineRules::beyondTheCeiling,
          RooflineRules::bottleneck,
          RooflineRules::targets,
          TimeRules::dominantScope,
          TimeRules::deepSelfTime,
          TimeRules::highVariance,
          TimeRules::manyShortCalls,
          TimeRules::besideTheWork,
          WaitRules::lockContention,
          WaitRules::sleep,
          WaitRules::io,
          MemoryRules::allocationInHotScope,
          MemoryRules::gcPressure,
          ParallelRules::imbalance,
          ParallelRules::idleRegion,
          DeviceRules::idle,
          SampleRules::interpretedCode,
          SampleRules::deoptimizationStorm,
          SampleRules::boxing,
          SampleRules::allocationInKernel,
          SampleRules::unscopedCode,
          SampleRules::noSamples,
          SampleRules::lostSamples,
          SampleRules::unattributedSamples);

  private Findings() {}

  /** What fires on a profile of a machine that nothing is known about. */
  public static List<Finding> of(Profile profile, CallTree tree) {
    return of(profile, tree, Bounds.NONE, "");
  }

  /**
   * What fires on a profile.
   *
   * @param bounds of the scopes of the tree
   * @param proof the command that compares a changed program with this one; may be empty
   */
  public static List<Finding> of(Profile profile, CallTree tree, Bounds bounds, String proof) {
    Evidence evidence = Evidence.of(profile, tree, bounds, proof);
    Comparator<RuleHit> byWorth = Comparator.comparingDouble(RuleHit::worthNanos).reversed();
    List<Finding> found =
        RULES.stream()
            .flatMap(rule -> byScope(rule.check(evidence)).sorted(byWorth).limit(PER_RULE))
            .sorted(Comparator.comparing(RuleHit::severity).thenComparing(byWorth))
            .map(RuleHit::finding)
            .toList();
    String bent =
        found.stream()
            .map(Finding::rule)
            .filter(BENDING::contains)
            .collect(Collectors.joining(", "));
    return bent.isEmpty() ? found : found.stream().map(finding -> marked(finding, bent)).toList();
  }

  /** A win that was reckoned from times in which others had their part. */
  private static Finding marked(Finding one, String bent) {
    if (one.severity() != Finding.Severity.OPPORTUNITY || one.win().isEmpty()) return one;
    String win = one.win() + " (doubtful: " + bent + ")";
    return new Finding(one.rule(), one.severity(), one.what(), one.advice(), win, one.command());
  }

  /** A scope that fires at many places (in every layer, say) speaks once, for the worst of them. */
  private static Stream<RuleHit> byScope(Stream<RuleHit> all) {
    Map<String, List<RuleHit>> byScope =
        all.collect(Collectors.groupingBy(RuleHit::scope, LinkedHashMap::new, Collectors.toList()));
    return byScope.values().stream().map(Findings::together);
  }

  private static RuleHit together(List<RuleHit> same) {
    if (same.size() == 1) return same.getFirst();
    return Collections.max(same, Comparator.comparingDouble(RuleHit::worthNanos))
        .and(", also at " + Quantity.many(same.size() - 1, "more place"))
        .worth(same.stream().mapToDouble(RuleHit::worthNanos).sum());
  }

  /** Something to look for. */
  @FunctionalInterface
  interface Rule {
    Stream<RuleHit> check(Evidence evidence);
  }
}
