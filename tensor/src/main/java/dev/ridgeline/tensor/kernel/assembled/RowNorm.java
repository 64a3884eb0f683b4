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
final class RowNorm extends RowEmitter {
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

  private final boolean mean;
  private final boolean adds;

  private final Vec numbers = registers.vec(8);
  private final Vec other = registers.vec(9);
  private final Vec center = registers.vec(10);
  private final Vec scale = registers.vec(11);
  private final Vec share = registers.vec(12);
  private final Vec epsilon = registers.vec(13);
  private final Vec one = registers.vec(14);

  /**
   * @param mean whether the mean becomes 0
   * @param adds whether other rows are added first
   * @param bits of registers
   */
  RowNorm(boolean mean, boolean adds, int bits) {
    super(bits);
    this.mean = mean;
    this.adds = adds;
  }

  /** There is one for each register of a turn. */
  private Vec sum(int vector) {
    return registers.vec(vector);
  }

  @Override
  public byte[] emit() {
    Snippets.enter(code, SAVED);
    code.mov(OUT_STRIDE, RCX);
    code.load(RAX, EPSILON_BITS);
    registers.broadcast(epsilon, RAX);
    code.load(RAX, SHARE_BITS);
    registers.broadcast(share, RAX);
    registers.constant(one, 1);
    if (adds) code.load(Y, ADDED);
    Label row = code.here();
    begin();
    first();
    if (mean) {
      code.vmulps(sum(0).as(128), sum(0).as(128), share.as(128));
      code.vbroadcastss(center, sum(0));
      begin();
      squares();
    }
    Vec low = sum(0).as(128);
    code.vfmadd213ps(low, share.as(128), epsilon.as(128));
    code.vsqrtps(low, low);
    code.vdivps(low, one.as(128), low);
    code.vbroadcastss(scale, low);
    write();
    code.add(X, X_STRIDE);
    code.add(OUT, OUT_STRIDE);
    if (adds) {
      code.load(RAX, ADDED_STRIDE);
      code.add(Y, RAX);
    }
    code.dec(ROWS);
    code.jnz(row);
    Snippets.leave(code, SAVED);
    return code.code();
  }

  private void begin() {
    int sums = Registers.GROUPS * registers.parts();
    for (int vector = 0; vector < sums; vector++) registers.zero(sum(vector));
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
    Registers.Step step =
        (vector, some) -> {
          registers.load(numbers, at(AT, vector), some);
          if (adds) {
            code.vaddps(numbers, numbers, registers.there(at(AT_Y, vector), other, some));
            registers.store(at(AT_OUT, vector), numbers, some);
          }
          if (mean) code.vaddps(sum(vector), sum(vector), numbers);
          else code.vfmadd231ps(sum(vector), numbers, numbers);
        };
    if (adds) registers.fours(LEFT, step, AT, AT_Y, AT_OUT);
    else registers.fours(LEFT, step, AT);
    fold();
  }

  private void squares() {
    again();
    registers.fours(
        LEFT,
        (vector, some) -> {
          registers.load(numbers, at(AT, vector), some);
          code.vsubps(numbers, numbers, center);
          registers.keep(numbers, some);
          code.vfmadd231ps(sum(vector), numbers, numbers);
        },
        AT);
    fold();
  }

  private void fold() {
    int parts = registers.parts();
    for (int part = 0; part < parts; part++) {
      code.vaddps(sum(part), sum(part), sum(parts + part));
      code.vaddps(sum(2 * parts + part), sum(2 * parts + part), sum(3 * parts + part));
      code.vaddps(sum(part), sum(part), sum(2 * parts + part));
    }
    registers.across(sum(0), other, Assembler::vaddps);
  }

  private void write() {
    code.mov(AT, X);
    again();
    code.mov(LEFT, WIDTH);
    code.mov(AT_OUT, OUT);
    code.load(WEIGHT, WEIGHTS);
    if (mean) code.load(BIAS, BIASES);
    Registers.Step step =
        (vector, some) -> {
          // The sums are no longer needed.
          Vec room = sum(vector);
          registers.load(numbers, at(AT, vector), some);
          if (mean) code.vsubps(numbers, numbers, center);
          code.vmulps(numbers, numbers, scale);
          if (mean) {
            registers.load(other, at(WEIGHT, vector), some);
            code.vfmadd213ps(numbers, other, registers.there(at(BIAS, vector), room, some));
          } else {
            code.vmulps(numbers, numbers, registers.there(at(WEIGHT, vector), room, some));
          }
          registers.store(at(AT_OUT, vector), numbers, some);
        };
    if (mean) registers.fours(LEFT, step, AT, AT_OUT, WEIGHT, BIAS);
    else registers.fours(LEFT, step, AT, AT_OUT, WEIGHT);
  }
}
