package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.I;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;
import static dev.ridgeline.tensor.kernel.vector.Lanes.S;

import dev.ridgeline.tensor.quant.Bf16Float;
import java.lang.foreign.ValueLayout;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.ShortVector;
import jdk.incubator.vector.VectorMask;
import jdk.incubator.vector.VectorOperators;

/** Numbers as their upper halves, rounded, and back. */
final class Bf16Halves {
  /** Just below half of what the last bit that stays is worth. */
  private static final int ALMOST_HALF = 0x7FFF;

  /** A NaN stays one though its lower half goes. */
  private static final int QUIET = 1 << 22;

  private Bf16Halves() {}

  static void round(long halves, long x, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      FloatVector numbers = FloatVector.fromMemorySegment(F, ALL, x + 4 * i, LE);
      IntVector bits = numbers.reinterpretAsInts();
      IntVector odd = bits.lanewise(VectorOperators.LSHR, 16).and(1);
      VectorMask<Integer> nan = numbers.test(VectorOperators.IS_NAN).cast(I);
      IntVector rounded = bits.add(ALMOST_HALF).add(odd).blend(bits.or(QUIET), nan);
      ((ShortVector)
              rounded.lanewise(VectorOperators.LSHR, 16).convertShape(VectorOperators.I2S, S, 0))
          .intoMemorySegment(ALL, halves + 2 * i, LE);
    }
    for (long i = whole; i < count; i++) {
      ALL.set(ValueLayout.JAVA_SHORT, halves + 2 * i, Bf16Float.of(Lanes.get(x + 4 * i)));
    }
  }

  static void widen(long x, long halves, long count) {
    long whole = Lanes.whole(count);
    for (long i = 0; i < whole; i += COUNT) {
      ((IntVector)
              ShortVector.fromMemorySegment(S, ALL, halves + 2 * i, LE)
                  .convertShape(VectorOperators.S2I, I, 0))
          .lanewise(VectorOperators.LSHL, 16)
          .reinterpretAsFloats()
          .intoMemorySegment(ALL, x + 4 * i, LE);
    }
    for (long i = whole; i < count; i++) {
      Lanes.set(x + 4 * i, Bf16Float.toFloat(ALL.get(ValueLayout.JAVA_SHORT, halves + 2 * i)));
    }
  }
}
