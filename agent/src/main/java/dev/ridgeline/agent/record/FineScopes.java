package dev.ridgeline.agent.record;

import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.profiler.Profile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Switches off scopes that are called so often for so little that they measure the profiler instead
 * of the program, and says so.
 */
final class FineScopes {
  private final ScopeTable table;
  private final long budget;
  private final Set<String> switchedOff = new LinkedHashSet<>();

  /**
   * @param budget calls after which a scope must be worth its cost; 0 for never
   */
  FineScopes(ScopeTable table, long budget) {
    this.table = table;
    this.budget = budget;
  }

  /** Looks at what is recorded so far. */
  synchronized void check(Profile soFar) {
    if (budget == 0) return;
    usage(soFar)
        .forEach(
            (name, use) -> {
              if (use.calls < budget || !use.belowFloor(soFar.calibration())) return;
              if (switchedOff.add(name)) table.switchOff(name);
            });
  }

  /** The scopes that were switched off. */
  synchronized Set<String> switchedOff() {
    return new LinkedHashSet<>(switchedOff);
  }

  /** The scopes that were switched off, and what a profile holds of them. */
  Map<String, String> switchedOff(Profile profile) {
    Map<String, Use> usage = usage(profile);
    Map<String, String> described = new LinkedHashMap<>();
    for (String name : switchedOff()) {
      Use use = usage.get(name);
      if (use != null) described.put(name, use.describe(profile.calibration()));
    }
    return described;
  }

  private static Map<String, Use> usage(Profile profile) {
    Map<String, Use> usage = new HashMap<>();
    for (Profile.Lane lane : profile.lanes()) {
      for (Profile.Node node : lane.nodes()) {
        if (node.isTask()) continue;
        usage.merge(node.name(), new Use(node.time().calls(), node.time().totalNanos()), Use::plus);
      }
    }
    return usage;
  }

  private record Use(long calls, long nanos) {
    Use plus(Use other) {
      return new Use(calls + other.calls, nanos + other.nanos);
    }

    /** Raw time of a call less the part of the recorder's cost that is inside of it. */
    private double ownNanos(Profile.Calibration cost) {
      return Math.max(0, (double) nanos / calls - cost.innerNanos());
    }

    boolean belowFloor(Profile.Calibration cost) {
      return ownNanos(cost) < cost.scopeNanos();
    }

    String describe(Profile.Calibration cost) {
      return String.format(Locale.ROOT, "%,d calls of about %.0f ns", calls, ownNanos(cost));
    }
  }
}
