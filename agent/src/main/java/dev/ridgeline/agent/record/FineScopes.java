package dev.ridgeline.agent.record;

import dev.ridgeline.agent.scope.ScopeTable;
import dev.ridgeline.profiler.Profile;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Switches off scopes that are called so often for so little that they measure the profiler instead
 * of the program, and says so.
 */
final class FineScopes {
  private final ScopeTable table;
  private final long budget;
  private final Map<String, String> switchedOff = new LinkedHashMap<>();

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
              if (switchedOff.put(name, use.describe(soFar.calibration())) == null) {
                table.switchOff(name);
              }
            });
  }

  /** The scopes that were switched off, and why. */
  synchronized Map<String, String> switchedOff() {
    return new LinkedHashMap<>(switchedOff);
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
