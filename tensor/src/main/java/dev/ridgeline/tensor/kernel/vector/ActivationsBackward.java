package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** Gradients of {@link Activations}, part by part through a buffer as there. */
final class ActivationsBackward {
  private static final int PART = Activations.PART;

  /** What makes {@code e^(−x²/2)} a density. */
  private static final float DENSITY = (float) (1 / Math.sqrt(2 * Math.PI));

  /** Three times that of the cube in {@link Activations#cubic}: its slope. */
  private static final float BEND = 3 * 0.044715f * Activations.TWICE;

  /** From here on the slope of a gelu by tanh is 1 to all digits, and its square may overflow. */
  private static final float STRAIGHT = 10;

  /** From here on the density of the normal distribution is 0. */
  private static final float NOWHERE = 13;

  private ActivationsBackward() {}

  static void gelu(long dx, long dy, long x, long count) {
    long whole = Lanes.whole(count);
    geluWhole(dx, dy, x, whole);
    if (whole < count) {
      long end = Scratch.own().tile;
      int rest = (int) (count - whole);
      Lanes.copy(x + 4 * whole, end, rest);
      Lanes.copy(dy + 4 * whole, end + BYTES, rest);
      geluWhole(end, end + BYTES, end, COUNT);
      Lanes.copy(end, dx + 4 * whole, rest);
    }
  }

  private static void geluWhole(long dx, long dy, long x, long count) {
    long tail = Scratch.own().weights;
    long density = tail + 4L * PART;
    for (long from = 0; from < count; from += PART) {
      long part = Math.min(PART, count - from);
      Activations.tail(x + 4 * from, tail, part);
      halfSquare(x + 4 * from, density, part);
      Exponential.exp(density, 0, density, part);
      geluSlope(dx + 4 * from, dy + 4 * from, x + 4 * from, tail, density, part);
    }
  }

  private static void halfSquare(long x, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector v = FloatVector.fromMemorySegment(F, ALL, x + 4 * i, LE);
      v.mul(v).mul(-0.5f).intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }

  /** {@code Φ(x) + x·φ(x)}. */
  private static void geluSlope(
      long dx, long dy, long from, long tails, long densities, long count) {
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
          .mul(FloatVector.fromMemorySegment(F, ALL, dy + 4 * i, LE))
          .intoMemorySegment(ALL, dx + 4 * i, LE);
    }
  }

  static void geluTanh(long dx, long dy, long x, long count) {
    long whole = Lanes.whole(count);
    geluTanhWhole(dx, dy, x, whole);
    if (whole < count) {
      long end = Scratch.own().tile;
      int rest = (int) (count - whole);
      Lanes.copy(x + 4 * whole, end, rest);
      Lanes.copy(dy + 4 * whole, end + BYTES, rest);
      geluTanhWhole(end, end + BYTES, end, COUNT);
      Lanes.copy(end, dx + 4 * whole, rest);
    }
  }

  private static void geluTanhWhole(long dx, long dy, long x, long count) {
    long buffer = Scratch.own().weights;
    for (long from = 0; from < count; from += PART) {
      long part = Math.min(PART, count - from);
      Activations.cubic(x + 4 * from, buffer, part);
      Exponential.exp(buffer, 0, buffer, part);
      geluTanhSlope(dx + 4 * from, dy + 4 * from, x + 4 * from, buffer, part);
    }
  }

  /** With the logistic function s of the cubic c: {@code s + x · s · (1 − s) · c′}. */
  private static void geluTanhSlope(long dx, long dy, long from, long powers, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, powers + 4 * i, LE);
      FloatVector s = FloatVector.broadcast(F, 1).div(e.add(1));
      FloatVector bend =
          x.mul(x)
              .fma(FloatVector.broadcast(F, BEND), FloatVector.broadcast(F, Activations.TWICE))
              .mul(x);
      e.mul(s)
          .mul(s)
          .fma(bend, s)
          .blend(0, x.compare(VectorOperators.LT, Activations.LEAST_GELU))
          .blend(1, x.compare(VectorOperators.GT, STRAIGHT))
          .mul(FloatVector.fromMemorySegment(F, ALL, dy + 4 * i, LE))
          .intoMemorySegment(ALL, dx + 4 * i, LE);
    }
  }

  static void swiglu(long dGate, long dUp, long dy, long gate, long up, long count) {
    long whole = Lanes.whole(count);
    swigluWhole(dGate, dUp, dy, gate, up, whole);
    if (whole < count) {
      long end = Scratch.own().tile;
      int rest = (int) (count - whole);
      Lanes.copy(gate + 4 * whole, end, rest);
      Lanes.copy(up + 4 * whole, end + BYTES, rest);
      Lanes.copy(dy + 4 * whole, end + 2 * BYTES, rest);
      swigluWhole(end, end + BYTES, end + 2 * BYTES, end, end + BYTES, COUNT);
      Lanes.copy(end, dGate + 4 * whole, rest);
      Lanes.copy(end + BYTES, dUp + 4 * whole, rest);
    }
  }

  private static void swigluWhole(long dGate, long dUp, long dy, long gate, long up, long count) {
    long buffer = Scratch.own().weights;
    for (long from = 0; from < count; from += PART) {
      long part = Math.min(PART, count - from);
      long at = 4 * from;
      Elements.scale(gate + at, -1, buffer, part);
      Exponential.exp(buffer, 0, buffer, part);
      swigluSlope(dGate + at, dUp + at, dy + at, gate + at, up + at, buffer, part);
    }
  }

  /** With {@code s = 1 / (1 + e⁻ˣ)}: {@code x·s} by up, {@code s + x·s·(1 − s)} by the gate. */
  private static void swigluSlope(
      long dGate, long dUp, long dy, long gate, long up, long powers, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, gate + 4 * i, LE);
      FloatVector e = FloatVector.fromMemorySegment(F, ALL, powers + 4 * i, LE);
      FloatVector d = FloatVector.fromMemorySegment(F, ALL, dy + 4 * i, LE);
      FloatVector s =
          FloatVector.broadcast(F, 1)
              .div(e.add(1))
              .blend(0, x.compare(VectorOperators.LT, Activations.LEAST_SILU));
      FloatVector silu = x.mul(s);
      FloatVector rest = FloatVector.broadcast(F, 1).sub(s);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, up + 4 * i, LE);
      silu.fma(rest, s).mul(b).mul(d).intoMemorySegment(ALL, dGate + 4 * i, LE);
      silu.mul(d).intoMemorySegment(ALL, dUp + 4 * i, LE);
    }
  }
}
