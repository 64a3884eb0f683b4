package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
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
 * Emits what copies rows of f32, scaled.
 *
 * <p>{@code void f(from, fromStride, rows, count, to, toStride, scaleBits)}, all of them longs.
 */
final class RowScaler extends RowEmitter {
  private static final int SAVED = 2 * 8;
  private static final Mem SCALE_BITS = Mem.at(RSP, SAVED + 8);

  private static final Gpr FROM = RDI;
  private static final Gpr FROM_STRIDE = RSI;
  private static final Gpr ROWS = RDX;
  private static final Gpr TO = R8;
  private static final Gpr TO_STRIDE = R9;
  private static final Gpr AT = R10;
  private static final Gpr AT_TO = R11;
  private static final Gpr COUNT = RBX;
  private static final Gpr LEFT = R12;

  /**
   * @param bits of registers
   */
  RowScaler(int bits) {
    super(bits);
  }

  @Override
  public byte[] emit() {
    Snippets.enter(code, COUNT, LEFT);
    code.mov(COUNT, RCX);
    Vec scale = registers.vec(0);
    Vec x = registers.vec(1);
    code.load(RAX, SCALE_BITS);
    registers.broadcast(scale, RAX);
    Label row = code.here();
    code.mov(AT, FROM);
    code.mov(AT_TO, TO);
    code.mov(LEFT, COUNT);
    registers.groups(
        LEFT,
        (vector, some) -> {
          code.vmulps(x, scale, registers.there(at(AT, vector), x, some));
          registers.store(at(AT_TO, vector), x, some);
        },
        AT,
        AT_TO);
    code.add(FROM, FROM_STRIDE);
    code.add(TO, TO_STRIDE);
    code.dec(ROWS);
    code.jnz(row);
    Snippets.leave(code, COUNT, LEFT);
    return code.code();
  }
}
