package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.oracle.Needs;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.quant.RandomBlocks;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Quantized weights of every type have the same bits by tiles as without them. */
class ByteTilesTest {
  private static final Precision[] PRECISIONS = {Precision.USUAL, Precision.COARSE, Precision.FINE};

  private static final int[] ROWS = {15, 16, 17, 23, 32, 50};
  private static final int[] OUTPUTS = {1, 16, 17, 33, 64};
  private static final int[] BLOCKS = {1, 2, 3, 5, 9};

  @ParameterizedTest
  @EnumSource
  void tilesChangeNoBit(PanelForm form) {
    for (Precision precision : PRECISIONS) tilesChangeNoBit(form.type, precision);
  }

  private static void tilesChangeNoBit(TensorType type, Precision precision) {
    Needs.AMX.orSkip(Tier.AMX.runsOn(CpuFeatures.here()));
    Kernels tiles = Tiers.kernels(Tier.AMX);
    Kernels bytes = Tiers.kernels(Tier.AVX512_VNNI);
    assertThat(tiles.form(type, 16)).isEqualTo(Arithmetic.AMX_INT8);
    for (int rows : ROWS) {
      for (int outputs : OUTPUTS) {
        for (int blocks : BLOCKS) {
          int inputs = blocks * type.blockSize();
          try (var memory = new GuardedMemory()) {
            var random = new Random(31L * rows + 7L * outputs + blocks);
            long size = type.bytes((long) outputs * inputs);
            long stored = memory.upTo(size);
            RandomBlocks.fill(type, stored, size, random);
            long x = numbers(memory, random, rows * inputs);
            // Infinities too: which sign they get must not depend on the rows beside them.
            ALL.set(JAVA_FLOAT_UNALIGNED, x + 4L * (2 * inputs + 5), Float.POSITIVE_INFINITY);
            ALL.set(JAVA_FLOAT_UNALIGNED, x + 4L * (7 * inputs + 9), Float.NEGATIVE_INFINITY);
            ALL.set(JAVA_FLOAT_UNALIGNED, x + 4L * (9 * inputs + 1), Float.NaN);
            long bias = random.nextBoolean() ? 0 : numbers(memory, random, outputs);
            var product = new Multiplication().rows(x, inputs);
            product.matrix(precision, type, 0, outputs, inputs).to(bias, 0, outputs);
            assertThat(multiply(tiles, product, rows, stored, memory))
                .as("%s %s %d×%d×%d", type, precision, rows, outputs, inputs)
                .isEqualTo(multiply(bytes, product, rows, stored, memory));
          }
        }
      }
    }
  }

  private static float[] multiply(
      Kernels by, Multiplication product, int rows, long stored, GuardedMemory memory) {
    int panels = (product.outputs + PANEL - 1) / PANEL;
    product.packed = memory.upTo(by.packedBytes(product.type, product.outputs, product.inputs));
    by.pack(product.type, stored, product.outputs, product.inputs, product.packed, 0, panels);
    float[] results = new float[rows * product.outputs];
    product.out = memory.upTo(4L * results.length);
    by.matmul(product, 0, rows, 0, panels, 0);
    for (int i = 0; i < results.length; i++) {
      results[i] = ALL.get(JAVA_FLOAT_UNALIGNED, product.out + 4L * i);
    }
    return results;
  }

  private static long numbers(GuardedMemory memory, Random random, int count) {
    long at = memory.upTo(4L * count);
    for (int i = 0; i < count; i++) {
      float number = (float) (random.nextGaussian() * Math.pow(2, -i / 32 % 7));
      ALL.set(JAVA_FLOAT_UNALIGNED, at + 4L * i, number);
    }
    return at;
  }
}
