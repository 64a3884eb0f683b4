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

/**
 * Emits the softmax of rows, each over the keys it may see.
 *
 * <p>{@code void f(x, stride, rows, keys, from, to)}, all of them longs: row i sees keys {@code
 * from + i} to {@code to + i − 1}, as far as there are such; all others become zero. A row that
 * sees nothing, or only −∞, becomes zeros.
 */
final class RowSoftmax implements Emitter {
  private static final Gpr X = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr ROWS = RDX;
  private static final Gpr KEYS = RBX;
  private static final Gpr FROM = R8;
  private static final Gpr TO = R9;
  private static final Gpr AT = R10;
  private static final Gpr LEFT = R11;

  private static final Vec LOWEST = new Vec(21, 512);
  private static final Vec ZERO = new Vec(23, 512);

  // Instructions of 128 bits reach the lower registers alone.
  private static final Vec OTHER = new Vec(5, 512);
  private static final Vec TINY = new Vec(6, 512);
  private static final Vec ONE = new Vec(7, 512);

  private static final Vec MOST = new Vec(0, 512);
  private static final Vec SUM = new Vec(1, 512);
  private static final Vec A = new Vec(2, 512);
  private static final Vec N = new Vec(3, 512);
  private static final Vec P = new Vec(4, 512);

  private final Assembler code = new Assembler();
  private final Power power = new Power(code, 8);

  RowSoftmax() {}

  @Override
  public byte[] emit() {
    code.push(RBX);
    code.mov(KEYS, RCX);
    power.constants();
    Snippets.constant(code, ONE, 1);
    Snippets.constant(code, LOWEST, -Float.MAX_VALUE);
    Snippets.constant(code, TINY, 1e-30f);
    code.vpxor(ZERO, ZERO, ZERO);
    Label row = code.here();
    row();
    code.add(X, STRIDE);
    code.add(FROM, 1);
    code.add(TO, 1);
    code.dec(ROWS);
    code.jnz(row);
    code.pop(RBX);
    code.vzeroupper();
    code.ret();
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
    // Zeros behind the last one.
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

  private void vectors(Snippets.Step step) {
    Snippets.vectors(code, LEFT, step, AT);
  }

  private void zeros() {
    vectors(mask -> code.vmovups(Mem.at(AT), Snippets.merged(ZERO, mask)));
  }

  private void most() {
    code.vmovaps(MOST, LOWEST);
    vectors(mask -> code.vmaxps(Snippets.merged(MOST, mask), MOST, Mem.at(AT)));
    Snippets.across(code, MOST, OTHER, Assembler::vmaxps);
    code.vbroadcastss(MOST, MOST);
  }

  private void powers() {
    code.vpxor(SUM, SUM, SUM);
    vectors(
        mask -> {
          code.vmovups(Snippets.zeroed(A, mask), Mem.at(AT));
          code.vsubps(A, A, MOST);
          power.exp(P, A, N);
          code.vmovups(Mem.at(AT), Snippets.merged(P, mask));
          code.vaddps(Snippets.merged(SUM, mask), SUM, P);
        });
    Snippets.across(code, SUM, OTHER, Assembler::vaddps);
    code.vmaxps(SUM.as(128), TINY.as(128), SUM.as(128));
    code.vdivps(SUM.as(128), ONE.as(128), SUM.as(128));
    code.vbroadcastss(SUM, SUM);
  }

  private void scale() {
    vectors(
        mask -> {
          code.vmulps(Snippets.zeroed(A, mask), SUM, Mem.at(AT));
          code.vmovups(Mem.at(AT), Snippets.merged(A, mask));
        });
  }
}
