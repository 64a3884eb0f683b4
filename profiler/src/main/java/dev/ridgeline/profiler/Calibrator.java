package dev.ridgeline.profiler;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;

/**
 * Measures what a scope costs here, at each level, through the same code that programs run.
 *
 * <p>The loops are warm and well predicted, so this is what a scope costs at least. The residual is
 * what correction leaves of a tree that does nothing, in a run of its own.
 */
final class Calibrator {
  private static final Scope OUTER = Scope.of("calibration");
  private static final Scope INNER = Scope.of("calibrated");
  private static final int SCOPES = 2_000;
  private static final int ROUNDS = 25;
  private static final int WARM_UP_ROUNDS = 60;
  private static final Map<Level, Profile.Calibration> KNOWN = new EnumMap<>(Level.class);

  private Calibrator() {}

  /** The cost at a level, measured at the first call in this JVM. */
  static synchronized Profile.Calibration of(Level level) {
    if (level == Level.OFF) return Profile.Calibration.NONE;
    return KNOWN.computeIfAbsent(level, Calibrator::measure);
  }

  private static Profile.Calibration measure(Level level) {
    try {
      Session session =
          new Session(Options.of(level).withTraceEvents(SCOPES), Profile.Calibration.NONE, null);
      Recorder recorder = session.recorder();
      for (int i = 0; i < WARM_UP_ROUNDS; i++) round(session);
      double[] whole = new double[ROUNDS];
      double[] inner = new double[ROUNDS];
      double[] clock = new double[ROUNDS];
      long nanosBefore = innerNanos(recorder);
      for (int i = 0; i < ROUNDS; i++) {
        whole[i] = (double) round(session) / SCOPES;
        long nanos = innerNanos(recorder);
        inner[i] = (double) (nanos - nanosBefore) / SCOPES;
        nanosBefore = nanos;
        clock[i] = (double) clockRound() / SCOPES;
      }
      double scope = median(whole);
      double in = median(inner);
      for (int i = 0; i < WARM_UP_ROUNDS; i++) nested(session);
      double[] left = new double[ROUNDS];
      for (int i = 0; i < ROUNDS; i++) left[i] = (double) nested(session) / SCOPES - scope;
      return new Profile.Calibration(median(clock), in, scope - in, median(left));
    } finally {
      Session.forgetRecorder();
    }
  }

  /** Raw time of a scope with many empty ones inside. */
  private static long round(Session session) {
    Frame outer = session.recorder().begin(OUTER);
    long start = System.nanoTime();
    for (int i = 0; i < SCOPES; i++) {
      try (var _ = session.recorder().begin(INNER)) {
        // Empty: all of it is our own cost.
      }
    }
    long nanos = System.nanoTime() - start;
    outer.close();
    return nanos;
  }

  /** As many empty scopes in another shape: a check on the first one, not a repetition. */
  private static long nested(Session session) {
    long start = System.nanoTime();
    for (int i = 0; i < SCOPES; i += 4) {
      try (var _ = session.recorder().begin(OUTER);
          var _ = session.recorder().begin(INNER);
          var _ = session.recorder().begin(OUTER);
          var _ = session.recorder().begin(INNER)) {
        // Empty: all of it is our own cost.
      }
    }
    return System.nanoTime() - start;
  }

  private static long innerNanos(Recorder recorder) {
    return recorder.copy().lane().nodes().stream()
        .filter(node -> node.parent() == 0 && node.name().equals(INNER.name()))
        .mapToLong(node -> node.time().totalNanos())
        .sum();
  }

  private static long clockRound() {
    long sum = 0;
    long start = System.nanoTime();
    for (int i = 0; i < SCOPES; i++) sum += System.nanoTime();
    long nanos = System.nanoTime() - start;
    // Keeps the readings alive.
    return sum == 0 ? 0 : nanos;
  }

  private static double median(double[] values) {
    Arrays.sort(values);
    return values[values.length / 2];
  }
}
