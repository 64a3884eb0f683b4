package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.B;
import static dev.ridgeline.tensor.kernel.vector.Lanes.I;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import dev.ridgeline.tensor.quant.NibbleTable;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;
import jdk.incubator.vector.VectorSpecies;

/**
 * Decodes digits that stand for the numbers of a table: to bytes, which then are levels of Q8_0.
 */
final class TableDecoding {
  static final byte[] NON_LINEAR = NibbleTable.NON_LINEAR.bytes();
  static final byte[] FLOAT = NibbleTable.FLOAT.bytes();

  /** As many as a table has, whatever the width of other vectors: one instruction everywhere. */
  private static final VectorSpecies<Byte> SIXTEEN = ByteVector.SPECIES_128;

  private TableDecoding() {}

  /**
   * @param pairs of digits: 16 × 32 of them
   * @param levels where 32 × 32 bytes are put
   */
  static void levels(byte[] table, long pairs, long levels) {
    ByteVector values = ByteVector.fromArray(SIXTEEN, table, 0);
    for (int i = 0; i < 16 * PANEL; i += 16) {
      ByteVector pair = ByteVector.fromMemorySegment(SIXTEEN, ALL, pairs + i, LE);
      pair.and((byte) 15).selectFrom(values).intoMemorySegment(ALL, levels + i, LE);
      // Bytes are shifted as words: see Decoding.
      pair.reinterpretAsInts()
          .lanewise(VectorOperators.LSHR, 4)
          .and(0x0f0f0f0f)
          .reinterpretAsBytes()
          .selectFrom(values)
          .intoMemorySegment(ALL, levels + 16 * PANEL + i, LE);
    }
  }

  /** MXFP4's 2^(e − 128), as a product of two: one alone could be subnormal. */
  static void powers(long exponents, long line) {
    for (int o = 0; o < PANEL; o += Lanes.COUNT) {
      IntVector e =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, exponents + o, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      IntVector half = e.lanewise(VectorOperators.LSHR, 1);
      FloatVector first = half.add(63).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
      FloatVector second =
          e.sub(half).add(63).lanewise(VectorOperators.LSHL, 23).reinterpretAsFloats();
      first.mul(second).intoMemorySegment(ALL, line + 4L * o, LE);
    }
  }
}
