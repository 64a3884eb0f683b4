package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;

/** Turns pairs of numbers by the angle of a position. */
final class Rope {
  private Rope() {}

  static void head(long x, int half, long angles) {
    long y = x + 4L * half;
    long sines = angles + 4L * half;
    int i = 0;
    for (; i < Lanes.whole(half); i += COUNT) {
      FloatVector a = Lanes.load(x + 4L * i);
      FloatVector b = Lanes.load(y + 4L * i);
      FloatVector cos = Lanes.load(angles + 4L * i);
      FloatVector sin = Lanes.load(sines + 4L * i);
      Lanes.store(a.fma(cos, b.mul(sin).neg()), x + 4L * i);
      Lanes.store(a.fma(sin, b.mul(cos)), y + 4L * i);
    }
    if (i < half) {
      VectorMask<Float> end = Lanes.first(half - i);
      FloatVector a = Lanes.load(x + 4L * i, end);
      FloatVector b = Lanes.load(y + 4L * i, end);
      FloatVector cos = Lanes.load(angles + 4L * i, end);
      FloatVector sin = Lanes.load(sines + 4L * i, end);
      Lanes.store(a.fma(cos, b.mul(sin).neg()), x + 4L * i, end);
      Lanes.store(a.fma(sin, b.mul(cos)), y + 4L * i, end);
    }
  }
}
