package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

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

  /**
   * {@code exp(x − shift)} of whole vectors, for x − shift ≤ 88; beyond, it gives anything.
   *
   * @param out may be x
   */
  static void exp(long from, float shift, long out, long count) {
    for (long i = 0; i < count; i += COUNT) {
      FloatVector x = FloatVector.fromMemorySegment(F, ALL, from + 4 * i, LE).sub(shift);
      FloatVector shifted =
          x.fma(FloatVector.broadcast(F, LOG2_E), FloatVector.broadcast(F, ROUND));
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
      p.mul(power)
          .blend(0, x.compare(VectorOperators.LT, -87.336f))
          .intoMemorySegment(ALL, out + 4 * i, LE);
    }
  }
}
