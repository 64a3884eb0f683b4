package dev.ridgeline.lab.bound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.ridgeline.tensor.TensorType;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class OperationTrialTest {
  private static Operation matmul(String type, String shape) {
    return Operation.parse("matmul", shape, type);
  }

  @Test
  void aShapeIsRowsInputsOutputs() {
    Operation operation = matmul("q8_0", "3x64x96");
    assertThat(operation)
        .isEqualTo(new Operation(Operation.Kind.MATMUL, TensorType.Q8_0, 3, 64, 96));
    assertThat(operation).hasToString("matmul q8_0 3x64x96");
    assertThat(operation.operations()).isEqualTo(2.0 * 3 * 64 * 96);
    assertThat(Operation.parse("gelu", "5x7", "f32")).hasToString("gelu 5x7");
  }

  @Test
  void whatIsNoOperationIsRefused() {
    for (String[] wrong :
        new String[][] {
          {"matmul", "64x96", "f32"},
          {"matmul", "1x2x3x4", "f32"},
          {"matmul", "1x63x64", "q8_0"},
          {"matmul", "0x64x64", "f32"},
          {"matmul", "1x64x64", "i32"},
          {"gelu", "1x64x64", "f32"},
          {"gelu", "1x64", "q8_0"},
          {"softmax", "1x64", "f32"}
        }) {
      assertThatThrownBy(() -> Operation.parse(wrong[0], wrong[1], wrong[2]))
          .as(String.join(" ", wrong))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Copies hold the same weights: every turn gives the same numbers. */
  @Test
  void allOfAProductIsTheSameInEveryTurn() {
    Operation operation = matmul("q8_0", "2x64x64");
    try (var trial = new OperationTrial(operation, Part.FULL, false, 2)) {
      trial.run();
      float[] first = trial.result();
      trial.run();
      assertThat(trial.result()).containsExactly(first);
      assertThat(trial.share()).isEqualTo(1);
    }
  }

  /** The small matrix of the arithmetic alone is the beginning of the large one. */
  @Test
  void arithmeticAloneIsThatOfTheProduct() {
    for (String type : new String[] {"f32", "f16", "q8_0", "q4_0", "q4_k"}) {
      Operation operation = matmul(type, "3x1024x4096");
      try (var full = new OperationTrial(operation, Part.FULL, false, 2);
          var compute = new OperationTrial(operation, Part.COMPUTE, false, 2)) {
        full.run();
        compute.run();
        float[] all = full.result();
        float[] some = compute.result();
        assertThat(some.length).as(type).isLessThan(all.length);
        assertThat(Arrays.copyOf(all, some.length)).as(type).containsExactly(some);
        // Whole panels, whole times: a part of the work, by which its time is divided.
        assertThat(compute.share() * all.length % some.length).as(type).isZero();
        assertThat(compute.share()).as(type).isGreaterThan(0.5).isLessThanOrEqualTo(1);
      }
    }
  }

  @Test
  void everyOperationRunsInEveryPart() {
    for (Operation.Kind kind : Operation.Kind.values()) {
      String shape = kind.multiplies() ? "4x64x64" : "8x64";
      Operation operation = Operation.parse(kind.word(), shape, "f32");
      for (Part part : Part.values()) {
        try (var trial = new OperationTrial(operation, part, false, 2)) {
          trial.run();
          assertThat(trial.share()).as("%s %s", operation, part).isGreaterThan(0);
          assertThat(trial.plan()).containsEntry("part", part.word());
          if (part == Part.READ) assertThat(trial.result()).isNull();
          else assertThat(trial.result()).doesNotContain(Float.NaN);
        }
      }
    }
  }

  @Test
  void bytesAreWeightsOperandsAndResult() {
    try (var trial = new OperationTrial(matmul("f32", "4x64x96"), Part.READ, false, 1)) {
      long weights = 4L * 64 * 96;
      assertThat(trial.bytes()).isGreaterThanOrEqualTo(weights + 4 * 4 * (64 + 96));
      assertThat(trial.bytes()).isLessThan(2 * weights);
    }
  }
}
