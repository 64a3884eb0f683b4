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

import dev.ridgeline.tensor.Pairing;
import dev.ridgeline.tensor.kernel.assembled.Registers.Some;

/**
 * Emits what turns pairs of numbers of each head by the angle of the row's position.
 *
 * <p>{@code void f(x, stride, rows, heads, headBytes, half, angles, positions)}, all of them longs:
 * {@code half} pairs turn; angles of a position are so many cosines, then so many sines.
 */
final class Rotation extends RowEmitter {
  private static final Gpr[] SAVED = {RBX, R12, R13, R14, R15};
  private static final int LOCALS = 8;
  private static final int ARGUMENTS = 8 * SAVED.length + LOCALS + 8;
  private static final Mem ALL_HEADS = Mem.at(RSP, 0);
  private static final Mem ANGLES = Mem.at(RSP, ARGUMENTS);
  private static final Mem POSITIONS = Mem.at(RSP, ARGUMENTS + 8);

  private static final Gpr X = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr ROWS = RDX;
  private static final Gpr HEADS = R12;
  private static final Gpr HEAD_BYTES = R8;
  private static final Gpr HALF = R9;
  private static final Gpr COSINES = R10;
  private static final Gpr SINES = R11;
  private static final Gpr AT = RBX;

  /** The first pair of a vector. */
  private static final Gpr PAIR = R13;

  private static final Gpr LEFT = R14;

  /** The second half of a head, whose numbers are the others of the pairs. */
  private static final Gpr SECOND = R15;

  /** The last pairs, and their numbers where they are neighbours. */
  private static final Some PAIRS = Registers.some(1, 7);

  private static final Some NUMBERS = Registers.some(2, 8);

  private final boolean neighbours;
  private final Vec a = registers.vec(0);
  private final Vec b = registers.vec(1);
  private final Vec cos = registers.vec(2);
  private final Vec sin = registers.vec(3);
  private final Vec c = registers.vec(4);
  private final Vec order = registers.vec(5);
  private final Vec signs = registers.vec(6);

  /**
   * @param bits of registers
   */
  Rotation(Pairing pairing, int bits) {
    super(bits);
    this.neighbours = pairing != Pairing.HALVES;
  }

  @Override
  public byte[] emit() {
    Snippets.enter(code, SAVED);
    code.push(RCX);
    if (neighbours) tables();
    Label row = code.here();
    code.load(RAX, POSITIONS);
    code.load32(COSINES, Mem.at(RAX));
    code.add(RAX, 4);
    code.store(POSITIONS, RAX);
    // A position has 8 bytes for each pair.
    code.imulBy(COSINES, HALF);
    code.shl(COSINES, 3);
    code.load(RAX, ANGLES);
    code.add(COSINES, RAX);
    code.lea(SINES, Mem.at(COSINES, HALF, 4, 0));
    code.load(HEADS, ALL_HEADS);
    code.mov(AT, X);
    Label head = code.here();
    head();
    code.add(AT, HEAD_BYTES);
    code.dec(HEADS);
    code.jnz(head);
    code.add(X, STRIDE);
    code.dec(ROWS);
    code.jnz(row);
    code.pop(RCX);
    Snippets.leave(code, SAVED);
    return code.code();
  }

  /** How numbers for pairs are told to both of a pair, and the signs of what is swapped. */
  private void tables() {
    int[] both = new int[registers.lanes()];
    int[] minus = new int[registers.lanes()];
    for (int i = 0; i < both.length; i++) {
      both[i] = i / 2;
      minus[i] = i % 2 == 0 ? 0x8000_0000 : 0;
    }
    code.vmovups(order, code.constant(both));
    code.vmovups(signs, code.constant(minus));
  }

  /** Pairs of a head, a vector of them at a time. */
  private void head() {
    int lanes = neighbours ? registers.lanes() / 2 : registers.lanes();
    if (!neighbours) code.lea(SECOND, Mem.at(AT, HALF, 4, 0));
    code.xor32(PAIR, PAIR);
    code.mov(LEFT, HALF);
    Snippets.turns(
        code,
        LEFT,
        lanes,
        () -> {
          turn(null, null);
          code.add(PAIR, lanes);
        },
        this::rest);
  }

  private void rest() {
    registers.first(PAIRS, LEFT);
    if (neighbours) {
      code.add(LEFT, LEFT);
      registers.first(NUMBERS, LEFT);
    }
    turn(PAIRS, NUMBERS);
  }

  private void turn(Some pairs, Some numbers) {
    angles(cos, Mem.at(COSINES, PAIR, 4, 0), pairs);
    angles(sin, Mem.at(SINES, PAIR, 4, 0), pairs);
    if (neighbours) neighbours(numbers);
    else halves(pairs);
  }

  /** One for each pair: of neighbours, half a vector has so many. */
  private void angles(Vec to, Mem from, Some pairs) {
    if (neighbours && pairs == null) code.vmovups(to.as(to.bits() / 2), from);
    else registers.load(to, from, pairs);
  }

  private void halves(Some pairs) {
    Mem first = Mem.at(AT, PAIR, 4, 0);
    Mem second = Mem.at(SECOND, PAIR, 4, 0);
    registers.load(a, first, pairs);
    registers.load(b, second, pairs);
    code.vmulps(c, b, sin);
    code.vmulps(b, b, cos);
    code.vfmadd231ps(b, a, sin);
    code.vfmsub213ps(a, cos, c);
    registers.store(first, a, pairs);
    registers.store(second, b, pairs);
  }

  private void neighbours(Some numbers) {
    Mem place = Mem.at(AT, PAIR, 8, 0);
    registers.load(a, place, numbers);
    code.vpermps(cos, order, cos);
    code.vpermps(sin, order, sin);
    code.vpermilps(b, a, 0xB1);
    code.vmulps(b, b, sin);
    code.vpxor(b, b, signs);
    code.vfmadd213ps(a, cos, b);
    registers.store(place, a, numbers);
  }
}
