package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.kernel.vector.Lanes.all;

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

  /** eˣ. */
  static FloatVector exp(FloatVector x) {
    FloatVector shifted = x.fma(all(LOG2_E), all(ROUND));
    FloatVector n = shifted.sub(ROUND);
    FloatVector r = n.fma(all(-LN2_LOW), n.fma(all(-LN2_HIGH), x));
    FloatVector p = all(1 / 5040f);
    p = p.fma(r, all(1 / 720f));
    p = p.fma(r, all(1 / 120f));
    p = p.fma(r, all(1 / 24f));
    p = p.fma(r, all(1 / 6f));
    p = p.fma(r, all(0.5f));
    p = p.fma(r, all(1));
    p = p.fma(r, all(1));
    FloatVector y =
        p.reinterpretAsInts()
            .add(shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
            .reinterpretAsFloats();
    return y.blend(0, x.compare(VectorOperators.LT, -87.336f))
        .blend(Float.POSITIVE_INFINITY, x.compare(VectorOperators.GT, 88.7228f))
        .blend(x, x.test(VectorOperators.IS_NAN));
  }

  /** 2ˣ for −126 ≤ x ≤ 127; anything else gives anything. */
  static FloatVector power(FloatVector x) {
    FloatVector shifted = x.add(ROUND);
    FloatVector r = x.sub(shifted.sub(ROUND));
    // The series of e^(r ln 2).
    FloatVector p = all(1.5252734e-5f);
    p = p.fma(r, all(1.5403530e-4f));
    p = p.fma(r, all(1.3333558e-3f));
    p = p.fma(r, all(9.6181291e-3f));
    p = p.fma(r, all(5.5504109e-2f));
    p = p.fma(r, all(2.4022651e-1f));
    p = p.fma(r, all(6.9314718e-1f));
    p = p.fma(r, all(1));
    return p.reinterpretAsInts()
        .add(shifted.reinterpretAsInts().lanewise(VectorOperators.LSHL, 23))
        .reinterpretAsFloats();
  }
}
