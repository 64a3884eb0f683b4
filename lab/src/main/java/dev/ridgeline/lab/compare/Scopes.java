package dev.ridgeline.lab.compare;

import dev.ridgeline.lab.compare.ScopeChange.Cost;
import dev.ridgeline.profiler.Profile;
import dev.ridgeline.report.PathLabels;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lays the scopes of two profiles over each other, layers folded into one. */
final class Scopes {
  private Scopes() {}

  /**
   * The scopes of either profile, those with most time first.
   *
   * @param baseUnits work that the first holds, or 0 for costs of a call
   * @param currentUnits work that the second holds, or 0 for costs of a call
   */
  static List<ScopeChange> of(
      Profile base, double baseUnits, Profile current, double currentUnits) {
    boolean units = baseUnits > 0 && currentUnits > 0;
    Map<String, Cost> before = costs(base, units ? baseUnits : 0);
    Map<String, Cost> after = costs(current, units ? currentUnits : 0);
    Set<String> paths = new LinkedHashSet<>(before.keySet());
    paths.addAll(after.keySet());
    List<ScopeChange> scopes = new ArrayList<>();
    for (String path : paths) {
      scopes.add(new ScopeChange(path, before.get(path), after.get(path)));
    }
    scopes.sort(
        (one, other) ->
            Double.compare(
                Math.max(other.baseOrNone().selfNanos(), other.currentOrNone().selfNanos()),
                Math.max(one.baseOrNone().selfNanos(), one.currentOrNone().selfNanos())));
    return scopes;
  }

  private static Map<String, Cost> costs(Profile profile, double units) {
    Map<String, Cost> costs = new LinkedHashMap<>();
    profile
        .tree()
        .folded(profile)
        .forEach(
            node -> {
              double per = units > 0 ? units : Math.max(1, node.calls() + node.open());
              long bytes = node.selfAllocatedBytes();
              costs.put(
                  PathLabels.full(node),
                  new Cost(
                      Math.max(0, node.correctedSelfNanos()) / per,
                      profile.waits().looks() == 0 ? Double.NaN : node.waiting().nanos() / per,
                      bytes == Profile.UNKNOWN ? Double.NaN : bytes / per,
                      (node.calls() + node.open()) / per,
                      node.work().bytes() / per));
            });
    return costs;
  }
}
