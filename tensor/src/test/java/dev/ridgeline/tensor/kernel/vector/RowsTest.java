package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Numbers.get;
import static dev.ridgeline.tensor.kernel.vector.Numbers.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.Kernels;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Operations on rows, against their formulas in double. */
@ParameterizedClass
@EnumSource(Family.class)
class RowsTest {
  private final Kernels kernels;
  private static final int ROWS = 3;

  RowsTest(Family family) {
    kernels = family.kernels();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 15, 16, 17, 31, 33, 47, 63, 384, 1000})
  void normsBringRowsToMeasure(int width) {
    try (var numbers = new Numbers(width)) {
      int stride = width + 3;
      long x = numbers.filled(ROWS * stride);
      long weight = numbers.filled(width);
      long bias = numbers.filled(width);
      long layer = numbers.empty(ROWS * stride);
      long root = numbers.empty(ROWS * stride);
      long unit = numbers.empty(width);
      kernels.rows().norm(x, stride, 0, 0, weight, bias, 1e-5f, layer, stride, width, 0, ROWS);
      kernels.rows().norm(x, stride, 0, 0, weight, 0, 1e-6f, root, stride, width, 0, ROWS);
      for (int r = 0; r < ROWS; r++) {
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < width; i++) {
          double v = get(x, r * stride + i);
          sum += v;
          squares += v * v;
        }
        double mean = sum / width;
        double variance = 0;
        for (int i = 0; i < width; i++) variance += Math.pow(get(x, r * stride + i) - mean, 2);
        double scale = 1 / Math.sqrt(variance / width + 1e-5);
        double rootScale = 1 / Math.sqrt(squares / width + 1e-6);
        kernels.rows().normalize(x + 4L * r * stride, width, unit);
        for (int i = 0; i < width; i++) {
          double v = get(x, r * stride + i);
          double w = get(weight, i);
          double terms = (Math.abs(v) + Math.abs(mean)) * scale * Math.abs(w);
          near(get(layer, r * stride + i), (v - mean) * scale * w + get(bias, i), terms + 1);
          near(get(root, r * stride + i), v * rootScale * w, Math.abs(v * rootScale * w));
          near(get(unit, i), v / Math.sqrt(squares), Math.abs(v) / Math.sqrt(squares));
        }
        assertThat(get(layer, r * stride + width)).isNaN();
        assertThat(get(root, r * stride + width)).isNaN();
        assertThat(get(unit, width)).isNaN();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 15, 16, 17, 31, 33, 47, 63, 64, 65, 127, 384, 1000})
  void whatIsAddedBeforeANormIsAddedFirst(int width) {
    try (var numbers = new Numbers(width)) {
      int stride = width + 3;
      long x = numbers.filled(ROWS * stride);
      long y = numbers.filled(ROWS * (width + 1));
      long weight = numbers.filled(width);
      long bias = numbers.filled(width);
      long sum = numbers.empty(ROWS * stride);
      long expected = numbers.empty(ROWS * stride);
      long out = numbers.empty(ROWS * stride);
      for (int r = 0; r < ROWS; r++) {
        kernels
            .rows()
            .add(x + 4L * r * stride, y + 4L * r * (width + 1), sum + 4L * r * stride, width);
      }
      kernels.rows().norm(sum, stride, 0, 0, weight, bias, 1e-5f, expected, stride, width, 0, ROWS);
      kernels
          .rows()
          .norm(x, stride, y, width + 1, weight, bias, 1e-5f, out, stride, width, 1, ROWS);
      assertThat(get(out, 0)).as("not its row").isNaN();
      // The result may take the place of what is read.
      kernels.rows().norm(x, stride, y, width + 1, weight, bias, 1e-5f, x, stride, width, 0, ROWS);
      for (int r = 0; r < ROWS; r++) {
        for (int i = 0; i < width; i++) {
          float want = get(expected, r * stride + i);
          assertThat(get(x, r * stride + i)).isEqualTo(want);
          if (r > 0) assertThat(get(out, r * stride + i)).isEqualTo(want);
        }
        assertThat(get(out, r * stride + width)).isNaN();
      }
    }
  }

  private static void near(float got, double expected, double size) {
    assertThat(Math.abs(got - expected)).isLessThanOrEqualTo(1e-6 * size);
  }

  @Test
  void aRowOfZerosStaysOne() {
    try (var numbers = new Numbers(1)) {
      long zeros = numbers.of(new float[20]);
      kernels.rows().normalize(zeros, 20, zeros);
      assertThat(read(zeros, 20)).containsOnly(0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 16, 33, 384, 1000})
  void sumsProductsAndMeansAreExactToTheirRounding(int width) {
    try (var numbers = new Numbers(width)) {
      int stride = width + 2;
      long x = numbers.filled(ROWS * stride);
      long y = numbers.filled(width);
      long sum = numbers.empty(width);
      long product = numbers.empty(width);
      long scaled = numbers.empty(width);
      long mean = numbers.empty(width);
      kernels.rows().add(x, y, sum, width);
      kernels.rows().multiply(x, y, product, width);
      kernels.rows().scale(x, 1.7f, scaled, width);
      kernels.rows().mean(x, stride, 1, ROWS, width, mean);
      for (int i = 0; i < width; i++) {
        assertThat(get(sum, i)).isEqualTo(get(x, i) + get(y, i));
        assertThat(get(product, i)).isEqualTo(get(x, i) * get(y, i));
        assertThat(get(scaled, i)).isEqualTo(get(x, i) * 1.7f);
        float both = get(x, stride + i) + get(x, 2 * stride + i);
        assertThat(get(mean, i)).isEqualTo(both / 2);
      }
      assertThat(get(sum, width)).isNaN();
      assertThat(get(product, width)).isNaN();
      assertThat(get(scaled, width)).isNaN();
      assertThat(get(mean, width)).isNaN();
      kernels.rows().add(x, y, x, width);
      assertThat(read(x, width)).isEqualTo(read(sum, width));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 6, 18, 32, 34, 64, 96, 256})
  void ropeTurnsEachPairByTheAngleOfItsPosition(int width) {
    for (Pairing pairing : Pairing.values()) rope(width, pairing);
  }

  private void rope(int width, Pairing pairing) {
    try (var numbers = new Numbers(width)) {
      int heads = 3;
      int stride = heads * width + 1;
      int half = width / 2;
      int[] positions = {4, 0, 2};
      float[] angles = new float[5 * width];
      for (int p = 0; p < 5; p++) {
        for (int j = 0; j < half; j++) {
          double angle = p * Math.pow(10_000, -2.0 * j / width);
          angles[p * width + j] = (float) Math.cos(angle);
          angles[p * width + half + j] = (float) Math.sin(angle);
        }
      }
      long x = numbers.filled(3 * stride);
      float[] before = read(x, 3 * stride);
      long turn = numbers.of(angles);
      long where = numbers.integers(positions);
      kernels.rows().rope(x, stride, heads, width, width, pairing, false, turn, where, 0, 3);
      for (int r = 0; r < 3; r++) {
        for (int h = 0; h < heads; h++) {
          for (int j = 0; j < half; j++) {
            boolean halves = pairing == Pairing.HALVES;
            int at = r * stride + h * width + (halves ? j : 2 * j);
            int other = at + (halves ? half : 1);
            double cos = angles[positions[r] * width + j];
            double sin = angles[positions[r] * width + half + j];
            double a = before[at];
            double b = before[other];
            double size = Math.abs(a) + Math.abs(b);
            near(get(x, at), a * cos - b * sin, size);
            near(get(x, other), a * sin + b * cos, size);
          }
        }
        assertThat(get(x, r * stride + heads * width)).isEqualTo(before[(r + 1) * stride - 1]);
      }
    }
  }
}
