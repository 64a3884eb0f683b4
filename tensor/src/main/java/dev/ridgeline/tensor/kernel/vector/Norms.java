package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.all;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** Rows brought to a common measure; lanes are summed in their order after each loop. */
final class Norms {
  private Norms() {}

  static void layer(
      long x, long weight, long bias, float epsilon, long out, int width, long lanes) {
    sum(x, width, lanes);
    float mean = (float) (Lanes.sum(lanes) / width);
    squares(x, mean, width, lanes);
    double variance = Lanes.sum(lanes) / width;
    float scale = (float) (1 / Math.sqrt(variance + epsilon));
    int i = 0;
    for (; i < Lanes.whole(width); i += COUNT) {
      FloatVector v = Lanes.load(x + 4L * i).sub(mean).mul(scale);
      Lanes.store(v.fma(Lanes.load(weight + 4L * i), Lanes.load(bias + 4L * i)), out + 4L * i);
    }
    if (i < width) {
      VectorMask<Float> end = Lanes.first(width - i);
      FloatVector v = Lanes.load(x + 4L * i, end).sub(mean).mul(scale);
      Lanes.store(
          v.fma(Lanes.load(weight + 4L * i, end), Lanes.load(bias + 4L * i, end)),
          out + 4L * i,
          end);
    }
  }

  static void rootMeanSquare(long x, long weight, float epsilon, long out, int width, long lanes) {
    squares(x, 0, width, lanes);
    float scale = (float) (1 / Math.sqrt(Lanes.sum(lanes) / width + epsilon));
    int i = 0;
    for (; i < Lanes.whole(width); i += COUNT) {
      Lanes.store(Lanes.load(x + 4L * i).mul(scale).mul(Lanes.load(weight + 4L * i)), out + 4L * i);
    }
    if (i < width) {
      VectorMask<Float> end = Lanes.first(width - i);
      Lanes.store(
          Lanes.load(x + 4L * i, end).mul(scale).mul(Lanes.load(weight + 4L * i, end)),
          out + 4L * i,
          end);
    }
  }

  static void length(long x, int width, long out, long lanes) {
    squares(x, 0, width, lanes);
    double squares = Lanes.sum(lanes);
    float length = squares == 0 ? 1 : (float) Math.sqrt(squares);
    int i = 0;
    for (; i < Lanes.whole(width); i += COUNT) {
      Lanes.store(Lanes.load(x + 4L * i).div(length), out + 4L * i);
    }
    if (i < width) {
      VectorMask<Float> end = Lanes.first(width - i);
      Lanes.store(Lanes.load(x + 4L * i, end).div(length), out + 4L * i, end);
    }
  }

  /** Σ x, by lanes. */
  private static void sum(long x, int width, long lanes) {
    FloatVector a = all(0);
    FloatVector b = all(0);
    int i = 0;
    for (; i + 2 * COUNT <= width; i += 2 * COUNT) {
      a = a.add(Lanes.load(x + 4L * i));
      b = b.add(Lanes.load(x + 4L * i + BYTES));
    }
    for (; i + COUNT <= width; i += COUNT) a = a.add(Lanes.load(x + 4L * i));
    if (i < width) b = b.add(Lanes.load(x + 4L * i, Lanes.first(width - i)));
    Lanes.store(a.add(b), lanes);
  }

  /** Σ (x − center)², by lanes. */
  private static void squares(long x, float center, int width, long lanes) {
    FloatVector a = all(0);
    FloatVector b = all(0);
    int i = 0;
    for (; i + 2 * COUNT <= width; i += 2 * COUNT) {
      FloatVector v = Lanes.load(x + 4L * i).sub(center);
      FloatVector w = Lanes.load(x + 4L * i + BYTES).sub(center);
      a = v.fma(v, a);
      b = w.fma(w, b);
    }
    for (; i + COUNT <= width; i += COUNT) {
      FloatVector v = Lanes.load(x + 4L * i).sub(center);
      a = v.fma(v, a);
    }
    if (i < width) {
      VectorMask<Float> end = Lanes.first(width - i);
      FloatVector v = Lanes.load(x + 4L * i, end).sub(all(center), end);
      b = v.fma(v, b);
    }
    Lanes.store(a.add(b), lanes);
  }
}
