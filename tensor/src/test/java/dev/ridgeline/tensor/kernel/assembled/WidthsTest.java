package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Registers of 256 and of 512 bits give the same bits, in memory that ends where a row does. */
class WidthsTest {
  /** What formulas might not expect. */
  private static final float[] STRANGE = {
    0,
    -0f,
    Float.NaN,
    Float.POSITIVE_INFINITY,
    Float.NEGATIVE_INFINITY,
    Float.MAX_VALUE,
    -Float.MAX_VALUE,
    Float.MIN_VALUE,
    -Float.MIN_VALUE,
    Float.MIN_NORMAL,
    1e-40f,
    87,
    -87,
    -87.4f,
    -88,
    88,
    88.7f,
    -104,
    -110,
    6,
    -6,
    -6.0000005f,
    -10,
    -10.1f,
    1e30f,
    -1e30f
  };

  private static Kernels narrow;
  private static Kernels wide;

  @BeforeAll
  static void assemble() {
    narrow = Tiers.kernels(Tier.AVX2);
    wide = Tiers.kernels(Tier.AVX512);
  }

  /** An operation on memory of its own, with the result last. */
  private interface Operation {
    void run(Kernels kernels, long out);
  }

  /** Runs it in both widths on a result that begins with the same bits. */
  private static void same(String what, GuardedMemory memory, long count, Operation operation) {
    long[] outs = {memory.upTo(4 * count), memory.upTo(4 * count)};
    for (long out : outs) {
      var random = new Random(count);
      for (long i = 0; i < count; i++) set(out, i, (float) random.nextGaussian());
    }
    operation.run(narrow, outs[0]);
    operation.run(wide, outs[1]);
    compare(what, outs[0], outs[1], count);
  }

  private static void compare(String what, long narrow, long wide, long count) {
    for (long i = 0; i < count; i++) {
      int mine = ALL.get(JAVA_INT_UNALIGNED, narrow + 4 * i);
      int other = ALL.get(JAVA_INT_UNALIGNED, wide + 4 * i);
      // One NaN is as good as another.
      boolean none = Float.isNaN(Float.intBitsToFloat(mine));
      if (mine != other && !(none && Float.isNaN(Float.intBitsToFloat(other)))) {
        assertThat(Float.intBitsToFloat(mine))
            .as("%s at %d of %d", what, i, count)
            .isEqualTo(Float.intBitsToFloat(other));
        // Zeros of two signs are equal.
        assertThat(mine).as("%s at %d of %d", what, i, count).isEqualTo(other);
      }
    }
  }

  private static long numbers(GuardedMemory memory, Random random, long count, double size) {
    long at = memory.upTo(4 * count);
    boolean strange = random.nextInt(4) == 0;
    for (long i = 0; i < count; i++) {
      float value = (float) (size * random.nextGaussian());
      if (strange && random.nextInt(8) == 0) value = STRANGE[random.nextInt(STRANGE.length)];
      set(at, i, value);
    }
    return at;
  }

  @Test
  void operationsOnEachNumber() {
    for (int seed = 0; seed < 400; seed++) {
      var random = new Random(seed);
      int count = 1 + (seed < 100 ? seed : random.nextInt(700));
      try (var memory = new GuardedMemory()) {
        long a = numbers(memory, random, count, random.nextBoolean() ? 3 : 60);
        long b = numbers(memory, random, count, 1);
        String what = "seed " + seed;
        same(what + " add", memory, count, (k, out) -> k.rows().add(a, b, out, count));
        same(what + " multiply", memory, count, (k, out) -> k.rows().multiply(a, b, out, count));
        same(what + " scale", memory, count, (k, out) -> k.rows().scale(a, 0.3f, out, count));
        for (Activation each : Activation.values()) {
          String name = what + " " + each;
          same(name, memory, count, (k, out) -> k.rows().apply(each, a, 0, out, count));
          same(name + " gate", memory, count, (k, out) -> k.rows().apply(each, a, b, out, count));
        }
      }
    }
  }

  @Test
  void everyMagnitude() {
    int count = 1 << 20;
    try (var memory = new GuardedMemory()) {
      long a = memory.upTo(4L * count);
      for (int i = 0; i < count; i++) ALL.set(JAVA_INT_UNALIGNED, a + 4L * i, i << 12 | 0x7A5);
      for (Activation each : Activation.values()) {
        same(each + "", memory, count, (k, out) -> k.rows().apply(each, a, 0, out, count));
        same(each + " gate", memory, count, (k, out) -> k.rows().apply(each, a, a, out, count));
      }
    }
  }

