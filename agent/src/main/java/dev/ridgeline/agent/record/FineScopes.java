package dev.ridgeline.agent.record;

import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Profile;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Switches off scopes that are called so often that they measure the profiler instead of the
 * program, and says so: those that take less time than recording them does, and the most expensive
 * ones as long as recording takes more than a fifth of the time.
 */
final class FineScopes {
  private static final double BEARABLE = 0.20;

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

  /** The scopes that it may switch off. */
  ScopeTable table() {
    return table;
  }

  /** Looks at what is recorded so far. */
  synchronized void check(Profile soFar) {
    if (budget == 0) return;
    Map<String, Use> usage = usage(soFar);
    usage.keySet().removeAll(switchedOff);
    Profile.Calibration cost = soFar.calibration();
    usage.forEach(
        (name, use) -> {
          if (use.calls >= budget && use.belowFloor(cost)) switchOff(name);
        });
    usage.keySet().removeAll(switchedOff);
    double calls = usage.values().stream().mapToLong(use -> use.calls).sum();
    double bearable = BEARABLE * soFar.threadNanos() / cost.scopeNanos();
    List<Map.Entry<String, Use>> mostCalledFirst =
        usage.entrySet().stream()
            .sorted(Comparator.comparingLong(scope -> -scope.getValue().calls))
            .toList();
    for (Map.Entry<String, Use> scope : mostCalledFirst) {
      if (calls <= bearable || scope.getValue().calls < budget) break;
      switchOff(scope.getKey());
      calls -= scope.getValue().calls;
    }
  }

  private void switchOff(String name) {
    switchedOff.add(name);
    table.switchOff(name);
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
    profile
        .tree()
        .withoutRecursion(profile)
        .forEach(
            node -> {
              if (!node.isTask()) usage.merge(node.name(), Use.of(node), Use::plus);
            });
    return usage;
  }

  /**
   * What calls of a scope took.
   *
   * @param nanos raw, without calls inside of others
   */
  private record Use(long calls, long nanos) {
    static Use of(CallTree.Node node) {
      return new Use(node.calls(), node.totalNanos());
    }

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
