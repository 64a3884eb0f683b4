package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.all;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** The bends between matrices. */
final class Activations {
  /** √(2/π), doubled: tanh is written as a logistic function of twice its argument. */
  private static final float TWICE = (float) (2 * Math.sqrt(2 / Math.PI));

  private Activations() {}

  static void gelu(long x, long out, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      Lanes.store(gelu(Lanes.load(x + 4 * i)), out + 4 * i);
    }
    if (whole < count) {
      VectorMask<Float> end = Lanes.first(count - whole);
      Lanes.store(gelu(Lanes.load(x + 4 * whole, end)), out + 4 * whole, end);
    }
  }

  static void geglu(long gate, long up, long out, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      FloatVector bent = tanhGelu(Lanes.load(gate + 4 * i));
      Lanes.store(bent.mul(Lanes.load(up + 4 * i)), out + 4 * i);
    }
    if (whole < count) {
      VectorMask<Float> end = Lanes.first(count - whole);
      FloatVector bent = tanhGelu(Lanes.load(gate + 4 * whole, end));
      Lanes.store(bent.mul(Lanes.load(up + 4 * whole, end)), out + 4 * whole, end);
    }
  }

  /**
   * {@code max(x, 0) − a·Φ(−a)} with a = |x|, where log₂ Φ(−a) is a polynomial fitted on [0, 6]
   * with the weight a·Φ(−a): 3·10⁻⁸ from the truth before the last rounding. Beyond 6 the second
   * term is less than 10⁻⁸ and left out.
   */
  private static FloatVector gelu(FloatVector x) {
    FloatVector a = x.abs();
    FloatVector p = all(-2.5423818e-8f);
    p = p.fma(a, all(7.671396e-7f));
    p = p.fma(a, all(-9.918213e-6f));
    p = p.fma(a, all(6.9824375e-5f));
    p = p.fma(a, all(-2.5448683e-4f));
    p = p.fma(a, all(-5.8486323e-5f));
    p = p.fma(a, all(7.028602e-3f));
    p = p.fma(a, all(-5.250673e-2f));
    p = p.fma(a, all(-4.5919326e-1f));
    p = p.fma(a, all(-1.1511093f));
    p = p.fma(a, all(-0.9999997f));
    FloatVector tail = a.mul(Exponential.power(p)).blend(0, a.compare(VectorOperators.GT, 6));
    return x.blend(0, x.compare(VectorOperators.LT, 0)).sub(tail);
  }

  /** {@code x / (1 + exp(−2·√(2/π)·(x + 0.044715 x³)))}. */
  private static FloatVector tanhGelu(FloatVector x) {
    FloatVector cubic = x.mul(x).fma(all(0.044715f), all(1)).mul(x);
    FloatVector e = Exponential.exp(cubic.mul(-TWICE));
    // Below −13 even a subnormal would be too much; and −∞/∞ is no number.
    return x.div(e.add(1)).blend(0, x.compare(VectorOperators.LT, -13));
  }
}
