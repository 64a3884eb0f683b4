package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.BYTES;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.FLOAT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;

/**
 * The micro-kernels of every product: {@code c[r][o] = init[r][o] + Σ x[r][k] · w[k][o]}, k in
 * order, one fma each, so that the size of the tile cannot be seen in the result.
 *
 * <p>They are flat for the JIT, and addresses are worked out before the first load of a turn: the
 * other way round C2 orders the loads so that the loop loses 6 %. Rows of x come rearranged as
 * {@code [k/16][8 rows][16 k]}: one stream that the cache fetches ahead, made without turning rows
 * into columns. Tiles are whole: where branches for missing rows make the method larger, C2 more
 * often fails to see what the last stores are of, and boxes their vectors.
 */
final class Tile {
  private Tile() {}

  /** Eight rows, two vectors of outputs: 16 accumulators, for machines with 32 vector registers. */
  static void eight(
      long w, long wStride, long x, int depth, long init, long initStride, long c, long cStride) {
    FloatVector a0 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b0 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a1 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b1 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a2 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b2 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a3 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b3 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a4 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b4 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a5 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b5 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a6 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b6 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a7 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b7 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    for (int k = 0; k < depth; k++) {
      long xk = x + ((long) (k & ~15) << 5) + ((k & 15) << 2);
      long wk = w + wStride * k;
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, wk, LE);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, wk + BYTES, LE);
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
      v = FloatVector.broadcast(F, ALL.get(FLOAT, xk + 256));
      a4 = v.fma(a, a4);
      b4 = v.fma(b, b4);
      v = FloatVector.broadcast(F, ALL.get(FLOAT, xk + 320));
      a5 = v.fma(a, a5);
      b5 = v.fma(b, b5);
      v = FloatVector.broadcast(F, ALL.get(FLOAT, xk + 384));
      a6 = v.fma(a, a6);
      b6 = v.fma(b, b6);
      v = FloatVector.broadcast(F, ALL.get(FLOAT, xk + 448));
      a7 = v.fma(a, a7);
      b7 = v.fma(b, b7);
    }
    long c1 = c + cStride;
    long c2 = c + 2 * cStride;
    long c3 = c + 3 * cStride;
    long c4 = c + 4 * cStride;
    long c5 = c + 5 * cStride;
    long c6 = c + 6 * cStride;
    long c7 = c + 7 * cStride;
    a0.intoMemorySegment(ALL, c, LE);
    b0.intoMemorySegment(ALL, c + BYTES, LE);
    a1.intoMemorySegment(ALL, c1, LE);
    b1.intoMemorySegment(ALL, c1 + BYTES, LE);
    a2.intoMemorySegment(ALL, c2, LE);
    b2.intoMemorySegment(ALL, c2 + BYTES, LE);
    a3.intoMemorySegment(ALL, c3, LE);
    b3.intoMemorySegment(ALL, c3 + BYTES, LE);
    a4.intoMemorySegment(ALL, c4, LE);
    b4.intoMemorySegment(ALL, c4 + BYTES, LE);
    a5.intoMemorySegment(ALL, c5, LE);
    b5.intoMemorySegment(ALL, c5 + BYTES, LE);
    a6.intoMemorySegment(ALL, c6, LE);
    b6.intoMemorySegment(ALL, c6 + BYTES, LE);
    a7.intoMemorySegment(ALL, c7, LE);
    b7.intoMemorySegment(ALL, c7 + BYTES, LE);
  }

  /** Four rows, two vectors of outputs: for 16 vector registers, and for the last rows. */
  static void four(
      long w, long wStride, long x, int depth, long init, long initStride, long c, long cStride) {
    FloatVector a0 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b0 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a1 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b1 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a2 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b2 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    init += initStride;
    FloatVector a3 = FloatVector.fromMemorySegment(F, ALL, init, LE);
    FloatVector b3 = FloatVector.fromMemorySegment(F, ALL, init + BYTES, LE);
    for (int k = 0; k < depth; k++) {
      long xk = x + ((long) (k & ~15) << 5) + ((k & 15) << 2);
      long wk = w + wStride * k;
      FloatVector a = FloatVector.fromMemorySegment(F, ALL, wk, LE);
      FloatVector b = FloatVector.fromMemorySegment(F, ALL, wk + BYTES, LE);
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
    long c1 = c + cStride;
    long c2 = c + 2 * cStride;
    long c3 = c + 3 * cStride;
    a0.intoMemorySegment(ALL, c, LE);
    b0.intoMemorySegment(ALL, c + BYTES, LE);
    a1.intoMemorySegment(ALL, c1, LE);
    b1.intoMemorySegment(ALL, c1 + BYTES, LE);
    a2.intoMemorySegment(ALL, c2, LE);
    b2.intoMemorySegment(ALL, c2 + BYTES, LE);
    a3.intoMemorySegment(ALL, c3, LE);
    b3.intoMemorySegment(ALL, c3 + BYTES, LE);
  }

  /** How many panels {@link #row} covers with its eight vectors. */
  static final int ROW_PANELS = Math.max(1, Lanes.COUNT / 4);

  /**
   * One row of x as it lies, eight vectors of outputs, so that eight sums are under way at a time.
   *
   * @param w the first panel's weights; panels past the last repeat it
   * @param panelStride bytes between panels
   * @param c the outputs, one panel after the other
   */
  static void row(long w, long panelStride, int panels, long x, int depth, long c) {
    long w0 = group(w, panelStride, panels, 0);
    long w1 = group(w, panelStride, panels, 1);
    long w2 = group(w, panelStride, panels, 2);
    long w3 = group(w, panelStride, panels, 3);
    long w4 = group(w, panelStride, panels, 4);
    long w5 = group(w, panelStride, panels, 5);
    long w6 = group(w, panelStride, panels, 6);
    long w7 = group(w, panelStride, panels, 7);
    FloatVector a0 = FloatVector.fromMemorySegment(F, ALL, c, LE);
    FloatVector a1 = FloatVector.fromMemorySegment(F, ALL, c + 1 * BYTES, LE);
    FloatVector a2 = FloatVector.fromMemorySegment(F, ALL, c + 2 * BYTES, LE);
    FloatVector a3 = FloatVector.fromMemorySegment(F, ALL, c + 3 * BYTES, LE);
    FloatVector a4 = FloatVector.fromMemorySegment(F, ALL, c + 4 * BYTES, LE);
    FloatVector a5 = FloatVector.fromMemorySegment(F, ALL, c + 5 * BYTES, LE);
    FloatVector a6 = FloatVector.fromMemorySegment(F, ALL, c + 6 * BYTES, LE);
    FloatVector a7 = FloatVector.fromMemorySegment(F, ALL, c + 7 * BYTES, LE);
    for (int k = 0; k < depth; k++) {
      FloatVector v = FloatVector.broadcast(F, ALL.get(FLOAT, x + 4L * k));
      long at = 128L * k;
      a0 = v.fma(FloatVector.fromMemorySegment(F, ALL, w0 + at, LE), a0);
      a1 = v.fma(FloatVector.fromMemorySegment(F, ALL, w1 + at, LE), a1);
      a2 = v.fma(FloatVector.fromMemorySegment(F, ALL, w2 + at, LE), a2);
      a3 = v.fma(FloatVector.fromMemorySegment(F, ALL, w3 + at, LE), a3);
      a4 = v.fma(FloatVector.fromMemorySegment(F, ALL, w4 + at, LE), a4);
      a5 = v.fma(FloatVector.fromMemorySegment(F, ALL, w5 + at, LE), a5);
      a6 = v.fma(FloatVector.fromMemorySegment(F, ALL, w6 + at, LE), a6);
      a7 = v.fma(FloatVector.fromMemorySegment(F, ALL, w7 + at, LE), a7);
    }
    a0.intoMemorySegment(ALL, c, LE);
    a1.intoMemorySegment(ALL, c + 1 * BYTES, LE);
    a2.intoMemorySegment(ALL, c + 2 * BYTES, LE);
    a3.intoMemorySegment(ALL, c + 3 * BYTES, LE);
    a4.intoMemorySegment(ALL, c + 4 * BYTES, LE);
    a5.intoMemorySegment(ALL, c + 5 * BYTES, LE);
    a6.intoMemorySegment(ALL, c + 6 * BYTES, LE);
    a7.intoMemorySegment(ALL, c + 7 * BYTES, LE);
  }

  /** The address of a vector's weights, for {@link #row}. */
  private static long group(long w, long panelStride, int panels, int group) {
    int column = group * Lanes.COUNT;
    int panel = Math.min(column / 32, panels - 1);
    return w + panel * panelStride + 4L * (column % 32);
  }
}
