package dev.ridgeline.cli.kernels;

/**
 * Reductions of a row, in a few interleaved chains.
 *
 * <p>One chain would wait for each addition; the order of the chains is fixed, so the result does
 * not depend on what the JIT makes of the loop.
 */
final class Rows {
  private Rows() {}

  static float max(float[] x) {
    float a = x[0];
    float b = a;
    float c = a;
    float d = a;
    int j = 0;
    for (; j + 4 <= x.length; j += 4) {
      a = Math.max(a, x[j]);
      b = Math.max(b, x[j + 1]);
      c = Math.max(c, x[j + 2]);
      d = Math.max(d, x[j + 3]);
    }
    for (; j < x.length; j++) a = Math.max(a, x[j]);
    return Math.max(Math.max(a, b), Math.max(c, d));
  }

  static float sum(float[] x) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    float e = 0;
    float f = 0;
    float g = 0;
    float h = 0;
    int j = 0;
    for (; j + 8 <= x.length; j += 8) {
      a += x[j];
      b += x[j + 1];
      c += x[j + 2];
      d += x[j + 3];
      e += x[j + 4];
      f += x[j + 5];
      g += x[j + 6];
      h += x[j + 7];
    }
    for (; j < x.length; j++) a += x[j];
    return ((a + b) + (c + d)) + ((e + f) + (g + h));
  }

  /** Σ(x − mean)². */
  static float squares(float[] x, float mean) {
    float a = 0;
    float b = 0;
    float c = 0;
    float d = 0;
    int j = 0;
    for (; j + 4 <= x.length; j += 4) {
      float s = x[j] - mean;
      float t = x[j + 1] - mean;
      float u = x[j + 2] - mean;
      float v = x[j + 3] - mean;
      a += s * s;
      b += t * t;
      c += u * u;
      d += v * v;
    }
    for (; j < x.length; j++) a += (x[j] - mean) * (x[j] - mean);
    return (a + b) + (c + d);
  }

  static void scale(float[] x, float factor) {
    for (int j = 0; j < x.length; j++) x[j] *= factor;
  }
}
