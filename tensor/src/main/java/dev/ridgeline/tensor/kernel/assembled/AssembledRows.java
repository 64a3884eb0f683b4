package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.Activation;
import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.AdamRates;
import dev.ridgeline.tensor.kernel.RowKernels;
import dev.ridgeline.tensor.kernel.assembled.Elementwise.Join;
import java.util.Locale;

/** Operations on rows, part by part: safepoints wait for a call. */
final class AssembledRows implements RowKernels {
  /** Numbers in a call at most: some 50 µs. */
  private static final int CALL = 1 << 17;

  private enum Operation {
    ADD,
    MULTIPLY,
    SCALE,
    LAYER_NORM,
    ADD_LAYER_NORM,
    RMS_NORM,
    ROPE_HALVES,
    ROPE_NEIGHBOURS,
    ADAM_W
  }

  /** An emitter that makes another, so that a start loads only those that it needs. */
  private record Kernel(Operation operation, int bits) implements Emitter {
    @Override
    public byte[] emit() {
      Emitter emitter =
          switch (operation) {
            case ADD -> new Elementwise(null, Join.ADD, bits);
            case MULTIPLY -> new Elementwise(null, Join.MULTIPLY, bits);
            case SCALE -> new Elementwise(null, Join.SCALE, bits);
            case LAYER_NORM -> new RowNorm(true, false, bits);
            case ADD_LAYER_NORM -> new RowNorm(true, true, bits);
            case RMS_NORM -> new RowNorm(false, false, bits);
            case ROPE_HALVES -> new Rotation(Pairing.HALVES, bits);
            case ROPE_NEIGHBOURS -> new Rotation(Pairing.NEIGHBOURS, bits);
            case ADAM_W -> new AdamStep(bits);
          };
      return emitter.emit();
    }
  }

  /** The same for an activation. */
  private record Applied(Activation activation, Join join, int bits) implements Emitter {
    @Override
    public byte[] emit() {
      return new Elementwise(activation, join, bits).emit();
    }
  }

  private final RowKernels rest;

  private final RowKernels plain;

  private final Function[] functions = new Function[Operation.values().length];
  private final Function[] activations = new Function[Activation.values().length];
  private final Function[] gates = new Function[Activation.values().length];

  /**
   * @param rest does what is not assembled
   * @param plain loops that need nothing loaded
   * @param bits of registers
   */
  AssembledRows(RowKernels rest, RowKernels plain, int bits) {
    this.rest = rest;
    this.plain = plain;
    for (Operation each : Operation.values()) {
      functions[each.ordinal()] = function(each, "", new Kernel(each, bits), bits);
    }
    for (Activation each : Activation.values()) {
      int at = each.ordinal();
      activations[at] = function(each, "", new Applied(each, Join.NONE, bits), bits);
      gates[at] = function(each, "-gate", new Applied(each, Join.MULTIPLY, bits), bits);
    }
  }

  private static Function function(Enum<?> name, String more, Emitter emitter, int bits) {
    String word = name.name().toLowerCase(Locale.ROOT).replace('_', '-');
    return Code.function(word + more + "-" + Registers.word(bits), emitter);
  }

  private Function function(Operation operation) {
    return functions[operation.ordinal()];
  }

  @Override
  public void add(long a, long b, long out, long count) {
    parts(function(Operation.ADD), a, b, out, count);
  }

  @Override
  public void multiply(long a, long b, long out, long count) {
    parts(function(Operation.MULTIPLY), a, b, out, count);
  }

  @Override
  public void apply(Activation activation, long x, long up, long out, long count) {
    Function[] all = up == 0 ? activations : gates;
    parts(all[activation.ordinal()], x, up, out, count);
  }

  private static void parts(Function operation, long a, long b, long out, long count) {
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      operation.call(a + 4 * from, b + 4 * from, out + 4 * from, part);
    }
  }

  @Override
  public void scale(long a, float factor, long out, long count) {
    Function scale = function(Operation.SCALE);
    for (long from = 0; from < count; from += CALL) {
      long part = Math.min(CALL, count - from);
      scale.call(a + 4 * from, Float.floatToRawIntBits(factor), out + 4 * from, part);
    }
  }

  /** Rows are added in their order. */
  @Override
  public void mean(long x, int xStride, int rowFrom, int rowTo, int width, long out) {
    scale(x + 4L * xStride * rowFrom, 1, out, width);
    for (int row = rowFrom + 1; row < rowTo; row++) add(out, x + 4L * xStride * row, out, width);
    scale(out, 1f / (rowTo - rowFrom), out, width);
  }

  @Override
  public void normalize(long x, int width, long out) {
    // One short row of a text: not worth loading the Vector API, which takes 50 ms.
    plain.normalize(x, width, out);
  }

  @Override
  public void norm(
      long x,
      int xStride,
      long y,
      int yStride,
      long weight,
      long bias,
      float epsilon,
      long out,
      int outStride,
      int width,
      int rowFrom,
      int rowTo) {
    Operation centered = y == 0 ? Operation.LAYER_NORM : Operation.ADD_LAYER_NORM;
    Function norm = function(bias == 0 ? Operation.RMS_NORM : centered);
    int most = Math.max(1, CALL / width);
    for (int row = rowFrom; row < rowTo; row += most) {
      norm.call(
          x + 4L * xStride * row,
          4L * xStride,
          out + 4L * outStride * row,
          4L * outStride,
          Math.min(most, rowTo - row),
          width,
          weight,
          bias,
          Float.floatToRawIntBits(epsilon),
          Float.floatToRawIntBits(1f / width),
          y + 4L * yStride * row,
          4L * yStride,
          0,
          0);
    }
  }

  @Override
  public void rope(
      long x,
      int stride,
      int heads,
      int width,
      int turned,
      Pairing pairing,
      boolean back,
      long angles,
      long positions,
      int rowFrom,
      int rowTo) {
    if (back) {
      rest.rope(x, stride, heads, width, turned, pairing, true, angles, positions, rowFrom, rowTo);
      return;
    }
    boolean halves = pairing == Pairing.HALVES;
    Function turn = function(halves ? Operation.ROPE_HALVES : Operation.ROPE_NEIGHBOURS);
    int most = Math.max(1, CALL / (heads * width));
    for (int row = rowFrom; row < rowTo; row += most) {
      long part = Math.min(most, rowTo - row);
      long at = x + 4L * stride * row;
      long where = positions + 4L * row;
      turn.call(at, 4L * stride, part, heads, 4L * width, turned / 2L, angles, where);
    }
  }

  @Override
  public void adamW(long p, long g, long m, long v, long count, AdamRates rates) {
    Function step = function(Operation.ADAM_W);
    long scales = pair(rates.factor, rates.beta1);
    long rests = pair(rates.rest1, rates.rest2);
    long keeps = pair(rates.beta2, rates.keep);
    long below = pair(rates.root, rates.epsilon);
    long down = pair(-rates.rate, 0);
    for (long from = 0; from < count; from += CALL / 4) {
      long at = 4 * from;
      long part = Math.min(CALL / 4, count - from);
      step.call(
          p + at, g + at, m + at, v + at, part, 0, scales, rests, keeps, below, down, 0, 0, 0);
    }
  }

  /** Two numbers in the place of an argument. */
  private static long pair(float low, float high) {
    return Float.floatToRawIntBits(low) & 0xFFFF_FFFFL | (long) Float.floatToRawIntBits(high) << 32;
  }
}
