package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import dev.ridgeline.tensor.Activation;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Activations and their gradients, a part at a time through buffers that stay in the cache. */
final class Activations {
  /** √(2/π), doubled: tanh is written as a logistic function of twice its argument. */
  private static final float TWICE = (float) (2 * Math.sqrt(2 / Math.PI));

  /** Adding it rounds to an integer, which then stands in the low bits. */
  private static final float ROUND = 0x1.8p23f;

  /** Below these the results are less than 10⁻³⁶, and exp leaves its range. */
  private static final float LEAST_GELU = -10;

  private static final float LEAST_SILU = -87;

  /** What makes {@code e^(−x²/2)} a density. */
  private static final float DENSITY = (float) (1 / Math.sqrt(2 * Math.PI));

  /** Three times the factor of the cube in {@link #cubic}: its slope. */
  private static final float BEND = 3 * 0.044715f * TWICE;

  /** From here on the slope of a gelu by tanh is 1 to all digits, and its square may overflow. */
  private static final float STRAIGHT = 10;

  /** From here on the density of the normal distribution is 0. */
  private static final float NOWHERE = 13;

  /** Numbers of a part. */
  private static final int PART = 1024;

  private Activations() {}

  /** See {@link dev.ridgeline.tensor.kernel.RowKernels#apply}. */
  static void apply(Activation activation, long x, long up, long out, long count) {
    long whole = Lanes.whole(count);
    for (long from = 0; from < whole; from += PART) {
      long at = 4 * from;
      long part = Math.min(PART, whole - from);
      applyPart(activation, x + at, up == 0 ? 0 : up + at, out + at, part);
    }
    if (whole == count) return;
    long end = Scratch.own().line;
    int rest = (int) (count - whole);
    Lanes.copy(x + 4 * whole, end, rest);
    if (up != 0) Lanes.copy(up + 4 * whole, end + BYTES, rest);
    applyPart(activation, end, up == 0 ? 0 : end + BYTES, end, COUNT);
    Lanes.copy(end, out + 4 * whole, rest);
  }

  private static void applyPart(Activation activation, long x, long up, long out, long count) {
    long buffer = Scratch.own().weights;
    switch (activation) {
      case GELU -> {
        tail(x, buffer, count);
        lessTail(x, buffer, up == 0 ? out : buffer, count);
        if (up != 0) Elements.multiply(buffer, up, out, count);
      }
      case GELU_TANH -> {
        cubic(x, buffer, count);
        logistic(x, buffer, LEAST_GELU, up, out, count);
      }
      case SILU -> {
        Elements.scale(x, -1, buffer, count);
        logistic(x, buffer, LEAST_SILU, up, out, count);
      }
    }
  }

  /** See {@link dev.ridgeline.tensor.kernel.GradKernels#apply}. */
  static void gradient(
      Activation activation, long dx, long dUp, long dy, long x, long up, long count) {
    long whole = Lanes.whole(count);
    for (long from = 0; from < whole; from += PART) {
      long at = 4 * from;
      long part = Math.min(PART, whole - from);
      if (up == 0) gradientPart(activation, dx + at, 0, dy + at, x + at, 0, part);
      else gradientPart(activation, dx + at, dUp + at, dy + at, x + at, up + at, part);
    }
    if (whole == count) return;
    long end = Scratch.own().tile;
    long endUp = up == 0 ? 0 : end + 2 * BYTES;
    int rest = (int) (count - whole);
    Lanes.copy(x + 4 * whole, end, rest);
    Lanes.copy(dy + 4 * whole, end + BYTES, rest);
    if (up != 0) Lanes.copy(up + 4 * whole, endUp, rest);
    gradientPart(activation, end, endUp, end + BYTES, end, endUp, COUNT);
    Lanes.copy(end, dx + 4 * whole, rest);
    if (up != 0) Lanes.copy(endUp, dUp + 4 * whole, rest);
  }

  private static void gradientPart(
      Activation activation, long dx, long dUp, long dy, long x, long up, long count) {
    long slopes = Scratch.own().weights;
    long values = slopes + 4L * PART;
    long tails = values + 4L * PART;
    // Slopes are multiplied as they come: by dy, or by up and later by dy.
    long factor = up == 0 ? dy : up;
    long to = up == 0 ? dx : slopes;
    switch (activation) {
      case GELU -> {
        tail(x, tails, count);
        if (up != 0) lessTail(x, tails, values, count);
        halfSquare(x, slopes, count);
        Exponential.exp(slopes, 0, slopes, count);
        geluSlope(x, tails, slopes, factor, to, count);
      }
      case GELU_TANH -> {
        cubic(x, slopes, count);
        Exponential.exp(slopes, 0, slopes, count);
        if (up != 0) alone(x, slopes, LEAST_GELU, values, count);
        geluTanhSlope(x, slopes, factor, to, count);
      }
      case SILU -> {
        Elements.scale(x, -1, slopes, count);
        Exponential.exp(slopes, 0, slopes, count);
        if (up != 0) {
          siluGate(x, slopes, dy, up, dx, dUp, count);
          return;
        }
        siluSlope(x, slopes, dy, dx, count);
      }
    }
    if (up == 0) return;
    // In this order: dx may be dy.
    Elements.multiply(values, dy, dUp, count);
    Elements.multiply(slopes, dy, dx, count);
  }

