package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.tensor.kernel.assembled.Power.Lane;
import dev.ridgeline.tensor.kernel.assembled.Registers.Some;

/**
 * Emits the softmax of rows, each over the keys it may see.
 *
 * <p>{@code void f(x, stride, rows, keys, from, to)}, all of them longs: row i sees keys {@code
 * from + i} to {@code to + i − 1}, as far as there are such; all others become zero. A row that
 * sees nothing, or only −∞, becomes zeros.
 */
final class RowSoftmax extends RowEmitter {
  private static final Gpr X = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr ROWS = RDX;
  private static final Gpr KEYS = RBX;
  private static final Gpr FROM = R8;
  private static final Gpr TO = R9;
  private static final Gpr AT = R10;
  private static final Gpr LEFT = R11;

  /** Of two vectors that take turns. */
  private final Lane[] lanes;

  private final Vec a;
  private final Vec zero;
  private Power power;

  /**
   * @param bits of registers
   */
  RowSoftmax(int bits) {
    super(bits);
    lanes =
        new Lane[] {
          new Lane(registers.vec(3), registers.vec(4), registers.vec(5), Registers.some(2, 6)),
          new Lane(registers.vec(7), registers.vec(8), registers.vec(9), Registers.some(3, 10))
        };
    a = lanes[0].x();
    zero = registers.vec(11);
  }

  /** The largest number of each lane of a group, then that of all. */
  private Vec most(int part) {
    return registers.vec(part);
  }

  /** Where there are two registers for the largest number, only the first one is needed then. */
  private Vec sum(int part) {
    return registers.vec(1 + part);
  }

  @Override
  public byte[] emit() {
    Snippets.enter(code, RBX);
    code.mov(KEYS, RCX);
    power = new Power(code, registers, new Constants(registers, 12));
    registers.zero(zero);
    Label row = code.here();
    row();
    code.add(X, STRIDE);
    code.add(FROM, 1);
    code.add(TO, 1);
    code.dec(ROWS);
    code.jnz(row);
    Snippets.leave(code, RBX);
    return code.code();
  }

  private void row() {
    Label tail = new Label();
    // Zeros before the first key that is seen.
    clamped(LEFT, FROM);
    code.mov(AT, X);
    zeros();
    // What is seen.
    range();
    code.cmp(LEFT, 0);
    code.jle(tail);
    most();
    range();
    powers();
    range();
    scale();
    code.bind(tail);
    // Zeros after the last one.
    clamped(LEFT, TO);
    clamped(RAX, FROM);
    Label later = new Label();
    code.cmp(LEFT, RAX);
    code.jge(later);
    code.mov(LEFT, RAX);
    code.bind(later);
    code.lea(AT, Mem.at(X, LEFT, 4, 0));
    code.mov(RAX, KEYS);
    code.sub(RAX, LEFT);
    code.mov(LEFT, RAX);
    zeros();
  }

  /** {@code to = from}, not below 0 and not above the keys. */
  private void clamped(Gpr to, Gpr from) {
    Label low = new Label();
    Label high = new Label();
    code.mov(to, from);
    code.cmp(to, 0);
    code.jge(low);
    code.xor32(to, to);
    code.bind(low);
    code.cmp(to, KEYS);
    code.jle(high);
    code.mov(to, KEYS);
    code.bind(high);
  }

  /** Where the keys that are seen begin, and how many they are. */
  private void range() {
    clamped(AT, FROM);
    clamped(LEFT, TO);
    code.sub(LEFT, AT);
    code.lea(AT, Mem.at(X, AT, 4, 0));
  }

  private void zeros() {
    registers.groups(LEFT, (vector, some) -> registers.store(at(AT, vector), zero, some), AT);
  }

  private void most() {
    Vec lowest = lanes[0].to();
    registers.constant(lowest, -Float.MAX_VALUE);
    for (int part = 0; part < registers.parts(); part++) registers.move(most(part), lowest);
    registers.groups(
        LEFT,
        (vector, some) -> {
          if (some != null) registers.load(a, at(AT, vector), lowest, some);
          code.vmaxps(most(vector), most(vector), some == null ? at(AT, vector) : a);
        },
        AT);
    registers.across(most(0), a, Assembler::vmaxps);
    code.vbroadcastss(most(0), most(0));
  }

  private void powers() {
    for (int part = 0; part < registers.parts(); part++) registers.zero(sum(part));
    registers.pairs(LEFT, this::powers, AT);
    registers.across(sum(0), a, Assembler::vaddps);
    Vec low = sum(0).as(128);
    registers.constant(a, 1e-30f);
    code.vmaxps(low, a.as(128), low);
    registers.constant(a, 1);
    code.vdivps(low, a.as(128), low);
    code.vbroadcastss(sum(0), sum(0));
  }

  private void powers(int first, int count, Some some) {
    for (int i = 0; i < count; i++) {
      registers.load(lanes[i].x(), at(AT, first + i), some);
      code.vsubps(lanes[i].x(), lanes[i].x(), most(0));
    }
    power.exp(lanes, count);
    for (int i = 0; i < count; i++) {
      Vec sum = registers.wide() ? sum(0) : sum(first + i);
      registers.keep(lanes[i].to(), some);
      registers.store(at(AT, first + i), lanes[i].to(), some);
      code.vaddps(sum, sum, lanes[i].to());
    }
  }

  private void scale() {
    registers.groups(
        LEFT,
        (vector, some) -> {
          code.vmulps(a, sum(0), registers.there(at(AT, vector), a, some));
          registers.store(at(AT, vector), a, some);
        },
        AT);
  }
}
