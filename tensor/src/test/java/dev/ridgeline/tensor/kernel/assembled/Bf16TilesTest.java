package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.oracle.Needs;
import dev.ridgeline.profiler.Arithmetic;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import dev.ridgeline.tensor.kernel.vector.VectorKernels;
import dev.ridgeline.tensor.quant.Quantizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Weights in f16 and bf16: by tiles where the processor has AMX, and with the bits of vectors. */
class Bf16TilesTest {
  private static final int[] ROWS = {1, 2, 3, 7, 15, 16, 17, 31, 32, 33, 47, 48, 49, 64, 65, 131};
  private static final int[] OUTPUTS = {1, 15, 16, 17, 31, 32, 33, 64, 65, 97};
  private static final int[] INPUTS = {1, 2, 3, 31, 32, 33, 63, 64, 65, 97, 384, 1025};

  /** A matrix, rows and biases, in memory that ends where nothing may be touched. */
  private static final class Laid implements AutoCloseable {
    final GuardedMemory memory = new GuardedMemory();
    final TensorType type;
    final int rows;
    final int outputs;
    final int inputs;
    final long stored;
    final long x;
    final long bias;
    final float[][] weights;
    final float[][] numbers;

    Laid(TensorType type, int rows, int outputs, int inputs) {
      this.type = type;
      this.rows = rows;
      this.outputs = outputs;
      this.inputs = inputs;
      var random = new Random(31L * rows + 7L * outputs + inputs);
      long count = (long) outputs * inputs;
      long plain = memory.upTo(4 * count);
      for (long i = 0; i < count; i++) set(plain, i, random.nextGaussian());
      stored = memory.upTo(type.bytes(count));
      Quantizer.quantize(type, plain, outputs, inputs, stored);
      Quantizer.dequantize(type, stored, count, plain);
      weights = read(plain, outputs, inputs, inputs);
      x = memory.upTo(4L * ((rows - 1L) * xStride() + inputs));
      for (int r = 0; r < rows; r++) {
        for (int i = 0; i < inputs; i++) {
          set(x, r * xStride() + i, random.nextGaussian() * Math.scalb(1, -(i + r) % 23));
        }
      }
      numbers = read(x, rows, inputs, (int) xStride());
      bias = random.nextBoolean() ? 0 : memory.upTo(4L * outputs);
      for (int o = 0; bias != 0 && o < outputs; o++) set(bias, o, random.nextGaussian());
    }

    long xStride() {
      return inputs + 3L;
    }

    int outStride() {
      return outputs + 5;
    }

    int panels() {
      return (outputs + PANEL - 1) / PANEL;
    }

    float bias(int output) {
      return bias == 0 ? 0 : get(bias, output);
    }

    long pack(Kernels by) {
      long packed = memory.upTo(by.packedBytes(type, outputs, inputs));
      for (int panel = panels() - 1; panel >= 0; panel--) {
        by.pack(type, stored, outputs, inputs, packed, panel, panel + 1);
      }
      return packed;
    }

    long room() {
      long numbers = (rows - 1L) * outStride() + outputs;
      long out = memory.upTo(4 * numbers);
      for (long i = 0; i < numbers; i++) set(out, i, Float.NaN);
      return out;
    }

    Multiplication product(long packed, long out) {
      return new Multiplication()
          .matrix(Precision.USUAL, type, packed, outputs, inputs)
          .rows(x, (int) xStride())
          .to(bias, out, outStride());
    }

    float[][] multiply(Kernels by) {
      long out = room();
      by.matmul(product(pack(by), out), 0, rows, 0, panels(), 0);
      for (int r = 0; r < rows - 1; r++) {
        for (int o = outputs; o < outStride(); o++) {
          assertThat(get(out, (long) r * outStride() + o)).as("%s wrote beyond", this).isNaN();
        }
      }
      return read(out, rows, outputs, outStride());
    }

    @Override
    public void close() {
      memory.close();
    }

    @Override
    public String toString() {
      return "%s %d×%d×%d".formatted(type, rows, outputs, inputs);
    }
  }

  private interface Check {
    void accept(Laid laid);
  }

