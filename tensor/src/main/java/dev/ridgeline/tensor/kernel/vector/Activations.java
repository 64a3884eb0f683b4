package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** The bends between matrices. */
final class Activations {
  /** √(2/π), doubled: tanh is written as a logistic function of twice its argument. */
  static final float TWICE = (float) (2 * Math.sqrt(2 / Math.PI));

  /** Adding it rounds to an integer, which then stands in the low bits. */
  private static final float ROUND = 0x1.8p23f;

  /** Below these the results are less than 10⁻³⁶, and exp leaves its range. */
  static final float LEAST_GELU = -10;

  static final float LEAST_SILU = -87;

  /** Numbers of a part that stays in the cache. */
  static final int PART = 1024;

  private Activations() {}

  static void gelu(long x, long out, long count) {
    long whole = Lanes.whole(count);
    geluWhole(x, out, whole);
    if (whole < count) {
      long end = Scratch.own().line;
      Lanes.copy(x + 4 * whole, end, (int) (count - whole));
      geluWhole(end, end, COUNT);
      Lanes.copy(end, out + 4 * whole, (int) (count - whole));
    }
  }

  /** {@code max(x, 0) − a·Φ(−a)} with a = |x|. Beyond 6 the second term is less than 10⁻⁸. */
  private static void geluWhole(long x, long out, long count) {
    long buffer = Scratch.own().weights;
    for (long from = 0; from < count; from += PART) {
      long part = Math.min(PART, count - from);
      tail(x + 4 * from, buffer, part);
      lessTail(x + 4 * from, buffer, out + 4 * from, part);
    }
  }

