package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.tensor.kernel.Kernels;

/**
 * Emits what lays up to 32 numbers of each row side by side: values that a product reads like
 * weights.
 *
 * <p>{@code void f(rows, stride, count, panel, columns)}, all of them longs: {@code panel} is
 * {@code [count][32]}; columns that there are not are zero.
 */
final class RowCopier {
  private static final Mask LOW = new Mask(1);
  private static final Mask HIGH = new Mask(2);

  private RowCopier() {}

  static byte[] code() {
    var code = new Assembler();
    code.mov(R9, RCX);
    code.mov(RCX, R8);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.kmovw(LOW, RAX);
    code.shr(RAX, 16);
    code.kmovw(HIGH, RAX);
    Vec low = new Vec(0, 512);
    Vec high = new Vec(1, 512);
    Label row = code.here();
    code.vmovups(low.zeroing(LOW), Mem.at(RDI));
    code.vmovups(high.zeroing(HIGH), Mem.at(RDI, 64));
    code.vmovups(Mem.at(R9), low);
    code.vmovups(Mem.at(R9, 64), high);
    code.add(RDI, RSI);
    code.add(R9, 4 * Kernels.PANEL);
    code.dec(RDX);
    code.jnz(row);
    code.vzeroupper();
    code.ret();
    return code.code();
  }
}
