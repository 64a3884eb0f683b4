package dev.ridgeline.report.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.Level;
import dev.ridgeline.report.format.Difference.Presence;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DifferenceTest {
  @Test
  void everyPlaceOfBothTreesIsThereOnce() {
    for (long seed = 0; seed < 50; seed++) {
      CallTree before = Play.random(seed, Level.TIME).tree();
      CallTree after = Play.random(seed + 1, Level.TIME).tree();
      List<CallTree.Node> befores = new ArrayList<>();
      List<CallTree.Node> afters = new ArrayList<>();
      Difference.of(before, after)
          .forEach(
              node -> {
                if (node.before() != null) befores.add(node.before());
                if (node.after() != null) afters.add(node.after());
                if (node.presence() != Presence.BOTH) return;
                assertThat(node.before().path()).isEqualTo(node.after().path());
                assertThat(node.before().isTask()).isEqualTo(node.after().isTask());
              });
      assertThat(befores).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(before.nodes());
      assertThat(afters).as("seed %d", seed).containsExactlyInAnyOrderElementsOf(after.nodes());
    }
  }

  @Test
  void sharesAddUpToOneAndTheirChangesToNothing() {
    for (long seed = 0; seed < 50; seed++) {
      double[] sums = new double[3];
      Difference.of(Play.random(seed, Level.TIME).tree(), Play.random(seed + 1, Level.TIME).tree())
          .forEach(
              node -> {
                sums[0] += node.selfShareBefore();
                sums[1] += node.selfShareAfter();
                sums[2] += node.selfShareChange();
              });
      assertThat(sums[0]).as("seed %d", seed).isCloseTo(1, within(1e-9));
      assertThat(sums[1]).as("seed %d", seed).isCloseTo(1, within(1e-9));
      assertThat(sums[2]).as("seed %d", seed).isCloseTo(0, within(1e-9));
    }
  }

  @Test
  void sharesOfAllocationAddUpAsWell() {
    for (long seed = 0; seed < 20; seed++) {
      double[] sums = new double[2];
      Difference.of(
              Play.random(seed, Level.ALLOCATION).tree(),
              Play.random(seed + 1, Level.ALLOCATION).tree(),
              Measure.ALLOCATION)
          .forEach(
              node -> {
                sums[0] += node.selfShareBefore();
                sums[1] += node.selfShareAfter();
              });
      assertThat(sums[0]).as("seed %d", seed).isCloseTo(1, within(1e-9));
      assertThat(sums[1]).as("seed %d", seed).isCloseTo(1, within(1e-9));
    }
  }

  @Test
  void aTreeDoesNotDifferFromItself() {
    CallTree tree = Play.random(1, Level.TIME).tree();
    Difference.of(tree, tree)
        .forEach(
            node -> {
              assertThat(node.selfShareChange()).isZero();
              assertThat(node.presence()).isEqualTo(Presence.BOTH);
            });
  }
}
