package dev.ridgeline.cli.doctor;

import dev.ridgeline.profiler.Level;
import dev.ridgeline.profiler.Options;
import dev.ridgeline.profiler.Profile.Calibration;
import dev.ridgeline.profiler.Profiler;
import dev.ridgeline.profiler.Scope;
import java.util.ArrayList;
import java.util.List;

/** What a scope of the profiler costs here, at each level. */
final class ScopeProbe implements Probe {
  private static final Scope OUTER = Scope.of("doctor");
  private static final Scope SCOPE = Scope.of("scope");
  private static final long BUDGET_NANOS = 250_000_000;

  private volatile int sink;

  @Override
  public List<Check> examine() {
    var checks = new ArrayList<Check>();
    for (Level level : Level.values()) checks.add(cost(level));
    return checks;
  }

  private Check cost(Level level) {
    Profiler.start(Options.of(level));
    Calibration calibration;
    double loop;
    double scoped;
    try (var outer = Profiler.scope(OUTER)) {
      loop = Stopwatch.nanosEach(BUDGET_NANOS / 5, this::count);
      scoped = Stopwatch.nanosEach(BUDGET_NANOS, this::countInScopes);
    } finally {
      calibration = Profiler.stop().calibration();
    }
    var cost =
        new Cost(
            Check.round(Math.max(0, scoped - loop)),
            Check.round(calibration.scopeNanos()),
            Check.round(calibration.residualNanos()));
    String name = level.name().toLowerCase();
    return Check.of("scope." + name, name).ok(cost, cost.text(level));
  }

  /**
   * Nanoseconds of one scope.
   *
   * @param nanos measured here
   * @param subtracted what the profiler's own calibration takes off in reports
   * @param residual the error that calibration expects of itself
   */
  record Cost(double nanos, double subtracted, double residual) {
    String text(Level level) {
      if (level == Level.OFF) return nanos + " ns per scope";
      return "%s ns per scope; reports subtract %s ns, give or take %s"
          .formatted(nanos, subtracted, Math.abs(residual));
    }
  }

  private void count(int times) {
    for (int i = 0; i < times; i++) sink = i;
  }

  private void countInScopes(int times) {
    for (int i = 0; i < times; i++) {
      try (var scope = Profiler.scope(SCOPE)) {
        sink = i;
      }
    }
  }
}
