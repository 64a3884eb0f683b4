package dev.ridgeline.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.profiler.CallTree;
import dev.ridgeline.profiler.CallTree.Node;
import dev.ridgeline.profiler.Level;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;

@Execution(CONCURRENT)
class PathLabelsTest {
  private final CallTree tree =
      Made.profile()
          .scope(-1, "embed", 1, 9, 1)
          .scope(0, "layer 0", 1, 4, 1)
          .scope(1, "attention", 1, 3, 1)
          .scope(2, "softmax", 1, 1, 1)
          .scope(0, "layer 1", 1, 4, 1)
          .scope(4, "attention", 1, 3, 1)
          .scope(5, "softmax", 1, 1, 1)
          .build()
          .tree();

  @Test
  void aPathIsShortenedFromTheLeft() {
    Node node = tree.find("embed", "layer 0", "attention", "softmax");
    assertThat(PathLabels.full(node)).isEqualTo("embed › layer 0 › attention › softmax");
    assertThat(PathLabels.fit(node, 37)).isEqualTo("embed › layer 0 › attention › softmax");
    assertThat(PathLabels.fit(node, 36)).isEqualTo("… › layer 0 › attention › softmax");
    assertThat(PathLabels.fit(node, 25)).isEqualTo("… › attention › softmax");
    assertThat(PathLabels.fit(node, 11)).isEqualTo("… › softmax");
    assertThat(PathLabels.fit(node, 9)).isEqualTo("… › soft…");
  }

  @Test
  void equalNamesKeepTheStepInWhichTheyDiffer() {
    List<Node> both =
        List.of(
            tree.find("embed", "layer 0", "attention", "softmax"),
            tree.find("embed", "layer 1", "attention", "softmax"));
    assertThat(PathLabels.fit(both, 30))
        .containsExactly("… › layer 0 › … › softmax", "… › layer 1 › … › softmax");
    assertThat(PathLabels.fit(both, 40))
        .containsExactly(
            "embed › layer 0 › attention › softmax", "embed › layer 1 › attention › softmax");
  }

  @Test
  void aRowSaysWhichItIsThoughTheOthersReadDifferentlyOrAreNotShown() {
    CallTree study =
        Made.profile()
            .scope(-1, "study", 1, 9, 1)
            .scope(0, "training step, allocating", 1, 4, 1)
            .scope(1, "backward", 1, 3, 3)
            .scope(0, "training step, reusing", 1, 4, 1)
            .scope(3, "backward", 1, 3, 3)
            .build()
            .tree();
    Node allocating = study.find("study", "training step, allocating", "backward");
    Node reusing = study.find("study", "training step, reusing", "backward");
    assertThat(PathLabels.fit(List.of(allocating, reusing), 37))
        .containsExactly(
            "training step, allocating › backward", "… › training step, reusing › backward");
    assertThat(PathLabels.fit(List.of(allocating), 24)).containsExactly("…, allocating › backward");
  }

  @Test
  void aRowSaysInWhichPhaseItIsWhereAllItsLastStepsAreInBoth() {
    Made made = Made.profile();
    for (String phase : List.of("prefill", "decode")) {
      int at = phase.equals("prefill") ? 0 : 7;
      made.scope(-1, "generate, " + phase, 1, 9, 1)
          .scope(at, phase, 1, 8, 1)
          .scope(at + 1, "layer", 1, 7, 1)
          .scope(at + 2, "qkv", 1, 3, 1)
          .scope(at + 3, "matmul", 1, 2, 1)
          .scope(at + 2, "output", 1, 2, 1)
          .scope(at + 5, "matmul", 1, 1, 1);
    }
    Node node = made.build().tree().find("generate, decode", "decode", "layer", "qkv", "matmul");
    assertThat(PathLabels.fit(List.of(node), 33))
        .containsExactly("… › decode › layer › qkv › matmul");
    assertThat(PathLabels.fit(List.of(node), 32)).containsExactly("… › decode › … › qkv › matmul");
    assertThat(PathLabels.fit(List.of(node), 24))
        .as("with no room for both, the nearer step")
        .containsExactly("… › layer › qkv › matmul");
  }

  @Test
  void aHandOverIsSeen() {
    CallTree parallel =
        Made.profile().region(-1, "region", 9, 1).worker("worker", false, 5).build().tree();
    assertThat(PathLabels.full(parallel.find("region", "task"))).isEqualTo("region ⇉ task");
  }

  @Test
  void labelsFitAndWideOnesDiffer() {
    for (long seed = 0; seed < 20; seed++) {
      List<Node> nodes = SampleProfiles.random(seed, 300, 4, Level.TIME).tree().nodes();
      for (int width : new int[] {1, 8, 24, 60}) {
        assertThat(PathLabels.fit(nodes, width))
            .as("seed %d", seed)
            .allMatch(label -> Text.width(label) <= width);
      }
      assertThat(new HashSet<>(PathLabels.fit(nodes, 10_000))).hasSameSizeAs(nodes);
    }
  }
}
