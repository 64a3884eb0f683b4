package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;

/**
 * Gradients of {@link Norms}. With {@code g = dy · weight}, {@code v = x − mean} and {@code n = v ·
 * scale}: {@code dx = scale · (g − mean(g) − n · mean(g · n))}; a root mean square has no means.
 */
final class NormsBackward {
  private NormsBackward() {}

  /**
   * The gradient by one row.
   *
   * @param centered whether the mean became 0
   * @param lanes room for two vectors
   */
  static void row(
      long dx,
      long dy,
      long x,
      long weight,
      float epsilon,
      boolean centered,
      boolean add,
      long stats,
      int width,
      long lanes) {
    float mean = centered ? (float) (Norms.sum(x, width, lanes) / width) : 0;
    double squares = Norms.squares(x, mean, width, lanes) / width;
    float scale = (float) (1 / Math.sqrt(squares + epsilon));
    Lanes.set(stats, mean);
    Lanes.set(stats + 4, scale);
    dots(dy, x, mean, weight, width, lanes);
    double dot = Lanes.sum(lanes + BYTES) + dotOfEnd(dy, x, mean, weight, width);
    float less = 0;
    if (centered) {
      double sum = Lanes.sum(lanes) + sumOfEnd(dy, weight, width);
      less = (float) (-scale * sum / width);
    }
    float slope = (float) (-(double) scale * scale * scale * dot / width);
    spread(dx, dy, x, mean, weight, scale, slope, less, add, width);
  }

