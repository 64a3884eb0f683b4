package dev.ridgeline.profiler;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Measures what a scope costs here, at each level, through the same code that programs run.
 *
 * <p>The loops are warm and well predicted, so this is what a scope costs at least. The residual is
 * what correction leaves of a tree of another shape that does nothing.
 */
final class Calibrator {
  private static final Scope OUTER = Scope.of("calibration");
  private static final Scope INNER = Scope.of("calibrated");
  private static final int SCOPES = 1_000;
  private static final int ROUNDS = 41;

  /** Warm is when nothing got faster for this many rounds; a busy compiler is not waited for. */
  private static final int ROUNDS_WITHOUT_GAIN = 120;

  private static final long WARM_UP_LIMIT_NANOS = 600_000_000;

  /** What a scope does: where it writes makes no difference to its cost. */
  private record Path(Level level, boolean sampled) {}

  private static final Map<Path, Profile.Calibration> KNOWN = new HashMap<>();

  private final Session session;
  private final LongSupplier flat = this::flatNanos;
  private final LongSupplier inner = this::innerNanos;
  private final LongSupplier nested = this::nestedNanos;
  private final LongSupplier clock = Calibrator::clockNanos;
  private long innerBefore;

  private Calibrator(Options options) {
    Options small = Options.of(options.level()).withTraceEvents(SCOPES);
    session =
        new Session(small.withSampling(options.sampling()), Profile.Calibration.NONE, null, null);
  }

  /** The cost at a level, measured at the first call in this JVM. */
  static synchronized Profile.Calibration of(Options options) {
    if (options.level() == Level.OFF) return Profile.Calibration.NONE;
    Path path = new Path(options.level(), options.sampling().on());
    Profile.Calibration known = KNOWN.get(path);
    if (known == null) {
      try {
        known = new Calibrator(options).measure();
      } finally {
        Session.forgetRecorder();
      }
      KNOWN.put(path, known);
    }
    return known;
  }

  private Profile.Calibration measure() {
    LongSupplier[] loops = {flat, inner, nested, clock};
    warmUp(loops);
    double[][] nanos = new double[loops.length][ROUNDS];
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < loops.length; i++) {
        nanos[i][round] = (double) loops[i].getAsLong() / SCOPES;
      }
    }
    double scope = typical(nanos[0]);
    double inside = typical(nanos[1]);
    double residual = typical(nanos[2]) - scope;
    return new Profile.Calibration(typical(nanos[3]), inside, scope - inside, residual);
  }

  private static void warmUp(LongSupplier[] loops) {
    long[] best = new long[loops.length];
    Arrays.fill(best, Long.MAX_VALUE);
    long limit = System.nanoTime() + WARM_UP_LIMIT_NANOS;
    int withoutGain = 0;
    while (withoutGain < ROUNDS_WITHOUT_GAIN && System.nanoTime() < limit) {
      withoutGain++;
      for (int i = 0; i < loops.length; i++) {
        long nanos = loops[i].getAsLong();
        if (nanos < 0.95 * best[i]) withoutGain = 0;
        best[i] = Math.min(best[i], nanos);
      }
    }
  }

  /** A loop of empty scopes: all of it is our own cost. */
  private long flatNanos() {
    try (var _ = session.recorder().begin(OUTER)) {
      long start = System.nanoTime();
      for (int i = 0; i < SCOPES; i++) {
        try (var _ = session.recorder().begin(INNER)) {}
      }
      return System.nanoTime() - start;
    }
  }

  /** What the empty scopes of the last such loop measured of themselves. */
  private long innerNanos() {
    long all = session.recorder().totalNanos(OUTER, INNER);
    long sinceLast = all - innerBefore;
    innerBefore = all;
    return sinceLast;
  }

  /** As many empty scopes in another shape: a check on the first one, not a repetition. */
  private long nestedNanos() {
    long start = System.nanoTime();
    for (int i = 0; i < SCOPES; i += 4) {
      try (var _ = session.recorder().begin(INNER);
          var _ = session.recorder().begin(OUTER);
          var _ = session.recorder().begin(INNER);
          var _ = session.recorder().begin(OUTER)) {}
    }
    return System.nanoTime() - start;
  }

  private static long clockNanos() {
    long sum = 0;
    long start = System.nanoTime();
    for (int i = 0; i < SCOPES; i++) sum += System.nanoTime();
    long nanos = System.nanoTime() - start;
    // Keeps the readings alive.
    return sum == 0 ? 0 : nanos;
  }

  /** The lower quartile: whatever else the machine does can only add to a round. */
  private static double typical(double[] values) {
    Arrays.sort(values);
    return values[values.length / 4];
  }
}
