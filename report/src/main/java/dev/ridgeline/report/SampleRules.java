package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.bytes;
import static dev.ridgeline.report.Quantity.count;
import static dev.ridgeline.report.Quantity.many;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.note;
import static dev.ridgeline.report.RuleHit.opportunity;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.profiler.Samples.Source;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What sampled stacks tell about the code inside scopes. */
final class SampleRules {
  static final double HOT_SHARE = 0.02;
  static final double INTERPRETED = 0.10;
  static final long DEOPTIMIZATIONS = 20;
  static final long BOXED_BYTES = 1_000_000;
  static final double BOXED_SHARE = 0.10;
  static final long KERNEL_BYTES = 10_000_000;
  static final double LOST = 0.10;
  static final double UNATTRIBUTED = 0.05;

  private static final Set<String> BOXES =
      Set.of(
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Character",
          "java.lang.Short",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double");

  private SampleRules() {}

  /** A scope that matters ran in the interpreter. */
  static Stream<RuleHit> interpretedCode(Evidence seen) {
    // Of cache misses, say, no part of the time follows.
    if (seen.profile().samples().event() != Samples.Event.CPU) return Stream.empty();
    return hot(seen)
        .filter(scope -> scope.inside.samples() >= Inside.ENOUGH_SAMPLES)
        .filter(scope -> scope.inside.interpreted() >= INTERPRETED)
        .map(
            scope -> {
              double nanos = scope.inside.interpreted() * scope.node.correctedSelfNanos();
              String part = Inside.percent(scope.inside.interpreted());
              return opportunity(
                      "interpreted-code",
                      "%s was interpreted for %s of its CPU samples, most in %s",
                      scope.node,
                      part,
                      first(scope.inside.methods()))
                  .advice(
                      "warm up longer before measuring, or see with -XX:+PrintCompilation why it is"
                          + " not compiled")
                  .wins(seen.win(nanos))
                  .worth(nanos)
                  .about(scope.node);
            });
  }

  /** Compiled code was given up again and again. */
  static Stream<RuleHit> deoptimizationStorm(Evidence seen) {
    return hot(seen)
        .filter(scope -> scope.inside.deoptimizations() >= DEOPTIMIZATIONS)
        .map(
            scope -> {
              String times = many(scope.inside.deoptimizations(), "time");
              return opportunity(
                      "deoptimization-storm",
                      "%s was deoptimised %s, most by %s",
                      scope.node,
                      times,
                      first(scope.inside.deoptimized()))
                  .advice(
                      "keep the types and branches that this code sees the same, or warm it up with"
                          + " all of them")
                  .worth(scope.node.correctedSelfNanos() / 20)
                  .about(scope.node);
            });
  }

  /** Numbers or vectors live on the heap that should live in registers. */
  static Stream<RuleHit> boxing(Evidence seen) {
    if (SoundnessRules.compiling(seen)) return Stream.empty();
    return seen.inside().entrySet().stream()
        .map(entry -> new Scope(entry.getKey(), entry.getValue()))
        .flatMap(
            scope -> {
              double share = 0;
              String boxed = null;
              for (Map.Entry<String, Double> type : scope.inside.types()) {
                if (!isBox(type.getKey())) continue;
                share += type.getValue();
                if (boxed == null) boxed = type.getKey();
              }
              // Samples tell the share well, the sum less well than the count.
              long counted = scope.node.selfAllocatedBytes();
              double bytes = share * (counted >= 0 ? counted : scope.inside.allocatedBytes());
              if (share < BOXED_SHARE || bytes < BOXED_BYTES) return Stream.empty();
              String part = Inside.percent(share);
              String type = boxed.substring(boxed.lastIndexOf('.') + 1);
              return Stream.of(
                  opportunity(
                          "boxing",
                          "%s boxes about %s (%s of what it allocates), most of it %s",
                          scope.node,
                          bytes(bytes),
                          part,
                          type)
                      .advice(
                          "use primitive arrays and variables; a vector is boxed where it passes a"
                              + " call that is not inlined")
                      .worth(scope.node.correctedSelfNanos() / 10)
                      .about(scope.node));
            });
  }

  private static boolean isBox(String type) {
    // The payload of a vector is an array; its box is what tells.
    return BOXES.contains(type)
        || type.startsWith("jdk.incubator.vector.")
        || type.startsWith("jdk.internal.vm.vector.");
  }

  /** A scope that computes allocates; where its bytes are counted exactly, that rule speaks. */
  static Stream<RuleHit> allocationInKernel(Evidence seen) {
    if (SoundnessRules.compiling(seen)) return Stream.empty();
    return hot(seen)
        .filter(scope -> scope.node.work().declared() && scope.node.selfAllocatedBytes() < 0)
        .filter(scope -> scope.inside.allocatedBytes() >= KERNEL_BYTES)
        .map(
            scope -> {
              String all = bytes(scope.inside.allocatedBytes());
              String type = first(scope.inside.types());
              return opportunity(
                      "allocation-in-kernel",
                      "%s computes and allocates about %s, most of it %s in %s",
                      scope.node,
                      all,
                      type,
                      first(scope.inside.allocators()))
                  .advice(MemoryRules.REUSE)
                  .worth(scope.node.correctedSelfNanos() / 20)
                  .about(scope.node);
            });
  }

  /** Code was sampled that no scope knows. */
  static Stream<RuleHit> unscopedCode(Evidence seen) {
    Hotspots hotspots = Hotspots.of(seen.profile());
    if (!hotspots.leads() || hotspots.patterns().isEmpty()) return Stream.empty();
    String patterns =
        hotspots.patterns().stream()
            .map(pattern -> "--scope '" + pattern + "'")
            .collect(Collectors.joining(" "));
    boolean none = seen.profile().lanes().stream().allMatch(lane -> lane.nodes().isEmpty());
    return Stream.of(
        opportunity(
                "unscoped-code",
                none
                    ? "samples alone: calls, times of a call and callers are not known"
                    : "most of the time was outside of scopes")
            .advice("record the hot packages as scopes with " + patterns));
  }

  /** Samples were asked for, and none came. */
  static Stream<RuleHit> noSamples(Evidence seen) {
    Samples samples = seen.profile().samples();
    if (samples.source() == Source.NONE || !samples.cpu().isEmpty()) return Stream.empty();
    // Those that the JVM lost had their time: that they were lost says why none is here.
    if (samples.quality().lost() > 0) return Stream.empty();
    boolean cpu = samples.event() == Samples.Event.CPU;
    String period = cpu ? time(samples.period()) : count(samples.period());
    String event = cpu ? "of CPU time" : samples.event().words();
    String kind = Inside.kind(samples);
    return Stream.of(
        note("no-samples", "no %s came: no thread had %s %s", kind, period, event)
            .advice("measure longer, or sample by another event"));
  }

  /** The JVM lost samples. */
  static Stream<RuleHit> lostSamples(Evidence seen) {
    Samples samples = seen.profile().samples();
    double taken = samples.cpu().stream().mapToLong(Samples.Cpu::samples).sum();
    long lost = samples.quality().lost();
    if (lost == 0 || lost < LOST * (taken + lost)) return Stream.empty();
    String part = Inside.percent(lost / (taken + lost));
    String kind = Inside.kind(samples);
    return Stream.of(
        note("lost-samples", "%s of the %ss were lost (%s)", part, kind, count(lost))
            .advice(
                "threads that often call native code lose most: their parts are larger than"
                    + " shown"));
  }

  /**
   * Scopes changed too often to be remembered until their samples came, or ran where the sampler
   * knows no thread.
   */
  static Stream<RuleHit> unattributedSamples(Evidence seen) {
    double all = 0;
    double unknown = 0;
    double carried = 0;
    Samples samples = seen.profile().samples();
    for (Samples.Cpu row : samples.cpu()) {
      all += row.weight();
      if (row.lane() != Samples.UNATTRIBUTED) continue;
      unknown += row.weight();
      if (samples.source() == Source.ASYNC && isCarried(samples, row.stack())) {
        carried += row.weight();
      }
    }
    if (unknown == 0 || unknown < UNATTRIBUTED * all) return Stream.empty();
    boolean virtual = carried >= unknown / 2;
    return Stream.of(
        note(
                "unattributed-samples",
                virtual
                    ? "%s of the %ss found no scope: they were taken in virtual threads"
                    : "%s of the %ss came after their scopes were forgotten",
                Inside.percent(unknown / all),
                Inside.kind(samples))
            .advice(
                virtual
                    ? "async-profiler knows only the threads that carry them: sample with JDK"
                        + " Flight Recorder (--sampler jfr); shares are of the rest"
                    : "scopes change too often for samples: take them out of the shortest calls;"
                        + " shares are of the rest"));
  }

  private static boolean isCarried(Samples samples, int stack) {
    return stack != Samples.NO_STACK
        && samples.stack(stack).stream()
            .anyMatch(
                at ->
                    at.method().equals("enter")
                        && at.type().equals("jdk.internal.vm.Continuation"));
  }

  private record Scope(Node node, Inside inside) {}

  private static Stream<Scope> hot(Evidence seen) {
    return seen.inside().entrySet().stream()
        .map(entry -> new Scope(entry.getKey(), entry.getValue()))
        .filter(scope -> seen.share(scope.node.correctedSelfNanos()) >= HOT_SHARE);
  }

  private static String first(List<Map.Entry<String, Double>> parts) {
    return parts.isEmpty() ? "unknown code" : parts.getFirst().getKey();
  }
}
