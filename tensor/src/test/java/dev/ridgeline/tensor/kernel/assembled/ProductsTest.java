package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.quant.Quantizer;
import dev.ridgeline.tensor.quant.RandomBlocks;
import dev.ridgeline.tensor.tune.Tiling;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Assembled products of every type and odd shape, in every tier that this processor has, with no
 * byte beyond what they were given.
 */
@Execution(CONCURRENT)
class ProductsTest {
  /** Around the rows of every tile that there is. */
  private static final int[] ROWS = {1, 2, 3, 5, 6, 7, 13, 16, 35, 131};

  private static final int[] OUTPUTS = {1, 17, 32, 33, 65};

  private static final Precision[] PRECISIONS = {Precision.USUAL, Precision.COARSE, Precision.FINE};

  private static List<Kernels> tiers;

  @BeforeAll
  static void assemble() {
    tiers = Tiers.all();
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
    final GuardedMemory memory;
    final long stored;
    final long x;
    final long bias;

    Laid(Case one) {
      this(one, new GuardedMemory());
    }

    /** In memory that others had before. */
    Laid(Case one, GuardedMemory memory) {
      this.one = one;
      this.memory = memory;
      var random = new Random(one.seed);
      long bytes = one.type.bytes((long) one.outputs * one.inputs);
      stored = memory.upTo(bytes);
      RandomBlocks.fill(one.type, stored, bytes, random);
      if (one.type.quantized() && one.type != TensorType.MXFP4) {
        // A block without a scale has weights of zero, whatever else it says. MXFP4 has no such
        // block: its least power of two gives subnormal sums, which no relative bound is meant for.
        ALL.set(JAVA_SHORT_UNALIGNED, stored, (short) (one.seed % 3 == 0 ? 0x8000 : 0));
      }
      x = memory.upTo(4L * ((one.rows - 1L) * one.xStride + one.inputs));
      for (int r = 0; r < one.rows; r++) {
        for (int i = 0; i < one.inputs; i++) {
          // Blocks of every size: some rows have one that is larger than all, or nothing at all.
          int block = (i / 32 + r) % 7;
          double size = block == 6 ? 0 : Math.scalb(1d, 2 * (i % 5 - 2) - 5 * block);
          set(x, (long) r * one.xStride + i, random.nextGaussian() * size);
        }
      }
      bias = one.seed % 2 == 0 ? 0 : memory.upTo(4L * one.outputs);
      if (bias != 0) for (int i = 0; i < one.outputs; i++) set(bias, i, random.nextGaussian());
    }

    long pack(Kernels by) {
      long to = memory.upTo(by.packedBytes(one.type, one.outputs, one.inputs));
      // What a panel has too much must not be seen, whatever is there.
      by.pack(one.type, stored, one.outputs, one.inputs, to, 0, one.panels());
      return to;
    }

    long multiply(Kernels by, Precision precision, long packed) {
      long out = out();
      by.matmul(product(precision, packed, out), 0, one.rows, 0, one.panels(), 0);
      return out;
    }

    long multiply(Kernels by, Precision precision) {
      return multiply(by, precision, pack(by));
    }

    long multiply(Kernels by) {
      return multiply(by, Precision.USUAL);
    }

    Multiplication product(Precision precision, long packed, long out) {
      return new Multiplication()
          .matrix(precision, one.type, packed, one.outputs, one.inputs)
          .rows(x, one.xStride)
          .to(bias, out, one.outStride);
    }

    long out() {
      return memory.upTo(4L * ((one.rows - 1L) * one.outStride + one.outputs));
    }

    float result(long out, int r, int o) {
      return get(out, (long) r * one.outStride + o);
    }

    float[] results(long out, int r) {
      float[] row = new float[one.outputs];
      for (int o = 0; o < row.length; o++) row[o] = result(out, r, o);
      return row;
    }

    void same(String what, long out, long expected) {
      for (int r = 0; r < one.rows; r++) {
        assertThat(results(out, r))
            .as("%s, %s at %d", one, what, r)
            .isEqualTo(results(expected, r));
      }
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  private interface Check {
    void accept(Laid laid);
  }

  private static void cases(TensorType type, int[] allRows, Check check) {
    int[] allInputs =
        switch (type.blockSize()) {
          case 256 -> new int[] {256, 768};
          case 32 -> new int[] {32, 96, 544};
          default -> new int[] {1, 2, 3, 4, 7, 31, 33, 257, 384, 2063};
        };
    try (var memory = new GuardedMemory()) {
      for (int rows : allRows) {
        for (int outputs : OUTPUTS) {
          for (int inputs : allInputs) {
            // The longest and the widest once each.
            if (rows > 100 && (outputs != 33 || inputs > 500)) continue;
            if (inputs > 2000 && outputs != 33) continue;
            long seed = 31L * rows + outputs + 7L * inputs;
            check.accept(new Laid(Case.of(type, rows, outputs, inputs, seed), memory));
            memory.clear();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "BF16"})
  void productsOfFloatsHaveTheBitsOfTheVectorKernels(TensorType type) {
    Kernels vector = new VectorKernels();
    cases(
        type,
        ROWS,
        laid -> {
          long theirs = laid.multiply(vector);
          for (Kernels kernels : tiers) {
            if (byTiles(kernels, type)) continue;
            long mine = laid.multiply(kernels);
            laid.same(kernels.description(), mine, theirs);
            beyondIsUntouched(laid, mine);
          }
        });
  }

  /** Tiles of bf16 round the rows, too; they have a test of their own. */
  private static boolean byTiles(Kernels kernels, TensorType type) {
    return kernels.form(type, 1) == Arithmetic.AMX_BF16;
  }

  private static void beyondIsUntouched(Laid laid, long out) {
    for (int row = 0; row < laid.one.rows - 1; row++) {
      for (int o = laid.one.outputs; o < laid.one.outStride; o++) {
        assertThat(laid.result(out, row, o)).as("%s wrote beyond", laid.one).isNaN();
      }
    }
  }

  /** The same in plain Java, operation by operation: so every tier has the same bits. */
  @ParameterizedTest
  @EnumSource
  void productsOfBytesHaveTheBitsOfPlainJava(PanelForm form) {
    cases(
        form.type,
        ROWS,
        laid -> {
          PlainLevels weights = weights(laid);
          for (Precision precision : PRECISIONS) {
            float[][] expected = new float[laid.one.rows][];
            for (int r = 0; r < expected.length; r++)
              expected[r] = plain(laid, weights, precision, r);
            for (Kernels kernels : tiers) {
              long out = laid.multiply(kernels, precision);
              for (int r = 0; r < laid.one.rows; r++) {
                assertThat(laid.results(out, r))
                    .as("%s, %s, %s at %d", laid.one, precision, kernels.description(), r)
                    .isEqualTo(expected[r]);
              }
              beyondIsUntouched(laid, out);
            }
          }
        });
  }

  private static float[] plain(Laid laid, PlainLevels weights, Precision precision, int row) {
    boolean halves = halves(laid.one.type, precision);
    var first = PlainBytes.of(row(laid, row), weights.block(), halves);
    var second = PlainBytes.of(first.rest(), weights.block(), halves);
    float[] results = new float[laid.one.outputs];
    for (int o = 0; o < results.length; o++) {
      results[o] = weights.dot(o, first, laid.bias == 0 ? 0 : get(laid.bias, o));
      if (precision == Precision.FINE) results[o] = weights.dot(o, second, results[o]);
    }
    return results;
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"F32", "F16", "BF16", "I32"})
  void withoutVectorsWeightsOfEveryTypeAreMultipliedAsF32(TensorType type) {
    Kernels plain = new ScalarKernels();
    Kernels widened = new AssembledKernels(plain, false, Tier.here(), Tiling.here());
    int inputs = type.quantized() ? 2 * type.blockSize() : 33;
    for (int rows : new int[] {1, 7}) {
      for (int outputs : new int[] {1, 32, 65}) {
        try (var laid = new Laid(Case.of(type, rows, outputs, inputs, 3L * rows + outputs))) {
          long mine = laid.multiply(widened);
          long exact = laid.multiply(plain);
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
  private static boolean halves(TensorType type, Precision precision) {
    boolean able = type == TensorType.Q8_0 || type == TensorType.Q4_0;
    return able && precision != Precision.USUAL;
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
  @EnumSource
  void productsOfBytesAreNearTheProductOfTheNumbers(PanelForm form) {
    cases(
        form.type,
        new int[] {7},
        laid -> {
          var weights = weights(laid);
          for (Precision precision : PRECISIONS) {
            long out = laid.multiply(tiers.getLast(), precision);
            for (int r = 0; r < laid.one.rows; r++) near(laid, weights, precision, out, r);
          }
        });
  }

  private static void near(Laid laid, PlainLevels weights, Precision precision, long out, int r) {
    boolean halves = halves(laid.one.type, precision);
    int block = weights.block();
    float[] x = row(laid, r);
    var bytes = PlainBytes.of(x, block, halves);
    if (precision == Precision.FINE) bytes = PlainBytes.of(bytes.rest(), block, halves);
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
          .as("%s, %s at %d, %d", laid.one, precision, r, o)
          .isLessThanOrEqualTo(bound);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BF16", "I32"})
  void rangesOfRowsAndPanelsDoNotChangeABit(TensorType type) {
    for (Kernels kernels : tiers) {
      for (int seed = 0; seed < 6; seed++) ranges(kernels, type, seed);
    }
  }

  private static void ranges(Kernels kernels, TensorType type, int seed) {
    var random = new Random(seed);
    int rows = 1 + random.nextInt(150);
    int outputs = 1 + random.nextInt(200);
    int block = Math.max(32, type.blockSize());
    int inputs = block * (1 + random.nextInt(1600 / block));
    try (var laid = new Laid(Case.of(type, rows, outputs, inputs, seed))) {
      long packed = laid.pack(kernels);
      long whole = laid.multiply(kernels, Precision.USUAL, packed);
      long parts = laid.out();
      var product = laid.product(Precision.USUAL, packed, parts);
      for (int row = 0; row < rows; ) {
        int rowTo = Math.min(rows, row + 1 + random.nextInt(random.nextBoolean() ? 3 : 40));
        for (int panel = 0; panel < laid.one.panels(); ) {
          int panelTo = Math.min(laid.one.panels(), panel + 1 + random.nextInt(3));
          kernels.matmul(product, row, rowTo, panel, panelTo, 0);
          panel = panelTo;
        }
        row = rowTo;
      }
      laid.same(kernels.description(), parts, whole);
    }
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BF16", "I32"})
  void memoryIsNotTouchedBeforeItsBegin(TensorType type) {
    int outputs = 40;
    int inputs = Math.max(96, type.blockSize());
    for (Kernels kernels : tiers) {
      try (var memory = new GuardedMemory()) {
        long bytes = type.bytes((long) outputs * inputs);
        long stored = memory.from(bytes);
        RandomBlocks.fill(type, stored, bytes, new Random(3));
        long packed = memory.from(kernels.packedBytes(type, outputs, inputs));
        kernels.pack(type, stored, outputs, inputs, packed, 0, 2);
        long x = filled(memory, 37 * inputs);
        long bias = filled(memory, outputs);
        long out = memory.from(4L * 37 * outputs);
        kernels.matmul(type, packed, outputs, inputs, x, inputs, 0, 1, 0, 2, bias, out, outputs);
        kernels.matmul(type, packed, outputs, inputs, x, inputs, 1, 37, 0, 2, bias, out, outputs);
        for (int i = 0; i < 37 * outputs; i++) {
          assertThat(get(out, i)).as(kernels.description()).isFinite();
        }
      }
    }
  }

  private static long filled(GuardedMemory memory, int count) {
    var random = new Random(count);
    long at = memory.from(4L * count);
    for (int i = 0; i < count; i++) set(at, i, random.nextGaussian());
    return at;
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"BF16", "I32"})
  void whatIsNotANumberStaysInItsRow(TensorType type) {
    int inputs = Math.max(160, type.blockSize());
    try (var laid = new Laid(Case.of(type, 21, 33, inputs, 9))) {
      set(laid.x, 3L * laid.one.xStride + 7, Float.NaN);
      set(laid.x, 5L * laid.one.xStride + 150, Float.POSITIVE_INFINITY);
      for (int i = 0; i < inputs; i++) {
        set(laid.x, 7L * laid.one.xStride + i, 0);
        set(laid.x, 8L * laid.one.xStride + i, Float.MIN_VALUE * i);
      }
      for (Kernels kernels : tiers) {
        long out = laid.multiply(kernels);
        for (int r = 0; r < laid.one.rows; r++) {
          for (int o = 0; o < laid.one.outputs; o++) {
            float got = laid.result(out, r, o);
            String what = "%s at %d, %d".formatted(kernels.description(), r, o);
            if (r == 3) assertThat(got).as(what).isNaN();
            else if (r == 5) assertThat(Float.isFinite(got)).as(what).isFalse();
            else if (r == 7) assertThat(got).as(what).isEqualTo(get(laid.bias, o));
            else assertThat(got).as(what).isFinite();
          }
        }
      }
    }
  }

  /** Of the same epoch; then others are at the same place. */
  @ParameterizedTest
  @EnumSource(names = {"Q8_0", "Q4_0", "Q4_K"})
  void whatWasMadeOfRowsServesTheNextMatrix(TensorType type) {
    Precision[] precisions = {
      Precision.FINE, Precision.COARSE, Precision.FINE, Precision.USUAL, Precision.USUAL
    };
    for (Kernels kernels : tiers) {
      for (int rows : new int[] {1, 7, 700}) {
        try (var laid = new Laid(Case.of(type, rows, 33, 512, 4))) {
          long packed = laid.pack(kernels);
          for (int epoch = 7; epoch < 9; epoch++) {
            for (int i = 0; i < rows; i++) set(laid.x, (long) i * laid.one.xStride, 3.25 * epoch);
            long[] alone = new long[precisions.length];
            for (int i = 0; i < precisions.length; i++) {
              alone[i] = laid.multiply(kernels, precisions[i], packed);
            }
            for (int i = 0; i < precisions.length; i++) {
              long out = laid.out();
              kernels.matmul(laid.product(precisions[i], packed, out), 0, rows, 0, 1, epoch);
              kernels.matmul(laid.product(precisions[i], packed, out), 0, rows, 1, 2, epoch);
              laid.same(kernels.description(), out, alone[i]);
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
  @EnumSource(names = {"Q8_0", "Q4_0", "Q4_K"})
  void aPortionOfRowsIsNotTakenForAllThatThereAre(TensorType type) {
    int rows = 700;
    for (Kernels kernels : tiers) {
      try (var laid = new Laid(Case.of(type, rows, 33, 512, 4))) {
        long packed = laid.pack(kernels);
        long alone = laid.multiply(kernels, Precision.FINE, packed);
        long out = laid.out();
        var product = laid.product(Precision.FINE, packed, out);
        for (int from = 0; from < rows; from += 50) {
          kernels.matmul(product, 0, rows, 0, 2, 5);
          kernels.matmul(product, from, rows, 0, 2, 5);
          laid.same(kernels.description(), out, alone);
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
      try (var laid = new Laid(new Case(type, 26, 40, 3072, 3072, 40, 4))) {
        long theirs = laid.multiply(new VectorKernels());
        for (Kernels kernels : tiers) {
          if (byTiles(kernels, type)) continue;
          laid.same(kernels.description(), laid.multiply(kernels), theirs);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "Q8_0", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q6_K", "IQ4_NL"})
  void packingTakesNoMoreThanTheFile(TensorType type) {
    for (Kernels kernels : tiers) {
      assertThat(kernels.packedBytes(type, 1024, 1024)).isEqualTo(type.bytes(1024 * 1024));
    }
  }

  private static float get(long address, long index) {
    return ALL.get(JAVA_FLOAT_UNALIGNED, address + 4 * index);
  }

  private static void set(long address, long index, double value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, address + 4 * index, (float) value);
  }
}
