package dev.ridgeline.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told apart by number alone can be looked at as one. */
class NumberedFamiliesTest {
  private static final Scope.Numbered LAYER = Scope.numbered("layer");
  private static final Scope FFN = Scope.of("ffn");

  @AfterEach
  void noSessionIsLeftRunning() {
    if (Profiler.running()) Profiler.stop();
  }

  @Test
  void layersBecomeOneAndNothingIsLost() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 12; i++) {
        try (var _ = Profiler.scope(LAYER.at(i));
            var scope = Profiler.scope(FFN)) {
          scope.work(10, 20);
        }
      }
    }
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    CallTree folded = tree.folded(profile);
    assertThat(folded.root().children()).hasSize(1);
    CallTree.Node ffn = folded.find("layer 0–11", "ffn");
    assertThat(ffn.calls()).isEqualTo(36);
    assertThat(ffn.work().bytes()).isEqualTo(360);
    assertThat(folded.nodes().stream().mapToLong(CallTree.Node::selfNanos).sum())
        .isEqualTo(profile.threadNanos());
    assertThat(folded.places(0)).hasSameSizeAs(tree.places(0));
  }

  @Test
  void sizesAreNoFamily() {
    Profiler.start(Options.of(Level.TIME).withoutCalibration());
    for (String name :
        new String[] {"matmul 128", "matmul 256", "part 0", "part 2", "x 00", "x 01"}) {
      try (var _ = Profiler.scope(Scope.of(name))) {}
    }
    Profile profile = Profiler.stop();
    CallTree tree = profile.tree();
    assertThat(tree.folded(profile)).isSameAs(tree);
  }
}
