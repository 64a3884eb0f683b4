package dev.ridgeline.report;

import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.report.Finding.Severity;
import dev.ridgeline.report.Findings.Fired;
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

  /** More than the machine can do: a number that went into it is wrong. */
  static Stream<Fired> beyondTheCeiling(Evidence seen) {
    return bounded(seen)
        .filter(node -> seen.share(bound(node, seen).nanos()) >= SHARE)
        .filter(node -> bound(node, seen).reached() > IMPOSSIBLE)
        .map(
            node -> {
              Bound bound = bound(node, seen);
              String what =
                  "%s reaches %s of what %s allows (%s)"
                      .formatted(
                          Evidence.name(node),
                          percent(bound.reached()),
                          ceiling(bound),
                          rates(bound));
              String advice =
                  "the work it declares or the ceiling must be wrong"
                      + (bound.isComputeBound() ? "" : ", or its bytes come from nearer");
              return new Fired(
                  new Finding(
                      "beyond-the-ceiling",
                      Severity.DOUBTFUL,
                      what,
                      advice,
                      "",
                      "ridgeline roofline"),
                  bound.nanos(),
                  PathLabels.full(node));
            });
  }

  /** The scopes with most time above the least that their work needs. */
  static Stream<Fired> bottleneck(Evidence seen) {
    return bottlenecks(seen).stream()
        .map(
            node -> {
              Bound bound = bound(node, seen);
              String what =
                  "%s reaches %s of what %s allows: %s"
                      .formatted(
                          Evidence.name(node),
                          percent(bound.reached()),
                          ceiling(bound),
                          rates(bound));
              return new Fired(
                  new Finding(
                      "bottleneck",
                      Severity.OPPORTUNITY,
                      what,
                      advice(bound),
                      seen.win(bound.toWinNanos()),
                      seen.proof()),
                  bound.toWinNanos(),
                  PathLabels.full(node));
            });
  }

  /** What the bottlenecks could come to. */
  static Stream<Fired> targets(Evidence seen) {
    List<Node> nodes = bottlenecks(seen);
    if (nodes.isEmpty()) return Stream.empty();
    double win = nodes.stream().mapToDouble(node -> bound(node, seen).toWinNanos()).sum();
    String each =
        nodes.stream()
            .map(
                node -> {
                  Bound bound = bound(node, seen);
                  return "%s now %s, reachable %s, gain %s ×"
                      .formatted(
                          Evidence.name(node),
                          Quantity.time(bound.nanos()),
                          Quantity.time(bound.idealNanos()),
                          Quantity.number(1 / bound.reached()));
                })
            .collect(Collectors.joining(" · "));
    String all =
        "%s; all together %s of thread time now, reachable %s"
            .formatted(
                each, Quantity.time(seen.threadNanos()), Quantity.time(seen.threadNanos() - win));
    String advice = "change one at a time and prove it";
    return Stream.of(
        new Fired(new Finding("targets", Severity.NOTE, all, advice, "", ""), win, ""));
  }

  private static List<Node> bottlenecks(Evidence seen) {
    return bounded(seen)
        .filter(node -> bound(node, seen).reached() < NEAR)
        .filter(node -> seen.share(bound(node, seen).toWinNanos()) >= WORTH)
        .sorted(
            Comparator.comparingDouble((Node node) -> bound(node, seen).toWinNanos()).reversed())
        .limit(TOP)
        .toList();
  }

  private static Stream<Node> bounded(Evidence seen) {
    return seen.bounds().speakers().stream().filter(node -> bound(node, seen) != null);
  }

  private static Bound bound(Node node, Evidence seen) {
    return seen.bounds().of(node);
  }

  private static String advice(Bound bound) {
    if (bound.reached() < FAR) {
      return "it is near no ceiling: look for scalar code, short loops or waiting before all else";
    }
    if (bound.isComputeBound()) return "do the same arithmetic in fewer or wider instructions";
    return bound.level() == Level.DRAM
        ? "move fewer bytes, or ask for them earlier"
        : "cut the work so that bytes are used again while they are near";
  }

  private static String ceiling(Bound bound) {
    boolean cache = !bound.isComputeBound() && bound.level() != Level.DRAM;
    return cache ? "the " + bound.limitedBy() : bound.limitedBy();
  }

  private static String rates(Bound bound) {
    return "%s of %s %s a thread"
        .formatted(
            Quantity.number(bound.rate()), Quantity.number(bound.reachableRate()), bound.unit());
  }

  private static String percent(double fraction) {
    return Quantity.fixed(100 * fraction, 0) + " %";
  }
}
