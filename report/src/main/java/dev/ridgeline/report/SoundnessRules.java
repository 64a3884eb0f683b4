package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.many;
import static dev.ridgeline.report.Quantity.percent;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.doubtful;
import static dev.ridgeline.report.RuleHit.note;
import static dev.ridgeline.report.RuleHit.unsound;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Profile.Calibration;
import dev.ridgeline.profiler.Profile.Slips;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Whether the numbers can be trusted, and what limits them. */
final class SoundnessRules {
  static final double STEAL = 0.02;
  static final double CPU_OF_INSIDE = 0.80;
  static final double JIT_OF_WALL = 0.10;
  static final double OVERHEAD = 0.10;
  static final long FLOOR_CALLS = 1_000;

  private SoundnessRules() {}

  /** Scopes were closed in the wrong place or not at all. */
  static Stream<RuleHit> misusedScopes(Evidence seen) {
    Slips slips = seen.profile().slips();
    List<String> parts = new ArrayList<>();
    if (slips.unclosed() > 0) {
      parts.add(many(slips.unclosed(), "scope") + " never closed");
    }
    if (slips.misplacedEnds() > 0) {
      parts.add(many(slips.misplacedEnds(), "end") + " without a beginning");
    }
    if (parts.isEmpty()) return Stream.empty();
    return Stream.of(
        unsound("misused-scopes", String.join(" and ", parts))
            .advice(
                "open scopes in try-with-resources; their times end with the scope around them"));
  }

  /** A thread's tree was full or too deep. */
  static Stream<RuleHit> suppressedCalls(Evidence seen) {
    long suppressed = seen.profile().slips().suppressed();
    if (suppressed == 0) return Stream.empty();
    String calls = many(suppressed, "call");
    return Stream.of(
        unsound("suppressed-calls", "%s not recorded: a thread's tree was full or too deep", calls)
            .advice("use fewer scope names or less recursion; the scope around has that time"));
  }

  /** Tasks outlived the place that handed them over. */
  static Stream<RuleHit> lateTasks(Evidence seen) {
    long late = seen.profile().slips().lateTasks();
    if (late == 0) return Stream.empty();
    String tasks = many(late, "task");
    return Stream.of(
        note("late-tasks", "%s ran on after the place that handed over had ended", tasks)
            .advice("wait for tasks inside the scope if its wall time is meant to contain them"));
  }

  /** The hypervisor gave the CPU to others. */
  static Stream<RuleHit> cpuSteal(Evidence seen) {
    double steal = seen.profile().system().stealFraction();
    if (steal < STEAL) return Stream.empty();
    String part = percent(steal);
    return Stream.of(
        unsound("cpu-steal", "the hypervisor gave %s of this machine's CPU time to others", part)
            .advice("run again when it is quiet; how regions use their threads is not judged"));
  }

  /** Threads were inside scopes for longer than the CPU worked, known waits left aside. */
  static Stream<RuleHit> cpuWaiting(Evidence seen) {
    if (!starved(seen)) return Stream.empty();
    double cpu = seen.profile().system().cpuNanos();
    double all = working(seen);
    return Stream.of(
        doubtful(
                "cpu-waiting",
                "scopes had a CPU for only %s of their time (%s of %s)",
                percent(cpu / all),
                time(cpu),
                time(all))
            .advice(
                "stop other work and run again, unless they wait for pages of mapped files; how"
                    + " much calls vary and how regions use their threads is not judged"));
  }

  /** Whether the CPU worked much less than the scopes took: calls then vary by who else ran. */
  static boolean starved(Evidence seen) {
    double cpu = seen.profile().system().cpuNanos();
    return cpu >= 0
        && working(seen) >= SystemFacts.SHORTEST_NANOS / 2
        && cpu < CPU_OF_INSIDE * working(seen);
  }

  /** Whether others had the CPU: threads then stand idle for a reason outside of the program. */
  static boolean cpuTaken(Evidence seen) {
    return starved(seen) || seen.profile().system().stealFraction() >= STEAL;
  }

