package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import dev.ridgeline.tensor.kernel.AdamRates;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.VectorOperators;

/** The optimizer's step, which reads and writes everything once. */
final class Adam {
  /**
   * Means smaller than that are 0. Rows of a table whose ids are rare would come to rest below it,
   * where some processors take a hundred times as long.
   */
  private static final float LEAST = Float.MIN_NORMAL;

  private Adam() {}

  static void step(long p, long g, long m, long v, long count, AdamRates rates) {
    float factor = rates.factor;
    float beta1 = rates.beta1;
    float rest1 = rates.rest1;
    float beta2 = rates.beta2;
    float rest2 = rates.rest2;
    float keep = rates.keep;
    float rate = rates.rate;
    float root = rates.root;
    float epsilon = rates.epsilon;
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      FloatVector d = FloatVector.fromMemorySegment(F, ALL, g + 4 * i, LE).mul(factor);
      FloatVector mean =
          d.fma(
              FloatVector.broadcast(F, rest1),
              FloatVector.fromMemorySegment(F, ALL, m + 4 * i, LE).mul(beta1));
      mean = mean.blend(0, mean.abs().compare(VectorOperators.LT, LEAST));
      FloatVector squares =
          d.mul(d)
              .fma(
                  FloatVector.broadcast(F, rest2),
                  FloatVector.fromMemorySegment(F, ALL, v + 4 * i, LE).mul(beta2));
      squares = squares.blend(0, squares.compare(VectorOperators.LT, LEAST));
      mean.intoMemorySegment(ALL, m + 4 * i, LE);
      squares.intoMemorySegment(ALL, v + 4 * i, LE);
      FloatVector below =
          squares.sqrt().fma(FloatVector.broadcast(F, root), FloatVector.broadcast(F, epsilon));
      mean.div(below)
          .fma(
              FloatVector.broadcast(F, -rate),
              FloatVector.fromMemorySegment(F, ALL, p + 4 * i, LE).mul(keep))
          .intoMemorySegment(ALL, p + 4 * i, LE);
    }
    for (long i = whole; i < count; i++) {
      float d = Lanes.get(g + 4 * i) * factor;
      float mean = Math.fma(d, rest1, Lanes.get(m + 4 * i) * beta1);
      if (Math.abs(mean) < LEAST) mean = 0;
      float squares = Math.fma(d * d, rest2, Lanes.get(v + 4 * i) * beta2);
      if (squares < LEAST) squares = 0;
      Lanes.set(m + 4 * i, mean);
      Lanes.set(v + 4 * i, squares);
      float below = Math.fma((float) Math.sqrt(squares), root, epsilon);
      Lanes.set(p + 4 * i, Math.fma(mean / below, -rate, Lanes.get(p + 4 * i) * keep));
    }
  }
}
