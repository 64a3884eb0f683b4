package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R14;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R15;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

/**
 * Emits what brings rows to mean 0 and variance 1, or to root mean square 1, then weight and bias.
 *
 * <p>{@code void f(x, xStride, out, outStride, rows, width, weight, bias, epsilonBits, shareBits,
 * y, yStride)}, all of them longs; {@code share} is 1 over the width. Where rows of y are added
 * first, their sums wait in out. Without a mean there is no bias.
 */
final class RowNorm implements Emitter {
  private static final Gpr[] SAVED = {RBX, R12, R13, R14, R15};
  private static final int ARGUMENTS = 8 * SAVED.length + 8;
  private static final Mem WEIGHTS = Mem.at(RSP, ARGUMENTS);
  private static final Mem BIASES = Mem.at(RSP, ARGUMENTS + 8);
  private static final Mem EPSILON_BITS = Mem.at(RSP, ARGUMENTS + 16);
  private static final Mem SHARE_BITS = Mem.at(RSP, ARGUMENTS + 24);
  private static final Mem ADDED = Mem.at(RSP, ARGUMENTS + 32);
  private static final Mem ADDED_STRIDE = Mem.at(RSP, ARGUMENTS + 40);

  private static final Gpr X = RDI;
  private static final Gpr X_STRIDE = RSI;
  private static final Gpr OUT = RDX;
  private static final Gpr OUT_STRIDE = RBX;
  private static final Gpr ROWS = R8;
  private static final Gpr WIDTH = R9;
  private static final Gpr AT = R10;
  private static final Gpr LEFT = R11;
  private static final Gpr AT_OUT = R12;
  private static final Gpr WEIGHT = R13;
  private static final Gpr BIAS = R14;
  private static final Gpr Y = R15;

  /** Free while there is no weight yet. */
  private static final Gpr AT_Y = WEIGHT;

  private static final Vec OTHER = new Vec(8, 512);
  private static final Vec MEAN = new Vec(9, 512);
  private static final Vec SCALE = new Vec(10, 512);
  private static final Vec SHARE = new Vec(11, 512);
  private static final Vec EPSILON = new Vec(12, 512);
  private static final Vec ONE = new Vec(13, 512);

  private final boolean mean;
  private final boolean adds;
  private final Assembler code = new Assembler();

  /**
   * @param mean whether the mean becomes 0
   * @param adds whether other rows are added first
   */
  RowNorm(boolean mean, boolean adds) {
    this.mean = mean;
    this.adds = adds;
  }

  // Of four vectors in a turn: the numbers, and a sum for each.

  private static Vec number(int vector) {
    return new Vec(vector, 512);
  }

  private static Vec sum(int vector) {
    return new Vec(4 + vector, 512);
  }

  @Override
  public byte[] emit() {
    for (Gpr each : SAVED) code.push(each);
    code.mov(OUT_STRIDE, RCX);
    code.load(RAX, EPSILON_BITS);
    code.vpbroadcastd(EPSILON, RAX);
    code.load(RAX, SHARE_BITS);
    code.vpbroadcastd(SHARE, RAX);
    Snippets.constant(code, ONE, 1);
    if (adds) code.load(Y, ADDED);
    Label row = code.here();
    begin();
    first();
    if (mean) {
      code.vmulps(sum(0).as(128), sum(0).as(128), SHARE.as(128));
      code.vbroadcastss(MEAN, sum(0));
      begin();
      squares();
    }
    Vec low = sum(0).as(128);
    code.vfmadd213ps(low, SHARE.as(128), EPSILON.as(128));
    code.vsqrtps(low, low);
    code.vdivps(low, ONE.as(128), low);
    code.vbroadcastss(SCALE, low);
    write();
    code.add(X, X_STRIDE);
    code.add(OUT, OUT_STRIDE);
    if (adds) {
      code.load(RAX, ADDED_STRIDE);
      code.add(Y, RAX);
    }
    code.dec(ROWS);
    code.jnz(row);
    for (int i = SAVED.length - 1; i >= 0; i--) code.pop(SAVED[i]);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void begin() {
    for (int i = 0; i < 4; i++) code.vpxor(sum(i), sum(i), sum(i));
    code.mov(AT, X);
    code.mov(LEFT, WIDTH);
  }

  /** From where numbers are read once all of them were. */
  private void again() {
    if (adds) code.mov(AT, OUT);
  }

  /** Adds y, and sums up what there is then: for the mean, else its squares. */
  private void first() {
    if (adds) {
      code.mov(AT_Y, Y);
      code.mov(AT_OUT, OUT);
    }
    Snippets.NumberedStep step =
        (i, mask) -> {
          Vec v = number(i);
          code.vmovups(Snippets.zeroed(v, mask), Mem.at(AT, 64 * i));
          if (adds) {
            code.vaddps(Snippets.zeroed(v, mask), v, Mem.at(AT_Y, 64 * i));
            code.vmovups(Mem.at(AT_OUT, 64 * i), Snippets.merged(v, mask));
          }
          if (mean) code.vaddps(sum(i), sum(i), v);
          else code.vfmadd231ps(sum(i), v, v);
        };
    if (adds) Snippets.fours(code, LEFT, step, AT, AT_Y, AT_OUT);
    else Snippets.fours(code, LEFT, step, AT);
    fold();
  }

  private void squares() {
    again();
    Snippets.fours(
        code,
        LEFT,
        (i, mask) -> {
          Vec v = number(i);
          code.vmovups(Snippets.zeroed(v, mask), Mem.at(AT, 64 * i));
          code.vsubps(Snippets.zeroed(v, mask), v, MEAN);
          code.vfmadd231ps(sum(i), v, v);
        },
        AT);
    fold();
  }

  private void fold() {
    code.vaddps(sum(0), sum(0), sum(1));
    code.vaddps(sum(2), sum(2), sum(3));
    code.vaddps(sum(0), sum(0), sum(2));
    Snippets.across(code, sum(0), OTHER, Assembler::vaddps);
  }

  private void write() {
    code.mov(AT, X);
    again();
    code.mov(LEFT, WIDTH);
    code.mov(AT_OUT, OUT);
    code.load(WEIGHT, WEIGHTS);
    if (mean) code.load(BIAS, BIASES);
    Snippets.NumberedStep step =
        (i, mask) -> {
          Vec v = number(i);
          Vec weight = sum(i);
          code.vmovups(Snippets.zeroed(v, mask), Mem.at(AT, 64 * i));
          if (mean) {
            code.vsubps(v, v, MEAN);
            code.vmulps(v, v, SCALE);
            code.vmovups(Snippets.zeroed(weight, mask), Mem.at(WEIGHT, 64 * i));
            code.vfmadd213ps(Snippets.zeroed(v, mask), weight, Mem.at(BIAS, 64 * i));
          } else {
            code.vmulps(v, v, SCALE);
            code.vmulps(Snippets.zeroed(v, mask), v, Mem.at(WEIGHT, 64 * i));
          }
          code.vmovups(Mem.at(AT_OUT, 64 * i), Snippets.merged(v, mask));
        };
    if (mean) Snippets.fours(code, LEFT, step, AT, AT_OUT, WEIGHT, BIAS);
    else Snippets.fours(code, LEFT, step, AT, AT_OUT, WEIGHT);
  }
}
