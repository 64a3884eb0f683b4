package dev.ridgeline.tensor.cpu;

import static org.assertj.core.api.Assertions.assertThat;

/** Operations as textbooks have them, in double, and what they may differ by. */
final class Reference {
  /** The exact result, and the sum of the magnitudes that went into it. */
  record Number(double value, double magnitude) {
    static Number of(double value) {
      return new Number(value, Math.abs(value));
    }
  }

  private Reference() {}

  static void assertClose(float[] actual, Number[] expected, double tolerance, String what) {
    assertThat(actual).as(what).hasSize(expected.length);
    for (int i = 0; i < actual.length; i++) {
      double allowed = tolerance * expected[i].magnitude() + 1e-30;
      if (!(Math.abs(actual[i] - expected[i].value()) <= allowed)) {
        throw new AssertionError(
            "%s: number %d is %s, not %s ± %s"
                .formatted(what, i, actual[i], expected[i].value(), allowed));
      }
    }
  }

  static Number[] matmul(float[] x, float[] w, float[] bias, int rows, int outputs, int inputs) {
    Number[] out = new Number[rows * outputs];
    for (int r = 0; r < rows; r++) {
      for (int o = 0; o < outputs; o++) {
        double sum = bias == null ? 0 : bias[o];
        double magnitude = Math.abs(sum);
        for (int i = 0; i < inputs; i++) {
          double product = (double) x[r * inputs + i] * w[o * inputs + i];
          sum += product;
          magnitude += Math.abs(product);
        }
        out[r * outputs + o] = new Number(sum, magnitude);
      }
    }
    return out;
  }

  /** Attention with all weights at hand, query by query. */
  static Number[] attention(
      float[] q,
      float[] k,
      float[] v,
      int[] lengths,
      int heads,
      int keyHeads,
      int width,
      int valueWidth,
      float scale,
      int before,
      int after) {
    Number[] out = new Number[q.length / width * valueWidth];
    int start = 0;
    for (int length : lengths) {
      for (int h = 0; h < heads; h++) {
        int kv = h / (heads / keyHeads);
        for (int i = 0; i < length; i++) {
          double[] weights = new double[length];
          double max = Double.NEGATIVE_INFINITY;
          for (int j = 0; j < length; j++) {
            boolean seen = (long) i - j <= before && (long) j - i <= after;
            weights[j] = Double.NEGATIVE_INFINITY;
            if (!seen) continue;
            double dot = 0;
            for (int c = 0; c < width; c++) {
              dot +=
                  (double) q[((start + i) * heads + h) * width + c]
                      * k[((start + j) * keyHeads + kv) * width + c];
            }
            weights[j] = dot * scale;
            max = Math.max(max, weights[j]);
          }
          double sum = 0;
          for (int j = 0; j < length; j++) sum += weights[j] = Math.exp(weights[j] - max);
          for (int c = 0; c < valueWidth; c++) {
            double value = 0;
            double magnitude = 0;
            for (int j = 0; j < length; j++) {
              double part = weights[j] / sum * v[((start + j) * keyHeads + kv) * valueWidth + c];
              value += part;
              magnitude += Math.abs(part);
            }
            out[((start + i) * heads + h) * valueWidth + c] = new Number(value, magnitude);
          }
        }
      }
      start += length;
    }
    return out;
  }

  /** The error function by its integral, with Simpson's rule. */
  static double normalBelow(double x) {
    int steps = 20_000;
    double from = Math.min(-40, x - 1);
    double h = (x - from) / steps;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double t = from + i * h;
      int weight = i == 0 || i == steps ? 1 : i % 2 == 0 ? 2 : 4;
      sum += weight * Math.exp(-t * t / 2);
    }
    return sum * h / 3 / Math.sqrt(2 * Math.PI);
  }
}
