package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.all;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** Softmax of a row. A row that sees nothing, or only −∞, becomes zeros. */
final class Softmax {
  private Softmax() {}

  static void row(long x, int count, long lanes) {
    maximum(x, count, lanes);
    float max = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < COUNT; i++) max = Math.max(max, Lanes.get(lanes + 4L * i));
    if (max == Float.NEGATIVE_INFINITY) {
      zero(x, count);
      return;
    }
    powers(x, count, max, lanes);
    divide(x, count, (float) Lanes.sum(lanes));
  }

  static void zero(long x, int count) {
    for (int i = 0; i < count; i++) Lanes.set(x + 4L * i, 0);
  }

  private static void maximum(long x, int count, long lanes) {
    FloatVector lowest = all(Float.NEGATIVE_INFINITY);
    FloatVector max = lowest;
    int i = 0;
    for (; i < Lanes.whole(count); i += COUNT) max = max.max(Lanes.load(x + 4L * i));
    if (i < count) {
      VectorMask<Float> end = Lanes.first(count - i);
      max = max.max(lowest.blend(Lanes.load(x + 4L * i, end), end));
    }
    Lanes.store(max, lanes);
  }

  private static void powers(long x, int count, float max, long lanes) {
    FloatVector sum = all(0);
    int i = 0;
    for (; i < Lanes.whole(count); i += COUNT) {
      FloatVector e = Exponential.exp(Lanes.load(x + 4L * i).sub(max));
      Lanes.store(e, x + 4L * i);
      sum = sum.add(e);
    }
    if (i < count) {
      VectorMask<Float> end = Lanes.first(count - i);
      FloatVector e = Exponential.exp(Lanes.load(x + 4L * i, end).sub(max));
      Lanes.store(e, x + 4L * i, end);
      sum = sum.add(all(0).blend(e, end));
    }
    Lanes.store(sum, lanes);
  }

  private static void divide(long x, int count, float by) {
    int i = 0;
    for (; i < Lanes.whole(count); i += COUNT) {
      Lanes.store(Lanes.load(x + 4L * i).div(by), x + 4L * i);
    }
    if (i < count) {
      VectorMask<Float> end = Lanes.first(count - i);
      Lanes.store(Lanes.load(x + 4L * i, end).div(by), x + 4L * i, end);
    }
  }
}
