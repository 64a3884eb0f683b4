package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What one thread sees: nesting, misuse, limits, sessions. */
class ScopeTest {
  private static final Scope A = Scope.of("a");
  private static final Scope B = Scope.of("b");
  private static final Scope C = Scope.of("c");
  private static final Scope.Numbered LAYER = Scope.numbered("layer");

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  private static Options time() {
    return Options.of(Level.TIME).withoutCalibration();
  }

  @Test
  void nestedScopesBecomeATreeKeyedByPath() {
    Profiler.start(time());
    for (int i = 0; i < 3; i++) {
      try (var _ = Profiler.scope(A)) {
        for (int j = 0; j < 2; j++) {
          try (var _ = Profiler.scope(B)) {}
        }
      }
      try (var _ = Profiler.scope(B)) {}
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("a").calls()).isEqualTo(3);
    assertThat(tree.find("a", "b").calls()).isEqualTo(6);
    assertThat(tree.find("b").calls()).isEqualTo(3);
    assertThat(tree.find("b", "a")).isNull();
    assertThat(tree.find("a", "b").path()).containsExactly("a", "b");
    assertThat(tree.find("a").selfNanos())
        .isEqualTo(tree.find("a").totalNanos() - tree.find("a", "b").totalNanos());
  }

  @Test
  void recursionIsNotMergedByName() {
    Profiler.start(time());
    recurse(4);
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.nodes()).hasSize(5).allMatch(node -> node.calls() == 1);
    assertThat(tree.find("a", "a", "a", "a", "a").totalNanos())
        .isLessThanOrEqualTo(tree.find("a").totalNanos());
  }

  private static void recurse(int more) {
    try (var _ = Profiler.scope(A)) {
      if (more > 0) recurse(more - 1);
    }
  }

  @Test
  void equalNamesAreOneScopeAndNumbersBuildOneScopeEach() {
    assertThat(Scope.of("a")).isSameAs(A);
    assertThat(LAYER.at(3)).isSameAs(LAYER.at(3)).isSameAs(Scope.of("layer 3"));
    assertThat(LAYER.at(0).name()).isEqualTo("layer 0");
    assertThatIllegalArgumentException().isThrownBy(() -> LAYER.at(-1));
    assertThatIllegalArgumentException().isThrownBy(() -> LAYER.at(Integer.MAX_VALUE));
    assertThatIllegalArgumentException().isThrownBy(() -> Scope.of(" "));
    assertThatIllegalArgumentException().isThrownBy(() -> Scope.of("x".repeat(1001)));
    assertThatIllegalArgumentException().isThrownBy(() -> Scope.of("half a pair \ud800"));
    assertThatThrownBy(() -> Scope.of(null)).isInstanceOf(NullPointerException.class);
  }

  @Test
  void declaredWorkAddsUpAndAParentSpeaksForItsChildren() {
    Profiler.start(time());
    try (var a = Profiler.scope(A)) {
      for (int i = 0; i < 4; i++) {
        try (var b = Profiler.scope(B)) {
          b.work(100, 7);
          b.work(10, 1);
        }
      }
      try (var c = Profiler.scope(C)) {
        try (var b = Profiler.scope(B)) {
          b.work(1, 1);
        }
        c.work(50, 0);
      }
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("a", "b").work()).isEqualTo(new Profile.Work(440, 32));
    assertThat(tree.find("a", "c").work()).isEqualTo(new Profile.Work(50, 0));
    assertThat(tree.find("a").work()).isEqualTo(new Profile.Work(490, 32));
  }

  @Test
  void integerOperationsAreKeptApartFromFloatingPointOnes() {
    Profiler.start(time());
    try (var _ = Profiler.scope(A)) {
      try (var b = Profiler.scope(B)) {
        b.integerWork(100, 7);
        b.work(10, 3);
        b.integerWork(-1, -1);
      }
      try (var c = Profiler.scope(C)) {
        c.integerWork(0, 5);
      }
    }
    CallTree tree = Profiler.stop().tree();
    assertThat(tree.find("a", "b").work()).isEqualTo(new Profile.Work(110, 3, 7));
    assertThat(tree.find("a").work()).isEqualTo(new Profile.Work(110, 3, 12));
    assertThat(tree.find("a", "c").declaresWork()).isTrue();
    assertThat(tree.find("a").declaresWork()).isFalse();
  }

  @Test
  void workHasTheFormThatItWasDeclaredIn() {
    Profiler.start(time());
    try (var _ = Profiler.scope(A)) {
      try (var b = Profiler.scope(B)) {
        b.work(Arithmetic.INT8_WORDS, 100, 7);
        b.work(Arithmetic.F32, 10, 3);
      }
      try (var c = Profiler.scope(C)) {
        c.work(Arithmetic.AMX_BF16, 1, 5);
      }
    }
    CallTree tree = Profiler.stop().tree();
    Profile.Work whole = tree.find("a", "b").work();
    assertThat(whole).isEqualTo(new Profile.Work(110, 3, 7, Arithmetic.INT8_WORDS));
    assertThat(whole.opsForm()).isEqualTo(Arithmetic.INT8_WORDS);
    assertThat(whole.flopsForm()).isEqualTo(Arithmetic.F32);
    Profile.Work half = tree.find("a", "c").work();
    assertThat(half).isEqualTo(new Profile.Work(1, 5, 0, Arithmetic.AMX_BF16));
    assertThat(half.flopsForm()).isEqualTo(Arithmetic.AMX_BF16);
    assertThat(new Profile.Work(1, 1, 1).opsForm()).isEqualTo(Arithmetic.INT8);
  }

  @Test
  void workNeverTurnsNegative() {
    Profiler.start(time());
    try (var a = Profiler.scope(A)) {
      a.work(Long.MAX_VALUE, 5);
      a.work(Long.MAX_VALUE, -7);
    }
    assertThat(Profiler.stop().tree().find("a").work())
        .isEqualTo(new Profile.Work(Long.MAX_VALUE, 5));
  }

  @Test
  void workOnAClosedFrameIsIgnored() {
    Profiler.start(time());
    Frame a = Profiler.scope(A);
    a.close();
    a.work(1000, 1000);
    assertThat(Profiler.stop().tree().find("a").work().declared()).isFalse();
  }

  @Test
  void closingAnOuterFrameClosesWhatWasLeftOpenAndCountsIt() {
    Profiler.start(time());
    try (var _ = Profiler.scope(A)) {
      Profiler.begin(B);
      Profiler.begin(C);
    }
    try (var _ = Profiler.scope(C)) {}
    Profile profile = Profiler.stop();
    assertThat(profile.slips()).isEqualTo(new Profile.Slips(0, 2, 0, 0));
    assertThat(profile.tree().find("a", "b", "c").calls()).isEqualTo(1);
    assertThat(profile.tree().find("c").calls()).isEqualTo(1);
  }

  @Test
  void anExceptionLeavesTheTreeInOrder() {
    Profiler.start(time());
    for (int i = 0; i < 5; i++) {
      try (var _ = Profiler.scope(A)) {
        Profiler.begin(B);
        if (i % 2 == 0) throw new IllegalStateException("on purpose");
        Profiler.end(B);
      } catch (IllegalStateException expected) {
        // The tree must survive it.
      }
    }
    Profile profile = Profiler.stop();
    assertThat(profile.tree().find("a").calls()).isEqualTo(5);
    assertThat(profile.tree().find("a", "b").calls()).isEqualTo(5);
    assertThat(profile.tree().nodes()).hasSize(2);
    assertThat(profile.slips().unclosed()).isEqualTo(3);
  }

  @Test
  void anEndWithoutABeginIsCountedAndIgnored() {
    Profiler.start(time());
    Profiler.end(A);
    try (var a = Profiler.scope(A)) {
      Profiler.end(B);
      a.close();
      a.close();
    }
    Profile profile = Profiler.stop();
    assertThat(profile.slips().misplacedEnds()).isEqualTo(4);
    assertThat(profile.tree().find("a").calls()).isEqualTo(1);
  }

  @Test
  void aFrameClosedByAnotherThreadStaysOpen() throws InterruptedException {
    Profiler.start(time());
    try (var a = Profiler.scope(A)) {
      Thread other = new Thread(a::close);
      other.start();
      other.join();
      try (var _ = Profiler.scope(B)) {}
    }
    Profile profile = Profiler.stop();
    assertThat(profile.slips().misplacedEnds()).isEqualTo(1);
    assertThat(profile.tree().find("a", "b").calls()).isEqualTo(1);
  }

  @Test
  void scopesOpenAtTheEndAreCountedUpToNowAndMarked() {
    Profiler.start(time());
    Profiler.begin(A);
    Profiler.begin(B);
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    assertThat(tree.find("a").open()).isEqualTo(1);
    assertThat(tree.find("a").calls()).isZero();
    assertThat(tree.find("a", "b").totalNanos()).isPositive();
    assertThat(tree.find("a").selfNanos())
        .isEqualTo(tree.find("a").totalNanos() - tree.find("a", "b").totalNanos());
    assertThat(profile.threadNanos()).isEqualTo(tree.find("a").totalNanos());
  }

  @Test
  void sessionsNeverMix() {
    Profiler.start(time());
    Frame old = Profiler.scope(A);
    Profiler.stop();
    Profiler.start(time());
    try (var _ = Profiler.scope(B)) {
      old.close();
      try (var _ = Profiler.scope(C)) {}
    }
    Profile second = Profiler.stop();
    assertThat(second.tree().nodes().stream().map(CallTree.Node::path))
        .containsExactly(List.of("b"), List.of("b", "c"));
    assertThat(second.slips()).isEqualTo(Profile.Slips.NONE);
  }

  @Test
  void aSecondStartAndAStopWithoutStartAreClearErrors() {
    assertThatIllegalStateException()
        .isThrownBy(Profiler::stop)
        .withMessageContaining("no session is running");
    assertThatIllegalStateException().isThrownBy(Profiler::snapshot);
    Profiler.start(time());
    assertThatIllegalStateException()
        .isThrownBy(() -> Profiler.start(time()))
        .withMessageContaining("stop it first");
    Profiler.stop();
  }

  @Test
  void levelOffIsASessionWithoutScopes() {
    Profiler.start(Options.of(Level.OFF));
    assertThat(Profiler.running()).isTrue();
    assertThat(Profiler.level()).isEqualTo(Level.OFF);
    try (var a = Profiler.scope(A)) {
      a.work(1, 1);
    }
    Profile profile = Profiler.stop();
    assertThat(profile.lanes()).isEmpty();
    assertThat(profile.wallNanos()).isPositive();
  }

  @Test
  void aSnapshotWhileRunningLeavesTheSessionGoing() {
    Profiler.start(time());
    try (var _ = Profiler.scope(A)) {}
    Profile first = Profiler.snapshot();
    try (var _ = Profiler.scope(A)) {}
    Profile second = Profiler.stop();
    assertThat(first.tree().find("a").calls()).isEqualTo(1);
    assertThat(second.tree().find("a").calls()).isEqualTo(2);
  }

  @Test
  void aFullTreeSuppressesAndSaysSo() {
    Profiler.start(time().withMaxNodes(3));
    try (var _ = Profiler.scope(A)) {
      for (int i = 0; i < 10; i++) {
        try (var layer = Profiler.scope(LAYER.at(i))) {
          layer.work(1, 1);
          try (var _ = Profiler.scope(B)) {}
        }
      }
    }
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    assertThat(tree.nodes()).hasSize(3);
    assertThat(profile.slips().suppressed()).isEqualTo(9 + 9);
    assertThat(tree.find("a").selfNanos() + tree.find("a", "layer 0").totalNanos())
        .isEqualTo(tree.find("a").totalNanos());
  }

  @Test
  void endlessBeginsAreBoundedAndTheTreeRecovers() {
    Profiler.start(time());
    try (var _ = Profiler.scope(A)) {
      for (int i = 0; i < 25_000; i++) Profiler.begin(B);
      for (int i = 0; i < 25_000; i++) Profiler.end(B);
      try (var _ = Profiler.scope(C)) {}
    }
    Profile profile = Profiler.stop();
    assertThat(profile.tree().find("a", "c").calls()).isEqualTo(1);
    assertThat(profile.tree().find("a").calls()).isEqualTo(1);
    assertThat(profile.slips().misplacedEnds()).isZero();
    assertThat(profile.slips().unclosed()).isZero();
    assertThat(profile.slips().suppressed()).isEqualTo(25_000 - 9_999);
  }
}
