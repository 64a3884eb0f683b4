package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Numbers.get;
import static dev.ridgeline.tensor.kernel.vector.Numbers.panels;
import static dev.ridgeline.tensor.kernel.vector.Numbers.read;
import static dev.ridgeline.tensor.kernel.vector.Numbers.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.quant.Quantizer;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Products of every type: right, and the same bits however they are split. */
@Execution(CONCURRENT)
class MatmulTest {
  private static final Kernels KERNELS = new VectorKernels();

  @ParameterizedTest
  @EnumSource(value = TensorType.class, names = "I32", mode = EnumSource.Mode.EXCLUDE)
  void aProductIsTheSumOfItsTerms(TensorType type) {
    int block = type.blockSize();
    int[] rows = {1, 2, 3, 5, 7, 8, 9, 13, 131};
    int[] outputs = {1, 7, 31, 32, 33, 65, 129};
    int[] inputs =
        block == 256
            ? new int[] {256, 1280}
            : block == 32
                ? new int[] {32, 96, 384, 1056}
                : new int[] {1, 7, 31, 33, 384, 1000, 1049};
    for (int r : rows) {
      for (int o : outputs) {
        for (int i : inputs) {
          if (r > 13 && (o != 33 || i > 500)) continue;
          product(type, r, o, i, 31L * r + o + 7L * i);
        }
      }
    }
  }

  private void product(TensorType type, int rows, int outputs, int inputs, long seed) {
    try (var numbers = new Numbers(seed)) {
      String what = "%s %d×%d×%d seed %d".formatted(type, rows, outputs, inputs, seed);
      int xStride = inputs + 3;
      int outStride = outputs + 5;
      long stored = numbers.stored(type, outputs, inputs);
      long packed = packed(numbers, type, stored, outputs, inputs);
      long x = numbers.filled(rows * xStride);
      long bias = seed % 2 == 0 ? 0 : numbers.filled(outputs);
      long out = numbers.empty(rows * outStride);
      KERNELS.matmul(
          type,
          packed,
          outputs,
          inputs,
          x,
          xStride,
          0,
          rows,
          0,
          panels(outputs),
          bias,
          out,
          outStride);
      long w = numbers.empty(outputs * inputs);
      Quantizer.dequantize(type, stored, outputs * inputs, w);
      for (int r = 0; r < rows; r++) {
        for (int o = 0; o < outputs; o++) {
          double sum = bias == 0 ? 0 : get(bias, o);
          double terms = Math.abs(sum);
          for (int i = 0; i < inputs; i++) {
            double term = (double) get(x, (long) r * xStride + i) * get(w, (long) o * inputs + i);
            sum += term;
            terms += Math.abs(term);
          }
          float got = get(out, (long) r * outStride + o);
          assertThat(Math.abs(got - sum)).as("%s at %d, %d", what, r, o).isLessThan(1e-6 * terms);
        }
        for (int o = outputs; o < outStride; o++) {
          assertThat(get(out, (long) r * outStride + o)).as("%s wrote beyond", what).isNaN();
        }
      }
    }
  }

  private static long packed(
      Numbers numbers, TensorType type, long stored, int outputs, int inputs) {
    long packed = numbers.bytes(KERNELS.packedBytes(type, outputs, inputs));
    KERNELS.pack(type, stored, outputs, inputs, packed, 0, panels(outputs));
    return packed;
  }

  @ParameterizedTest
  @EnumSource(value = TensorType.class, names = "I32", mode = EnumSource.Mode.EXCLUDE)
  void aQuantizedProductHasTheBitsOfTheProductOfItsNumbers(TensorType type) {
    try (var numbers = new Numbers(11)) {
      int outputs = 70;
      int inputs = 2304;
      for (int rows : new int[] {1, 3, 7, 21}) {
        long stored = numbers.stored(type, outputs, inputs);
        long w = numbers.empty(outputs * inputs);
        Quantizer.dequantize(type, stored, outputs * inputs, w);
        long x = numbers.filled(rows * inputs);
        long bias = numbers.filled(outputs);
        long one = numbers.empty(rows * outputs);
        long two = numbers.empty(rows * outputs);
        long packed = packed(numbers, type, stored, outputs, inputs);
        long plain = packed(numbers, TensorType.F32, w, outputs, inputs);
        KERNELS.matmul(type, packed, outputs, inputs, x, inputs, 0, rows, 0, 3, bias, one, outputs);
        KERNELS.matmul(
            TensorType.F32, plain, outputs, inputs, x, inputs, 0, rows, 0, 3, bias, two, outputs);
        assertThat(read(one, rows * outputs)).isEqualTo(read(two, rows * outputs));
      }
    }
  }

