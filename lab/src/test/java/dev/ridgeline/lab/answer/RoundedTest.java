package dev.ridgeline.lab.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.gguf.GgufTensor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RoundedTest {
  private static GgufTensor numbers(Arena arena, long rows, long columns, long seed) {
    var random = new Random(seed);
    MemorySegment data = arena.allocate(4 * rows * columns, Memory.ALIGNMENT);
    for (long i = 0; i < rows * columns; i++) {
      data.setAtIndex(ValueLayout.JAVA_FLOAT, i, (float) random.nextGaussian());
    }
    return new GgufTensor("weights", TensorType.F32, List.of(columns, rows), data);
  }

  @Test
  void fewerBitsAreFurtherOff() {
    long seed = new Random().nextLong();
    try (Arena arena = Arena.ofConfined()) {
      GgufTensor exact = numbers(arena, 8, 512, seed);
      double last = 0;
      assertThat(Rounded.weights(exact, TensorType.F32)).isZero();
      for (TensorType type :
          List.of(TensorType.F16, TensorType.BF16, TensorType.Q8_0, TensorType.Q4_0)) {
        double error = Rounded.weights(exact, type);
        assertThat(error).as("%s, seed %d", type, seed).isGreaterThan(last).isLessThan(0.2);
        last = error;
      }
      assertThat(Rounded.weights(exact, TensorType.Q4_K)).as("seed %d", seed).isLessThan(last);
    }
  }

  @Test
  void closenessIsMeanAndLeast() {
    List<float[]> exact = List.of(new float[] {1, 0}, new float[] {0, 1});
    List<float[]> rounded = List.of(new float[] {1, 0}, new float[] {0.6f, 0.8f});
    Rounded.Closeness closeness = Rounded.closeness(exact, rounded);
    assertThat(closeness.mean()).isCloseTo(0.9, within(1e-6));
    assertThat(closeness.least()).isCloseTo(0.8, within(1e-6));
  }

  @Test
  void typesAreReadByTheirWords() {
    assertThat(Rounded.types("f32, Q8_0,f32")).containsExactly(TensorType.F32, TensorType.Q8_0);
    assertThatThrownBy(() -> Rounded.types("f32,i32")).hasMessageContaining("i32");
  }
}
