package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.COUNT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.FLOAT;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;

/** Columns times columns: the gradients of matrices. Rows in order, one fma each. */
final class MatrixGradient {
  private MatrixGradient() {}

  /** All strides in bytes. */
  static void multiply(
      long a,
      long aRow,
      int columns,
      long b,
      long bRow,
      int rows,
      int width,
      long out,
      long outRow,
      boolean add) {
    int whole = Lanes.whole(width);
    if (!add) {
      for (int c = 0; c < columns; c++) zero(out + outRow * c, width);
    }
    for (int k = 0; k < whole; k += COUNT) {
      int c = 0;
      for (; c + 4 <= columns; c += 4) {
        four(a + 4L * c, aRow, b + 4L * k, bRow, rows, out + outRow * c + 4L * k, outRow);
      }
      for (; c < columns; c++) {
        one(a + 4L * c, aRow, b + 4L * k, bRow, rows, out + outRow * c + 4L * k);
      }
    }
    for (int c = 0; c < columns; c++) {
      for (int k = whole; k < width; k++) {
        long to = out + outRow * c + 4L * k;
        Lanes.set(to, number(a + 4L * c, aRow, b + 4L * k, bRow, rows, Lanes.get(to)));
      }
    }
  }

  private static void zero(long at, int count) {
    for (int i = 0; i < count; i++) Lanes.set(at + 4L * i, 0);
  }

  private static void four(long a, long aRow, long b, long bRow, int rows, long out, long outRow) {
    FloatVector s0 = FloatVector.fromMemorySegment(F, ALL, out, LE);
    FloatVector s1 = FloatVector.fromMemorySegment(F, ALL, out + outRow, LE);
    FloatVector s2 = FloatVector.fromMemorySegment(F, ALL, out + 2 * outRow, LE);
    FloatVector s3 = FloatVector.fromMemorySegment(F, ALL, out + 3 * outRow, LE);
    for (int r = 0; r < rows; r++) {
      long at = a + aRow * r;
      FloatVector v = FloatVector.fromMemorySegment(F, ALL, b + bRow * r, LE);
      s0 = v.fma(FloatVector.broadcast(F, ALL.get(FLOAT, at)), s0);
      s1 = v.fma(FloatVector.broadcast(F, ALL.get(FLOAT, at + 4)), s1);
      s2 = v.fma(FloatVector.broadcast(F, ALL.get(FLOAT, at + 8)), s2);
      s3 = v.fma(FloatVector.broadcast(F, ALL.get(FLOAT, at + 12)), s3);
    }
    s0.intoMemorySegment(ALL, out, LE);
    s1.intoMemorySegment(ALL, out + outRow, LE);
    s2.intoMemorySegment(ALL, out + 2 * outRow, LE);
    s3.intoMemorySegment(ALL, out + 3 * outRow, LE);
  }

  private static void one(long a, long aRow, long b, long bRow, int rows, long out) {
    FloatVector sum = FloatVector.fromMemorySegment(F, ALL, out, LE);
    for (int r = 0; r < rows; r++) {
      FloatVector each = FloatVector.broadcast(F, ALL.get(FLOAT, a + aRow * r));
      sum = FloatVector.fromMemorySegment(F, ALL, b + bRow * r, LE).fma(each, sum);
    }
    sum.intoMemorySegment(ALL, out, LE);
  }

  private static float number(long a, long aRow, long b, long bRow, int rows, float begin) {
    float sum = begin;
    for (int r = 0; r < rows; r++) {
      sum = Math.fma(Lanes.get(a + aRow * r), Lanes.get(b + bRow * r), sum);
    }
    return sum;
  }
}
