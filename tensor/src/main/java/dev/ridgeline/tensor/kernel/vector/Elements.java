package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.all;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** Sums and multiples of rows. */
final class Elements {
  private Elements() {}

  static void add(long a, long b, long out, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      Lanes.store(Lanes.load(a + 4 * i).add(Lanes.load(b + 4 * i)), out + 4 * i);
    }
    if (whole < count) {
      VectorMask<Float> end = Lanes.first(count - whole);
      long at = 4 * whole;
      Lanes.store(Lanes.load(a + at, end).add(Lanes.load(b + at, end)), out + at, end);
    }
  }

  static void scale(long a, float factor, long out, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      Lanes.store(Lanes.load(a + 4 * i).mul(factor), out + 4 * i);
    }
    if (whole < count) {
      VectorMask<Float> end = Lanes.first(count - whole);
      Lanes.store(Lanes.load(a + 4 * whole, end).mul(factor), out + 4 * whole, end);
    }
  }

  /** Rows are added in their order. */
  static void mean(long x, long stride, int rows, int width, long out) {
    int i = 0;
    for (; i < Lanes.whole(width); i += COUNT) {
      FloatVector sum = all(0);
      for (int row = 0; row < rows; row++) sum = sum.add(Lanes.load(x + row * stride + 4L * i));
      Lanes.store(sum.div(rows), out + 4L * i);
    }
    if (i < width) {
      VectorMask<Float> end = Lanes.first(width - i);
      FloatVector sum = all(0);
      for (int row = 0; row < rows; row++) {
        sum = sum.add(Lanes.load(x + row * stride + 4L * i, end));
      }
      Lanes.store(sum.div(rows), out + 4L * i, end);
    }
  }
}