  @Test
  void rangesOfRowsAndPanelsDoNotChangeABit() {
    for (int seed = 0; seed < 40; seed++) {
      try (var numbers = new Numbers(seed)) {
        var random = numbers.random;
        TensorType type = random.nextBoolean() ? TensorType.F32 : TensorType.Q8_0;
        int rows = 1 + random.nextInt(150);
        int outputs = 1 + random.nextInt(200);
        int inputs = 32 * (1 + random.nextInt(50));
        int panels = panels(outputs);
        long packed = packed(numbers, type, numbers.stored(type, outputs, inputs), outputs, inputs);
        long x = numbers.filled(rows * inputs);
        long bias = numbers.filled(outputs);
        long whole = numbers.empty(rows * outputs);
        long parts = numbers.empty(rows * outputs);
        KERNELS.matmul(
            type, packed, outputs, inputs, x, inputs, 0, rows, 0, panels, bias, whole, outputs);
        for (int row = 0; row < rows; ) {
          int rowTo = Math.min(rows, row + 1 + random.nextInt(random.nextBoolean() ? 3 : 40));
          for (int panel = 0; panel < panels; ) {
            int panelTo = Math.min(panels, panel + 1 + random.nextInt(panels));
            KERNELS.matmul(
                type, packed, outputs, inputs, x, inputs, row, rowTo, panel, panelTo, bias, parts,
                outputs);
            panel = panelTo;
          }
          row = rowTo;
        }
        assertThat(read(parts, rows * outputs))
            .as("seed %d: %s %d×%d×%d", seed, type, rows, outputs, inputs)
            .isEqualTo(read(whole, rows * outputs));
      }
    }
  }

  @Test
  void panelsArePackedInAnyOrder() {
    try (var numbers = new Numbers(5)) {
      long stored = numbers.stored(TensorType.Q4_K, 100, 256);
      long bytes = KERNELS.packedBytes(TensorType.Q4_K, 100, 256);
      long whole = packed(numbers, TensorType.Q4_K, stored, 100, 256);
      long parts = numbers.bytes(bytes);
      for (int panel : new int[] {2, 0, 3, 1}) {
        KERNELS.pack(TensorType.Q4_K, stored, 100, 256, parts, panel, panel + 1);
      }
      assertThat(read(parts, (int) (bytes / 4))).isEqualTo(read(whole, (int) (bytes / 4)));
    }
  }

  @ParameterizedTest
  @EnumSource(value = TensorType.class, names = "I32", mode = EnumSource.Mode.EXCLUDE)
  void packingTakesHardlyMoreThanTheFile(TensorType type) {
    assertThat(KERNELS.packedBytes(type, 1024, 1024))
        .isLessThanOrEqualTo((long) (type.bytes(1024 * 1024) * 1.03) + 64);
  }

  @Test
  void whatIsNotANumberStaysInItsRow() {
    try (var numbers = new Numbers(9)) {
      int inputs = 40;
      long w = numbers.filled(33 * inputs);
      long packed = packed(numbers, TensorType.F32, w, 33, inputs);
      long x = numbers.filled(10 * inputs);
      set(x, 3 * inputs + 7, Float.NaN);
      set(x, 5 * inputs, Float.POSITIVE_INFINITY);
      long out = numbers.empty(10 * 33);
      KERNELS.matmul(TensorType.F32, packed, 33, inputs, x, inputs, 0, 10, 0, 2, 0, out, 33);
      for (int r = 0; r < 10; r++) {
        for (int o = 0; o < 33; o++) {
          float got = get(out, r * 33 + o);
          if (r == 3) assertThat(got).isNaN();
          else if (r == 5) assertThat(got).isInfinite();
          else assertThat(got).isFinite();
        }
      }
    }
  }

  @Test
  void everyHalfNumberIsDecodedExactly() {
    try (var numbers = new Numbers(1)) {
      // One input: the product with 1 is the number itself.
      int outputs = 1 << 16;
      long stored = numbers.bytes(2L * outputs);
      for (int i = 0; i < outputs; i++) {
        ALL.set(ValueLayout.JAVA_SHORT, stored + 2L * i, (short) i);
      }
      for (TensorType type : new TensorType[] {TensorType.F16, TensorType.BF16}) {
        long packed = packed(numbers, type, stored, outputs, 1);
        long expected = numbers.empty(outputs);
        Quantizer.dequantize(type, stored, outputs, expected);
        long out = numbers.empty(outputs);
        long one = numbers.of(1);
        KERNELS.matmul(type, packed, outputs, 1, one, 1, 0, 1, 0, panels(outputs), 0, out, outputs);
        for (int i = 0; i < outputs; i++) {
          // Sums begin with 0, so that −0 becomes 0.
          assertThat(get(out, i))
              .as("%s %x", type, i)
              .isEqualTo(Float.valueOf(get(expected, i) + 0f));
        }
      }
    }
  }
}
