package dev.ridgeline.tensor.kernel.vector;

import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.GradKernels;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.Rates;
import dev.ridgeline.tensor.kernel.scalar.ScalarGradKernels;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Gradients in vectors are those of the reference to {@value #TOLERANCE} of the magnitudes that
 * each is a sum of, at any width.
 */
class BackwardTest {
  private static final double TOLERANCE = 1e-6;
  private static final int[] WIDTHS = {1, 2, 7, 15, 16, 17, 31, 33, 64, 100, 255};
  private static final GradKernels VECTOR = new VectorGradKernels();
  private static final GradKernels SCALAR = new ScalarGradKernels();

  @Test
  void norms() {
    for (int width : WIDTHS) {
      for (boolean layer : new boolean[] {false, true}) {
        for (boolean add : new boolean[] {false, true}) {
          norms(width, layer, add);
        }
      }
    }
  }

  private static void norms(int width, boolean layer, boolean add) {
    int rows = 7;
    int stride = width + 3;
    try (var numbers = new Numbers(width)) {
      long x = numbers.filled(rows * stride);
      long dy = numbers.filled(rows * stride);
      long weight = numbers.filled(width);
      long was = numbers.filled(rows * stride);
      long expected = numbers.bytes(4L * rows * stride);
      long actual = numbers.bytes(4L * rows * stride);
      Lanes.copy(was, expected, rows * stride);
      Lanes.copy(was, actual, rows * stride);
      long stats = numbers.empty(2 * rows);
      long vectorStats = numbers.empty(2 * rows);
      norm(SCALAR, layer, expected, dy, x, weight, add, stats, width, rows);
      norm(VECTOR, layer, actual, dy, x, weight, add, vectorStats, width, rows);
      String what = "width %d, layer %s, add %s".formatted(width, layer, add);
      assertClose(what, vectorStats, stats, 2 * rows, i -> 1 + Math.abs(Numbers.get(stats, i)));
      assertClose(
          what,
          actual,
          expected,
          rows * stride,
          at -> {
            int r = at / stride;
            double mean = Numbers.get(stats, 2 * r);
            double scale = Numbers.get(stats, 2 * r + 1);
            double sum = 0;
            double dot = 0;
            for (int i = 0; i < width; i++) {
              double g = Numbers.get(dy, r * stride + i) * Numbers.get(weight, i);
              double off = Math.abs(Numbers.get(x, r * stride + i)) + Math.abs(mean);
              sum += Math.abs(g);
              dot += Math.abs(g) * off * scale;
            }
            double n = (Math.abs(Numbers.get(x, at)) + Math.abs(mean)) * scale;
            double g = at % stride < width ? Numbers.get(weight, at % stride) : 0;
            double own = Math.abs(Numbers.get(dy, at) * g);
            return Math.abs(Numbers.get(was, at)) + scale * (own + sum / width + n * dot / width);
          });
      weights(width, rows, stride, dy, x, stats, layer, add, numbers);
    }
  }

  private static void weights(
      int width,
      int rows,
      int stride,
      long dy,
      long x,
      long stats,
      boolean bias,
      boolean add,
      Numbers numbers) {
    long expected = numbers.of(new float[2 * width]);
    long actual = numbers.of(new float[2 * width]);
    int from = width / 3;
    for (GradKernels kernels : new GradKernels[] {SCALAR, VECTOR}) {
      long to = kernels == SCALAR ? expected : actual;
      long biases = bias ? to + 4L * width : 0;
      kernels.normWeight(to, biases, dy, stride, x, stride, stats, 2, add, 0, rows, 0, from);
      kernels.normWeight(to, biases, dy, stride, x, stride, stats, 2, add, 0, 3, from, width);
      kernels.normWeight(to, biases, dy, stride, x, stride, stats, 2, true, 3, rows, from, width);
    }
    assertClose(
        "weights of width " + width,
        actual,
        expected,
        2 * width,
        i -> {
          double sum = 0;
          for (int r = 0; r < rows; r++) {
            int at = r * stride + i % width;
            double off = Math.abs(Numbers.get(x, at)) + Math.abs(Numbers.get(stats, 2 * r));
            double n = i < width ? off * Numbers.get(stats, 2 * r + 1) : 1;
            sum += Math.abs(Numbers.get(dy, at)) * n;
          }
          return sum;
        });
  }

  private static void norm(
      GradKernels kernels,
      boolean layer,
      long dx,
      long dy,
      long x,
      long weight,
      boolean add,
      long stats,
      int width,
      int rows) {
    int s = width + 3;
    kernels.norm(dx, s, dy, s, x, s, weight, 0.1f, layer, add, stats, 2, width, 0, rows);
  }

  @ParameterizedTest
  @EnumSource
  void activations(Activation activation) {
    for (int count : new int[] {1, 15, 16, 33, 1024, 1025, 3001}) {
      try (var numbers = new Numbers(count)) {
        long x = numbers.filled(count);
        for (int i = 0; i < count; i++) Numbers.set(x, i, 4 * Numbers.get(x, i));
        long dy = numbers.filled(count);
        long up = numbers.filled(count);
        long expected = numbers.empty(count);
        long actual = numbers.empty(count);
        long expectedUp = numbers.empty(count);
        long actualUp = numbers.empty(count);
        IntToDoubleFunction value =
            i -> Math.abs(Numbers.get(dy, i)) * (1 + Math.abs(Numbers.get(x, i)));
        // A slope is a sum of terms of which all but SILU's are at most 1. The power of a
        // polynomial
        // has its error times its size.
        IntToDoubleFunction slope =
            switch (activation) {
              case GELU -> i -> 2 * Math.abs(Numbers.get(dy, i));
              case GELU_TANH -> i -> 8 * Math.abs(Numbers.get(dy, i));
              case SILU -> value;
            };
        SCALAR.apply(activation, expected, 0, dy, x, 0, count);
        VECTOR.apply(activation, actual, 0, dy, x, 0, count);
        assertClose(activation + " of " + count, actual, expected, count, slope);
        SCALAR.apply(activation, expected, expectedUp, dy, x, up, count);
        VECTOR.apply(activation, actual, actualUp, dy, x, up, count);
        assertClose(activation + " by up", actualUp, expectedUp, count, value);
        assertClose(
            activation + " by gate",
            actual,
            expected,
            count,
            i -> slope.applyAsDouble(i) * Math.abs(Numbers.get(up, i)));
      }
    }
  }

  @Test
  void turns() {
    for (Pairing pairing : Pairing.values()) {
      for (int half : new int[] {1, 3, 8, 16, 17, 40}) {
        try (var numbers = new Numbers(half)) {
          int width = 2 * half + 1;
          int stride = 2 * width + 1;
          long angles = numbers.filled(3 * 2 * half);
          long positions = numbers.integers(2, 0, 1);
          long was = numbers.filled(3 * stride);
          long expected = numbers.bytes(12L * stride);
          long actual = numbers.bytes(12L * stride);
          Lanes.copy(was, expected, 3 * stride);
          Lanes.copy(was, actual, 3 * stride);
          Family.SCALAR
              .kernels()
              .rows()
              .rope(expected, stride, 2, width, 2 * half, pairing, true, angles, positions, 0, 3);
          Family.VECTOR
              .kernels()
              .rows()
              .rope(actual, stride, 2, width, 2 * half, pairing, true, angles, positions, 0, 3);
          double most = 2 * most(angles, 6 * half) * most(was, 3 * stride);
          assertClose(pairing + " of " + half, actual, expected, 3 * stride, i -> most);
        }
      }
    }
  }

  private static double most(long x, int count) {
    return IntStream.range(0, count).mapToDouble(i -> Math.abs(Numbers.get(x, i))).max().orElse(0);
  }

  @Test
  void rowsThatAreAddedHaveTheSameBits() {
    try (var numbers = new Numbers(1)) {
      long was = numbers.filled(5 * 70);
      long expected = numbers.bytes(4L * 5 * 70);
      long actual = numbers.bytes(4L * 5 * 70);
      Lanes.copy(was, expected, 5 * 70);
      Lanes.copy(was, actual, 5 * 70);
      long dy = numbers.filled(9 * 72);
      long ids = numbers.integers(3, 0, 3, 3, 4, 0, 1, 3, 0);
      SCALAR.rows(expected, 70, dy, 72, ids, 9, 0, 67);
      VECTOR.rows(actual, 70, dy, 72, ids, 9, 0, 32);
      VECTOR.rows(actual, 70, dy, 72, ids, 9, 32, 67);
      assertThat(Numbers.read(actual, 350)).isEqualTo(Numbers.read(expected, 350));
    }
  }

  @Test
  void softmax() {
    for (int keys : WIDTHS) {
      try (var numbers = new Numbers(keys)) {
        int stride = keys + 5;
        long p = numbers.filled(4 * stride);
        new VectorKernels().attention().softmax(p, stride, 4, keys, keys / 2, 20, 20);
        long was = numbers.filled(4 * stride);
        long expected = numbers.bytes(16L * stride);
        long actual = numbers.bytes(16L * stride);
        Lanes.copy(was, expected, 4 * stride);
        Lanes.copy(was, actual, 4 * stride);
        SCALAR.softmax(expected, p, stride, 4, keys, 0.3f);
        VECTOR.softmax(actual, p, stride, 4, keys, 0.3f);
        assertClose(
            keys + " keys",
            actual,
            expected,
            4 * stride,
            at -> {
              double sum = Math.abs(Numbers.get(was, at));
              int row = at / stride * stride;
              for (int i = row; i < row + keys; i++) {
                sum += Math.abs(Numbers.get(p, i) * Numbers.get(was, i));
              }
              return 0.3 * Math.abs(Numbers.get(p, at)) * sum;
            });
      }
    }
  }

  @Test
  void losses() {
    for (int width : new int[] {1, 2, 17, 255, 1024, 1025, 5000}) {
      try (var numbers = new Numbers(width)) {
        long was = numbers.filled(3 * width);
        long expected = numbers.bytes(12L * width);
        long actual = numbers.bytes(12L * width);
        Lanes.copy(was, expected, 3 * width);
        Lanes.copy(was, actual, 3 * width);
        long targets = numbers.integers(width - 1, -1, width / 2);
        long expectedLosses = numbers.empty(3);
        long actualLosses = numbers.empty(3);
        SCALAR.crossEntropy(expectedLosses, 1, expected, width, targets, width, 0.5f, 0, 3);
        VECTOR.crossEntropy(actualLosses, 1, actual, width, targets, width, 0.5f, 0, 3);
        String what = "width " + width;
        assertClose(what, actualLosses, expectedLosses, 3, i -> Numbers.get(expectedLosses, i));
        assertClose(what, actual, expected, 3 * width, i -> 2 * Math.abs(Numbers.get(expected, i)));
      }
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Family.class,
      names = {"SCALAR"},
      mode = EnumSource.Mode.EXCLUDE)
  void optimizer(Family family) {
    Kernels kernels = family.kernels();
    Kernels scalar = Family.SCALAR.kernels();
    for (int count : WIDTHS) {
      try (var numbers = new Numbers(count)) {
        long g = numbers.filled(count);
        long[] was = {numbers.filled(count), numbers.filled(count), numbers.filled(count)};
        for (int i = 0; i < count; i++) {
          Numbers.set(was[2], i, Math.abs(Numbers.get(was[2], i)));
        }
        long[][] all = new long[2][3];
        for (long[] each : all) {
          for (int i = 0; i < 3; i++) {
            each[i] = numbers.bytes(4L * count);
            Lanes.copy(was[i], each[i], count);
          }
        }
        step(scalar, all[0], g, count);
        step(kernels, all[1], g, count);
        String what = count + " weights";
        assertClose(
            what,
            all[1][0],
            all[0][0],
            count,
            i -> Math.abs(Numbers.get(was[0], i)) + 0.1 * moved(all[0], was, g, i));
        assertClose(
            what,
            all[1][1],
            all[0][1],
            count,
            i -> Math.abs(Numbers.get(was[1], i)) + Math.abs(Numbers.get(g, i)));
        assertClose(what, all[1][2], all[0][2], count, i -> Numbers.get(all[0][2], i));
      }
    }
  }

  private static void step(Kernels kernels, long[] all, long g, int count) {
    var rates = Rates.of(0.7f, 0.9f, 0.1f, 0.99f, 0.01f, 0.98f, 0.1f, 1.5f, 1e-3f);
    kernels.rows().adamW(all[0], g, all[1], all[2], count, rates);
  }

  /** The terms of the mean, over what they are divided by. */
  private static double moved(long[] after, long[] before, long g, int i) {
    double terms = Math.abs(Numbers.get(before[1], i)) + Math.abs(Numbers.get(g, i));
    return terms / (1.5 * Math.sqrt(Numbers.get(after[2], i)) + 1e-3);
  }

  private static void assertClose(
      String what, long actual, long expected, int count, IntToDoubleFunction magnitude) {
    for (int i = 0; i < count; i++) {
      float is = Numbers.get(actual, i);
      float should = Numbers.get(expected, i);
      double allowed = TOLERANCE * magnitude.applyAsDouble(i);
      if (!(Math.abs((double) is - should) <= allowed)) {
        throw new AssertionError(
            "%s: number %d is %s, not %s ± %s".formatted(what, i, is, should, allowed));
      }
    }
  }
}
