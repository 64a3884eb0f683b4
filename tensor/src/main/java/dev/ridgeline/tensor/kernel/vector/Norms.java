package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;

/**
 * Rows brought to a common measure. Lanes are summed in their order after each loop, then the
 * numbers at the end of the row; these are worked on one by one, which has the same bits.
 */
final class Norms {
  private Norms() {}

  static void layer(
      long x, long weight, long bias, float epsilon, long out, int width, long lanes) {
    float mean = (float) (sum(x, width, lanes) / width);
    double variance = squares(x, mean, width, lanes) / width;
    float scale = (float) (1 / Math.sqrt(variance + epsilon));
    shift(x, mean, scale, weight, bias, out, width);
  }

  private static void shift(
      long x, float mean, float scale, long weight, long bias, long out, int width) {
    int i = 0;
    for (; i < Lanes.whole(width); i += COUNT) {
      FloatVector v = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE).sub(mean).mul(scale);
      v.fma(
              FloatVector.fromMemorySegment(F, ALL, weight + 4L * i, LE),
              FloatVector.fromMemorySegment(F, ALL, bias + 4L * i, LE))
          .intoMemorySegment(ALL, out + 4L * i, LE);
    }
    for (; i < width; i++) {
      float v = (Lanes.get(x + 4L * i) - mean) * scale;
      float y = Math.fma(v, Lanes.get(weight + 4L * i), Lanes.get(bias + 4L * i));
      Lanes.set(out + 4L * i, y);
    }
  }

  static void rootMeanSquare(long x, long weight, float epsilon, long out, int width, long lanes) {
    double mean = squares(x, 0, width, lanes) / width;
    float scale = (float) (1 / Math.sqrt(mean + epsilon));
    int i = 0;
    for (; i < Lanes.whole(width); i += COUNT) {
      FloatVector v = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE).mul(scale);
      v.mul(FloatVector.fromMemorySegment(F, ALL, weight + 4L * i, LE))
          .intoMemorySegment(ALL, out + 4L * i, LE);
    }
    for (; i < width; i++) {
      float v = Lanes.get(x + 4L * i) * scale;
      Lanes.set(out + 4L * i, v * Lanes.get(weight + 4L * i));
    }
  }

  /**
   * In plain code: it runs once a text, and vectors would be boxed for the long time until it is
   * compiled.
   */
  static void length(long x, int width, long out) {
    double squares = 0;
    for (int i = 0; i < width; i++) {
      double number = Lanes.get(x + 4L * i);
      squares += number * number;
    }
    float length = squares == 0 ? 1 : (float) Math.sqrt(squares);
    for (int i = 0; i < width; i++) Lanes.set(out + 4L * i, Lanes.get(x + 4L * i) / length);
  }

  static double sum(long x, int width, long lanes) {
    sumLanes(x, width, lanes);
    double sum = Lanes.sum(lanes);
    for (int i = Lanes.whole(width); i < width; i++) sum += Lanes.get(x + 4L * i);
    return sum;
  }

  private static void sumLanes(long x, int width, long lanes) {
    FloatVector a = FloatVector.broadcast(F, 0);
    FloatVector b = FloatVector.broadcast(F, 0);
    int i = 0;
    for (; i + 2 * COUNT <= width; i += 2 * COUNT) {
      a = a.add(FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE));
      b = b.add(FloatVector.fromMemorySegment(F, ALL, x + 4L * i + BYTES, LE));
    }
    if (i + COUNT <= width) a = a.add(FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE));
    a.add(b).intoMemorySegment(ALL, lanes, LE);
  }

  /** Σ (x − center)². */
  static double squares(long x, float center, int width, long lanes) {
    squareLanes(x, center, width, lanes);
    double sum = Lanes.sum(lanes);
    for (int i = Lanes.whole(width); i < width; i++) {
      double v = Lanes.get(x + 4L * i) - center;
      sum += v * v;
    }
    return sum;
  }

  private static void squareLanes(long x, float center, int width, long lanes) {
    FloatVector a = FloatVector.broadcast(F, 0);
    FloatVector b = FloatVector.broadcast(F, 0);
    int i = 0;
    for (; i + 2 * COUNT <= width; i += 2 * COUNT) {
      FloatVector v = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE).sub(center);
      FloatVector w = FloatVector.fromMemorySegment(F, ALL, x + 4L * i + BYTES, LE).sub(center);
      a = v.fma(v, a);
      b = w.fma(w, b);
    }
    if (i + COUNT <= width) {
      FloatVector v = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE).sub(center);
      a = v.fma(v, a);
    }
    a.add(b).intoMemorySegment(ALL, lanes, LE);
  }
}
