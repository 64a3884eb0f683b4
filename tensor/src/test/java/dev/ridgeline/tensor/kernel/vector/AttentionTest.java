package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Numbers.get;
import static dev.ridgeline.tensor.kernel.vector.Numbers.read;
import static dev.ridgeline.tensor.kernel.vector.Numbers.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Scores, softmax and mix of one head, against their formulas in double. */
@ParameterizedClass
@EnumSource(Family.class)
class AttentionTest {
  private final Kernels kernels;
  private static final int NONE = Integer.MAX_VALUE;

  AttentionTest(Family family) {
    kernels = family.kernels();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "1, 7, 32",
    "7, 31, 33",
    "17, 17, 32",
    "33, 33, 64",
    "5, 131, 20",
    "140, 64, 40",
    "3, 1100, 32",
    "2, 5, 1100"
  })
  void scoresAndMixAreSumsOfTheirTerms(int queries, int keys, int width) {
    try (var numbers = new Numbers(queries + 31L * keys)) {
      int stride = width + 9;
      int pStride = keys + 2;
      long q = numbers.filled(queries * stride);
      long k = numbers.filled(keys * stride);
      long p = numbers.empty(queries * pStride);
      long out = numbers.empty(queries * stride);
      kernels.attention().scores(q, stride, queries, k, stride, keys, width, 0.3f, p, pStride);
      for (int i = 0; i < queries; i++) {
        for (int j = 0; j < keys; j++) {
          double sum = 0;
          double terms = 0;
          for (int c = 0; c < width; c++) {
            double term = 0.3f * (double) get(q, i * stride + c) * get(k, j * stride + c);
            sum += term;
            terms += Math.abs(term);
          }
          near(get(p, i * pStride + j), sum, terms);
        }
        assertThat(get(p, i * pStride + keys)).isNaN();
      }
      kernels.attention().mix(p, pStride, queries, k, stride, keys, width, out, stride);
      for (int i = 0; i < queries; i++) {
        for (int c = 0; c < width; c++) {
          double sum = 0;
          double terms = 0;
          for (int j = 0; j < keys; j++) {
            double term = (double) get(p, i * pStride + j) * get(k, j * stride + c);
            sum += term;
            terms += Math.abs(term);
          }
          near(get(out, i * stride + c), sum, terms);
        }
        assertThat(get(out, i * stride + width)).isNaN();
      }
      // A query alone gives the bits it gives among others.
      int last = queries - 1;
      long alone = numbers.empty(keys);
      kernels
          .attention()
          .scores(q + 4L * last * stride, stride, 1, k, stride, keys, width, 0.3f, alone, pStride);
      assertThat(read(alone, keys)).isEqualTo(read(p + 4L * last * pStride, keys));
      long mixed = numbers.empty(width);
      kernels.attention().mix(alone, pStride, 1, k, stride, keys, width, mixed, stride);
      assertThat(read(mixed, width)).isEqualTo(read(out + 4L * last * stride, width));
    }
  }

  private static void near(float got, double expected, double size) {
    assertThat(Math.abs(got - expected)).isLessThanOrEqualTo(1e-6 * size);
  }

  @ParameterizedTest
  @CsvSource({
    "1, 0, 2147483647, 2147483647",
    "5, 0, 2147483647, 0",
    "33, 3, 2, 4",
    "100, 50, 10, 10",
    "64, 0, 2147483647, 2147483647",
    "131, 7, 0, 0",
    "17, 2147483000, 5, 2147483647"
  })
  void softmaxSeesItsWindowAndNothingElse(int keys, int first, int before, int after) {
    try (var numbers = new Numbers(keys)) {
      int rows = 9;
      int stride = keys + 1;
      long x = numbers.filled(rows * stride);
      float[] old = read(x, rows * stride);
      kernels.attention().softmax(x, stride, rows, keys, first, before, after);
      for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int j = 0; j < keys; j++) {
          if (sees((long) first + i, j, before, after)) sum += Math.exp(old[i * stride + j]);
        }
        for (int j = 0; j < keys; j++) {
          double expected =
              sees((long) first + i, j, before, after) ? Math.exp(old[i * stride + j]) / sum : 0;
          near(get(x, i * stride + j), expected, expected);
        }
        assertThat(get(x, i * stride + keys)).isEqualTo(old[i * stride + keys]);
      }
    }
  }

  private static boolean sees(long query, int key, int before, int after) {
    return query - key <= before && query - key >= -(long) after;
  }

  @Test
  void hugeScoresAreSafe() {
    try (var numbers = new Numbers(1)) {
      long huge = numbers.of(3e38f, -3e38f, 3e38f, Float.NEGATIVE_INFINITY);
      kernels.attention().softmax(huge, 4, 1, 4, 0, NONE, NONE);
      assertThat(read(huge, 4)).containsExactly(0.5f, 0, 0.5f, 0);
    }
  }

  @Test
  void powersAreWithinTwoUlps() {
    try (var numbers = new Numbers(1)) {
      // Beside a 0, a score x has the weight eˣ / (1 + eˣ).
      long pair = numbers.empty(2);
      for (int i = 0; i < 200_000; i++) {
        float x = -i * 4.3e-4f;
        set(pair, 0, 0);
        set(pair, 1, x);
        kernels.attention().softmax(pair, 2, 1, 2, 0, NONE, NONE);
        double expected = Math.exp(x) / (1 + Math.exp(x));
        double error = Math.abs(get(pair, 1) - expected);
        if (error > 3 * Math.ulp((float) expected)) {
          assertThat(get(pair, 1)).as("softmax of 0 and %s", x).isEqualTo((float) expected);
        }
      }
    }
  }
}
