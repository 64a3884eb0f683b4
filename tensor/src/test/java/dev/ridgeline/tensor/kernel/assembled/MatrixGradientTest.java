package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Gradients of matrices, in memory that ends where nothing may be read. */
@ParameterizedClass
@EnumSource(
    value = Tier.class,
    names = {"AVX2", "AVX512"})
class MatrixGradientTest {
  private static final int[] SIZES = {1, 3, 5, 11, 12, 13, 24, 31, 32, 33, 64, 65, 100, 130};

  private final Kernels assembled;

  MatrixGradientTest(Tier tier) {
    assembled = Tiers.kernels(tier);
  }

  private static long filled(GuardedMemory memory, Random random, int rows, int stride, int width) {
    long at = memory.upTo(4L * ((rows - 1L) * stride + width));
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < width; i++) {
        set(at + 4L * ((long) r * stride + i), (float) random.nextGaussian());
      }
    }
    return at;
  }

  private static float get(long address) {
    return ALL.get(JAVA_FLOAT_UNALIGNED, address);
  }

  private static void set(long address, float value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, address, value);
  }

  private static int size(Random random) {
    return SIZES[random.nextInt(SIZES.length)];
  }

  @Test
  void sumsAreThoseOfDoubleAndOfVectors() {
    Kernels vector = new VectorKernels();
    Kernels scalar = new ScalarKernels();
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      int columns = size(random);
      int width = size(random);
      int rows = random.nextInt(20) == 0 ? 2500 : size(random);
      int aStride = columns + random.nextInt(3);
      int bStride = width + random.nextInt(3);
      int outStride = width + random.nextInt(3);
      boolean add = random.nextBoolean();
      String what = "seed %d: %d columns × %d over %d".formatted(seed, columns, width, rows);
      try (var memory = new GuardedMemory()) {
        long a = filled(memory, random, rows, aStride, columns);
        long b = filled(memory, random, rows, bStride, width);
        long[] outs = new long[3];
        for (int i = 0; i < 3; i++) {
          outs[i] = filled(memory, new Random(seed + 1), columns, outStride, width);
        }
        assembled
            .attention()
            .across(a, aStride, columns, b, bStride, rows, width, outs[0], outStride, add);
        vector
            .attention()
            .across(a, aStride, columns, b, bStride, rows, width, outs[1], outStride, add);
        scalar
            .attention()
            .across(a, aStride, columns, b, bStride, rows, width, outs[2], outStride, add);
        for (int c = 0; c < columns; c++) {
          for (int k = 0; k < width; k++) {
            long at = 4L * ((long) outStride * c + k);
            double size = 1;
            for (int r = 0; r < rows; r++) {
              size += Math.abs(get(a + 4L * (aStride * r + c)) * get(b + 4L * (bStride * r + k)));
            }
            assertThat(get(outs[0] + at)).as(what).isEqualTo(get(outs[1] + at));
            assertThat(Math.abs(get(outs[0] + at) - get(outs[2] + at)) / size)
                .as(what)
                .isLessThan(2e-6);
          }
        }
      }
    }
  }

  /** Large results are written another way, where they are whole panels at whole cache lines. */
  @Test
  void largeResultsHaveTheSameBits() {
    Kernels vector = new VectorKernels();
    for (int seed = 0; seed < 24; seed++) {
      var random = new Random(seed);
      int columns = 130 + random.nextInt(30);
      int width = 32 * (8 + random.nextInt(4)) - (seed % 4 == 3 ? 1 : 0);
      int rows = random.nextInt(12) == 0 ? 2500 : 1 + random.nextInt(70);
      try (var memory = new GuardedMemory()) {
        long a = filled(memory, random, rows, columns, columns);
        long b = filled(memory, random, rows, width, width);
        long ours = memory.upTo(4L * columns * width);
        long theirs = memory.upTo(4L * columns * width);
        assembled
            .attention()
            .across(a, columns, columns, b, width, rows, width, ours, width, false);
        vector.attention().across(a, columns, columns, b, width, rows, width, theirs, width, false);
        for (long i = 0; i < (long) columns * width; i++) {
          assertThat(get(ours + 4 * i)).as("seed %d", seed).isEqualTo(get(theirs + 4 * i));
        }
      }
    }
  }

  /** Any part of the columns alone has the same bits. */
  @Test
  void columnsKnowNothingOfEachOther() {
    for (int seed = 0; seed < 50; seed++) {
      var random = new Random(seed);
      int columns = 2 + size(random);
      int width = size(random);
      int rows = size(random);
      int cut = 1 + random.nextInt(columns - 1);
      try (var memory = new GuardedMemory()) {
        long a = filled(memory, random, rows, columns, columns);
        long b = filled(memory, random, rows, width, width);
        long whole = memory.upTo(4L * columns * width);
        long parts = memory.upTo(4L * columns * width);
        assembled
            .attention()
            .across(a, columns, columns, b, width, rows, width, whole, width, false);
        assembled.attention().across(a, columns, cut, b, width, rows, width, parts, width, false);
        assembled
            .attention()
            .across(
                a + 4L * cut,
                columns,
                columns - cut,
                b,
                width,
                rows,
                width,
                parts + 4L * width * cut,
                width,
                false);
        for (long i = 0; i < (long) columns * width; i++) {
          assertThat(get(parts + 4 * i)).as("seed %d", seed).isEqualTo(get(whole + 4 * i));
        }
      }
    }
  }

  @Test
  void aPackedTransposeMultipliesLikeTheMatrixTurned() {
    for (Kernels kernels : List.of(assembled, new VectorKernels(), new ScalarKernels())) {
      for (int seed = 0; seed < 60; seed++) {
        var random = new Random(seed);
        int count = size(random);
        int columns = size(random);
        int rows = 1 + random.nextInt(20);
        try (var memory = new GuardedMemory()) {
          long w = filled(memory, random, count, columns, columns);
          long turned = memory.upTo(4L * count * columns);
          for (int r = 0; r < count; r++) {
            for (int c = 0; c < columns; c++) {
              set(turned + 4L * (count * c + r), get(w + 4L * (columns * r + c)));
            }
          }
          long x = filled(memory, random, rows, count, count);
          long bytes = kernels.packedBytes(TensorType.F32, columns, count);
          int panels = (columns + Kernels.PANEL - 1) / Kernels.PANEL;
          long packed = memory.from(bytes);
          long expected = memory.from(bytes);
          kernels.packTransposed(w, count, columns, packed, 0, panels);
          kernels.pack(TensorType.F32, turned, columns, count, expected, 0, panels);
          long mine = memory.upTo(4L * rows * columns);
          long theirs = memory.upTo(4L * rows * columns);
          product(kernels, packed, columns, count, x, rows, mine);
          product(kernels, expected, columns, count, x, rows, theirs);
          for (long i = 0; i < (long) rows * columns; i++) {
            assertThat(get(mine + 4 * i)).as("seed %d", seed).isEqualTo(get(theirs + 4 * i));
          }
        }
      }
    }
  }

  private static void product(
      Kernels kernels, long packed, int outputs, int inputs, long x, int rows, long out) {
    int panels = (outputs + Kernels.PANEL - 1) / Kernels.PANEL;
    kernels.matmul(
        TensorType.F32, packed, outputs, inputs, x, inputs, 0, rows, 0, panels, 0, out, outputs);
  }
}
