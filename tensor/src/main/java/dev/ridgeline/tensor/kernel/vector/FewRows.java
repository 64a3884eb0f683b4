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
import jdk.incubator.vector.VectorOperators;

/**
 * Up to four rows times a matrix of Q8_0 as it is packed: as {@link SingleRow}, with the bits of
 * {@link Tile}. Weights are decoded once for all rows, in registers, while the next ones come from
 * memory. With eight rows at a time it was no faster than decoding first. Flat for the JIT.
 */
final class FewRows {
  static final int MOST = 4;

  private static final int LINE = 4 * PANEL;

  /** What eight rows, which they are filled up to, have room for where otherwise 128 are. */
  private static final int DEPTH = Scratch.ROWS / 8 * Scratch.DEPTH;

  private FewRows() {}

  static boolean knows(TensorType type) {
    return type == TensorType.Q8_0;
  }

  static void multiply(
      Scratch scratch,
      Matrix matrix,
      long x,
      long xRow,
      int rows,
      int panelFrom,
      int panelTo,
      long bias,
      long out,
      long outRow) {
    int inputs = matrix.inputs();
    for (int from = 0; from < inputs; from += DEPTH) {
      int depth = Math.min(DEPTH, inputs - from);
      Product.rearrange(x + 4L * from, xRow, rows, depth, scratch.x);
      for (int panel = panelFrom; panel < panelTo; panel++) {
        int columns = Math.min(PANEL, matrix.outputs() - panel * PANEL);
        long target = out + (long) panel * LINE;
        if (from == 0) {
          long init = bias == 0 ? scratch.zeros : bias + (long) panel * LINE;
          Product.copy(init, 0, scratch.out, LINE, rows, columns);
        } else {
          Product.copy(target, outRow, scratch.out, LINE, rows, columns);
        }
        sum(scratch, matrix.packed(panel) + from / 32 * BLOCK, depth);
        Product.copy(scratch.out, LINE, target, outRow, rows, columns);
      }
    }
  }

  private static final long BLOCK = Packing.blockBytes(TensorType.Q8_0);

  /** Tiles are whole: what repeated rows and columns past the last give is not stored. */
  private static void sum(Scratch scratch, long block, int depth) {
    for (int k = 0; k < depth; k += 32) {
      Decoding.halves(block, PANEL, scratch.scales);
      long x = scratch.x + 32L * k;
      for (int column = 0; column < PANEL; column += 2 * COUNT) {
        long levels = block + 2 * PANEL + column;
        long scales = scratch.scales + 4L * column;
        long c = scratch.out + 4L * column;
        four(levels, scales, x, c);
      }
      block += BLOCK;
    }
  }

  /** Four rows, two vectors of outputs. */
  private static void four(long levels, long scales, long x, long c) {
    FloatVector s = FloatVector.fromMemorySegment(F, ALL, scales, LE);
    FloatVector t = FloatVector.fromMemorySegment(F, ALL, scales + BYTES, LE);
    FloatVector a0 = FloatVector.fromMemorySegment(F, ALL, c, LE);
    FloatVector b0 = FloatVector.fromMemorySegment(F, ALL, c + BYTES, LE);
    FloatVector a1 = FloatVector.fromMemorySegment(F, ALL, c + LINE, LE);
    FloatVector b1 = FloatVector.fromMemorySegment(F, ALL, c + LINE + BYTES, LE);
    FloatVector a2 = FloatVector.fromMemorySegment(F, ALL, c + 2 * LINE, LE);
    FloatVector b2 = FloatVector.fromMemorySegment(F, ALL, c + 2 * LINE + BYTES, LE);
    FloatVector a3 = FloatVector.fromMemorySegment(F, ALL, c + 3 * LINE, LE);
    FloatVector b3 = FloatVector.fromMemorySegment(F, ALL, c + 3 * LINE + BYTES, LE);
    for (int k = 0; k < 32; k++) {
      FloatVector a =
          (FloatVector)
              ByteVector.fromMemorySegment(B, ALL, levels + 32L * k, LE)
                  .convertShape(VectorOperators.B2I, I, 0)
                  .convert(VectorOperators.I2F, 0);
      a = a.mul(s);
      FloatVector b =
          (FloatVector)
              ByteVector.fromMemorySegment(B, ALL, levels + 32L * k + COUNT, LE)
                  .convertShape(VectorOperators.B2I, I, 0)
                  .convert(VectorOperators.I2F, 0);
      b = b.mul(t);
      long xk = x + ((k & 16) << 5) + ((k & 15) << 2);
      FloatVector v = FloatVector.broadcast(F, ALL.get(FLOAT, xk));
      a0 = v.fma(a, a0);
      b0 = v.fma(b, b0);
      v = FloatVector.broadcast(F, ALL.get(FLOAT, xk + 64));
      a1 = v.fma(a, a1);
      b1 = v.fma(b, b1);
      v = FloatVector.broadcast(F, ALL.get(FLOAT, xk + 128));
      a2 = v.fma(a, a2);
      b2 = v.fma(b, b2);
      v = FloatVector.broadcast(F, ALL.get(FLOAT, xk + 192));
      a3 = v.fma(a, a3);
      b3 = v.fma(b, b3);
    }
    a0.intoMemorySegment(ALL, c, LE);
    b0.intoMemorySegment(ALL, c + BYTES, LE);
    a1.intoMemorySegment(ALL, c + LINE, LE);
    b1.intoMemorySegment(ALL, c + LINE + BYTES, LE);
    a2.intoMemorySegment(ALL, c + 2 * LINE, LE);
    b2.intoMemorySegment(ALL, c + 2 * LINE + BYTES, LE);
    a3.intoMemorySegment(ALL, c + 3 * LINE, LE);
    b3.intoMemorySegment(ALL, c + 3 * LINE + BYTES, LE);
  }
}
