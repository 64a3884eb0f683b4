package dev.ridgeline.report.format;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.profiler.Profile.Lane;
import dev.ridgeline.profiler.Samples;
import dev.ridgeline.report.Listing;
import dev.ridgeline.report.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleFunction;

/**
 * What {@code go tool pprof -top} prints of the files that {@link Pprof} writes, for those who do
 * not have it: functions and scopes by what they take themselves.
 */
public final class TopFunctions {
  private final Profile profile;
  private final CallTree tree;
  private final Stacks stacks;
  private final List<String> names;
  private final Map<String, double[]> rows = new HashMap<>();

  private TopFunctions(Profile profile) {
    this.profile = profile;
    this.tree = profile.tree();
    this.stacks = new Stacks(tree);
    this.names = stacks.names();
  }

  /** Whether code was sampled; else time is known by scopes alone. */
  public static boolean sampled(Profile profile) {
    return !profile.samples().cpu().isEmpty();
  }

  /** Where the time went: sampled code in its scopes; scopes alone where nothing was sampled. */
  public static String cpu(Profile profile, int most) {
    TopFunctions top = new TopFunctions(profile);
    if (!sampled(profile)) {
      top.scopes(node -> node.time().selfNanos());
      return top.draw("time", most, Quantity::time);
    }
    boolean time = profile.samples().event() == Samples.Event.CPU;
    for (Samples.Cpu row : profile.samples().cpu()) {
      top.add(top.stack(row.lane(), row.node(), row.stack()), row.weight());
    }
    return top.draw(
        time ? "cpu" : profile.samples().event().words(),
        most,
        time ? Quantity::time : count -> Quantity.count((long) count));
  }

  /** Which scopes allocated on the heap, by the threads' own counters. */
  public static String allocated(Profile profile, int most) {
    TopFunctions top = new TopFunctions(profile);
    top.scopes(node -> Math.max(0, node.allocation().selfBytes()));
    return top.draw("alloc_space", most, Quantity::bytes);
  }

  /** Which code allocated objects, and of which class: as far as they were sampled. */
  public static String objects(Profile profile, int most) {
    TopFunctions top = new TopFunctions(profile);
    for (Samples.Allocated row : profile.samples().allocations()) {
      List<String> stack = new ArrayList<>(top.stack(row.lane(), row.node(), row.stack()));
      stack.addFirst("new " + row.type());
      top.add(stack, row.samples());
    }
    String text = top.draw("alloc_objects", most, count -> Quantity.count((long) count));
    return top.rows.isEmpty() ? text + "No object was sampled.\n" : text;
  }

  private interface Value {
    double of(Profile.Node node);
  }

  private void scopes(Value value) {
    for (int l = 0; l < profile.lanes().size(); l++) {
      Lane lane = profile.lanes().get(l);
      for (int i = 0; i < lane.nodes().size(); i++) {
        double own = value.of(lane.nodes().get(i));
        if (own > 0) add(scopes(l, i), own);
      }
    }
  }

  private List<String> scopes(int lane, int node) {
    return stacks.leafFirst(tree.places(lane).get(node)).stream().map(names::get).toList();
  }

  /** The innermost first. */
  private List<String> stack(int lane, int node, int stack) {
    List<String> all = new ArrayList<>();
    for (Samples.Location at : profile.samples().stack(stack)) {
      all.add(at.kind().outsideJava() ? at.method() : at.type() + "." + at.method());
    }
    if (lane >= 0) all.addAll(scopes(lane, node));
    else all.add(lane == Samples.OUTSIDE ? "(no scope)" : "(scope unknown)");
    return all;
  }

  private void add(List<String> stack, double value) {
    rows.computeIfAbsent(stack.getFirst(), _ -> new double[2])[0] += value;
    // What calls itself is there once.
    for (String name : new LinkedHashSet<>(stack)) {
      rows.computeIfAbsent(name, _ -> new double[2])[1] += value;
    }
  }

  private String draw(String type, int most, DoubleFunction<String> unit) {
    List<Listing.Row> listed = new ArrayList<>();
    rows.forEach((name, sums) -> listed.add(new Listing.Row(name, sums[0], sums[1])));
    return "Type: %s\nTime: %s\nDuration: %s\n%s"
        .formatted(
            type,
            profile.started(),
            Quantity.time(profile.wallNanos()),
            new Listing("node", listed, listed.size(), unit).draw(most));
  }
}