  /** Whether compilers were still at work: code allocates then what its final form does not. */
  static boolean compiling(Evidence seen) {
    double jit = seen.profile().system().jitMillis() * 1e6;
    return jit > 0 && seen.ofWall(jit) >= JIT_OF_WALL;
  }

  private static double working(Evidence seen) {
    return seen.threadNanos() - seen.nodes().mapToDouble(SoundnessRules::waiting).sum();
  }

  /** Who hands work over may watch for its end in a loop, which is no state that a thread has. */
  private static double waiting(Node node) {
    double waited = node.waiting().nanos();
    return Evidence.waits(node) ? Math.max(waited, node.correctedSelfNanos()) : waited;
  }

  /** Much of the run was spent compiling: what was measured is the warm-up. */
  static Stream<RuleHit> jitStillCompiling(Evidence seen) {
    double jit = seen.profile().system().jitMillis() * 1e6;
    if (!compiling(seen)) return Stream.empty();
    String wall = time(seen.profile().wallNanos());
    return Stream.of(
        unsound(
                "jit-still-compiling",
                "the JIT used %s of CPU time during %s wall time (%s)",
                time(jit),
                wall,
                percent(seen.ofWall(jit)))
            .advice(
                "warm up longer before measuring, or measure longer; what code allocates before it"
                    + " is compiled is not judged"));
  }

  /** The recorder's own cost is a large part of what was measured. */
  static Stream<RuleHit> recorderOverhead(Evidence seen) {
    double raw = seen.profile().threadNanos();
    double cost = raw - seen.threadNanos();
    if (raw <= 0 || cost / raw < OVERHEAD) return Stream.empty();
    return Stream.of(
        unsound(
                "recorder-overhead",
                "%s of the %s measured (%s) is the recorder's own cost",
                time(cost),
                time(raw),
                percent(cost / raw))
            .advice("take the scopes out of the shortest calls, or record at a lower level"));
  }

  /** Scopes around calls that are shorter than the scope itself. */
  static Stream<RuleHit> belowFloor(Evidence seen) {
    Calibration cost = seen.profile().calibration();
    List<Node> below =
        seen.nodes().filter(node -> node.calls() >= FLOOR_CALLS && node.belowFloor(cost)).toList();
    if (below.isEmpty()) return Stream.empty();
    String calls = many(below.stream().mapToLong(Node::calls).sum(), "call");
    return Stream.of(
        note(
                "below-floor",
                "%s with %s below the %s that a scope costs, %s first",
                many(below.size(), "scope"),
                calls,
                time(cost.scopeNanos()),
                below.getFirst())
            .advice("measure the loop around them instead; their times are mostly error"));
  }

  /** The ring of raw events was too small for the run. */
  static Stream<RuleHit> droppedEvents(Evidence seen) {
    long dropped = seen.profile().lanes().stream().mapToLong(l -> l.trace().dropped()).sum();
    if (dropped == 0) return Stream.empty();
    long kept = seen.profile().lanes().stream().mapToLong(l -> l.trace().size()).sum();
    return Stream.of(
        note(
                "dropped-events",
                "the timeline kept the last %s and dropped %s before them",
                many(kept, "event"),
                Quantity.count(dropped))
            .advice("trace a shorter run to see its beginning; calls and times are complete"));
  }

  /** Nothing declares bytes or FLOPs, so no rate can be given. */
  static Stream<RuleHit> noWorkDeclared(Evidence seen) {
    if (seen.tree().nodes().isEmpty()) return Stream.empty();
    if (seen.nodes().anyMatch(node -> node.work().declared() || node.deviceWork().declared())) {
      return Stream.empty();
    }
    return Stream.of(
        note(
                "no-work-declared",
                "no scope declares bytes or FLOPs, so GB/s and GFLOP/s are not known")
            .advice("call work(bytes, flops) on the frames of scopes that compute"));
  }
}
