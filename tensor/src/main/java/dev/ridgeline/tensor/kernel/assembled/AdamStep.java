package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import dev.ridgeline.tensor.kernel.assembled.Registers.Some;

/**
 * Emits the optimizer's step on each number, with the operations of the vector kernel in their
 * order and so its bits.
 *
 * <p>{@code void f(p, g, m, v, count, _, factor and beta1, rest1 and rest2, beta2 and keep, root
 * and epsilon, −rate)}: longs, of which the last five hold two numbers each.
 */
final class AdamStep extends RowEmitter {
  /** Means smaller than that are 0, see the vector kernel. */
  private static final float LEAST = Float.MIN_NORMAL;

  private static final int ARGUMENTS = 8;

  private static final Gpr P = RDI;
  private static final Gpr G = RSI;
  private static final Gpr M = RDX;
  private static final Gpr V = R9;
  private static final Gpr LEFT = R8;

  private final Vec x = registers.vec(0);
  private final Vec mean = registers.vec(1);
  private final Vec squares = registers.vec(2);
  private final Vec below = registers.vec(3);
  private final Some small = Registers.some(2, 3);

  private final Vec factor = given(0);
  private final Vec beta1 = given(1);
  private final Vec rest1 = given(2);
  private final Vec rest2 = given(3);
  private final Vec beta2 = given(4);
  private final Vec keep = given(5);
  private final Vec root = given(6);
  private final Vec epsilon = given(7);
  private final Vec down = given(8);
  private final Vec least;
  private final Vec magnitude;

  /**
   * @param bits of registers
   */
  AdamStep(int bits) {
    super(bits);
    var constants = new Constants(registers, 13);
    least = constants.register(LEAST);
    magnitude = constants.register(Float.intBitsToFloat(0x7FFF_FFFF));
  }

  /** A number among the arguments, in every lane. */
  private Vec given(int number) {
    Vec vec = registers.vec(4 + number);
    code.vbroadcastss(vec, Mem.at(RSP, ARGUMENTS + 4 * number));
    return vec;
  }

  @Override
  public byte[] emit() {
    code.mov(V, RCX);
    registers.groups(LEFT, this::step, P, G, M, V);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void step(int vector, Some some) {
    int at = registers.bytes() * vector;
    registers.load(x, Mem.at(G, at), some);
    code.vmulps(x, x, factor);
    registers.load(mean, Mem.at(M, at), some);
    code.vmulps(mean, mean, beta1);
    code.vfmadd231ps(mean, x, rest1);
    code.vpand(below, mean, magnitude);
    registers.less(small, below, least);
    registers.clear(mean, small);
    code.vmulps(x, x, x);
    registers.load(squares, Mem.at(V, at), some);
    code.vmulps(squares, squares, beta2);
    code.vfmadd231ps(squares, x, rest2);
    registers.less(small, squares, least);
    registers.clear(squares, small);
    registers.store(Mem.at(M, at), mean, some);
    registers.store(Mem.at(V, at), squares, some);
    code.vsqrtps(below, squares);
    code.vfmadd213ps(below, root, epsilon);
    code.vdivps(mean, mean, below);
    registers.load(x, Mem.at(P, at), some);
    code.vmulps(x, x, keep);
    code.vfmadd231ps(x, mean, down);
    registers.store(Mem.at(P, at), x, some);
  }
}
