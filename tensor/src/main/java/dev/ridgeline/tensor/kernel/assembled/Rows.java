package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.assembled.Elementwise.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/** Operations on rows, part by part: safepoints wait for a call. */
final class Rows {
  /** Numbers in a call at most: some 50 µs. */
  private static final int CALL = 1 << 17;

  // Constants, which is what makes a call cheap; each is assembled when it is first needed.

  static final class Add {
    static final MethodHandle CODE = elementwise(Operation.ADD);
  }

  static final class Scale {
    static final MethodHandle CODE = elementwise(Operation.SCALE);
  }

  static final class Gelu {
    static final MethodHandle CODE = elementwise(Operation.GELU);
  }

  static final class GeluTanh {
    static final MethodHandle CODE = elementwise(Operation.GELU_TANH);
  }

  static final class Geglu {
    static final MethodHandle CODE = elementwise(Operation.GEGLU);
  }

  static final class Swiglu {
    static final MethodHandle CODE = elementwise(Operation.SWIGLU);
  }

  static final class LayerNorm {
    static final MethodHandle CODE = Code.of("layer-norm-avx512", RowNorm.code(true), 10);
  }

  static final class RmsNorm {
    static final MethodHandle CODE = Code.of("rms-norm-avx512", RowNorm.code(false), 10);
  }

  static final class TurnHalves {
    static final MethodHandle CODE = rotation(Pairing.HALVES);
  }

  static final class TurnNeighbours {
    static final MethodHandle CODE = rotation(Pairing.NEIGHBOURS);
  }

  private static final MemorySegment TABLE =
      Arena.global().allocate(4L * Rotation.table().length, Memory.ALIGNMENT);

  static {
    MemorySegment.copy(Rotation.table(), 0, TABLE, JAVA_INT, 0, Rotation.table().length);
  }

  private Rows() {}

  private static MethodHandle rotation(Pairing pairing) {
    String word = pairing.name().toLowerCase(Locale.ROOT);
    return Code.of("rope-" + word + "-avx512", Rotation.code(pairing), 9);
  }

  private static MethodHandle elementwise(Operation operation) {
    String word = operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return Code.of(word + "-avx512", Elementwise.code(operation), 4);
  }

  static void add(long a, long b, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      try {
        Add.CODE.invokeExact(a + 4 * from, b + 4 * from, out + 4 * from, part);
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void scale(long a, float factor, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      long bits = Float.floatToRawIntBits(factor);
      try {
        Scale.CODE.invokeExact(a + 4 * from, bits, out + 4 * from, part);
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void gelu(long x, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      try {
        Gelu.CODE.invokeExact(x + 4 * from, 0L, out + 4 * from, part);
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void geluTanh(long x, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      try {
        GeluTanh.CODE.invokeExact(x + 4 * from, 0L, out + 4 * from, part);
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void geglu(long gate, long up, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      try {
        Geglu.CODE.invokeExact(gate + 4 * from, up + 4 * from, out + 4 * from, part);
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void swiglu(long gate, long up, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      try {
        Swiglu.CODE.invokeExact(gate + 4 * from, up + 4 * from, out + 4 * from, part);
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void layerNorm(
      long x,
      long xStride,
      long weight,
      long bias,
      float epsilon,
      long out,
      long outStride,
      int width,
      int rows) {
    int most = Math.max(1, CALL / width);
    for (int row = 0; row < rows; row += most) {
      long part = Math.min(most, rows - row);
      try {
        LayerNorm.CODE.invokeExact(
            x + xStride * row,
            xStride,
            out + outStride * row,
            outStride,
            part,
            (long) width,
            weight,
            bias,
            (long) Float.floatToRawIntBits(epsilon),
            (long) Float.floatToRawIntBits(1f / width));
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void rmsNorm(
      long x,
      long xStride,
      long weight,
      float epsilon,
      long out,
      long outStride,
      int width,
      int rows) {
    int most = Math.max(1, CALL / width);
    for (int row = 0; row < rows; row += most) {
      long part = Math.min(most, rows - row);
      try {
        RmsNorm.CODE.invokeExact(
            x + xStride * row,
            xStride,
            out + outStride * row,
            outStride,
            part,
            (long) width,
            weight,
            0L,
            (long) Float.floatToRawIntBits(epsilon),
            (long) Float.floatToRawIntBits(1f / width));
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }

  static void rope(
      long x,
      long stride,
      int heads,
      int width,
      int turned,
      Pairing pairing,
      long angles,
      long positions,
      int rows) {
    int most = Math.max(1, CALL / (heads * width));
    for (int row = 0; row < rows; row += most) {
      long part = Math.min(most, rows - row);
      long at = x + stride * row;
      long where = positions + 4L * row;
      try {
        if (pairing == Pairing.HALVES) {
          TurnHalves.CODE.invokeExact(
              at, stride, part, (long) heads, 4L * width, turned / 2L, angles, where, 0L);
        } else {
          TurnNeighbours.CODE.invokeExact(
              at,
              stride,
              part,
              (long) heads,
              4L * width,
              turned / 2L,
              angles,
              where,
              TABLE.address());
        }
      } catch (Throwable e) {
        throw Code.passed(e);
      }
    }
  }
}
