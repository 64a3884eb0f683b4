package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;

/** Softmax of a row. A row that sees nothing, or only −∞, becomes zeros. */
final class Softmax {
  private Softmax() {}

  static void row(long x, int count, long lanes) {
    maximum(x, Lanes.whole(count), lanes);
    float max = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < COUNT; i++) max = Math.max(max, Lanes.get(lanes + 4L * i));
    for (int i = Lanes.whole(count); i < count; i++) max = Math.max(max, Lanes.get(x + 4L * i));
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

  // No vector lives on from turn to turn: rows are short, and where C2 has seen a loop end after
  // its
  // first turn it may box what the next would need. Sums and maxima wait in memory; of four vectors
  // at a time, since what was just stored is slow to read.

  private static void maximum(long x, int whole, long lanes) {
    for (int i = 0; i < COUNT; i++) Lanes.set(lanes + 4L * i, Float.NEGATIVE_INFINITY);
    int i = 0;
    for (; i + 4 * COUNT <= whole; i += 4 * COUNT) {
      long at = x + 4L * i;
      FloatVector.fromMemorySegment(F, ALL, lanes, LE)
          .max(FloatVector.fromMemorySegment(F, ALL, at, LE))
          .max(FloatVector.fromMemorySegment(F, ALL, at + BYTES, LE))
          .max(FloatVector.fromMemorySegment(F, ALL, at + 2 * BYTES, LE))
          .max(FloatVector.fromMemorySegment(F, ALL, at + 3 * BYTES, LE))
          .intoMemorySegment(ALL, lanes, LE);
    }
    for (; i < whole; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, lanes, LE)
          .max(FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE))
          .intoMemorySegment(ALL, lanes, LE);
    }
  }

  private static void powers(long x, int count, float max, long lanes) {
    int whole = Lanes.whole(count);
    zero(lanes, COUNT);
    powersWhole(x, whole, max, lanes);
    if (whole < count) {
      long end = Scratch.own().line;
      for (int i = 0; i < COUNT; i++) Lanes.set(end + 4L * i, Float.NEGATIVE_INFINITY);
      Lanes.copy(x + 4L * whole, end, count - whole);
      powersWhole(end, COUNT, max, lanes);
      Lanes.copy(end, x + 4L * whole, count - whole);
    }
  }

  private static void powersWhole(long x, int count, float max, long lanes) {
    Exponential.exp(x, max, x, count);
    int i = 0;
    for (; i + 4 * COUNT <= count; i += 4 * COUNT) {
      long at = x + 4L * i;
      FloatVector.fromMemorySegment(F, ALL, lanes, LE)
          .add(FloatVector.fromMemorySegment(F, ALL, at, LE))
          .add(FloatVector.fromMemorySegment(F, ALL, at + BYTES, LE))
          .add(FloatVector.fromMemorySegment(F, ALL, at + 2 * BYTES, LE))
          .add(FloatVector.fromMemorySegment(F, ALL, at + 3 * BYTES, LE))
          .intoMemorySegment(ALL, lanes, LE);
    }
    for (; i < count; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, lanes, LE)
          .add(FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE))
          .intoMemorySegment(ALL, lanes, LE);
    }
  }

  private static void divide(long x, int count, float by) {
    int i = 0;
    for (; i < Lanes.whole(count); i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE)
          .div(by)
          .intoMemorySegment(ALL, x + 4L * i, LE);
    }
    for (; i < count; i++) Lanes.set(x + 4L * i, Lanes.get(x + 4L * i) / by);
  }
}
