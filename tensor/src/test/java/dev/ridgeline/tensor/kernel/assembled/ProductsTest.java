package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.tensor.quant.RandomBlocks;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Assembled products of every type and odd shape, with no byte beyond what they were given. */
@Execution(CONCURRENT)
class ProductsTest {
  private static final int[] ROWS = {1, 2, 3, 5, 6, 7, 8, 11, 12, 13, 25, 131};
  private static final int[] OUTPUTS = {1, 7, 15, 16, 17, 31, 32, 33, 64, 65, 257};

  private static Kernels kernels;

  @BeforeAll
  static void assemble() {
    String obstacle = AssembledKernels.obstacle(CpuFeatures.here());
    assumeTrue(obstacle == null, "assembled code cannot run here: " + obstacle);
    kernels = new AssembledKernels(new VectorKernels(), true);
  }

  /** A product and all it reads. */
  private record Case(
      TensorType type, int rows, int outputs, int inputs, int xStride, int outStride, long seed) {

    static Case of(TensorType type, int rows, int outputs, int inputs, long seed) {
      return new Case(type, rows, outputs, inputs, inputs + 3, outputs + 5, seed);
    }

    int panels() {
      return (outputs + Kernels.PANEL - 1) / Kernels.PANEL;
    }

    @Override
    public String toString() {
      return "%s %d×%d×%d seed %d".formatted(type, rows, outputs, inputs, seed);
    }
  }

  /** Everything of a case in memory that ends where nothing may be touched. */
  private static final class Laid implements AutoCloseable {
    final Case one;
    final GuardedMemory memory = new GuardedMemory();
    final long stored;
    final long x;
    final long bias;
    final long packed;

    Laid(Case one) {
      this.one = one;
      var random = new Random(one.seed);
      long w = memory.upTo(4L * one.outputs * one.inputs);
      for (long i = 0; i < (long) one.outputs * one.inputs; i++) set(w, i, random.nextGaussian());
      long bytes = one.type.bytes((long) one.outputs * one.inputs);
      stored = memory.upTo(bytes);
      if (!one.type.writable()) RandomBlocks.fill(one.type, stored, bytes, random);
      else Quantizer.quantize(one.type, w, one.outputs, one.inputs, stored);
      if (one.type.quantized() && one.type != TensorType.MXFP4) {
        // A block without a scale has weights of zero, whatever else it says. MXFP4 has no such
        // block: its least power of two gives subnormal sums, which no relative bound is meant for.
        ALL.set(JAVA_SHORT_UNALIGNED, stored, (short) (one.seed % 3 == 0 ? 0x8000 : 0));
      }
      x = memory.upTo(4L * ((one.rows - 1L) * one.xStride + one.inputs));
      for (int r = 0; r < one.rows; r++) {
        for (int i = 0; i < one.inputs; i++) {
          // Blocks of every size: some rows have one that is larger than all, or nothing at all.
          double size = (i / 32 + r) % 7 == 6 ? 0 : Math.pow(2, -5 * ((i / 32 + r) % 7));
          set(x, (long) r * one.xStride + i, random.nextGaussian() * size * Math.pow(4, i % 5 - 2));
        }
      }
      bias = one.seed % 2 == 0 ? 0 : memory.upTo(4L * one.outputs);
      if (bias != 0) for (int i = 0; i < one.outputs; i++) set(bias, i, random.nextGaussian());
      packed = pack(kernels);
    }

    long pack(Kernels by) {
      long to = memory.upTo(by.packedBytes(one.type, one.outputs, one.inputs));
      // What a panel has too much must not be seen, whatever is there.
      by.pack(one.type, stored, one.outputs, one.inputs, to, 0, one.panels());
      return to;
    }

    long multiply() {
      return multiply(kernels, packed);
    }

    long multiply(Layout layout) {
      long out = memory.upTo(4L * ((one.rows - 1L) * one.outStride + one.outputs));
      kernels.matmul(product(layout, out), 0, one.rows, 0, one.panels(), 0);
      return out;
    }

