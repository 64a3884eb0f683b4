package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * CPU time of known work, about 70, 20 and 10 % in three scopes and the same inside the first, and
 * whether samples give it back.
 */
record Planted(double hot, double warm, double cool, double b, double c) {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");
  private static final Scope C = Scope.of("c");
  private static final Scope OUTER = Scope.of("outer");

  /** Has all code compiled that the work will run: a method of its own pace would bend shares. */
  static void ready() {
    for (int i = 0; i < 40; i++) {
      Busy.hot(5);
      Busy.warm(5);
      Busy.cool(5);
    }
  }

  /**
   * Does the work, six seconds of it. Rounds have different lengths, or samples would fall into
   * step with them; few and long ones, because each stretch of work between two ticks has a sample
   * more or less by chance. A sum over 20 rounds wanders by the root of 20 quarters, about 2
   * samples: of the 400 in the first scope, where a clock ticks each 10 ms, half a point.
   */
  private static Planted work() {
    Random lengths = new Random(1);
    double[] nanos = new double[5];
    for (int round = 0; round < 20; round++) {
      double length = 3 * (0.5 + lengths.nextDouble());
      try (var _ = Profiler.scope(OUTER)) {
        try (var _ = Profiler.scope(A)) {
          nanos[0] += Busy.hot(49 * length);
          nanos[1] += Busy.warm(14 * length);
          nanos[2] += Busy.cool(7 * length);
        }
        try (var _ = Profiler.scope(B)) {
          nanos[3] += Busy.hot(20 * length);
        }
        try (var _ = Profiler.scope(C)) {
          nanos[4] += Busy.hot(10 * length);
        }
      }
    }
    return new Planted(nanos[0], nanos[1], nanos[2], nanos[3], nanos[4]);
  }

  private double a() {
    return hot + warm + cool;
  }

  double all() {
    return a() + b + c;
  }

  private boolean isNear(Planted planted) {
    return Math.abs(a() / all() - planted.a() / planted.all()) <= 0.03
        && Math.abs(b / all() - planted.b / planted.all()) <= 0.03
        && Math.abs(c / all() - planted.c / planted.all()) <= 0.03
        && Math.abs(hot / a() - planted.hot / planted.a()) <= 0.03
        && Math.abs(warm / a() - planted.warm / planted.a()) <= 0.03
        && Math.abs(cool / a() - planted.cool / planted.a()) <= 0.03;
  }

  /** The same shares by what the samples say. */
  private static Planted by(Profile profile) {
    Predicate<Samples.Cpu> inA = inScope(profile, "a");
    Planted sampled =
        new Planted(
            cpu(profile, inA.and(calls(profile, "hot"))),
            cpu(profile, inA.and(calls(profile, "warm"))),
            cpu(profile, inA.and(calls(profile, "cool"))),
            cpu(profile, inScope(profile, "b")),
            cpu(profile, inScope(profile, "c")));
    // Hardly anything is left for the scopes themselves.
    assertThat(sampled.all())
        .isGreaterThan(0.97 * cpu(profile, inScope(profile, "outer", "a", "b", "c")));
    return sampled;
  }

  /** What was planted, what samples said of it, and their profile. */
  record Told(Planted planted, Planted sampled, Profile profile) {}

  /** Shares of scopes, and of methods in one, come back within three points. */
  static Told comesBack(Sampling sampling) {
    ready();
    Profiler.start(Options.of(Level.TIME).withoutCalibration().withSampling(sampling));
    Planted planted = work();
    Profile profile = Profiler.stop();
    Planted sampled = by(profile);
    // The JIT may give one of the methods another pace; its share is measured, and not nothing.
    double least = Math.min(Math.min(planted.warm, planted.cool), Math.min(planted.b, planted.c));
    assertThat(least).isGreaterThan(0.03 * planted.all());
    assertThat(sampled.isNear(planted))
        .as("planted %s, sampled %s, %s", planted, sampled, profile.samples().quality())
        .isTrue();
    return new Told(planted, sampled, profile);
  }

  static Predicate<Samples.Cpu> inScope(Profile profile, String... scopes) {
    return row -> List.of(scopes).contains(scope(profile, row));
  }

  static String scope(Profile profile, Samples.Cpu row) {
    return scope(profile, row.lane(), row.node());
  }

  static String scope(Profile profile, int lane, int node) {
    return switch (lane) {
      case Samples.OUTSIDE -> "outside";
      case Samples.UNATTRIBUTED -> "unknown";
      default -> profile.lanes().get(lane).nodes().get(node).name();
    };
  }

  static Predicate<Samples.Cpu> calls(Profile profile, String method) {
    return row ->
        profile.samples().stack(row.stack()).stream()
            .anyMatch(
                location ->
                    location.type().equals(Busy.class.getName())
                        && location.method().equals(method));
  }

  static double cpu(Profile profile, Predicate<Samples.Cpu> wanted) {
    return profile.samples().cpu().stream().filter(wanted).mapToLong(Samples.Cpu::weight).sum();
  }
}
