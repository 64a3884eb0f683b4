package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.Memory.ALL;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.ridgeline.oracle.GuardedMemory;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.scalar.ScalarKernels;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Attention in assembled code against plain Java, in memory that ends where nothing may be read.
 */
@ParameterizedClass
@EnumSource(
    value = Tier.class,
    names = {"AVX2", "AVX512"})
class AttentionTest {
  private static final Kernels SCALAR = new ScalarKernels();
  private static final int[] WIDTHS = {1, 5, 16, 17, 31, 32, 33, 40, 64, 80};

  private final Kernels kernels;

  AttentionTest(Tier tier) {
    kernels = Tiers.kernels(tier);
  }

  private static long filled(GuardedMemory memory, Random random, int rows, int stride, int width) {
    long at = memory.upTo(4L * ((rows - 1L) * stride + width));
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < width; i++) set(at, (long) r * stride + i, (float) random.nextGaussian());
    }
    return at;
  }

  private static long room(GuardedMemory memory, int rows, int stride, int width) {
    return memory.upTo(4L * ((rows - 1L) * stride + width));
  }

  @Test
  void scoresAndMixturesAreThoseOfPlainJava() {
    for (int seed = 0; seed < 200; seed++) {
      var random = new Random(seed);
      int width = WIDTHS[random.nextInt(WIDTHS.length)];
      int queries = 1 + random.nextInt(30);
      int keys = 1 + random.nextInt(random.nextInt(10) == 0 ? 1200 : 100);
      int stride = 3 * width + random.nextInt(4);
      int line = keys + random.nextInt(5);
      try (var memory = new GuardedMemory()) {
        String what = "seed %d: %d queries, %d keys of %d".formatted(seed, queries, keys, width);
        long q = filled(memory, random, queries, stride, width);
        long k = filled(memory, random, keys, stride, width);
        long mine = room(memory, queries, line, keys);
        long theirs = room(memory, queries, line, keys);
        kernels.attention().scores(q, stride, queries, k, stride, keys, width, 0.3f, mine, line);
        SCALAR.attention().scores(q, stride, queries, k, stride, keys, width, 0.3f, theirs, line);
        same(what, mine, theirs, queries, line, keys, 1e-5 * Math.sqrt(width));
        long p = filled(memory, random, queries, line, keys);
        long mixed = room(memory, queries, stride, width);
        long expected = room(memory, queries, stride, width);
        kernels.attention().mix(p, line, queries, k, stride, keys, width, mixed, stride);
        SCALAR.attention().mix(p, line, queries, k, stride, keys, width, expected, stride);
        same(what, mixed, expected, queries, stride, width, 1e-5 * Math.sqrt(keys));
      }
    }
  }

  @Test
  void pagesOfACacheAreReadAsPlainJavaReadsThem() {
    for (int seed = 0; seed < 120; seed++) {
      var random = new Random(seed);
      TensorType type = random.nextBoolean() ? TensorType.F32 : TensorType.F16;
      int width = WIDTHS[random.nextInt(WIDTHS.length)];
      int queries = 1 + random.nextInt(random.nextBoolean() ? 1 : 20);
      int heads = 1 + random.nextInt(8);
      int count = 1 + random.nextInt(6);
      int tokens = 32 * (count - 1) + 1 + random.nextInt(32);
      int[] pages = random.ints(0, 9).distinct().limit(count + 1).toArray();
      if (random.nextBoolean()) Arrays.sort(pages);
      long pageBytes = type.bytes(32L * width) * 2;
      int stride = heads * width + random.nextInt(3);
      int line = 32 * count;
      int rows = queries * heads;
      try (var memory = new GuardedMemory()) {
        String what =
            "seed %d: %s, %d × %d heads, %d tokens of %d"
                .formatted(seed, type, queries, heads, tokens, width);
        long cache = memory.upTo(9 * pageBytes + Kernels.MARGIN);
        for (long i = 0; i < 9 * pageBytes / type.blockBytes(); i++) {
          float value = (float) random.nextGaussian();
          if (type == TensorType.F32) set(cache, i, value);
          else ALL.set(JAVA_SHORT_UNALIGNED, cache + 2 * i, Float.floatToFloat16(value));
        }
        long q = filled(memory, random, queries, stride, heads * width);
        long mine = room(memory, rows, line, line);
        long theirs = room(memory, rows, line, line);
        kernels
            .attention()
            .pageScores(
                q, stride, queries, heads, type, cache, pageBytes, pages, 1, tokens, width, 0.3f,
                mine, line);
        SCALAR
            .attention()
            .pageScores(
                q, stride, queries, heads, type, cache, pageBytes, pages, 1, tokens, width, 0.3f,
                theirs, line);
        same(what, mine, theirs, rows, line, tokens, 1e-5 * Math.sqrt(width));
        long p = filled(memory, random, rows, line, tokens);
        long mixed = room(memory, queries, stride, heads * width);
        long expected = room(memory, queries, stride, heads * width);
        kernels
            .attention()
            .pageMix(
                p, line, queries, heads, type, cache, pageBytes, pages, 1, tokens, width, mixed,
                stride);
        SCALAR
            .attention()
            .pageMix(
                p, line, queries, heads, type, cache, pageBytes, pages, 1, tokens, width, expected,
                stride);
        same(what, mixed, expected, queries, stride, heads * width, 1e-5 * Math.sqrt(tokens));
      }
    }
  }

  @Test
  void aRowIsSharedOutOverTheKeysItSees() {
    for (int seed = 0; seed < 300; seed++) {
      var random = new Random(seed);
      int rows = 1 + random.nextInt(20);
      int keys = 1 + random.nextInt(100);
      int stride = keys + random.nextInt(5);
      int first = random.nextInt(keys);
      int before = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(keys);
      int after = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(keys);
      try (var memory = new GuardedMemory()) {
        long mine = room(memory, rows, stride, keys);
        long theirs = room(memory, rows, stride, keys);
        for (int r = 0; r < rows; r++) {
          for (int i = 0; i < keys; i++) {
            float value = (float) (random.nextGaussian() * 20);
            set(mine, (long) r * stride + i, value);
            set(theirs, (long) r * stride + i, value);
          }
        }
        kernels.attention().softmax(mine, stride, rows, keys, first, before, after);
        SCALAR.attention().softmax(theirs, stride, rows, keys, first, before, after);
        same("seed " + seed, mine, theirs, rows, stride, keys, 1e-6);
        for (int r = 0; r < rows; r++) {
          for (int i = 0; i < keys; i++) {
            if (get(theirs, (long) r * stride + i) == 0) {
              assertThat(get(mine, (long) r * stride + i)).isLessThan(1e-37f);
            }
          }
        }
      }
    }
  }

  @Test
  void aRowOfNothingIsZeroAndOneWithoutNumbersStaysThat() {
    try (var memory = new GuardedMemory()) {
      int keys = 37;
      long x = room(memory, 4, keys, keys);
      for (int i = 0; i < 4 * keys; i++) set(x, i, i % 5);
      for (int i = 0; i < keys; i++) set(x, i, Float.NEGATIVE_INFINITY);
      set(x, 2L * keys + 3, Float.NaN);
      set(x, 3L * keys + 36, Float.NaN);
      kernels.attention().softmax(x, keys, 4, keys, 0, keys, keys);
      float sum = 0;
      for (int i = 0; i < keys; i++) {
        assertThat(get(x, i)).isZero();
        sum += get(x, keys + i);
        assertThat(get(x, 2L * keys + i)).isNaN();
        assertThat(get(x, 3L * keys + i)).isNaN();
      }
      assertThat(sum).isCloseTo(1, within(1e-5f));
    }
  }

  private static void same(
      String what, long mine, long theirs, int rows, int stride, int width, double near) {
    for (int r = 0; r < rows; r++) {
      for (int i = 0; i < width; i++) {
        long at = (long) r * stride + i;
        assertThat((double) get(mine, at))
            .as("%s at %d, %d", what, r, i)
            .isCloseTo(get(theirs, at), within(near));
      }
    }
  }

  private static float get(long address, long index) {
    return ALL.get(JAVA_FLOAT_UNALIGNED, address + 4 * index);
  }

  private static void set(long address, long index, float value) {
    ALL.set(JAVA_FLOAT_UNALIGNED, address + 4 * index, value);
  }
}