    Multiplication product(Layout layout, long out) {
      return new Multiplication()
          .matrix(layout, one.type, packed, one.outputs, one.inputs)
          .rows(x, one.xStride)
          .to(bias, out, one.outStride);
    }

    long multiply(Kernels by, long matrix) {
      long out = memory.upTo(4L * ((one.rows - 1L) * one.outStride + one.outputs));
      by.matmul(
          one.type,
          matrix,
          one.outputs,
          one.inputs,
          x,
          one.xStride,
          0,
          one.rows,
          0,
          one.panels(),
          bias,
          out,
          one.outStride);
      return out;
    }

    float result(long out, int r, int o) {
      return get(out, (long) r * one.outStride + o);
    }

    float[] results(long out, int r) {
      float[] row = new float[one.outputs];
      for (int o = 0; o < row.length; o++) row[o] = result(out, r, o);
      return row;
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  private interface Check {
    void accept(Laid laid);
  }

  /** What most people have gets more shapes than what is made of the same pieces. */
  private static void cases(TensorType type, Check check) {
    boolean all =
        switch (type) {
          case F32, F16, Q8_0, Q4_0 -> true;
          default -> false;
        };
    int[] inputs =
        switch (type.blockSize()) {
          case 256 -> new int[] {256, 512, 768, 1280};
          case 32 -> new int[] {32, 64, 96, 480, 512, 544, 1056};
          default -> new int[] {1, 2, 3, 4, 7, 31, 33, 257, 384, 2063};
        };
    for (int r : ROWS) {
      for (int o : OUTPUTS) {
        for (int i : inputs) {
          if (r > 25 && (o != 33 || i > 500) || o > 65 && r > 8) continue;
          if (i > 2000 && o != 7 && o != 33) continue;
          if (!all && (r > 13 || r * o % 3 == 0 || o > 65 || i > 800)) continue;
          try (var laid = new Laid(Case.of(type, r, o, i, 31L * r + o + 7L * i))) {
            check.accept(laid);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16"})
  void productsOfFloatsHaveTheBitsOfTheVectorKernels(TensorType type) {
    Kernels vector = new VectorKernels();
    cases(
        type,
        laid -> {
          long mine = laid.multiply();
          long theirs = laid.multiply(vector, laid.pack(vector));
          for (int r = 0; r < laid.one.rows; r++) {
            assertThat(laid.results(mine, r))
                .as("%s at %d", laid.one, r)
                .isEqualTo(laid.results(theirs, r));
            beyondIsUntouched(laid, mine, r);
          }
        });
  }

  private static void beyondIsUntouched(Laid laid, long out, int row) {
    if (row == laid.one.rows - 1) return;
    for (int o = laid.one.outputs; o < laid.one.outStride; o++) {
      assertThat(laid.result(out, row, o)).as("%s wrote beyond", laid.one).isNaN();
    }
  }

  /** The same in plain Java, operation by operation. */
  @ParameterizedTest
  @MethodSource("matricesOfBytes")
  void productsOfBytesHaveTheBitsOfPlainJava(TensorType type, Layout layout) {
    cases(
        type,
        laid -> {
          long out = laid.multiply(layout);
          var weights = weights(laid);
          for (int r = 0; r < laid.one.rows; r++) {
            var first = PlainBytes.of(row(laid, r), weights.block(), halves(type, layout));
            var second = PlainBytes.of(first.rest(), weights.block(), halves(type, layout));
            float[] expected = new float[laid.one.outputs];
            for (int o = 0; o < expected.length; o++) {
              expected[o] = weights.dot(o, first, laid.bias == 0 ? 0 : get(laid.bias, o));
              if (layout == Layout.FINE_MATRIX) expected[o] = weights.dot(o, second, expected[o]);
            }
            assertThat(laid.results(out, r)).as("%s at %d", laid.one, r).isEqualTo(expected);
            beyondIsUntouched(laid, out, r);
          }
        });
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"F32", "F16", "I32"})
  void withoutVectorsWeightsOfEveryTypeAreMultipliedAsF32(TensorType type) {
    Kernels plain = new ScalarKernels();
    Kernels widened = new AssembledKernels(plain, false);
    int inputs = type.quantized() ? 2 * type.blockSize() : 33;
    for (int rows : new int[] {1, 7}) {
      for (int outputs : new int[] {1, 32, 65}) {
        try (var laid = new Laid(Case.of(type, rows, outputs, inputs, 3L * rows + outputs))) {
          long mine = laid.multiply(widened, laid.pack(widened));
          long exact = laid.multiply(plain, laid.pack(plain));
          long w = laid.memory.upTo(4L * outputs * inputs);
          Quantizer.dequantize(type, laid.stored, (long) outputs * inputs, w);
          for (int r = 0; r < rows; r++) {
            for (int o = 0; o < outputs; o++) {
              double terms = Math.abs(laid.bias == 0 ? 0 : get(laid.bias, o));
              for (int i = 0; i < inputs; i++) {
                terms += Math.abs(get(w, (long) o * inputs + i) * x(laid, r, i));
              }
              assertThat((double) laid.result(mine, r, o))
                  .as("%s at %d, %d", laid.one, r, o)
                  .isCloseTo(
                      (double) laid.result(exact, r, o),
                      within(0x1p-24 * (4 + Math.sqrt(inputs)) * terms));
            }
          }
        }
      }
    }
  }

  private static PlainLevels weights(Laid laid) {
    return PlainLevels.of(laid.one.type, laid.stored, laid.one.outputs, laid.one.inputs);
  }

  /** Scales of these are never zero, so that powers of two can be added to their exponents. */
  private static boolean halves(TensorType type, Layout layout) {
    boolean able = type == TensorType.Q8_0 || type == TensorType.Q4_0;
    return able && layout != Layout.MATRIX;
  }

  static Stream<Arguments> matricesOfBytes() {
    return Stream.of(PanelForm.values())
        .map(form -> form.type)
        .flatMap(
            type ->
                Stream.of(Layout.MATRIX, Layout.COARSE_MATRIX, Layout.FINE_MATRIX)
                    .map(layout -> Arguments.of(type, layout)));
  }

  private static float[] row(Laid laid, int row) {
    float[] numbers = new float[laid.one.inputs];
    for (int i = 0; i < numbers.length; i++) numbers[i] = x(laid, row, i);
    return numbers;
  }

  private static float x(Laid laid, int row, int input) {
    return get(laid.x, (long) row * laid.one.xStride + input);
  }

  /**
   * Half a step of the bytes for each weight, and what f32 rounds; the bound that docs state. It is
   * far from what happens: half a step is the worst of each number, all with the same sign.
   */
  @ParameterizedTest
  @MethodSource("matricesOfBytes")
  void productsOfBytesAreNearTheProductOfTheNumbers(TensorType type, Layout layout) {
    cases(
        type,
        laid -> {
          long out = laid.multiply(layout);
          var weights = weights(laid);
          int block = weights.block();
          for (int r = 0; r < laid.one.rows; r++) {
            float[] x = row(laid, r);
            var bytes = PlainBytes.of(x, block, halves(type, layout));
            if (layout == Layout.FINE_MATRIX) {
              bytes = PlainBytes.of(bytes.rest(), block, halves(type, layout));
            }
            for (int o = 0; o < laid.one.outputs; o++) {
              double exact = laid.bias == 0 ? 0 : get(laid.bias, o);
              double terms = Math.abs(exact);
              double steps = 0;
              for (int i = 0; i < laid.one.inputs; i++) {
                double w = weights.number(o, i);
                exact += w * x[i];
                terms += Math.abs(w * x[i]);
                steps += Math.abs(w) * bytes.steps()[i / block] * bytes.scale() / 2;
              }
              double bound = steps * 1.0001 + 1e-6 * (terms + steps);
              assertThat(Math.abs(laid.result(out, r, o) - exact))
                  .as("%s at %d, %d", laid.one, r, o)
                  .isLessThanOrEqualTo(bound);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "Q8_0", "Q4_0", "Q5_1", "Q4_K", "Q6_K", "IQ4_XS"})
  void rangesOfRowsAndPanelsDoNotChangeABit(TensorType type) {
    for (int seed = 0; seed < 12; seed++) {
      var random = new Random(seed);
      int rows = 1 + random.nextInt(150);
      int outputs = 1 + random.nextInt(200);
      int block = Math.max(32, type.blockSize());
      int inputs = block * (1 + random.nextInt(1600 / block));
      try (var laid = new Laid(Case.of(type, rows, outputs, inputs, seed))) {
        long whole = laid.multiply();
        long parts = laid.memory.upTo(4L * ((rows - 1L) * laid.one.outStride + outputs));
        for (int row = 0; row < rows; ) {
          int rowTo = Math.min(rows, row + 1 + random.nextInt(random.nextBoolean() ? 3 : 40));
          for (int panel = 0; panel < laid.one.panels(); ) {
            int panelTo = Math.min(laid.one.panels(), panel + 1 + random.nextInt(3));
            kernels.matmul(
                type,
                laid.packed,
                outputs,
                inputs,
                laid.x,
                laid.one.xStride,
                row,
                rowTo,
                panel,
                panelTo,
                laid.bias,
                parts,
                laid.one.outStride);
            panel = panelTo;
          }
          row = rowTo;
        }
        for (int r = 0; r < rows; r++) {
          for (int o = 0; o < outputs; o++) {
            assertThat(laid.result(parts, r, o))
                .as("%s at %d, %d", laid.one, r, o)
                .isEqualTo(laid.result(whole, r, o));
          }
        }
      }
    }
  }

  @Test
  void memoryIsNotTouchedBeforeItsBegin() {
    for (String name : new String[] {"F32", "Q8_0", "Q4_0", "Q6_K"}) {
      TensorType type = TensorType.valueOf(name);
      try (var memory = new GuardedMemory()) {
        int outputs = 40;
        int inputs = Math.max(96, type.blockSize());
        long stored = memory.from(type.bytes(outputs * inputs));
        Quantizer.quantize(type, filled(memory, outputs * inputs), outputs, inputs, stored);
        long packed = memory.from(kernels.packedBytes(type, outputs, inputs));
        kernels.pack(type, stored, outputs, inputs, packed, 0, 2);
        long x = filled(memory, 13 * inputs);
        long bias = filled(memory, outputs);
        long out = memory.from(4L * 13 * outputs);
        kernels.matmul(type, packed, outputs, inputs, x, inputs, 0, 1, 0, 2, bias, out, outputs);
        kernels.matmul(type, packed, outputs, inputs, x, inputs, 1, 13, 0, 2, bias, out, outputs);
        for (int i = 0; i < 13 * outputs; i++) assertThat(get(out, i)).isFinite();
      }
    }
  }

  private static long filled(GuardedMemory memory, int count) {
    var random = new Random(count);
    long at = memory.from(4L * count);
    for (int i = 0; i < count; i++) set(at, i, random.nextGaussian());
    return at;
  }

  @Test
  void whatIsNotANumberStaysInItsRow() {
    for (TensorType type : new TensorType[] {TensorType.F32, TensorType.Q8_0, TensorType.Q4_0}) {
      try (var laid = new Laid(Case.of(type, 10, 33, 160, 9))) {
        set(laid.x, 3L * laid.one.xStride + 7, Float.NaN);
        set(laid.x, 5L * laid.one.xStride + 150, Float.POSITIVE_INFINITY);
        for (int i = 0; i < 160; i++) {
          set(laid.x, 7L * laid.one.xStride + i, 0);
          set(laid.x, 8L * laid.one.xStride + i, Float.MIN_VALUE * i);
        }
        long out = laid.multiply();
        for (int r = 0; r < 10; r++) {
          for (int o = 0; o < 33; o++) {
            float got = laid.result(out, r, o);
            if (r == 3) assertThat(got).as("%s", type).isNaN();
            else if (r == 5) assertThat(Float.isFinite(got)).as("%s", type).isFalse();
            else if (r == 7) assertThat(got).as("%s", type).isEqualTo(get(laid.bias, o));
            else assertThat(got).as("%s", type).isFinite();
          }
        }
      }
    }
  }

  /** Of the same epoch; then others are at the same place. */
  @ParameterizedTest
  @EnumSource(names = {"Q8_0", "Q4_0"})
  void whatWasMadeOfRowsServesTheNextMatrix(TensorType type) {
    Layout[] layouts = {
      Layout.FINE_MATRIX, Layout.COARSE_MATRIX, Layout.FINE_MATRIX, Layout.MATRIX, Layout.MATRIX
    };
    for (int rows : new int[] {1, 7, 700}) {
      try (var laid = new Laid(Case.of(type, rows, 33, 512, 4))) {
        for (int epoch = 7; epoch < 9; epoch++) {
          for (int i = 0; i < rows; i++) set(laid.x, (long) i * laid.one.xStride, 3.25 * epoch);
          long[] alone = new long[layouts.length];
          for (int i = 0; i < layouts.length; i++) alone[i] = laid.multiply(layouts[i]);
          for (int i = 0; i < layouts.length; i++) {
            long out = laid.memory.upTo(4L * ((rows - 1L) * laid.one.outStride + 33));
            kernels.matmul(laid.product(layouts[i], out), 0, rows, 0, 1, epoch);
            kernels.matmul(laid.product(layouts[i], out), 0, rows, 1, 2, epoch);
            for (int r = 0; r < rows; r++) {
              for (int o = 0; o < 33; o++) {
                assertThat(laid.result(out, r, o)).isEqualTo(laid.result(alone[i], r, o));
              }
            }
          }
        }
      }
    }
  }

  /**
   * The last of many rows, which are worked on in portions: what is left of them lies elsewhere.
   */
  @ParameterizedTest
  @EnumSource(names = {"Q8_0", "Q4_0"})
  void aPortionOfRowsIsNotTakenForAllThatThereAre(TensorType type) {
    int rows = 700;
    try (var laid = new Laid(Case.of(type, rows, 33, 512, 4))) {
      long alone = laid.multiply(Layout.FINE_MATRIX);
      long out = laid.memory.upTo(4L * ((rows - 1L) * laid.one.outStride + 33));
      var product = laid.product(Layout.FINE_MATRIX, out);
      for (int from = 0; from < rows; from += 10) {
        kernels.matmul(product, 0, rows, 0, 2, 5);
        kernels.matmul(product, from, rows, 0, 2, 5);
        for (int r = from; r < rows; r++) {
          assertThat(laid.results(out, r)).isEqualTo(laid.results(alone, r));
        }
      }
    }
  }

  @Test
  void rowsThatWouldCrowdTheCacheAreSpread() {
    assertThat(FloatMultiplier.crowded(4096, 12)).isTrue();
    assertThat(FloatMultiplier.crowded(8192, 12)).isTrue();
    assertThat(FloatMultiplier.crowded(4096 + 64, 12)).isFalse();
    assertThat(FloatMultiplier.crowded(1000, 12)).isFalse();
    for (TensorType type : new TensorType[] {TensorType.F32, TensorType.F16}) {
      Case one = new Case(type, 26, 40, 3072, 3072, 40, 4);
      Kernels vector = new VectorKernels();
      try (var laid = new Laid(one)) {
        long mine = laid.multiply();
        long theirs = laid.multiply(vector, laid.pack(vector));
        for (int i = 0; i < 26 * 40; i++) assertThat(get(mine, i)).isEqualTo(get(theirs, i));
      }
    }
  }

  @Test
  void packingTakesNoMoreThanTheFile() {
    for (String type : new String[] {"F32", "F16", "Q8_0", "Q4_0"}) {
      TensorType of = TensorType.valueOf(type);
      if (of.quantized() && !kernels.integer(of)) continue;
      assertThat(kernels.packedBytes(of, 1024, 1024)).isEqualTo(of.bytes(1024 * 1024));
    }
  }

  private static float get(long address, long index) {
    return ALL.get(JAVA_FLOAT_UNALIGNED, address + 4 * index);
  }

  private static void set(long address, long index, double value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, address + 4 * index, (float) value);
  }
}
