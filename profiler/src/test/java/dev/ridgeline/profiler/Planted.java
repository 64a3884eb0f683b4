package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * CPU time of known work, 70, 20 and 10 % in three scopes and the same inside the first, and
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

  /** Does the work; rounds of different lengths, or samples would fall into step with them. */
  static Planted of(int rounds) {
    Random lengths = new Random(1);
    double[] nanos = new double[5];
    for (int round = 0; round < rounds; round++) {
      double length = 0.5 + lengths.nextDouble();
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

  double a() {
    return hot + warm + cool;
  }

  double all() {
    return a() + b + c;
  }

  /**
   * Whether the shares are those that were meant. Where the JIT changes the pace of a method in the
   * middle they are not, and the work is to be done again: nothing was learned about samples.
   */
  boolean asMeant() {
    return Math.abs(a() / all() - 0.7) <= 0.05 && Math.abs(hot / a() - 0.7) <= 0.05;
  }

  /** Checks the shares of scopes and of methods in them; answers the weight of all. */
  double comesBack(Profile profile) {
    String said = "%s, %s".formatted(this, profile.samples().quality());
    double all = cpu(profile, inScope(profile, "outer", "a", "b", "c"));
    share(said, cpu(profile, inScope(profile, "a")) / all, a() / all());
    share(said, cpu(profile, inScope(profile, "b")) / all, b / all());
    share(said, cpu(profile, inScope(profile, "c")) / all, c / all());
    Predicate<Samples.Cpu> inA = inScope(profile, "a");
    double a = cpu(profile, inA);
    share(said, cpu(profile, inA.and(calls(profile, "hot"))) / a, hot / a());
    share(said, cpu(profile, inA.and(calls(profile, "warm"))) / a, warm / a());
    share(said, cpu(profile, inA.and(calls(profile, "cool"))) / a, cool / a());
    // Known shares, not whatever came about.
    assertThat(asMeant()).as(said).isTrue();
    return all;
  }

  private static void share(String said, double sampled, double planted) {
    assertThat(sampled).as(said).isCloseTo(planted, within(0.03));
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
