package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Gradients of {@link Softmax}: of attention's, and of that under the loss. */
final class Losses {
  /** Numbers whose lanes are summed by themselves, so that long rows lose no digits. */
  private static final int PART = 1024;

  private Losses() {}

  /** {@code dp = scale · p · (dp − Σ p · dp)}. */
  static void softmax(long dp, long p, int count, float scale, long lanes) {
    int whole = Lanes.whole(count);
    Softmax.zero(lanes, COUNT);
    dots(dp, p, whole, lanes);
    double sum = Lanes.sum(lanes);
    for (int i = whole; i < count; i++) sum += Lanes.get(p + 4L * i) * Lanes.get(dp + 4L * i);
    less(dp, p, whole, (float) sum, scale);
    for (int i = whole; i < count; i++) {
      float d = (Lanes.get(dp + 4L * i) - (float) sum) * Lanes.get(p + 4L * i) * scale;
      Lanes.set(dp + 4L * i, d);
    }
  }

  /** Sums wait in memory: see {@link Softmax}. */
  private static void dots(long a, long b, int whole, long lanes) {
    int i = 0;
    for (; i + 4 * COUNT <= whole; i += 4 * COUNT) {
      long x = a + 4L * i;
      long y = b + 4L * i;
      FloatVector sum =
          FloatVector.fromMemorySegment(F, ALL, x, LE)
              .fma(
                  FloatVector.fromMemorySegment(F, ALL, y, LE),
                  FloatVector.fromMemorySegment(F, ALL, lanes, LE));
      sum =
          FloatVector.fromMemorySegment(F, ALL, x + BYTES, LE)
              .fma(FloatVector.fromMemorySegment(F, ALL, y + BYTES, LE), sum);
      sum =
          FloatVector.fromMemorySegment(F, ALL, x + 2 * BYTES, LE)
              .fma(FloatVector.fromMemorySegment(F, ALL, y + 2 * BYTES, LE), sum);
      FloatVector.fromMemorySegment(F, ALL, x + 3 * BYTES, LE)
          .fma(FloatVector.fromMemorySegment(F, ALL, y + 3 * BYTES, LE), sum)
          .intoMemorySegment(ALL, lanes, LE);
    }
    for (; i < whole; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, a + 4L * i, LE)
          .fma(
              FloatVector.fromMemorySegment(F, ALL, b + 4L * i, LE),
              FloatVector.fromMemorySegment(F, ALL, lanes, LE))
          .intoMemorySegment(ALL, lanes, LE);
    }
  }

  private static void less(long dp, long p, int whole, float sum, float scale) {
    for (int i = 0; i < whole; i += COUNT) {
      FloatVector.fromMemorySegment(F, ALL, dp + 4L * i, LE)
          .sub(sum)
          .mul(FloatVector.fromMemorySegment(F, ALL, p + 4L * i, LE))
          .mul(scale)
          .intoMemorySegment(ALL, dp + 4L * i, LE);
    }
  }

  /**
   * The loss of a row of logits, which become their gradient. The target's own probability is kept
   * out of the sum: where it is all but 1, the others are what loss and gradient are made of.
   */
  static float crossEntropy(long x, int count, int target, float factor, long lanes) {
    float max = max(x, count, lanes);
    double logOwn = (double) Lanes.get(x + 4L * target) - max;
    powers(x, count, max);
    double own = Lanes.get(x + 4L * target);
    Lanes.set(x + 4L * target, 0);
    double others = 0;
    for (int from = 0; from < count; from += PART) {
      others += Norms.sum(x + 4L * from, Math.min(PART, count - from), lanes);
    }
    double sum = others + own;
    Elements.scale(x, (float) (factor / sum), x, count);
    Lanes.set(x + 4L * target, (float) (-factor * others / sum));
    return (float) (others < own ? StrictMath.log1p(others / own) : StrictMath.log(sum) - logOwn);
  }

  /**
   * The largest number; anything where one is not a number, whose power will not be one either. The
   * Vector API's own maximum takes care of those, at several times the cost.
   */
  private static float max(long x, int count, long lanes) {
    int whole = Lanes.whole(count);
    for (int i = 0; i < COUNT; i++) Lanes.set(lanes + 4L * i, Float.NEGATIVE_INFINITY);
    maxima(x, whole, lanes);
    float max = Float.NEGATIVE_INFINITY;
    for (int i = 0; i < COUNT; i++) max = Math.max(max, Lanes.get(lanes + 4L * i));
    for (int i = whole; i < count; i++) max = Math.max(max, Lanes.get(x + 4L * i));
    return max;
  }

  private static void maxima(long x, int whole, long lanes) {
    int i = 0;
    for (; i + 4 * COUNT <= whole; i += 4 * COUNT) {
      long at = x + 4L * i;
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, at, LE);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, at + BYTES, LE);
      FloatVector c = FloatVector.fromMemorySegment(F, ALL, at + 2 * BYTES, LE);
      FloatVector d = FloatVector.fromMemorySegment(F, ALL, at + 3 * BYTES, LE);
      FloatVector most = FloatVector.fromMemorySegment(F, ALL, lanes, LE);
      a = a.blend(b, b.compare(VectorOperators.GT, a));
      c = c.blend(d, d.compare(VectorOperators.GT, c));
      a = a.blend(c, c.compare(VectorOperators.GT, a));
      most.blend(a, a.compare(VectorOperators.GT, most)).intoMemorySegment(ALL, lanes, LE);
    }
    for (; i < whole; i += COUNT) {
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, x + 4L * i, LE);
      FloatVector most = FloatVector.fromMemorySegment(F, ALL, lanes, LE);
      most.blend(a, a.compare(VectorOperators.GT, most)).intoMemorySegment(ALL, lanes, LE);
    }
  }

  private static void powers(long x, int count, float max) {
    int whole = Lanes.whole(count);
    Exponential.exp(x, max, x, whole);
    if (whole < count) {
      long end = Scratch.own().line;
      Lanes.copy(x + 4L * whole, end, count - whole);
      Exponential.exp(end, max, end, COUNT);
      Lanes.copy(end, x + 4L * whole, count - whole);
    }
  }
}
