package dev.ridgeline.tensor.kernel.assembled;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.assembled.Elementwise.Operation;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Locale;

/** Operations on rows, part by part: safepoints wait for a call. */
final class Rows {
  /** Numbers in a call at most: some 50 µs. */
  private static final int CALL = 1 << 17;

  // Constants, which is what makes a call cheap; each is assembled when it is first needed.

  static final class Add {
    static final Function CODE = elementwise(Operation.ADD);
  }

  static final class Scale {
    static final Function CODE = elementwise(Operation.SCALE);
  }

  static final class Gelu {
    static final Function CODE = elementwise(Operation.GELU);
  }

  static final class GeluTanh {
    static final Function CODE = elementwise(Operation.GELU_TANH);
  }

  static final class Geglu {
    static final Function CODE = elementwise(Operation.GEGLU);
  }

  static final class Swiglu {
    static final Function CODE = elementwise(Operation.SWIGLU);
  }

  static final class LayerNorm {
    static final Function CODE = Code.of("layer-norm-avx512", RowNorm.code(true));
  }

  static final class RmsNorm {
    static final Function CODE = Code.of("rms-norm-avx512", RowNorm.code(false));
  }

  static final class TurnHalves {
    static final Function CODE = rotation(Pairing.HALVES);
  }

  static final class TurnNeighbours {
    static final Function CODE = rotation(Pairing.NEIGHBOURS);
  }

  private static final MemorySegment TABLE =
      Arena.global().allocate(4L * Rotation.table().length, Memory.ALIGNMENT);

  static {
    MemorySegment.copy(Rotation.table(), 0, TABLE, JAVA_INT, 0, Rotation.table().length);
  }

  private Rows() {}

  private static Function rotation(Pairing pairing) {
    String word = pairing.name().toLowerCase(Locale.ROOT);
    return Code.of("rope-" + word + "-avx512", Rotation.code(pairing));
  }

  private static Function elementwise(Operation operation) {
    String word = operation.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return Code.of(word + "-avx512", Elementwise.code(operation));
  }

  static void add(long a, long b, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      Add.CODE.call(a + 4 * from, b + 4 * from, out + 4 * from, part);
    }
  }

  static void scale(long a, float factor, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      long bits = Float.floatToRawIntBits(factor);
      Scale.CODE.call(a + 4 * from, bits, out + 4 * from, part);
    }
  }

  /** Rows are added in their order. */
  static void mean(long x, long stride, int rows, int width, long out) {
    scale(x, 1, out, width);
    for (int row = 1; row < rows; row++) add(out, x + row * stride, out, width);
    scale(out, 1f / rows, out, width);
  }

  static void gelu(long x, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      Gelu.CODE.call(x + 4 * from, 0, out + 4 * from, part);
    }
  }

  static void geluTanh(long x, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      GeluTanh.CODE.call(x + 4 * from, 0, out + 4 * from, part);
    }
  }

  static void geglu(long gate, long up, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      Geglu.CODE.call(gate + 4 * from, up + 4 * from, out + 4 * from, part);
    }
  }

  static void swiglu(long gate, long up, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      Swiglu.CODE.call(gate + 4 * from, up + 4 * from, out + 4 * from, part);
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
      LayerNorm.CODE.call(
          x + xStride * row,
          xStride,
          out + outStride * row,
          outStride,
          part,
          width,
          weight,
          bias,
          Float.floatToRawIntBits(epsilon),
          Float.floatToRawIntBits(1f / width));
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
      RmsNorm.CODE.call(
          x + xStride * row,
          xStride,
          out + outStride * row,
          outStride,
          part,
          width,
          weight,
          0,
          Float.floatToRawIntBits(epsilon),
          Float.floatToRawIntBits(1f / width));
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
      if (pairing == Pairing.HALVES) {
        TurnHalves.CODE.call(at, stride, part, heads, 4L * width, turned / 2L, angles, where, 0, 0);
      } else {
        TurnNeighbours.CODE.call(
            at, stride, part, heads, 4L * width, turned / 2L, angles, where, TABLE.address(), 0);
      }
    }
  }
}
