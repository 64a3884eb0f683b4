package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.function.Predicate;

/** Work of known shares, and whether samples give them back. */
final class Planted {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");
  private static final Scope C = Scope.of("c");
  private static final Scope OUTER = Scope.of("outer");
  static final int ROUNDS = 30;

  private Planted() {}

  static void work() {
    for (int round = 0; round < ROUNDS; round++) {
      try (var _ = Profiler.scope(OUTER)) {
        try (var _ = Profiler.scope(A)) {
          Busy.hot(49);
          Busy.warm(14);
          Busy.cool(7);
        }
        try (var _ = Profiler.scope(B)) {
          Busy.hot(20);
        }
        try (var _ = Profiler.scope(C)) {
          Busy.hot(10);
        }
      }
    }
  }

  /** Checks the shares of scopes and of methods in them; answers the weight of all. */
  static double comesBack(Profile profile) {
    double all = cpu(profile, inScope(profile, "outer", "a", "b", "c"));
    assertThat(cpu(profile, inScope(profile, "a")) / all).isCloseTo(0.70, within(0.03));
    assertThat(cpu(profile, inScope(profile, "b")) / all).isCloseTo(0.20, within(0.03));
    assertThat(cpu(profile, inScope(profile, "c")) / all).isCloseTo(0.10, within(0.03));
    Predicate<Samples.Cpu> inA = inScope(profile, "a");
    double a = cpu(profile, inA);
    assertThat(cpu(profile, inA.and(calls(profile, "hot"))) / a).isCloseTo(0.7, within(0.04));
    assertThat(cpu(profile, inA.and(calls(profile, "warm"))) / a).isCloseTo(0.2, within(0.04));
    assertThat(cpu(profile, inA.and(calls(profile, "cool"))) / a).isCloseTo(0.1, within(0.04));
    return all;
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