  private static void shapes(TensorType type, Check check) {
    for (int rows : ROWS) {
      for (int outputs : OUTPUTS) {
        for (int inputs : INPUTS) {
          if ((rows + outputs + inputs) % 3 != 0 && rows * outputs > 40) continue;
          try (var laid = new Laid(type, rows, outputs, inputs)) {
            check.accept(laid);
          }
        }
      }
    }
  }

  private static Kernels tiles() {
    Needs.AMX.orSkip(Tier.AMX.runsOn(CpuFeatures.here()));
    return Tiers.kernels(Tier.AMX);
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void productsByTilesHaveTheBitsOfPlainJava(TensorType type) {
    Kernels tiles = tiles();
    assertThat(tiles.form(type, 1)).isEqualTo(Arithmetic.AMX_BF16);
    shapes(
        type,
        laid -> {
          float[][] results = laid.multiply(tiles);
          for (int r = 0; r < laid.rows; r++) {
            float[] expected = new float[laid.outputs];
            for (int o = 0; o < expected.length; o++) {
              expected[o] = PlainTiles.dot(laid.bias(o), laid.numbers[r], laid.weights[o]);
            }
            assertThat(results[r]).as("%s at %d", laid, r).isEqualTo(expected);
          }
        });
  }

  /** Rows are rounded by one in 256 at most, and so are weights that are not bf16 already. */
  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void productsByTilesAreNearTheProductOfTheNumbers(TensorType type) {
    Kernels tiles = tiles();
    double bound = type == TensorType.BF16 ? 0x1p-8 : 0x1p-7;
    shapes(
        type,
        laid -> {
          float[][] results = laid.multiply(tiles);
          for (int r = 0; r < laid.rows; r++) {
            for (int o = 0; o < laid.outputs; o++) {
              double exact = laid.bias(o);
              double terms = Math.abs(exact);
              for (int i = 0; i < laid.inputs; i++) {
                double term = (double) laid.weights[o][i] * laid.numbers[r][i];
                exact += term;
                terms += Math.abs(term);
              }
              assertThat(Math.abs(results[r][o] - exact))
                  .as("%s at %d, %d", laid, r, o)
                  .isLessThanOrEqualTo(bound * terms);
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void aRowHasTheSameBitsAmongAnyOthers(TensorType type) {
    Kernels tiles = tiles();
    for (int rows : new int[] {1, 16, 33, 100, 700}) {
      try (var laid = new Laid(type, rows, 97, 513)) {
        float[][] whole = laid.multiply(tiles);
        long packed = laid.pack(tiles);
        var random = new Random(rows);
        // Rows that were rounded for one range must not be taken for those of another.
        for (long epoch = 1; epoch < 3; epoch++) {
          long out = laid.room();
          for (int row = 0, end; row < rows; row = end) {
            end = Math.min(rows, row + 1 + random.nextInt(random.nextBoolean() ? 3 : 70));
            for (int panel = 0; panel < laid.panels(); panel++) {
              tiles.matmul(laid.product(packed, out), row, end, panel, panel + 1, epoch);
            }
          }
          float[][] parts = read(out, rows, laid.outputs, laid.outStride());
          for (int r = 0; r < rows; r++) {
            assertThat(parts[r]).as("%s at %d", laid, r).isEqualTo(whole[r]);
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void whatIsNotANumberStaysInItsRow(TensorType type) {
    Kernels tiles = tiles();
    try (var laid = new Laid(type, 20, 33, 161)) {
      set(laid.x, 3 * laid.xStride() + 160, Float.NaN);
      set(laid.x, 17 * laid.xStride() + 7, Float.NEGATIVE_INFINITY);
      for (int i = 0; i < 161; i++) set(laid.x, 5 * laid.xStride() + i, Float.MIN_VALUE * i);
      float[][] results = laid.multiply(tiles);
      for (int r = 0; r < 20; r++) {
        for (int o = 0; o < 33; o++) {
          if (r == 3) assertThat(results[r][o]).isNaN();
          else if (r == 5) assertThat(results[r][o]).isEqualTo(laid.bias(o));
          else assertThat(Float.isFinite(results[r][o])).as("row %d", r).isEqualTo(r != 17);
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"F16", "BF16"})
  void panelsOfPairsHaveEveryNumberAndZerosAfterThem(TensorType type) {
    Needs.BF16.orSkip(CpuFeatures.here().has(Feature.AVX512_BF16));
    var packing = new Bf16Panels(FloatKind.of(type));
    for (int outputs : OUTPUTS) {
      for (int inputs : INPUTS) {
        try (var laid = new Laid(type, 1, outputs, inputs)) {
          long packed = laid.memory.upTo(laid.panels() * packing.bytes(inputs));
          for (int panel = laid.panels() - 1; panel >= 0; panel--) {
            packing.pack(laid.stored, outputs, inputs, packed, panel, panel + 1);
          }
          for (int o = 0; o < laid.panels() * PANEL; o++) {
            for (int i = 0; i < Bf16Rounder.padded(inputs); i++) {
              long pair = o / PANEL * packing.bytes(inputs) + (i / 2 * PANEL + o % PANEL) * 4L;
              boolean there = o < outputs && i < inputs;
              assertThat(brain(packed + pair + 2 * (i % 2)))
                  .as("%s at %d, %d", laid, o, i)
                  .isEqualTo(there ? PlainTiles.rounded(laid.weights[o][i]) : 0);
            }
          }
        }
      }
    }
  }

  /** Any bits at all. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "F16"})
  void rowsAreRoundedToTheNearest(TensorType type) {
    Needs.BF16.orSkip(CpuFeatures.here().has(Feature.AVX512_BF16));
    Function rounder = Bf16Panels.rounder(FloatKind.of(type));
    var random = new Random(5);
    for (int inputs : INPUTS) {
      int padded = Bf16Rounder.padded(inputs);
      try (var memory = new GuardedMemory()) {
        long bytes = type.bytes(inputs);
        long from = memory.upTo(3 * bytes);
        for (long at = 0; at < 3 * bytes; at += 2) {
          ALL.set(JAVA_SHORT_UNALIGNED, from + at, (short) random.nextInt());
        }
        long to = memory.upTo(6L * padded);
        rounder.call(from, bytes, to, 2L * padded, 3, inputs);
        for (int i = 0; i < 3 * padded; i++) {
          long at = from + i / padded * bytes + i % padded * (long) type.blockBytes();
          float number = i % padded >= inputs ? 0 : number(type, at);
          // As an object: a NaN equals itself, and zeros have signs.
          assertThat(brain(to + 2L * i)).isEqualTo((Float) PlainTiles.rounded(number));
        }
      }
    }
  }

  /** In registers of every width. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "F16", "BF16"})
  void productsWithoutTilesHaveTheBitsOfVectorsInEveryTier(TensorType type) {
    Kernels vectors = new VectorKernels();
    List<Kernels> tiers = new ArrayList<>();
    for (Tier tier : Tier.allOf(CpuFeatures.here())) {
      Kernels kernels = Tiers.kernels(tier);
      if (kernels.form(type, 1) == Arithmetic.F32) tiers.add(kernels);
    }
    assertThat(tiers).isNotEmpty();
    for (int rows : new int[] {1, 2, 3, 13, 25}) {
      for (int outputs : OUTPUTS) {
        for (int inputs : INPUTS) {
          try (var laid = new Laid(type, rows, outputs, inputs)) {
            float[][] expected = laid.multiply(vectors);
            for (Kernels kernels : tiers) {
              assertThat(laid.multiply(kernels)).as("%s", laid).isDeepEqualTo(expected);
            }
          }
        }
      }
    }
  }

  private static float number(TensorType type, long at) {
    if (type == TensorType.F32) return ALL.get(JAVA_FLOAT_UNALIGNED, at);
    return Float.float16ToFloat(ALL.get(JAVA_SHORT_UNALIGNED, at));
  }

  private static float brain(long at) {
    return Float.intBitsToFloat(ALL.get(JAVA_SHORT_UNALIGNED, at) << 16);
  }

  private static float[][] read(long at, int rows, int columns, int stride) {
    float[][] numbers = new float[rows][columns];
    for (int r = 0; r < rows; r++) {
      for (int c = 0; c < columns; c++) numbers[r][c] = get(at, (long) r * stride + c);
    }
    return numbers;
  }

  private static float get(long address, long index) {
    return ALL.get(JAVA_FLOAT_UNALIGNED, address + 4 * index);
  }

  private static void set(long address, long index, double value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, address + 4 * index, (float) value);
  }
}
