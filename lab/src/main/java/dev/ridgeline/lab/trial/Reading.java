package dev.ridgeline.lab.trial;

import dev.ridgeline.lab.stats.BetterPart;
import dev.ridgeline.lab.stats.Median;
import dev.ridgeline.lab.stats.WarmUp;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.PathLabels;
import dev.ridgeline.report.json.JsonObject;
import dev.ridgeline.report.json.JsonWriter;
import dev.ridgeline.report.run.Metric;
import dev.ridgeline.report.run.Run;
import dev.ridgeline.report.run.RunDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What one trial is reduced to.
 *
 * @param metrics one number of each metric, of the samples after warming up: the mean of the better
 *     three quarters, or the median where neither way is better
 * @param scopes self time in nanoseconds by place in the folded call tree, for a unit of work where
 *     the workload has one, else for a call
 * @param amounts what has no noise, for a unit of work: calls, bytes
 * @param digest of the output; empty when there is none
 */
public record Reading(
    List<Value> metrics, Map<String, Double> scopes, Map<String, Double> amounts, String digest) {
  public static final String ALLOCATED = "bytes allocated";
  public static final String CALLS = "calls";

  /** Another name, because what a side does in parallel regions is not counted there. */
  private static final String CALLS_OUTSIDE = "calls outside of parallel regions";

  public static final String TOUCHED = "bytes touched";

  /** A part of the time below which a scope is not worth a comparison. */
  private static final double NEGLIGIBLE = 0.005;

  /** A metric reduced to one number. */
  public record Value(String name, String unit, Metric.Better better, double number) {}

  /** A reading that is nothing but one number. */
  public static Reading of(Value value) {
    return new Reading(List.of(value), Map.of(), Map.of(), "");
  }

  /** The same with another digest of what came out; empty where that is not to be compared. */
  public Reading withOutput(String digest) {
    return new Reading(metrics, scopes, amounts, digest);
  }

  /** The number of a metric, NaN where it was not measured. */
  public double value(String metric) {
    for (Value value : metrics) if (value.name().equals(metric)) return value.number();
    return Double.NaN;
  }

  /** Its metrics, among the fields of a trial. */
  public void write(JsonWriter json) {
    json.object(
        "metrics", fields -> metrics.forEach(each -> fields.real(each.name(), each.number())));
  }

  /** A reading of which only the metrics were kept, of the fields of a trial. */
  public static Reading read(JsonObject json, List<Value> metrics, String digest) {
    JsonObject values = json.object("metrics");
    List<Value> kept =
        metrics.stream()
            .filter(each -> values.has(each.name()))
            .map(it -> new Value(it.name(), it.unit(), it.better(), values.real(it.name())))
            .toList();
    return new Reading(kept, Map.of(), Map.of(), digest);
  }

  /** What a finished run says. */
  public static Reading of(RunDirectory directory) {
    Run run = directory.run();
    List<Value> metrics = new ArrayList<>();
    for (Metric metric : run.metrics()) {
      metrics.add(
          new Value(
              metric.name(),
              metric.unit(),
              metric.better(),
              settled(metric.samples(), metric.better())));
    }
    Map<String, Double> scopes = new LinkedHashMap<>();
    Map<String, Double> amounts = new LinkedHashMap<>();
    if (directory.hasProfile()) read(run, directory.profile(), scopes, amounts);
    return new Reading(metrics, scopes, amounts, run.outputDigest());
  }

  /** A series that never settles has no better part: then all of it counts. */
  private static double settled(List<Double> samples, Metric.Better better) {
    double[] all = samples.stream().mapToDouble(Double::doubleValue).toArray();
    int from = WarmUp.settledFrom(all);
    double[] warm = from < all.length ? Arrays.copyOfRange(all, from, all.length) : all;
    return switch (better) {
      case HIGHER -> BetterPart.ofLarger(warm);
      case LOWER -> BetterPart.ofSmaller(warm);
      case NEITHER -> Median.of(warm);
    };
  }

  private static void read(
      Run run, Profile profile, Map<String, Double> scopes, Map<String, Double> amounts) {
    CallTree tree = profile.tree().folded(profile);
    // Loading is done once, however much work follows.
    CallTree.Node work = tree.find(run.name());
    List<CallTree.Node> tops = work == null ? tree.root().children() : List.of(work);
    double all = 0;
    for (CallTree.Node top : tops) all += top.threadNanos();
    List<CallTree.Node> left = new ArrayList<>(tops);
    while (!left.isEmpty()) {
      CallTree.Node node = left.removeLast();
      left.addAll(node.children());
      if (node.selfNanos() < NEGLIGIBLE * all) continue;
      double per = run.units() > 0 ? run.units() : node.calls();
      if (per > 0) scopes.put(PathLabels.full(node), Math.max(0, node.correctedSelfNanos()) / per);
    }
    if (run.units() == 0) return;
    double calls = 0;
    double bytes = 0;
    double allocated = 0;
    boolean regions = false;
    for (CallTree.Node top : tops) {
      calls += calls(top);
      regions |= hasRegions(top);
      bytes += top.work().bytes();
      allocated += top.allocatedBytes() == Profile.UNKNOWN ? Double.NaN : top.allocatedBytes();
    }
    if (!Double.isNaN(allocated)) amounts.put(ALLOCATED, allocated / run.units());
    amounts.put(regions ? CALLS_OUTSIDE : CALLS, calls / run.units());
    amounts.put(TOUCHED, bytes / run.units());
  }

  private static boolean hasRegions(CallTree.Node node) {
    return node.region() != null || node.children().stream().anyMatch(Reading::hasRegions);
  }

  /** Inside a parallel region it depends on who is free how often something is called. */
  private static double calls(CallTree.Node top) {
    double calls = 0;
    List<CallTree.Node> left = new ArrayList<>(List.of(top));
    while (!left.isEmpty()) {
      CallTree.Node node = left.removeLast();
      calls += node.calls();
      if (node.region() == null) left.addAll(node.children());
    }
    return calls;
  }
}
