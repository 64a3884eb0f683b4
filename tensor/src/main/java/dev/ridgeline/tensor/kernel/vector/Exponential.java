package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Lanes.F;

import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/**
 * Powers in plain operations, so that interpreter and compilers give the same bits. Within 1.5 ulp;
 * what would be subnormal is 0.
 */
final class Exponential {
  /** Adding it rounds to an integer, which then stands in the low bits. */
  private static final float ROUND = 0x1.8p23f;

  private static final float LOG2_E = (float) (1 / Math.log(2));

  /** ln 2 in two parts; the first has zeros at its end, so that its products are exact. */
  private static final float LN2_HIGH = 0x1.62ep-1f;

  private static final float LN2_LOW = (float) (Math.log(2) - 0x1.62ep-1);

  private Exponential() {}

  /** eˣ for x ≤ 88; beyond, it gives anything. */
  static FloatVector exp(FloatVector x) {
    FloatVector shifted = x.fma(FloatVector.broadcast(F, LOG2_E), FloatVector.broadcast(F, ROUND));
    FloatVector n = shifted.sub(ROUND);
    FloatVector r =
        n.fma(FloatVector.broadcast(F, -LN2_LOW), n.fma(FloatVector.broadcast(F, -LN2_HIGH), x));
    FloatVector p = FloatVector.broadcast(F, 1 / 5040f);
    p = p.fma(r, FloatVector.broadcast(F, 1 / 720f));
    p = p.fma(r, FloatVector.broadcast(F, 1 / 120f));
    p = p.fma(r, FloatVector.broadcast(F, 1 / 24f));
    p = p.fma(r, FloatVector.broadcast(F, 1 / 6f));
    p = p.fma(r, FloatVector.broadcast(F, 0.5f));
    p = p.fma(r, FloatVector.broadcast(F, 1));
    p = p.fma(r, FloatVector.broadcast(F, 1));
    // A product, not a sum of bits: what is not a number stays that.
    FloatVector power =
        shifted
            .reinterpretAsInts()
            .lanewise(VectorOperators.LSHL, 23)
            .add(0x3f800000)
            .reinterpretAsFloats();
    return p.mul(power).blend(0, x.compare(VectorOperators.LT, -87.336f));
  }

  /** 2ˣ for −126 ≤ x ≤ 127; anything else gives anything. */
  static FloatVector power(FloatVector x) {
    FloatVector shifted = x.add(ROUND);
    FloatVector r = x.sub(shifted.sub(ROUND));
    // The series of e^(r ln 2).
    FloatVector p = FloatVector.broadcast(F, 1.5252734e-5f);
    p = p.fma(r, FloatVector.broadcast(F, 1.5403530e-4f));
    p = p.fma(r, FloatVector.broadcast(F, 1.3333558e-3f));
    p = p.fma(r, FloatVector.broadcast(F, 9.6181291e-3f));
    p = p.fma(r, FloatVector.broadcast(F, 5.5504109e-2f));
    p = p.fma(r, FloatVector.broadcast(F, 2.4022651e-1f));
    p = p.fma(r, FloatVector.broadcast(F, 6.9314718e-1f));
    p = p.fma(r, FloatVector.broadcast(F, 1));
    return p.reinterpretAsInts()
        .add(shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
        .reinterpretAsFloats();
  }
}
