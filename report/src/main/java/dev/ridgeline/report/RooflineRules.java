package dev.ridgeline.report;

import static dev.ridgeline.report.Quantity.number;
import static dev.ridgeline.report.Quantity.time;
import static dev.ridgeline.report.RuleHit.doubtful;
import static dev.ridgeline.report.RuleHit.note;
import static dev.ridgeline.report.RuleHit.opportunity;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.roofline.Bound;
import dev.ridgeline.report.roofline.Ceilings.Level;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** How far hot scopes are from what the machine allows, and what reaching it would win. */
final class RooflineRules {
  static final int TOP = 3;
  static final double WORTH = 0.02;
  static final double NEAR = 0.90;
  static final double FAR = 0.30;
  static final double IMPOSSIBLE = 1.05;
  static final double SHARE = 0.01;

  private RooflineRules() {}

  /** A scope and how far it is from its ceiling. */
  private record Bounded(Node node, Bound bound) {
    String reached() {
      return Quantity.fixed(100 * bound.reached(), 0) + " %";
    }

    String ceiling() {
      boolean cache = !bound.isComputeBound() && bound.level() != Level.DRAM;
      return cache ? "the " + bound.limitedBy() : bound.limitedBy();
    }

    String rates() {
      return "%s of %s %s per thread"
          .formatted(number(bound.rate()), number(bound.reachableRate()), bound.unit());
    }

    String advice() {
      if (bound.reached() < FAR) {
        return "it is near no ceiling: look for scalar code, short loops or waiting first";
      }
      if (bound.isComputeBound()) return "do the same arithmetic in fewer or wider instructions";
      return bound.level() == Level.DRAM
          ? "move fewer bytes, or prefetch them earlier"
          : "cut the work so that bytes are used again while they are in a near cache";
    }
  }

  /** More than the machine can do: a number that went into it is wrong. */
  static Stream<RuleHit> beyondTheCeiling(Evidence seen) {
    return bounded(seen)
        .filter(one -> seen.share(one.bound.nanos()) >= SHARE)
        .filter(one -> one.bound.reached() > IMPOSSIBLE)
        .map(
            one ->
                doubtful(
                        "beyond-the-ceiling",
                        "%s reaches %s of what %s allows (%s)",
                        one.node,
                        one.reached(),
                        one.ceiling(),
                        one.rates())
                    .advice(
                        "the work it declares or the ceiling must be wrong"
                            + (one.bound.isComputeBound() ? "" : ", or its bytes come from nearer"))
                    .command("ridgeline roofline")
                    .worth(one.bound.nanos())
                    .about(PathLabels.full(one.node)));
  }

  /** The scopes with most time above the least that their work needs. */
  static Stream<RuleHit> bottleneck(Evidence seen) {
    return bottlenecks(seen).stream()
        .map(
            one ->
                opportunity(
                        "bottleneck",
                        "%s reaches %s of what %s allows: %s",
                        one.node,
                        one.reached(),
                        one.ceiling(),
                        one.rates())
                    .advice(one.advice())
                    .wins(seen.win(one.bound.toWinNanos()))
                    .command(seen.proof())
                    .worth(one.bound.toWinNanos())
                    .about(PathLabels.full(one.node)));
  }

  /** What all bottlenecks together could win. */
  static Stream<RuleHit> targets(Evidence seen) {
    List<Bounded> all = bottlenecks(seen);
    if (all.isEmpty()) return Stream.empty();
    double win = all.stream().mapToDouble(one -> one.bound.toWinNanos()).sum();
    String each = all.stream().map(RooflineRules::target).collect(Collectors.joining(" · "));
    return Stream.of(
        note(
                "targets",
                "%s; all together %s of thread time now, reachable %s",
                each,
                time(seen.threadNanos()),
                time(seen.threadNanos() - win))
            .advice("change one at a time and prove it")
            .worth(win));
  }

  private static String target(Bounded one) {
    String now = time(one.bound.nanos());
    String gain = number(1 / one.bound.reached());
    return "%s now %s, reachable %s, gain %s ×"
        .formatted(Evidence.name(one.node), now, time(one.bound.idealNanos()), gain);
  }

  private static List<Bounded> bottlenecks(Evidence seen) {
    Comparator<Bounded> byWin = Comparator.comparingDouble(one -> one.bound.toWinNanos());
    return bounded(seen)
        .filter(one -> one.bound.reached() < NEAR)
        .filter(one -> seen.share(one.bound.toWinNanos()) >= WORTH)
        .sorted(byWin.reversed())
        .limit(TOP)
        .toList();
  }

  private static Stream<Bounded> bounded(Evidence seen) {
    return seen.bounds().speakers().stream()
        .map(node -> new Bounded(node, seen.bounds().of(node)))
        .filter(one -> one.bound != null);
  }
}
