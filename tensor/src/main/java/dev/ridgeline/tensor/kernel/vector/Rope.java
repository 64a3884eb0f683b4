package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import dev.ridgeline.tensor.Pairing;
import jdk.incubator.vector.FloatVector;

/** Turns pairs of numbers by the angle of a position. */
final class Rope {
  private Rope() {}

  static void turn(Pairing pairing, long x, int half, long angles) {
    if (pairing == Pairing.HALVES) halves(x, half, angles);
    else neighbours(x, half, angles);
  }

  /** Pairs (j, j + half). */
  private static void halves(long x, int half, long angles) {
    long y = x + 4L * half;
    long sines = angles + 4L * half;
    int i = 0;
    for (; i < Lanes.whole(half); i += COUNT) {
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, y + 4L * i, LE);
      FloatVector cos = FloatVector.fromMemorySegment(F, ALL, angles + 4L * i, LE);
      FloatVector sin = FloatVector.fromMemorySegment(F, ALL, sines + 4L * i, LE);
      a.fma(cos, b.mul(sin).neg()).intoMemorySegment(ALL, x + 4L * i, LE);
      a.fma(sin, b.mul(cos)).intoMemorySegment(ALL, y + 4L * i, LE);
    }
    for (; i < half; i++) {
      float a = Lanes.get(x + 4L * i);
      float b = Lanes.get(y + 4L * i);
      float cos = Lanes.get(angles + 4L * i);
      float sin = Lanes.get(sines + 4L * i);
      Lanes.set(x + 4L * i, Math.fma(a, cos, -(b * sin)));
      Lanes.set(y + 4L * i, Math.fma(a, sin, b * cos));
    }
  }

  /** Pairs (2j, 2j + 1), one by one: to part them costs as much as to turn them. */
  private static void neighbours(long x, int half, long angles) {
    long sines = angles + 4L * half;
    for (int i = 0; i < half; i++) {
      float a = Lanes.get(x + 8L * i);
      float b = Lanes.get(x + 8L * i + 4);
      float cos = Lanes.get(angles + 4L * i);
      float sin = Lanes.get(sines + 4L * i);
      Lanes.set(x + 8L * i, Math.fma(a, cos, -(b * sin)));
      Lanes.set(x + 8L * i + 4, Math.fma(a, sin, b * cos));
    }
  }
}
