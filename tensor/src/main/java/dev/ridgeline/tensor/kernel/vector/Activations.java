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
  private static final float TWICE = (float) (2 * Math.sqrt(2 / Math.PI));

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

  private static void geluWhole(long x, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      gelu(FloatVector.fromMemorySegment(F, ALL, x + 4 * i, LE))
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

  private static void gegluWhole(long gate, long up, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector bent = tanhGelu(FloatVector.fromMemorySegment(F, ALL, gate + 4 * i, LE));
      bent.mul(FloatVector.fromMemorySegment(F, ALL, up + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  /**
   * {@code max(x, 0) − a·Φ(−a)} with a = |x|, where log₂ Φ(−a) is a polynomial fitted on [0, 6]
   * with the weight a·Φ(−a): 3·10⁻⁸ from the truth before the last rounding. Beyond 6 the second
   * term is less than 10⁻⁸ and left out.
   */
  private static FloatVector gelu(FloatVector x) {
    FloatVector a = x.abs();
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
    FloatVector tail = a.mul(Exponential.power(p)).blend(0, a.compare(VectorOperators.GT, 6));
    return x.blend(0, x.compare(VectorOperators.LT, 0)).sub(tail);
  }

  /** {@code x / (1 + exp(−2·√(2/π)·(x + 0.044715 x³)))}. */
  private static FloatVector tanhGelu(FloatVector x) {
    FloatVector cubic =
        x.mul(x).fma(FloatVector.broadcast(F, 0.044715f), FloatVector.broadcast(F, 1)).mul(x);
    FloatVector e = Exponential.exp(cubic.mul(-TWICE));
    // Below −10 the result is less than 10⁻³⁶, and exp leaves its range.
    return x.div(e.add(1)).blend(0, x.compare(VectorOperators.LT, -10));
  }
}
