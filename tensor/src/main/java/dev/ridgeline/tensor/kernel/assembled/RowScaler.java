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
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

/**
 * Emits what copies rows of f32, scaled.
 *
 * <p>{@code void f(from, fromStride, rows, count, to, toStride, scaleBits)}, all of them longs.
 */
final class RowScaler implements Emitter {
  private static final int LANES = 16;

  @Override
  public byte[] emit() {
    var code = new Assembler();
    Vec scale = new Vec(0, 512);
    Vec x = new Vec(1, 512);
    Mask mask = new Mask(1);
    code.load(RAX, Mem.at(RSP, 8));
    code.vpbroadcastd(scale, RAX);
    // The lanes of the last vector of each row.
    code.mov(R11, RCX);
    code.and(RCX, LANES - 1);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.kmovw(mask, RAX);
    Label row = code.here();
    code.xor32(R10, R10);
    code.mov(RAX, R11);
    Label rest = new Label();
    Label end = new Label();
    code.sub(RAX, LANES);
    code.jl(rest);
    Label turn = code.here();
    code.vmulps(x, scale, Mem.at(RDI, R10, 4, 0));
    code.vmovups(Mem.at(R8, R10, 4, 0), x);
    code.add(R10, LANES);
    code.sub(RAX, LANES);
    code.jge(turn);
    code.bind(rest);
    code.add(RAX, LANES);
    code.jz(end);
    code.vmulps(x.zeroing(mask), scale, Mem.at(RDI, R10, 4, 0));
    code.vmovups(Mem.at(R8, R10, 4, 0), x.merging(mask));
    code.bind(end);
    code.add(RDI, RSI);
    code.add(R8, R9);
    code.dec(RDX);
    code.jnz(row);
    code.vzeroupper();
    code.ret();
    return code.code();
  }
}