  private static void lessTail(long from, long tail, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE);
      FloatVector a = x.abs();
      FloatVector product =
          a.mul(FloatVector.fromMemorySegment(F, ALL, tail + 4 * i, LE))
              .blend(0, a.compare(VectorOperators.GT, 6));
      x.blend(0, x.compare(VectorOperators.LT, 0))
          .sub(product)
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  /**
   * {@code Φ(−a)} with a = |x| up to 6, beyond that anything. Its logarithm to base 2 is a
   * polynomial fitted on [0, 6] with the weight a·Φ(−a): 3·10⁻⁸ from the truth before the last
   * rounding.
   */
  static void tail(long from, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE).abs();
      FloatVector p = FloatVector.broadcast(F, -2.5423818e-8f);
      p = p.fma(a, FloatVector.broadcast(F, 7.671396e-7f));
      p = p.fma(a, FloatVector.broadcast(F, -9.918213e-6f));
      p = p.fma(a, FloatVector.broadcast(F, 6.9824375e-5f));
      p = p.fma(a, FloatVector.broadcast(F, -2.5448683e-4f));
      p = p.fma(a, FloatVector.broadcast(F, -5.8486323e-5f));
      p = p.fma(a, FloatVector.broadcast(F, 7.028602e-3f));
      p = p.fma(a, FloatVector.broadcast(F, -5.250673e-2f));
      p = p.fma(a, FloatVector.broadcast(F, -4.5919326e-1f));
      p = p.fma(a, FloatVector.broadcast(F, -1.1511093f));
      p = p.fma(a, FloatVector.broadcast(F, -0.9999997f));
      // 2 to the power p, by the series of e^(r ln 2).
      FloatVector shifted = p.add(ROUND);
      FloatVector r = p.sub(shifted.sub(ROUND));
      FloatVector q = FloatVector.broadcast(F, 1.5252734e-5f);
      q = q.fma(r, FloatVector.broadcast(F, 1.5403530e-4f));
      q = q.fma(r, FloatVector.broadcast(F, 1.3333558e-3f));
      q = q.fma(r, FloatVector.broadcast(F, 9.6181291e-3f));
      q = q.fma(r, FloatVector.broadcast(F, 5.5504109e-2f));
      q = q.fma(r, FloatVector.broadcast(F, 2.4022651e-1f));
      q = q.fma(r, FloatVector.broadcast(F, 6.9314718e-1f));
      q = q.fma(r, FloatVector.broadcast(F, 1));
      q.reinterpretAsInts()
          .add(shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
          .reinterpretAsFloats()
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  static void geglu(long gate, long up, long out, long count) {
    long whole = Lanes.whole(count);
    gegluWhole(gate, up, out, whole);
    if (whole < count) {
      long end = Scratch.own().line;
      Lanes.copy(gate + 4 * whole, end, (int) (count - whole));
      Lanes.copy(up + 4 * whole, end + BYTES, (int) (count - whole));
      gegluWhole(end, end + BYTES, end, COUNT);
      Lanes.copy(end, out + 4 * whole, (int) (count - whole));
    }
  }

  static void geluTanh(long x, long out, long count) {
    long whole = Lanes.whole(count);
    geluTanhWhole(x, out, whole);
    if (whole < count) {
      long end = Scratch.own().line;
      Lanes.copy(x + 4 * whole, end, (int) (count - whole));
      geluTanhWhole(end, end, COUNT);
      Lanes.copy(end, out + 4 * whole, (int) (count - whole));
    }
  }

  private static void geluTanhWhole(long x, long out, long count) {
    long buffer = Scratch.own().weights;
    for (long from = 0; from < count; from += PART) {
      long part = Math.min(PART, count - from);
      cubic(x + 4 * from, buffer, part);
      Exponential.exp(buffer, 0, buffer, part);
      logistic(x + 4 * from, buffer, LEAST_GELU, out + 4 * from, part);
    }
  }

  static void swiglu(long gate, long up, long out, long count) {
    long whole = Lanes.whole(count);
    swigluWhole(gate, up, out, whole);
    if (whole < count) {
      long end = Scratch.own().line;
      Lanes.copy(gate + 4 * whole, end, (int) (count - whole));
      Lanes.copy(up + 4 * whole, end + BYTES, (int) (count - whole));
      swigluWhole(end, end + BYTES, end, COUNT);
      Lanes.copy(end, out + 4 * whole, (int) (count - whole));
    }
  }

  private static void swigluWhole(long gate, long up, long out, long count) {
    long buffer = Scratch.own().weights;
    for (long from = 0; from < count; from += PART) {
      long part = Math.min(PART, count - from);
      Elements.scale(gate + 4 * from, -1, buffer, part);
      Exponential.exp(buffer, 0, buffer, part);
      gated(gate + 4 * from, buffer, LEAST_SILU, up + 4 * from, out + 4 * from, part);
    }
  }

  /** {@code x / (1 + exp(−2·√(2/π)·(x + 0.044715 x³)))}, part by part through a buffer. */
  private static void gegluWhole(long gate, long up, long out, long count) {
    long buffer = Scratch.own().weights;
    for (long from = 0; from < count; from += PART) {
      long part = Math.min(PART, count - from);
      cubic(gate + 4 * from, buffer, part);
      Exponential.exp(buffer, 0, buffer, part);
      gated(gate + 4 * from, buffer, LEAST_GELU, up + 4 * from, out + 4 * from, part);
    }
  }

  static void cubic(long gate, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, gate + 4 * i, LE);
      FloatVector factor = FloatVector.broadcast(F, 0.044715f);
      x.mul(x)
          .fma(factor, FloatVector.broadcast(F, 1))
          .mul(x)
          .mul(-TWICE)
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  private static void logistic(long gate, long power, float least, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, gate + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, power + 4 * i, LE);
      x.div(e.add(1))
          .blend(0, x.compare(VectorOperators.LT, least))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  private static void gated(long gate, long power, float least, long up, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, gate + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, power + 4 * i, LE);
      x.div(e.add(1))
          .blend(0, x.compare(VectorOperators.LT, least))
          .mul(FloatVector.fromMemorySegment(F, ALL, up + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }
}
