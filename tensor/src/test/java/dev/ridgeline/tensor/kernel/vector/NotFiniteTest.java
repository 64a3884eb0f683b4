package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Numbers.get;
import static dev.ridgeline.tensor.kernel.vector.Numbers.panels;
import static dev.ridgeline.tensor.kernel.vector.Numbers.read;
import static dev.ridgeline.tensor.kernel.vector.Numbers.set;
import static java.lang.Float.NaN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.CONCURRENT;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Multiplication;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link Kernels} promises of infinities and NaN, in every family. */
@ParameterizedClass
@EnumSource(Family.class)
@Execution(CONCURRENT)
class NotFiniteTest {
  private static final float INF = Float.POSITIVE_INFINITY;
  private static final int ALL_KEYS = Integer.MAX_VALUE;

  /** Whole vectors of every width, and a tail. */
  private static final int WIDTH = 37;

  private final Kernels kernels;

  NotFiniteTest(Family family) {
    kernels = family.kernels();
  }

  /** Zeros of either sign are the same here. */
  private static void same(long got, float... expected) {
    float[] values = read(got, expected.length);
    for (int i = 0; i < values.length; i++) values[i] += 0f;
    assertThat(values).isEqualTo(expected);
  }

  /** The numbers one after the other, from an index on, in a row of ones. */
  private static float[] rowWith(int from, float... numbers) {
    float[] row = new float[WIDTH];
    Arrays.fill(row, 1);
    System.arraycopy(numbers, 0, row, from, numbers.length);
    return row;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 14, 30})
  void sumsAndMultiplesAreThoseOfIeee(int at) {
    try (var numbers = new Numbers(1)) {
      long a = numbers.of(rowWith(at, INF, -INF, NaN, INF, INF, -INF, 2));
      long b = numbers.of(rowWith(at, 1, 1, 1, -INF, INF, NaN, NaN));
      long out = numbers.empty(WIDTH);
      kernels.rows().add(a, b, out, WIDTH);
      same(out + 4L * at, INF, -INF, NaN, NaN, INF, NaN, NaN);
      kernels.rows().multiply(a, b, out, WIDTH);
      same(out + 4L * at, INF, -INF, NaN, -INF, INF, NaN, NaN);
      kernels.rows().scale(a, -2, out, WIDTH);
      same(out + 4L * at, -INF, INF, NaN, -INF, -INF, INF, -4);
      kernels.rows().scale(a, 0, out, WIDTH);
      same(out + 4L * at, NaN, NaN, NaN, NaN, NaN, NaN, 0);
      kernels.rows().scale(a, INF, out, WIDTH);
      same(out + 4L * at, INF, -INF, NaN, INF, INF, -INF, INF);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 14, 33})
  void meansAreThoseOfIeee(int at) {
    try (var numbers = new Numbers(1)) {
      float[] rows = new float[2 * WIDTH];
      System.arraycopy(rowWith(at, INF, -INF, NaN, INF), 0, rows, 0, WIDTH);
      System.arraycopy(rowWith(at, 1, 1, 1, -INF), 0, rows, WIDTH, WIDTH);
      long out = numbers.empty(WIDTH);
      kernels.rows().mean(numbers.of(rows), WIDTH, 0, 2, WIDTH, out);
      same(out, rowWith(at, INF, -INF, NaN, NaN));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 20, 36})
  void aLayerNormOfOneIsNaN(int at) {
    for (float odd : new float[] {INF, -INF, NaN}) {
      try (var numbers = new Numbers(2)) {
        long rows = numbers.filled(3 * WIDTH);
        set(rows, WIDTH + at, odd);
        long weight = numbers.filled(WIDTH);
        long out = numbers.empty(3 * WIDTH);
        kernels.rows().norm(rows, WIDTH, 0, 0, weight, weight, 1e-5f, out, WIDTH, WIDTH, 0, 3);
        onlyTheMiddleIsNaN(out);
        // The sum of two rows is what counts.
        long zeros = numbers.of(new float[3 * WIDTH]);
        kernels
            .rows()
            .norm(zeros, WIDTH, rows, WIDTH, weight, weight, 1e-5f, out, WIDTH, WIDTH, 0, 3);
        onlyTheMiddleIsNaN(out);
      }
    }
  }

  private static void onlyTheMiddleIsNaN(long out) {
    for (int i = 0; i < 3 * WIDTH; i++) {
      assertThat(Float.isNaN(get(out, i))).as("at %d", i).isEqualTo(i / WIDTH == 1);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 20, 36})
  void lengthsThatAreInfiniteLeaveZeros(int at) {
    try (var numbers = new Numbers(3)) {
      long weight = numbers.of(rowWith(0));
      long out = numbers.empty(WIDTH);
      float[] zeros = new float[WIDTH];
      zeros[at] = NaN;
      for (float odd : new float[] {INF, -INF}) {
        long row = numbers.of(rowWith(at, odd));
        kernels.rows().norm(row, WIDTH, 0, 0, weight, 0, 1e-5f, out, WIDTH, WIDTH, 0, 1);
        same(out, zeros);
        kernels.rows().normalize(row, WIDTH, out);
        same(out, zeros);
      }
      long row = numbers.of(rowWith(at, NaN));
      kernels.rows().norm(row, WIDTH, 0, 0, weight, 0, 1e-5f, out, WIDTH, WIDTH, 0, 1);
      assertThat(read(out, WIDTH)).containsOnly(NaN);
      kernels.rows().normalize(row, WIDTH, out);
      assertThat(read(out, WIDTH)).containsOnly(NaN);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 14, 30})
  void activationsHaveTheirLimits(int at) {
    float signaling = Float.intBitsToFloat(0x7f800123);
    try (var numbers = new Numbers(4)) {
      long x = numbers.of(rowWith(at, INF, -INF, NaN, 0, 1e30f, -1e30f, signaling));
      float[] limits = {INF, 0, NaN, 0, 1e30f, 0, NaN};
      long one = numbers.of(rowWith(0));
      long out = numbers.empty(WIDTH);
      kernels.rows().apply(Activation.GELU, x, 0, out, WIDTH);
      same(out + 4L * at, limits);
      kernels.rows().apply(Activation.GELU_TANH, x, 0, out, WIDTH);
      same(out + 4L * at, limits);
      kernels.rows().apply(Activation.GELU_TANH, x, one, out, WIDTH);
      same(out + 4L * at, limits);
      kernels.rows().apply(Activation.SILU, x, one, out, WIDTH);
      same(out + 4L * at, limits);
      long up = numbers.of(rowWith(at, -INF, INF, 1, INF, 0, NaN, 0));
      float[] products = {-INF, NaN, NaN, NaN, 0, NaN, NaN};
      kernels.rows().apply(Activation.GELU_TANH, x, up, out, WIDTH);
      same(out + 4L * at, products);
      kernels.rows().apply(Activation.SILU, x, up, out, WIDTH);
      same(out + 4L * at, products);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aPairThatTurnsKeepsToItself(Pairing pairing) {
    int half = 18;
    int apart = pairing == Pairing.HALVES ? half : 1;
    for (int pair : new int[] {0, 7, 17}) {
      int first = pairing == Pairing.HALVES ? pair : 2 * pair;
      for (float odd : new float[] {INF, -INF, NaN}) {
        try (var numbers = new Numbers(5)) {
          long x = numbers.filled(2 * half);
          set(x, first, odd);
          float[] turn = new float[2 * half];
          Arrays.fill(turn, 0, half, 0.8f);
          Arrays.fill(turn, half, 2 * half, 0.6f);
          long angles = numbers.of(turn);
          long position = numbers.integers(0);
          kernels
              .rows()
              .rope(x, 2 * half, 1, 2 * half, 2 * half, pairing, false, angles, position, 0, 1);
          for (int i = 0; i < 2 * half; i++) {
            if (i == first || i == first + apart)
              assertThat(get(x, i)).isEqualTo(Float.valueOf(odd));
            else assertThat(get(x, i)).isFinite();
          }
          // Where an angle is none, 0 · ∞ is NaN.
          set(angles, pair, 1);
          set(angles, half + pair, 0);
          long still = numbers.filled(2 * half);
          set(still, first, odd);
          kernels
              .rows()
              .rope(still, 2 * half, 1, 2 * half, 2 * half, pairing, false, angles, position, 0, 1);
          assertThat(get(still, first)).isEqualTo(Float.valueOf(odd));
          assertThat(get(still, first + apart)).isNaN();
        }
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16, 37})
  void softmaxGivesNothingToWhatIsInfinitelyLow(int keys) {
    try (var numbers = new Numbers(6)) {
      float[] scores = new float[keys];
      float[] shares = new float[keys];
      Arrays.fill(scores, -INF);
      long masked = numbers.of(scores);
      kernels.attention().softmax(masked, keys, 1, keys, 0, ALL_KEYS, ALL_KEYS);
      same(masked, shares);
      scores[keys - 1] = -3e38f;
      shares[keys - 1] = 1;
      long one = numbers.of(scores);
      kernels.attention().softmax(one, keys, 1, keys, 0, ALL_KEYS, ALL_KEYS);
      same(one, shares);
      long blind = numbers.filled(keys);
      kernels.attention().softmax(blind, keys, 1, keys, 100, 5, 0);
      same(blind, new float[keys]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16, 37})
  void softmaxOfInfinityOrNaNIsNaNWhereItIsSeen(int keys) {
    for (float odd : new float[] {INF, NaN}) {
      for (int at = 0; at < keys; at++) {
        try (var numbers = new Numbers(7)) {
          long rows = numbers.filled(3 * keys);
          set(rows, keys + at, odd);
          kernels.attention().softmax(rows, keys, 3, keys, 0, ALL_KEYS, ALL_KEYS);
          for (int i = 0; i < 3 * keys; i++) {
            assertThat(Float.isNaN(get(rows, i))).as("%s at %d", odd, at).isEqualTo(i / keys == 1);
          }
          long unseen = numbers.filled(keys);
          set(unseen, at, odd);
          // Query 37 sees keys up to the one before the odd one.
          kernels.attention().softmax(unseen, keys, 1, keys, 37, 37, at - 38);
          for (int i = 0; i < keys; i++) assertThat(get(unseen, i)).isFinite();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource(value = TensorType.class, names = "I32", mode = EnumSource.Mode.EXCLUDE)
  void productsOfSuchARowAreNeverFiniteAndOthersAlwaysAre(TensorType type) {
    int inputs = 2 * Math.max(64, type.blockSize());
    int outputs = 33;
    for (Precision precision : precisions(type)) {
      try (var numbers = new Numbers(8)) {
        long stored = numbers.stored(type, outputs, inputs);
        long packed = numbers.bytes(kernels.packedBytes(type, outputs, inputs));
        kernels.pack(type, stored, outputs, inputs, packed, 0, panels(outputs));
        long x = numbers.filled(10 * inputs);
        set(x, 3L * inputs + 7, NaN);
        set(x, 5L * inputs, INF);
        set(x, 6L * inputs + inputs - 1, -INF);
        set(x, 8L * inputs + 40, INF);
        set(x, 8L * inputs + 41, NaN);
        long out = numbers.empty(10 * outputs);
        var product =
            new Multiplication()
                .matrix(precision, type, packed, outputs, inputs)
                .rows(x, inputs)
                .to(0, out, outputs);
        kernels.matmul(product, 0, 10, 0, panels(outputs), 0);
        check(type, out, outputs);
        // One row at a time may be other code.
        for (int r = 0; r < 10; r++) kernels.matmul(product, r, r + 1, 0, panels(outputs), 0);
        check(type, out, outputs);
      }
    }
  }

  private Precision[] precisions(TensorType type) {
    return kernels.integer(type) ? Precision.values() : new Precision[] {Precision.USUAL};
  }

  private static void check(TensorType type, long out, int outputs) {
    for (int r = 0; r < 10; r++) {
      for (int o = 0; o < outputs; o++) {
        float got = get(out, (long) r * outputs + o);
        boolean nan = r == 3 || r == 8;
        boolean infinite = r == 5 || r == 6;
        if (nan) assertThat(got).as("%s, row %d", type, r).isNaN();
        else assertThat(Float.isFinite(got)).as("%s, row %d", type, r).isEqualTo(!infinite);
      }
    }
  }

  @Test
  void noTermOfAttentionIsLeftOut() {
    try (var numbers = new Numbers(9)) {
      int keys = 40;
      int width = 33;
      long q = numbers.filled(2 * width);
      long k = numbers.filled(keys * width);
      set(k, 5L * width + 3, INF);
      set(k, 39L * width + 32, NaN);
      long scores = numbers.empty(2 * keys);
      kernels.attention().scores(q, width, 2, k, width, keys, width, 0.5f, scores, keys);
      for (int i = 0; i < 2 * keys; i++) {
        int key = i % keys;
        if (key == 5) assertThat(get(scores, i)).isInfinite();
        else assertThat(Float.isNaN(get(scores, i))).isEqualTo(key == 39);
      }
      long weights = numbers.filled(2 * keys);
      set(weights, 5, 0);
      long out = numbers.empty(2 * width);
      kernels.attention().mix(weights, keys, 2, k, width, keys, width, out, width);
      for (int i = 0; i < 2 * width; i++) {
        if (i == width + 3) assertThat(get(out, i)).isInfinite();
        else assertThat(Float.isNaN(get(out, i))).isEqualTo(i == 3 || i % width == 32);
      }
    }
  }

  /** What lies behind the last token is no term. */
  @ParameterizedTest
  @EnumSource(names = {"F32", "F16"})
  void noTermOfCachedAttentionIsLeftOut(TensorType type) {
    int width = 40;
    int[] pages = {1, 0};
    long pageBytes = type.bytes(32 * width);
    try (var numbers = new Numbers(10)) {
      long numbersOfPages = 2L * 32 * width;
      long cache = numbers.stored(type, 1, (int) numbersOfPages + 64);
      // Key 3 of the first page and key 35, the last but one of 37; then what is beyond.
      put(type, cache + pageBytes, 32L * 7 + 3, INF);
      put(type, cache, 32L * 9 + 3, NaN);
      put(type, cache, 32L * 9 + 20, NaN);
      long q = numbers.filled(2 * width);
      long scores = numbers.empty(2 * 64);
      kernels
          .attention()
          .pageScores(q, width, 2, 1, type, cache, pageBytes, pages, 0, 37, width, 1, scores, 64);
      for (int r = 0; r < 2; r++) {
        for (int j = 0; j < 37; j++) {
          float got = get(scores, 64L * r + j);
          if (j == 3) assertThat(got).isInfinite();
          else assertThat(Float.isNaN(got)).isEqualTo(j == 35);
        }
      }
      long values = numbers.stored(type, 1, (int) numbersOfPages + 64);
      put(type, values + pageBytes, (long) width * 5 + 3, INF);
      put(type, values, (long) width * 4 + 39, NaN);
      put(type, values, (long) width * 20, NaN);
      long weights = numbers.filled(2 * 64);
      set(weights, 5, 0);
      long out = numbers.empty(2 * width);
      kernels
          .attention()
          .pageMix(weights, 64, 2, 1, type, values, pageBytes, pages, 0, 37, width, out, width);
      for (int i = 0; i < 2 * width; i++) {
        if (i == width + 3) assertThat(get(out, i)).isInfinite();
        else assertThat(Float.isNaN(get(out, i))).isEqualTo(i == 3 || i % width == 39);
      }
    }
  }

  private static void put(TensorType type, long address, long index, float value) {
    if (type == TensorType.F32) set(address, index, value);
    else Numbers.setShort(address, index, Float.floatToFloat16(value));
  }
}
