package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.profiler.CallTree.Node;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A scope that calls itself can be looked at as one place, and no time counts twice. */
class RecursionTest {
  private static final Scope MAIN = Scope.of("main");
  private static final Scope FIB = Scope.of("fib");
  private static final Scope EVEN = Scope.of("even");
  private static final Scope ODD = Scope.of("odd");

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void allLevelsAreOneRowThatKnowsItsDepth() {
    Profile profile = recorded(() -> fib(10));
    CallTree tree = profile.tree();
    CallTree folded = tree.folded(profile);
    assertThat(tree.nodes()).hasSize(11);
    assertThat(folded.nodes()).extracting(Node::name).containsExactly("main", "fib");
    assertThat(tree.withoutRecursion(profile).nodes()).hasSize(2);
    Node fib = folded.find("main", "fib");
    assertThat(fib.calls()).isEqualTo(177);
    assertThat(fib.recursion()).isEqualTo(10);
    assertThat(folded.find("main").recursion()).isEqualTo(1);
  }

  @Test
  void noTimeAndNoByteCountsTwice() {
    Profile profile = recorded(() -> fib(10));
    CallTree tree = profile.tree();
    Node outermost = tree.find("main", "fib");
    CallTree folded = tree.folded(profile);
    Node fib = folded.find("main", "fib");
    assertThat(fib.totalNanos()).isEqualTo(outermost.totalNanos());
    assertThat(fib.correctedTotalNanos()).isEqualTo(outermost.correctedTotalNanos());
    assertThat(fib.allocatedBytes()).isEqualTo(outermost.allocatedBytes());
    assertThat(fib.selfNanos()).isEqualTo(fib.totalNanos());
    assertThat(fib.selfAllocatedBytes()).isEqualTo(fib.allocatedBytes());
    assertThat(folded.nodes().stream().mapToLong(Node::selfNanos).sum())
        .isEqualTo(profile.threadNanos());
    assertThat(fib.averageNanos())
        .as("a call as long as it was, inner calls included")
        .isBetween((double) fib.minNanos(), (double) fib.maxNanos());
    long declared =
        tree.nodes().stream()
            .filter(n -> n.name().equals("fib"))
            .mapToLong(n -> n.depth() == 2 ? n.work().bytes() : 0)
            .sum();
    assertThat(fib.work().bytes())
        .as("the outermost call speaks for all inside")
        .isEqualTo(declared);
  }

  @Test
  void scopesThatCallEachOtherAreOneRowEach() {
    Profile profile = recorded(() -> even(9));
    CallTree folded = profile.tree().folded(profile);
    assertThat(folded.nodes()).extracting(Node::name).containsExactly("main", "even", "odd");
    assertThat(folded.find("main", "even").recursion()).isEqualTo(5);
    assertThat(folded.find("main", "even", "odd").calls()).isEqualTo(5);
    assertThat(folded.nodes().stream().mapToLong(Node::selfNanos).sum())
        .isEqualTo(profile.threadNanos());
    assertThat(folded.find("main", "even", "odd").totalNanos())
        .isEqualTo(profile.tree().find("main", "even", "odd").totalNanos());
  }

  @Test
  void thousandsOfLevelsAreOneRow() {
    Profile profile = recorded(() -> even(6_000));
    assertThat(profile.tree().folded(profile).nodes()).hasSize(3);
  }

  @Test
  void theSameScopeInTwoPlacesIsNoRecursion() {
    Profile profile =
        recorded(
            () -> {
              fib(1);
              even(0);
              try (var _ = Profiler.scope(ODD)) {
                fib(1);
              }
            });
    CallTree tree = profile.tree();
    assertThat(tree.folded(profile)).isSameAs(tree);
    assertThat(tree.withoutRecursion(profile)).isSameAs(tree);
  }

  private static Profile recorded(Runnable body) {
    Profiler.start(Options.of(Level.ALLOCATION));
    try (var _ = Profiler.scope(MAIN)) {
      body.run();
    }
    return Profiler.stop();
  }

  private static long fib(int n) {
    try (var scope = Profiler.scope(FIB)) {
      scope.work(n, 0);
      return n < 2 ? new long[n].length : fib(n - 1) + fib(n - 2);
    }
  }

  private static boolean even(int n) {
    try (var _ = Profiler.scope(EVEN)) {
      return n == 0 || odd(n - 1);
    }
  }

  private static boolean odd(int n) {
    try (var _ = Profiler.scope(ODD)) {
      return n != 0 && even(n - 1);
    }
  }
}
