package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.assembled.Elementwise.Operation;
import java.util.Locale;

/** Operations on rows, part by part: safepoints wait for a call. */
final class Rows {
  /** Numbers in a call at most: some 50 µs. */
  private static final int CALL = 1 << 17;

  /** An emitter that makes another, so that a start loads only those that it needs. */
  private record Kernel(Name name, int bits) implements Emitter {
    @Override
    public byte[] emit() {
      return switch (name) {
        case ADD, MULTIPLY, SCALE, GELU, GELU_TANH, GEGLU, SWIGLU ->
            new Elementwise(Operation.valueOf(name.name()), bits).emit();
        case LAYER_NORM -> new RowNorm(true, false, bits).emit();
        case ADD_LAYER_NORM -> new RowNorm(true, true, bits).emit();
        case RMS_NORM -> new RowNorm(false, false, bits).emit();
        case ROPE_HALVES -> new Rotation(Pairing.HALVES, bits).emit();
        case ROPE_NEIGHBOURS -> new Rotation(Pairing.NEIGHBOURS, bits).emit();
        case ADAM_W -> new AdamStep(bits).emit();
      };
    }
  }

  private enum Name {
    ADD,
    MULTIPLY,
    SCALE,
    GELU,
    GELU_TANH,
    GEGLU,
    SWIGLU,
    LAYER_NORM,
    ADD_LAYER_NORM,
    RMS_NORM,
    ROPE_HALVES,
    ROPE_NEIGHBOURS,
    ADAM_W;

    Function function(int bits) {
      String id = name().toLowerCase(Locale.ROOT).replace('_', '-') + "-" + Registers.word(bits);
      return Code.function(id, new Kernel(this, bits));
    }
  }

  private final Function add;
  private final Function multiply;
  private final Function scale;
  private final Function gelu;
  private final Function geluTanh;
  private final Function geglu;
  private final Function swiglu;
  private final Function layerNorm;
  private final Function addLayerNorm;
  private final Function rmsNorm;
  private final Function turnHalves;
  private final Function turnNeighbours;
  private final Function adamW;

  /**
   * @param bits of registers
   */
  Rows(int bits) {
    add = Name.ADD.function(bits);
    multiply = Name.MULTIPLY.function(bits);
    scale = Name.SCALE.function(bits);
    gelu = Name.GELU.function(bits);
    geluTanh = Name.GELU_TANH.function(bits);
    geglu = Name.GEGLU.function(bits);
    swiglu = Name.SWIGLU.function(bits);
    layerNorm = Name.LAYER_NORM.function(bits);
    addLayerNorm = Name.ADD_LAYER_NORM.function(bits);
    rmsNorm = Name.RMS_NORM.function(bits);
    turnHalves = Name.ROPE_HALVES.function(bits);
    turnNeighbours = Name.ROPE_NEIGHBOURS.function(bits);
    adamW = Name.ADAM_W.function(bits);
  }

  void add(long a, long b, long out, long count) {
    parts(add, a, b, out, count);
  }

  void multiply(long a, long b, long out, long count) {
    parts(multiply, a, b, out, count);
  }

  void gelu(long x, long out, long count) {
    parts(gelu, x, x, out, count);
  }

  void geluTanh(long x, long out, long count) {
    parts(geluTanh, x, x, out, count);
  }

  void geglu(long gate, long up, long out, long count) {
    parts(geglu, gate, up, out, count);
  }

  void swiglu(long gate, long up, long out, long count) {
    parts(swiglu, gate, up, out, count);
  }

  private static void parts(Function operation, long a, long b, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      operation.call(a + 4 * from, b + 4 * from, out + 4 * from, part);
    }
  }

  void scale(long a, float factor, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      scale.call(a + 4 * from, Float.floatToRawIntBits(factor), out + 4 * from, part);
    }
  }

  /** Rows are added in their order. */
  void mean(long x, long stride, int rows, int width, long out) {
    scale(x, 1, out, width);
    for (int row = 1; row < rows; row++) add(out, x + row * stride, out, width);
    scale(out, 1f / rows, out, width);
  }

  /**
   * @param y rows that are added first, or 0
   */
  void layerNorm(
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
    Function norm = y == 0 ? layerNorm : addLayerNorm;
    norm(norm, x, xStride, y, yStride, weight, bias, epsilon, out, outStride, width, rows);
  }

  void rmsNorm(
      long x,
      long xStride,
      long weight,
      float epsilon,
      long out,
      long outStride,
      int width,
      int rows) {
    norm(rmsNorm, x, xStride, 0, 0, weight, 0, epsilon, out, outStride, width, rows);
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

  void rope(
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
      Function turn = pairing == Pairing.HALVES ? turnHalves : turnNeighbours;
      turn.call(at, stride, part, heads, 4L * width, turned / 2L, angles, where);
    }
  }

  void adamW(
      long p,
      long g,
      long m,
      long v,
      long count,
      float factor,
      float beta1,
      float rest1,
      float beta2,
      float rest2,
      float keep,
      float rate,
      float root,
      float epsilon) {
    long scales = pair(factor, beta1);
    long rests = pair(rest1, rest2);
    long keeps = pair(beta2, keep);
    long below = pair(root, epsilon);
    long down = pair(-rate, 0);
    for (long from = 0; from < count; from += CALL / 4) {
      long at = 4 * from;
      long part = Math.min(CALL / 4, count - from);
      adamW.call(p + at, g + at, m + at, v + at, part, 0, scales, rests, keeps, below, down, 0, 0);
    }
  }

  /** Two numbers in the place of an argument. */
  private static long pair(float low, float high) {
    return Float.floatToRawIntBits(low) & 0xFFFF_FFFFL | (long) Float.floatToRawIntBits(high) << 32;
  }
}
