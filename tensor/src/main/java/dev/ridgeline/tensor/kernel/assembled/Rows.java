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

  /** Names of emitters, so that a start loads only those that it needs. */
  private enum Kernel implements Emitter {
    ADD,
    SCALE,
    GELU,
    GELU_TANH,
    GEGLU,
    SWIGLU,
    LAYER_NORM,
    ADD_LAYER_NORM,
    RMS_NORM,
    ROPE_HALVES,
    ROPE_NEIGHBOURS;

    Function function() {
      return Code.function(name().toLowerCase(Locale.ROOT).replace('_', '-') + "-avx512", this);
    }

    @Override
    public byte[] emit() {
      return switch (this) {
        case ADD, SCALE, GELU, GELU_TANH, GEGLU, SWIGLU ->
            new Elementwise(Operation.valueOf(name())).emit();
        case LAYER_NORM -> new RowNorm(true, false).emit();
        case ADD_LAYER_NORM -> new RowNorm(true, true).emit();
        case RMS_NORM -> new RowNorm(false, false).emit();
        case ROPE_HALVES -> new Rotation(Pairing.HALVES).emit();
        case ROPE_NEIGHBOURS -> new Rotation(Pairing.NEIGHBOURS).emit();
      };
    }
  }

  private static final Function ADD = Kernel.ADD.function();
  private static final Function SCALE = Kernel.SCALE.function();
  private static final Function GELU = Kernel.GELU.function();
  private static final Function GELU_TANH = Kernel.GELU_TANH.function();
  private static final Function GEGLU = Kernel.GEGLU.function();
  private static final Function SWIGLU = Kernel.SWIGLU.function();
  private static final Function LAYER_NORM = Kernel.LAYER_NORM.function();
  private static final Function ADD_LAYER_NORM = Kernel.ADD_LAYER_NORM.function();
  private static final Function RMS_NORM = Kernel.RMS_NORM.function();
  private static final Function TURN_HALVES = Kernel.ROPE_HALVES.function();
  private static final Function TURN_NEIGHBOURS = Kernel.ROPE_NEIGHBOURS.function();

  private static final MemorySegment TABLE =
      Arena.global().allocate(4L * Rotation.table().length, Memory.ALIGNMENT);

  static {
    MemorySegment.copy(Rotation.table(), 0, TABLE, JAVA_INT, 0, Rotation.table().length);
  }

  private Rows() {}

  static void add(long a, long b, long out, long count) {
    parts(ADD, a, b, out, count);
  }

  static void gelu(long x, long out, long count) {
    parts(GELU, x, x, out, count);
  }

  static void geluTanh(long x, long out, long count) {
    parts(GELU_TANH, x, x, out, count);
  }

  static void geglu(long gate, long up, long out, long count) {
    parts(GEGLU, gate, up, out, count);
  }

  static void swiglu(long gate, long up, long out, long count) {
    parts(SWIGLU, gate, up, out, count);
  }

  private static void parts(Function operation, long a, long b, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      operation.call(a + 4 * from, b + 4 * from, out + 4 * from, part);
    }
  }

  static void scale(long a, float factor, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      SCALE.call(a + 4 * from, Float.floatToRawIntBits(factor), out + 4 * from, part);
    }
  }

  /** Rows are added in their order. */
  static void mean(long x, long stride, int rows, int width, long out) {
    scale(x, 1, out, width);
    for (int row = 1; row < rows; row++) add(out, x + row * stride, out, width);
    scale(out, 1f / rows, out, width);
  }

  /**
   * @param y rows that are added first, or 0
   */
  static void layerNorm(
      long x,
      long xStride,
      long y,
      long yStride,
      long weight,
      long bias,
      float epsilon,
      long out,
      long outStride,
      int width,
      int rows) {
    Function norm = y == 0 ? LAYER_NORM : ADD_LAYER_NORM;
    norm(norm, x, xStride, y, yStride, weight, bias, epsilon, out, outStride, width, rows);
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
    norm(RMS_NORM, x, xStride, 0, 0, weight, 0, epsilon, out, outStride, width, rows);
  }

  private static void norm(
      Function norm,
      long x,
      long xStride,
      long y,
      long yStride,
      long weight,
      long bias,
      float epsilon,
      long out,
      long outStride,
      int width,
      int rows) {
    long share = Float.floatToRawIntBits(1f / width);
    int most = Math.max(1, CALL / width);
    for (int row = 0; row < rows; row += most) {
      norm.call(
          x + xStride * row,
          xStride,
          out + outStride * row,
          outStride,
          Math.min(most, rows - row),
          width,
          weight,
          bias,
          Float.floatToRawIntBits(epsilon),
          share,
          y + yStride * row,
          yStride,
          0);
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
        TURN_HALVES.call(at, stride, part, heads, 4L * width, turned / 2L, angles, where, 0, 0);
      } else {
        TURN_NEIGHBOURS.call(
            at, stride, part, heads, 4L * width, turned / 2L, angles, where, TABLE.address(), 0);
      }
    }
  }
}