  @Test
  void norms() {
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      int width = 1 + (seed < 100 ? seed : random.nextInt(800));
      int rows = 1 + random.nextInt(4);
      int stride = width + random.nextInt(3);
      long count = (rows - 1L) * stride + width;
      try (var memory = new GuardedMemory()) {
        long x = numbers(memory, random, count, 3);
        long y = numbers(memory, random, count, 3);
        long weight = numbers(memory, random, width, 1);
        long bias = numbers(memory, random, width, 1);
        for (long added : new long[] {0, y}) {
          same(
              "layer norm, seed " + seed,
              memory,
              count,
              (k, out) ->
                  k.rows()
                      .norm(
                          x, stride, added, stride, weight, bias, 1e-5f, out, stride, width, 0,
                          rows));
        }
        same(
            "rms norm, seed " + seed,
            memory,
            count,
            (k, out) ->
                k.rows().norm(x, stride, 0, 0, weight, 0, 1e-5f, out, stride, width, 0, rows));
        same(
            "mean, seed " + seed,
            memory,
            width,
            (k, out) -> k.rows().mean(x, stride, 0, rows, width, out));
      }
    }
  }

  @Test
  void softmaxes() {
    for (int seed = 0; seed < 400; seed++) {
      var random = new Random(seed);
      int keys = 1 + (seed < 100 ? seed : random.nextInt(300));
      int rows = 1 + random.nextInt(6);
      int stride = keys + random.nextInt(3);
      int first = random.nextInt(keys);
      int before = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(keys);
      int after = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(keys);
      long count = (rows - 1L) * stride + keys;
      try (var memory = new GuardedMemory()) {
        long x = numbers(memory, random, count, random.nextBoolean() ? 3 : 50);
        same(
            "softmax, seed " + seed,
            memory,
            count,
            (k, out) -> {
              k.rows().scale(x, 1, out, count);
              k.attention().softmax(out, stride, rows, keys, first, before, after);
            });
      }
    }
  }

  @Test
  void rotations() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      int half = 1 + random.nextInt(40);
      int width = 2 * half + random.nextInt(3);
      int heads = 1 + random.nextInt(3);
      int rows = 1 + random.nextInt(4);
      int stride = heads * width + random.nextInt(3);
      long count = (rows - 1L) * stride + (long) heads * width;
      try (var memory = new GuardedMemory()) {
        long x = numbers(memory, random, count, 3);
        long angles = numbers(memory, random, 9L * 2 * half, 1);
        long positions = memory.upTo(4L * rows);
        for (int r = 0; r < rows; r++) {
          ALL.set(JAVA_INT_UNALIGNED, positions + 4L * r, random.nextInt(9));
        }
        for (Pairing pairing : Pairing.values()) {
          same(
              "%s, seed %d".formatted(pairing, seed),
              memory,
              count,
              (k, out) -> {
                k.rows().scale(x, 1, out, count);
                k.rows()
                    .rope(
                        out, stride, heads, width, 2 * half, pairing, false, angles, positions, 0,
                        rows);
              });
        }
      }
    }
  }

  @Test
  void attention() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      int width = 1 + random.nextInt(90);
      int queries = 1 + random.nextInt(30);
      int keys = 1 + random.nextInt(90);
      int stride = width + random.nextInt(4);
      int line = keys + random.nextInt(4);
      try (var memory = new GuardedMemory()) {
        long q = numbers(memory, random, (queries - 1L) * stride + width, 1);
        long k = numbers(memory, random, (keys - 1L) * stride + width, 1);
        long p = numbers(memory, random, (queries - 1L) * line + keys, 1);
        same(
            "scores, seed " + seed,
            memory,
            (queries - 1L) * line + keys,
            (kernels, out) ->
                kernels
                    .attention()
                    .scores(q, stride, queries, k, stride, keys, width, 0.3f, out, line));
        same(
            "mix, seed " + seed,
            memory,
            (queries - 1L) * stride + width,
            (kernels, out) ->
                kernels.attention().mix(p, line, queries, k, stride, keys, width, out, stride));
        same(
            "across, seed " + seed,
            memory,
            (long) keys * width,
            (kernels, out) ->
                kernels
                    .attention()
                    .across(
                        p, line, keys, q, stride, queries, width, out, width, queries % 2 == 0));
      }
    }
  }

  @Test
  void products() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      TensorType type = random.nextBoolean() ? TensorType.F32 : TensorType.F16;
      int outputs = 1 + random.nextInt(100);
      int inputs = 1 + random.nextInt(100);
      int rows = 1 + random.nextInt(20);
      int panels = (outputs + Kernels.PANEL - 1) / Kernels.PANEL;
      try (var memory = new GuardedMemory()) {
        long w = memory.upTo(type.bytes((long) outputs * inputs));
        for (long i = 0; i < (long) outputs * inputs; i++) {
          float value = (float) random.nextGaussian();
          if (type == TensorType.F32) set(w, i, value);
          else ALL.set(JAVA_SHORT_UNALIGNED, w + 2 * i, Float.floatToFloat16(value));
        }
        long x = numbers(memory, random, (long) rows * inputs, 1);
        long bias = random.nextBoolean() ? 0 : numbers(memory, random, outputs, 1);
        same(
            "product, seed " + seed,
            memory,
            (long) rows * outputs,
            (kernels, out) -> {
              long packed = memory.upTo(kernels.packedBytes(type, outputs, inputs));
              kernels.pack(type, w, outputs, inputs, packed, 0, panels);
              kernels.matmul(
                  type, packed, outputs, inputs, x, inputs, 0, rows, 0, panels, bias, out, outputs);
            });
      }
    }
  }

  private static void set(long address, long index, float value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, address + 4 * index, value);
  }
}