  /** Lanes of Σ g, followed by those of Σ g·v. */
  private static void dots(long dy, long x, float mean, long weight, int width, long lanes) {
    FloatVector sum = FloatVector.broadcast(F, 0);
    FloatVector dot = FloatVector.broadcast(F, 0);
    for (int i = 0; i < Lanes.whole(width); i += COUNT) {
      FloatVector g =
          FloatVector.fromMemorySegment(F, ALL, dy + 4L * i, LE)
              .mul(FloatVector.fromMemorySegment(F, ALL, weight + 4L * i, LE));
      sum = sum.add(g);
      dot = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE).sub(mean).fma(g, dot);
    }
    sum.intoMemorySegment(ALL, lanes, LE);
    dot.intoMemorySegment(ALL, lanes + BYTES, LE);
  }

  private static double sumOfEnd(long dy, long weight, int width) {
    double sum = 0;
    for (int i = Lanes.whole(width); i < width; i++) {
      sum += Lanes.get(dy + 4L * i) * Lanes.get(weight + 4L * i);
    }
    return sum;
  }

  private static double dotOfEnd(long dy, long x, float mean, long weight, int width) {
    double sum = 0;
    for (int i = Lanes.whole(width); i < width; i++) {
      double g = Lanes.get(dy + 4L * i) * Lanes.get(weight + 4L * i);
      sum += g * (Lanes.get(x + 4L * i) - mean);
    }
    return sum;
  }

  /** {@code scale · g + slope · v + less}. */
  private static void spread(
      long dx,
      long dy,
      long x,
      float mean,
      long weight,
      float scale,
      float slope,
      float less,
      boolean add,
      int width) {
    int whole = Lanes.whole(width);
    if (add) spreadOnto(dx, dy, x, mean, weight, scale, slope, less, whole);
    else spreadOver(dx, dy, x, mean, weight, scale, slope, less, whole);
    for (int i = whole; i < width; i++) {
      float g = Lanes.get(dy + 4L * i) * Lanes.get(weight + 4L * i);
      float d = Math.fma(Lanes.get(x + 4L * i) - mean, slope, Math.fma(g, scale, less));
      Lanes.set(dx + 4L * i, add ? Lanes.get(dx + 4L * i) + d : d);
    }
  }

  private static void spreadOver(
      long dx,
      long dy,
      long x,
      float mean,
      long weight,
      float scale,
      float slope,
      float less,
      int whole) {
    for (int i = 0; i < whole; i += COUNT) {
      FloatVector g =
          FloatVector.fromMemorySegment(F, ALL, dy + 4L * i, LE)
              .mul(FloatVector.fromMemorySegment(F, ALL, weight + 4L * i, LE))
              .fma(FloatVector.broadcast(F, scale), FloatVector.broadcast(F, less));
      FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE)
          .sub(mean)
          .fma(FloatVector.broadcast(F, slope), g)
          .intoMemorySegment(ALL, dx + 4L * i, LE);
    }
  }

  private static void spreadOnto(
      long dx,
      long dy,
      long x,
      float mean,
      long weight,
      float scale,
      float slope,
      float less,
      int whole) {
    for (int i = 0; i < whole; i += COUNT) {
      FloatVector g =
          FloatVector.fromMemorySegment(F, ALL, dy + 4L * i, LE)
              .mul(FloatVector.fromMemorySegment(F, ALL, weight + 4L * i, LE))
              .fma(FloatVector.broadcast(F, scale), FloatVector.broadcast(F, less));
      FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE)
          .sub(mean)
          .fma(FloatVector.broadcast(F, slope), g)
          .add(FloatVector.fromMemorySegment(F, ALL, dx + 4L * i, LE))
          .intoMemorySegment(ALL, dx + 4L * i, LE);
    }
  }

  // Sums over rows: four rows at a time, one after the other, so that sums are read and written
  // once for them. Strides are in bytes.

  /** Adds {@code dy · n} of some rows to sums. */
  static void weight(
      long sums,
      long dy,
      long dyStride,
      long x,
      long xStride,
      long stats,
      long statsStride,
      int rows,
      int width) {
    int r = 0;
    for (; r + 4 <= rows; r += 4) {
      long at = stats + statsStride * r;
      weightOfFour(
          sums,
          dy + dyStride * r,
          dyStride,
          x + xStride * r,
          xStride,
          Lanes.get(at),
          Lanes.get(at + 4),
          Lanes.get(at + statsStride),
          Lanes.get(at + statsStride + 4),
          Lanes.get(at + 2 * statsStride),
          Lanes.get(at + 2 * statsStride + 4),
          Lanes.get(at + 3 * statsStride),
          Lanes.get(at + 3 * statsStride + 4),
          Lanes.whole(width));
    }
    for (; r < rows; r++) {
      long at = stats + statsStride * r;
      weightOfOne(
          sums,
          dy + dyStride * r,
          x + xStride * r,
          Lanes.get(at),
          Lanes.get(at + 4),
          Lanes.whole(width));
    }
    for (int i = Lanes.whole(width); i < width; i++) {
      float sum = Lanes.get(sums + 4L * i);
      for (int row = 0; row < rows; row++) {
        float v = Lanes.get(x + xStride * row + 4L * i) - Lanes.get(stats + statsStride * row);
        float n = v * Lanes.get(stats + statsStride * row + 4);
        sum = Math.fma(Lanes.get(dy + dyStride * row + 4L * i), n, sum);
      }
      Lanes.set(sums + 4L * i, sum);
    }
  }

  private static void weightOfFour(
      long sums,
      long dy,
      long dyStride,
      long x,
      long xStride,
      float mean0,
      float scale0,
      float mean1,
      float scale1,
      float mean2,
      float scale2,
      float mean3,
      float scale3,
      int whole) {
    long dy1 = dy + dyStride;
    long dy2 = dy1 + dyStride;
    long dy3 = dy2 + dyStride;
    long x1 = x + xStride;
    long x2 = x1 + xStride;
    long x3 = x2 + xStride;
    for (int i = 0; i < whole; i += COUNT) {
      FloatVector sum = FloatVector.fromMemorySegment(F, ALL, sums + 4L * i, LE);
      FloatVector n = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE).sub(mean0).mul(scale0);
      sum = FloatVector.fromMemorySegment(F, ALL, dy + 4L * i, LE).fma(n, sum);
      n = FloatVector.fromMemorySegment(F, ALL, x1 + 4L * i, LE).sub(mean1).mul(scale1);
      sum = FloatVector.fromMemorySegment(F, ALL, dy1 + 4L * i, LE).fma(n, sum);
      n = FloatVector.fromMemorySegment(F, ALL, x2 + 4L * i, LE).sub(mean2).mul(scale2);
      sum = FloatVector.fromMemorySegment(F, ALL, dy2 + 4L * i, LE).fma(n, sum);
      n = FloatVector.fromMemorySegment(F, ALL, x3 + 4L * i, LE).sub(mean3).mul(scale3);
      sum = FloatVector.fromMemorySegment(F, ALL, dy3 + 4L * i, LE).fma(n, sum);
      sum.intoMemorySegment(ALL, sums + 4L * i, LE);
    }
  }

  private static void weightOfOne(long sums, long dy, long x, float mean, float scale, int whole) {
    for (int i = 0; i < whole; i += COUNT) {
      FloatVector n = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE).sub(mean).mul(scale);
      FloatVector.fromMemorySegment(F, ALL, dy + 4L * i, LE)
          .fma(n, FloatVector.fromMemorySegment(F, ALL, sums + 4L * i, LE))
          .intoMemorySegment(ALL, sums + 4L * i, LE);
    }
  }

  /** Adds some rows to sums. */
  static void bias(long sums, long dy, long dyStride, int rows, int width) {
    int r = 0;
    for (; r + 4 <= rows; r += 4) biasOfFour(sums, dy + dyStride * r, dyStride, Lanes.whole(width));
    for (; r < rows; r++) Elements.add(sums, dy + dyStride * r, sums, Lanes.whole(width));
    for (int i = Lanes.whole(width); i < width; i++) {
      float sum = Lanes.get(sums + 4L * i);
      for (int row = 0; row < rows; row++) sum += Lanes.get(dy + dyStride * row + 4L * i);
      Lanes.set(sums + 4L * i, sum);
    }
  }

  private static void biasOfFour(long sums, long dy, long dyStride, int whole) {
    long dy1 = dy + dyStride;
    long dy2 = dy1 + dyStride;
    long dy3 = dy2 + dyStride;
    for (int i = 0; i < whole; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, sums + 4L * i, LE)
          .add(FloatVector.fromMemorySegment(F, ALL, dy + 4L * i, LE))
          .add(FloatVector.fromMemorySegment(F, ALL, dy1 + 4L * i, LE))
          .add(FloatVector.fromMemorySegment(F, ALL, dy2 + 4L * i, LE))
          .add(FloatVector.fromMemorySegment(F, ALL, dy3 + 4L * i, LE))
          .intoMemorySegment(ALL, sums + 4L * i, LE);
    }
  }
}