  // GELU.

  /** {@code max(x, 0) − a·Φ(−a)} with a = |x|. Beyond 6 the second term is less than 10⁻⁸. */
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
  private static void tail(long from, long out, long count) {
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

  private static void halfSquare(long x, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector v = FloatVector.fromMemorySegment(F, ALL, x + 4 * i, LE);
      v.mul(v).mul(-0.5f).intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  /** {@code Φ(x) + x·φ(x)}, times a factor. */
  private static void geluSlope(
      long from, long tails, long densities, long factor, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE);
      FloatVector a = x.abs();
      FloatVector tail =
          FloatVector.fromMemorySegment(F, ALL, tails + 4 * i, LE)
              .blend(0, a.compare(VectorOperators.GT, 6));
      FloatVector below =
          FloatVector.broadcast(F, 1).sub(tail).blend(tail, x.compare(VectorOperators.LT, 0));
      FloatVector.fromMemorySegment(F, ALL, densities + 4 * i, LE)
          .mul(x)
          .mul(DENSITY)
          .blend(0, a.compare(VectorOperators.GT, NOWHERE))
          .add(below)
          .mul(FloatVector.fromMemorySegment(F, ALL, factor + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  // GELU by tanh, and SILU: logistic functions of a cubic and of x.

  /** {@code −2·√(2/π)·(x + 0.044715 x³)}. */
  private static void cubic(long gate, long out, long count) {
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

  /** {@code x / (1 + exp(power))}, or 0 below the least x, times up where there is one. */
  private static void logistic(long x, long powers, float least, long up, long out, long count) {
    Exponential.exp(powers, 0, powers, count);
    if (up == 0) alone(x, powers, least, out, count);
    else gated(x, powers, least, up, out, count);
  }

  private static void alone(long from, long powers, float least, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, powers + 4 * i, LE);
      x.div(e.add(1))
          .blend(0, x.compare(VectorOperators.LT, least))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  private static void gated(long gate, long powers, float least, long up, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, gate + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, powers + 4 * i, LE);
      x.div(e.add(1))
          .blend(0, x.compare(VectorOperators.LT, least))
          .mul(FloatVector.fromMemorySegment(F, ALL, up + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  /**
   * With the logistic function s of the cubic c: {@code s + x · s · (1 − s) · c′}, times a factor.
   */
  private static void geluTanhSlope(long from, long powers, long factor, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, powers + 4 * i, LE);
      FloatVector s = FloatVector.broadcast(F, 1).div(e.add(1));
      FloatVector bend =
          x.mul(x).fma(FloatVector.broadcast(F, BEND), FloatVector.broadcast(F, TWICE)).mul(x);
      e.mul(s)
          .mul(s)
          .fma(bend, s)
          .blend(0, x.compare(VectorOperators.LT, LEAST_GELU))
          .blend(1, x.compare(VectorOperators.GT, STRAIGHT))
          .mul(FloatVector.fromMemorySegment(F, ALL, factor + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  /** With {@code s = 1 / (1 + e⁻ˣ)}: {@code s + x·s·(1 − s)}, times a factor. */
  private static void siluSlope(long from, long powers, long factor, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, powers + 4 * i, LE);
      FloatVector s =
          FloatVector.broadcast(F, 1)
              .div(e.add(1))
              .blend(0, x.compare(VectorOperators.LT, LEAST_SILU));
      x.mul(s)
          .fma(FloatVector.broadcast(F, 1).sub(s), s)
          .mul(FloatVector.fromMemorySegment(F, ALL, factor + 4 * i, LE))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  /** The same by the gate, times up and dy, and {@code x·s} by up. */
  private static void siluGate(
      long gate, long powers, long dy, long up, long dGate, long dUp, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, gate + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, powers + 4 * i, LE);
      FloatVector d = FloatVector.fromMemorySegment(F, ALL, dy + 4 * i, LE);
      FloatVector s =
          FloatVector.broadcast(F, 1)
              .div(e.add(1))
              .blend(0, x.compare(VectorOperators.LT, LEAST_SILU));
      FloatVector silu = x.mul(s);
      FloatVector rest = FloatVector.broadcast(F, 1).sub(s);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, up + 4 * i, LE);
      silu.fma(rest, s).mul(b).mul(d).intoMemorySegment(ALL, dGate + 4 * i, LE);
      silu.mul(d).intoMemorySegment(ALL, dUp + 4 * i, LE);
    }
  }
}
