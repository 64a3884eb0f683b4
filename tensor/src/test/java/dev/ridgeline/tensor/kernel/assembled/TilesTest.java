package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tiles and blocks of every size that may be chosen give the same bits. */
@ParameterizedClass
@EnumSource
class TilesTest {
  private static final int[][] SHAPES = {{1, 33, 64}, {7, 64, 1056}, {13, 70, 2080}, {250, 33, 96}};

  private final Tier tier;
  private final AssembledKernels own;

  TilesTest(Tier tier) {
    this.tier = tier;
    own = (AssembledKernels) Tiers.kernels(tier);
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "BF16", "Q8_0", "Q4_0"})
  void theSizeOfATileChangesNoBit(TensorType type) {
    Tiling preset = Tiling.preset(tier);
    for (int[] shape : SHAPES) {
      float[] expected = product(own, type, shape);
      for (Tunable tunable : Tunable.of(type, own)) {
        for (int value : tunable.choices(tier)) {
          Tiling tiling = preset.with(tunable, value);
          assertThat(product(own.trial(tiling), type, shape))
              .as("%s %d rows, %d outputs, %d inputs", tiling, shape[0], shape[1], shape[2])
              .isEqualTo(expected);
        }
      }
    }
  }

  private static float[] product(AssembledKernels kernels, TensorType type, int[] shape) {
    int rows = shape[0];
    int outputs = shape[1];
    int inputs = shape[2];
    var random = new Random(inputs);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment plain = numbers(arena, random, outputs * inputs);
      MemorySegment stored = arena.allocate(type.bytes((long) outputs * inputs), 64);
      Quantizer.quantize(type, plain.address(), outputs, inputs, stored.address());
      long bytes = kernels.packedBytes(type, outputs, inputs);
      long packed = arena.allocate(bytes, 64).address();
      int panels = (outputs + 31) / 32;
      kernels.pack(type, stored.address(), outputs, inputs, packed, 0, panels);
      long x = numbers(arena, random, rows * inputs).address();
      MemorySegment out = arena.allocate(4L * rows * outputs, 64);
      kernels.matmul(
          type, packed, outputs, inputs, x, inputs, 0, rows, 0, panels, 0, out.address(), outputs);
      return out.toArray(JAVA_FLOAT);
    }
  }

  private static MemorySegment numbers(Arena arena, Random random, int count) {
    MemorySegment numbers = arena.allocate(4L * count, 64);
    for (int i = 0; i < count; i++) {
      numbers.setAtIndex(JAVA_FLOAT, i, (float) random.nextGaussian());
    }
    return numbers;
  }
}
