package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.B;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.FLOAT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.I;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import dev.ridgeline.tensor.TensorType;
import jdk.incubator.vector.ByteVector;
import jdk.incubator.vector.FloatVector;
import jdk.incubator.vector.IntVector;
import jdk.incubator.vector.VectorOperators;

/**
 * One row times a matrix of the types that decoders mostly are: what {@link Decoding} would write
 * to memory goes into the sum at once, in the same order and with the same roundings, so that a row
 * has the same bits as among others. The memory of the weights is read as one stream.
 *
 * <p>Four vectors of outputs, so that four sums are under way at a time; flat for the JIT.
 */
final class SingleRow {
  private static final int WIDTH = 4 * COUNT;

  private SingleRow() {}

  static boolean knows(TensorType type) {
    return type == TensorType.Q8_0 || type == TensorType.Q4_0;
  }

  static void multiply(
      Scratch scratch, Matrix matrix, long x, int panelFrom, int panelTo, long bias, long out) {
    int end = Math.min(panelTo * PANEL, matrix.outputs());
    long c = scratch.out;
    for (int column = panelFrom * PANEL; column < end; column += WIDTH) {
      int columns = Math.min(WIDTH, end - column);
      if (bias == 0) Softmax.zero(c, columns);
      else Lanes.copy(bias + 4L * column, c, columns);
      sum(matrix, x, column, panelTo, scratch.scales, c);
      Lanes.copy(c, out + 4L * column, columns);
    }
  }

  private static void sum(Matrix matrix, long x, int column, int panelTo, long scales, long c) {
    TensorType type = matrix.type();
    int step = Packing.blockBytes(type);
    // Vectors may reach over two panels. One past the last is not stored: it repeats the last.
    int panel = column / PANEL;
    long first = matrix.packed(panel);
    long second = matrix.packed(Math.min(panel + 1, panelTo - 1));
    long ownScales = scales + 4L * (column % PANEL);
    for (int k = 0; k < matrix.inputs(); k += 32) {
      Decoding.halves(first, PANEL, scales);
      if (WIDTH > PANEL) Decoding.halves(second, PANEL, scales + 4L * PANEL);
      long l0 = levels(first, second, column, 0);
      long l1 = levels(first, second, column, 1);
      long l2 = levels(first, second, column, 2);
      long l3 = levels(first, second, column, 3);
      if (type == TensorType.Q8_0) eight(l0, l1, l2, l3, ownScales, x + 4L * k, c);
      else four(l0, l1, l2, l3, ownScales, x + 4L * k, c);
      first += step;
      second += step;
    }
  }

  /** Where a vector's levels begin in the block; they lie behind 32 scales of f16. */
  private static long levels(long first, long second, int column, int vector) {
    int at = column % PANEL + vector * COUNT;
    return (at < PANEL ? first : second) + 2 * PANEL + at % PANEL;
  }

  /** Q8_0. */
  private static void eight(long l0, long l1, long l2, long l3, long scales, long x, long c) {
    FloatVector s0 = FloatVector.fromMemorySegment(F, ALL, scales, LE);
    FloatVector s1 = FloatVector.fromMemorySegment(F, ALL, scales + BYTES, LE);
    FloatVector s2 = FloatVector.fromMemorySegment(F, ALL, scales + 2 * BYTES, LE);
    FloatVector s3 = FloatVector.fromMemorySegment(F, ALL, scales + 3 * BYTES, LE);
    FloatVector a0 = FloatVector.fromMemorySegment(F, ALL, c, LE);
    FloatVector a1 = FloatVector.fromMemorySegment(F, ALL, c + BYTES, LE);
    FloatVector a2 = FloatVector.fromMemorySegment(F, ALL, c + 2 * BYTES, LE);
    FloatVector a3 = FloatVector.fromMemorySegment(F, ALL, c + 3 * BYTES, LE);
    for (int k = 0; k < 32; k++) {
      long at = 32L * k;
      FloatVector v = FloatVector.broadcast(F, ALL.get(FLOAT, x + 4L * k));
      FloatVector w =
          (FloatVector)
              ByteVector.fromMemorySegment(B, ALL, l0 + at, LE)
                  .convertShape(VectorOperators.B2I, I, 0)
                  .convert(VectorOperators.I2F, 0);
      a0 = v.fma(w.mul(s0), a0);
      w =
          (FloatVector)
              ByteVector.fromMemorySegment(B, ALL, l1 + at, LE)
                  .convertShape(VectorOperators.B2I, I, 0)
                  .convert(VectorOperators.I2F, 0);
      a1 = v.fma(w.mul(s1), a1);
      w =
          (FloatVector)
              ByteVector.fromMemorySegment(B, ALL, l2 + at, LE)
                  .convertShape(VectorOperators.B2I, I, 0)
                  .convert(VectorOperators.I2F, 0);
      a2 = v.fma(w.mul(s2), a2);
      w =
          (FloatVector)
              ByteVector.fromMemorySegment(B, ALL, l3 + at, LE)
                  .convertShape(VectorOperators.B2I, I, 0)
                  .convert(VectorOperators.I2F, 0);
      a3 = v.fma(w.mul(s3), a3);
    }
    a0.intoMemorySegment(ALL, c, LE);
    a1.intoMemorySegment(ALL, c + BYTES, LE);
    a2.intoMemorySegment(ALL, c + 2 * BYTES, LE);
    a3.intoMemorySegment(ALL, c + 3 * BYTES, LE);
  }

