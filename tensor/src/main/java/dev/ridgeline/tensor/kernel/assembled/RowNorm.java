package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
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
 * <p>{@code void f(x, xStride, out, outStride, rows, width, weight, bias, epsilonBits, shareBits)},
 * all of them longs; the last is 1 over the width. Without a mean there is no bias.
 */
final class RowNorm {
  private static final int SAVED = 3 * 8;
  private static final int ARGUMENTS = SAVED + 8;

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

  private static final Vec SUM = new Vec(0, 512);
  private static final Vec OTHER = new Vec(1, 512);
  private static final Vec V = new Vec(2, 512);
  private static final Vec MEAN = new Vec(3, 512);
  private static final Vec SCALE = new Vec(4, 512);
  private static final Vec SHARE = new Vec(5, 512);
  private static final Vec EPSILON = new Vec(6, 512);
  private static final Vec ONE = new Vec(7, 512);

  private final boolean mean;
  private final Assembler code = new Assembler();

  private RowNorm(boolean mean) {
    this.mean = mean;
  }

  /**
   * @param mean whether the mean becomes 0
   */
  static byte[] code(boolean mean) {
    return new RowNorm(mean).emit();
  }

  private byte[] emit() {
    for (Gpr each : new Gpr[] {RBX, R12, R13}) code.push(each);
    code.mov(OUT_STRIDE, RCX);
    code.load(RAX, Mem.at(RSP, ARGUMENTS + 16));
    code.vpbroadcastd(EPSILON, RAX);
    code.load(RAX, Mem.at(RSP, ARGUMENTS + 24));
    code.vpbroadcastd(SHARE, RAX);
    Snippets.constant(code, ONE, 1);
    code.vpxor(MEAN, MEAN, MEAN);
    Label row = code.here();
    if (mean) {
      begin();
      Snippets.vectors(
          code, LEFT, mask -> code.vaddps(Snippets.merged(SUM, mask), SUM, Mem.at(AT)), AT);
      Snippets.across(code, SUM, OTHER, Assembler::vaddps);
      code.vmulps(SUM.as(128), SUM.as(128), SHARE.as(128));
      code.vbroadcastss(MEAN, SUM);
    }
    begin();
    Snippets.vectors(
        code,
        LEFT,
        mask -> {
          code.vmovups(Snippets.zeroed(V, mask), Mem.at(AT));
          if (mean) code.vsubps(Snippets.zeroed(V, mask), V, MEAN);
          code.vfmadd231ps(SUM, V, V);
        },
        AT);
    Snippets.across(code, SUM, OTHER, Assembler::vaddps);
    Vec low = SUM.as(128);
    code.vfmadd213ps(low, SHARE.as(128), EPSILON.as(128));
    code.vsqrtps(low, low);
    code.vdivps(low, ONE.as(128), low);
    code.vbroadcastss(SCALE, SUM);
    begin();
    code.mov(AT_OUT, OUT);
    code.load(WEIGHT, Mem.at(RSP, ARGUMENTS));
    write();
    code.add(X, X_STRIDE);
    code.add(OUT, OUT_STRIDE);
    code.dec(ROWS);
    code.jnz(row);
    for (Gpr each : new Gpr[] {R13, R12, RBX}) code.pop(each);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void begin() {
    code.vpxor(SUM, SUM, SUM);
    code.mov(AT, X);
    code.mov(LEFT, WIDTH);
  }

  private void write() {
    // Weight and bias are as far from each other in every turn.
    Gpr bias = RCX;
    Snippets.vectors(
        code,
        LEFT,
        mask -> {
          code.vmovups(Snippets.zeroed(V, mask), Mem.at(AT));
          if (mean) {
            code.vsubps(V, V, MEAN);
            code.vmulps(V, V, SCALE);
            code.load(bias, Mem.at(RSP, ARGUMENTS + 8));
            code.add(bias, WEIGHT);
            code.load(RAX, Mem.at(RSP, ARGUMENTS));
            code.sub(bias, RAX);
            code.vmovups(Snippets.zeroed(OTHER, mask), Mem.at(WEIGHT));
            code.vfmadd213ps(Snippets.zeroed(V, mask), OTHER, Mem.at(bias));
          } else {
            code.vmulps(V, V, SCALE);
            code.vmulps(Snippets.zeroed(V, mask), V, Mem.at(WEIGHT));
          }
          code.vmovups(Mem.at(AT_OUT), Snippets.merged(V, mask));
        },
        AT,
        AT_OUT,
        WEIGHT);
  }
}
