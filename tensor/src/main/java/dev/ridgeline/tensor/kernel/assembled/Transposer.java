package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.tensor.kernel.Kernels;

/**
 * Emits what turns 32 rows of f32 into a panel of columns, scaled: keys that a product with queries
 * reads like weights.
 *
 * <p>{@code void f(rows, stride, width, panel, scaleBits)}, all of them longs: {@code panel} is
 * {@code [width][32]}, with room up to a multiple of 16; what the last rows of 16 have too many is
 * zero.
 */
final class Transposer implements Emitter {
  private static final int LANES = 16;
  private static final int LINE = 4 * Kernels.PANEL;

  private static final Gpr FROM = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr WIDTH = RDX;
  private static final Gpr TO = RCX;
  private static final Gpr SCALE = R8;
  private static final Gpr LEFT = R9;
  private static final Gpr AT = R10;
  private static final Gpr AT_TO = R11;

  private static final Mask MASK = new Mask(1);

  private final Assembler code = new Assembler();

  Transposer() {}

  @Override
  public byte[] emit() {
    for (int half = 0; half < 2; half++) {
      code.mov(AT_TO, TO);
      if (half == 1) code.add(AT_TO, LINE / 2);
      code.mov(LEFT, WIDTH);
      Label columns = code.here();
      mask();
      square();
      code.add(FROM, 4 * LANES);
      code.add(AT_TO, LANES * LINE);
      code.sub(LEFT, LANES);
      code.jg(columns);
      if (half == 1) break;
      // Back to the first column, 16 rows further.
      code.mov(RAX, WIDTH);
      code.add(RAX, LANES - 1);
      code.shr(RAX, 4);
      code.shl(RAX, 6);
      code.sub(FROM, RAX);
      code.imul(RAX, STRIDE, LANES);
      code.add(FROM, RAX);
    }
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  /** As many lanes as there are columns left. */
  private void mask() {
    Label some = new Label();
    code.mov32(RAX, 0xFFFF);
    code.cmp(LEFT, LANES);
    code.jge(some);
    code.mov(AT, RCX);
    code.mov(RCX, LEFT);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.mov(RCX, AT);
    code.bind(some);
    code.kmovw(MASK, RAX);
  }

  private static Vec vec(int number) {
    return new Vec(number, 512);
  }

  /** 16 rows by 16 columns: pairs, then fours, then whole columns. */
  private void square() {
    code.mov(AT, FROM);
    for (int row = 0; row < LANES; row++) {
      code.vmovups(vec(row).zeroing(MASK), Mem.at(AT));
      if (row < LANES - 1) code.add(AT, STRIDE);
    }
    for (int pair = 0; pair < LANES; pair += 2) {
      code.vunpcklps(vec(16 + pair), vec(pair), vec(pair + 1));
      code.vunpckhps(vec(17 + pair), vec(pair), vec(pair + 1));
    }
    for (int four = 0; four < LANES; four += 4) {
      for (int i = 0; i < 2; i++) {
        code.vunpcklpd(vec(four + 2 * i), vec(16 + four + i), vec(18 + four + i));
        code.vunpckhpd(vec(four + 2 * i + 1), vec(16 + four + i), vec(18 + four + i));
      }
    }
    // Now vector 4g + c has, in its quarter l, rows 4g to 4g + 3 of column 4l + c.
    Vec scale = vec(31);
    code.vpbroadcastd(scale, SCALE);
    for (int c = 0; c < 4; c++) {
      code.vshuff32x4(vec(16), vec(c), vec(4 + c), 0x44);
      code.vshuff32x4(vec(17), vec(8 + c), vec(12 + c), 0x44);
      code.vshuff32x4(vec(18), vec(c), vec(4 + c), 0xEE);
      code.vshuff32x4(vec(19), vec(8 + c), vec(12 + c), 0xEE);
      for (int l = 0; l < 4; l++) {
        int from = l < 2 ? 16 : 18;
        code.vshuff32x4(vec(20), vec(from), vec(from + 1), l % 2 == 0 ? 0x88 : 0xDD);
        code.vmulps(vec(20), vec(20), scale);
        code.vmovups(Mem.at(AT_TO, (4 * l + c) * LINE), vec(20));
      }
    }
  }
}
