package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;

/** Sums, products and multiples of rows. */
final class Elements {
  private Elements() {}

  static void add(long a, long b, long out, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, a + 4 * i, LE)
          .add(FloatVector.fromMemorySegment(F, ALL, b + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
    for (long i = whole; i < count; i++) {
      Lanes.set(out + 4 * i, Lanes.get(a + 4 * i) + Lanes.get(b + 4 * i));
    }
  }

  static void multiply(long a, long b, long out, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, a + 4 * i, LE)
          .mul(FloatVector.fromMemorySegment(F, ALL, b + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
    for (long i = whole; i < count; i++) {
      Lanes.set(out + 4 * i, Lanes.get(a + 4 * i) * Lanes.get(b + 4 * i));
    }
  }

  static void scale(long a, float factor, long out, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, a + 4 * i, LE)
          .mul(factor)
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
    for (long i = whole; i < count; i++) Lanes.set(out + 4 * i, Lanes.get(a + 4 * i) * factor);
  }

  static void zero(long x, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      FloatVector.broadcast(F, 0).intoMemorySegment(ALL, x + 4 * i, LE);
    }
    for (long i = whole; i < count; i++) Lanes.set(x + 4 * i, 0);
  }

  /** Rows are added in their order. */
  static void mean(long x, long stride, int rows, int width, long out) {
    int i = 0;
    for (; i < Lanes.whole(width); i += COUNT) {
      FloatVector sum = FloatVector.broadcast(F, 0);
      for (int row = 0; row < rows; row++)
        sum = sum.add(FloatVector.fromMemorySegment(F, ALL, x + row * stride + 4L * i, LE));
      sum.div(rows).intoMemorySegment(ALL, out + 4L * i, LE);
    }
    for (; i < width; i++) {
      float sum = 0;
      for (int row = 0; row < rows; row++) sum += Lanes.get(x + row * stride + 4L * i);
      Lanes.set(out + 4L * i, sum / rows);
    }
  }
}
