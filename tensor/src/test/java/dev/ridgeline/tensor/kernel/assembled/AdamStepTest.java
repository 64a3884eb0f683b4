package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Rates;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The optimizer's step in every tier, in memory that ends where a row does. */
class AdamStepTest {
  private static final Kernels VECTOR = new VectorKernels();

  /** What is added to means and squares; the last become numbers too small to be kept. */
  private static final float[] SCALES = {1, 1, 1, 1e-3f, 1e-20f, Float.MIN_NORMAL, 1e-45f, 0};

  @Test
  void itHasTheBitsOfTheVectorKernel() {
    for (Kernels kernels : Tiers.all()) {
      for (int seed = 0; seed < 300; seed++) {
        var random = new Random(seed);
        int count = 1 + (seed < 100 ? seed : random.nextInt(700));
        String what = kernels.description() + ", seed " + seed;
        assertThat(stepped(kernels, seed, count)).as(what).isEqualTo(stepped(VECTOR, seed, count));
      }
    }
  }

  @Test
  void meansThatAreTooSmallBecomeZero() {
    for (Kernels kernels : Tiers.all()) {
      try (var memory = new GuardedMemory()) {
        float[] tiny = {1e-38f, -1e-38f, 1e-45f, 2e-38f, -2e-38f};
        long[] rows = new long[4];
        for (int row = 0; row < 4; row++) {
          rows[row] = memory.upTo(4L * tiny.length);
          for (int i = 0; i < tiny.length; i++) {
            set(rows[row], i, row == 1 ? 0 : row == 3 ? Math.abs(tiny[i]) : tiny[i]);
          }
        }
        step(kernels, rows, tiny.length);
        assertThat(read(rows[2], tiny.length))
            .containsExactly(0, 0, 0, 2e-38f * 0.9f, -2e-38f * 0.9f);
        assertThat(read(rows[3], tiny.length))
            .containsExactly(0, 0, 0, 2e-38f * 0.95f, 2e-38f * 0.95f);
      }
    }
  }

  /** Weights, means and squares, after a step from numbers that the seed says. */
  private static float[] stepped(Kernels kernels, int seed, int count) {
    var random = new Random(seed);
    try (var memory = new GuardedMemory()) {
      long[] rows = new long[4];
      for (int row = 0; row < 4; row++) {
        rows[row] = memory.upTo(4L * count);
        for (int i = 0; i < count; i++) {
          float value = (float) random.nextGaussian() * SCALES[random.nextInt(SCALES.length)];
          set(rows[row], i, row == 3 ? Math.abs(value) : value);
        }
      }
      step(kernels, rows, count);
      float[] after = new float[3 * count];
      for (int part = 0; part < 3; part++) {
        long row = rows[part == 0 ? 0 : part + 1];
        System.arraycopy(read(row, count), 0, after, part * count, count);
      }
      return after;
    }
  }

  /** Of weights, gradients, means and squares. */
  private static void step(Kernels kernels, long[] rows, int count) {
    var rates = Rates.of(0.7f, 0.9f, 0.1f, 0.95f, 0.05f, 0.999f, 3e-3f, 1.5f, 1e-8f);
    kernels.rows().adamW(rows[0], rows[1], rows[2], rows[3], count, rates);
  }

  private static void set(long row, int index, float value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, row + 4L * index, value);
  }

  private static float[] read(long row, int count) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) values[i] = ALL.get(JAVA_FLOAT_UNALIGNED, row + 4L * i);
    return values;
  }
}