  /** Q4_0: the low halves of 16 pairs, then the high ones. */
  private static void four(long l0, long l1, long l2, long l3, long scales, long x, long c) {
    FloatVector s0 = FloatVector.fromMemorySegment(F, ALL, scales, LE);
    FloatVector s1 = FloatVector.fromMemorySegment(F, ALL, scales + BYTES, LE);
    FloatVector s2 = FloatVector.fromMemorySegment(F, ALL, scales + 2 * BYTES, LE);
    FloatVector s3 = FloatVector.fromMemorySegment(F, ALL, scales + 3 * BYTES, LE);
    FloatVector o0 = s0.mul(-8);
    FloatVector o1 = s1.mul(-8);
    FloatVector o2 = s2.mul(-8);
    FloatVector o3 = s3.mul(-8);
    FloatVector a0 = FloatVector.fromMemorySegment(F, ALL, c, LE);
    FloatVector a1 = FloatVector.fromMemorySegment(F, ALL, c + BYTES, LE);
    FloatVector a2 = FloatVector.fromMemorySegment(F, ALL, c + 2 * BYTES, LE);
    FloatVector a3 = FloatVector.fromMemorySegment(F, ALL, c + 3 * BYTES, LE);
    for (int k = 0; k < 32; k++) {
      long at = 32L * (k & 15);
      int shift = k >> 4 << 2;
      FloatVector v = FloatVector.broadcast(F, ALL.get(FLOAT, x + 4L * k));
      IntVector w =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, l0 + at, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      w = w.lanewise(VectorOperators.LSHR, shift).and(15);
      a0 = v.fma(((FloatVector) w.convert(VectorOperators.I2F, 0)).fma(s0, o0), a0);
      w =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, l1 + at, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      w = w.lanewise(VectorOperators.LSHR, shift).and(15);
      a1 = v.fma(((FloatVector) w.convert(VectorOperators.I2F, 0)).fma(s1, o1), a1);
      w =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, l2 + at, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      w = w.lanewise(VectorOperators.LSHR, shift).and(15);
      a2 = v.fma(((FloatVector) w.convert(VectorOperators.I2F, 0)).fma(s2, o2), a2);
      w =
          (IntVector)
              ByteVector.fromMemorySegment(B, ALL, l3 + at, LE)
                  .convertShape(VectorOperators.ZERO_EXTEND_B2I, I, 0);
      w = w.lanewise(VectorOperators.LSHR, shift).and(15);
      a3 = v.fma(((FloatVector) w.convert(VectorOperators.I2F, 0)).fma(s3, o3), a3);
    }
    a0.intoMemorySegment(ALL, c, LE);
    a1.intoMemorySegment(ALL, c + BYTES, LE);
    a2.intoMemorySegment(ALL, c + 2 * BYTES, LE);
    a3.intoMemorySegment(ALL, c + 3 * BYTES, LE);
  }
}
