package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.tensor.kernel.assembled.Assembler.Compare;

/**
 * Emits operations on each number of one or two rows.
 *
 * <p>{@code void f(a, b, out, count)}, all of them longs; where there is no second row, {@code b}
 * has the bits of a number or nothing.
 */
final class Elementwise implements Emitter {
  /** What is done. */
  enum Operation {
    /** {@code a + b}. */
    ADD,
    /** {@code a · b}, b a number. */
    SCALE,
    /** {@code a · Φ(a)}. */
    GELU,
    /** The same by tanh. */
    GELU_TANH,
    /** {@code gelu_tanh(a) · b}. */
    GEGLU,
    /** {@code silu(a) · b}. */
    SWIGLU
  }

  /** √(2/π), doubled: tanh is written as a logistic function of twice its argument. */
  private static final float TWICE = (float) (2 * Math.sqrt(2 / Math.PI));

  /** log₂ Φ(−a) on [0, 6], with the weight a·Φ(−a); from the tenth power down. */
  private static final float[] TAIL_SERIES = {
    -2.5423818e-8f,
    7.671396e-7f,
    -9.918213e-6f,
    6.9824375e-5f,
    -2.5448683e-4f,
    -5.8486323e-5f,
    7.028602e-3f,
    -5.250673e-2f,
    -4.5919326e-1f,
    -1.1511093f,
    -0.9999997f
  };

  /** 2^r, from the seventh power down. */
  private static final float[] TWO_SERIES = {
    1.5252734e-5f,
    1.5403530e-4f,
    1.3333558e-3f,
    9.6181291e-3f,
    5.5504109e-2f,
    2.4022651e-1f,
    6.9314718e-1f,
    1
  };

  private static final Gpr A = RDI;
  private static final Gpr B = RSI;
  private static final Gpr OUT = RDX;
  private static final Gpr LEFT = R8;

  private static final Mask LOW = new Mask(2);

  private static final Vec X = new Vec(0, 512);
  private static final Vec Y = new Vec(1, 512);
  private static final Vec Z = new Vec(2, 512);
  private static final Vec N = new Vec(3, 512);
  private static final Vec ZERO = new Vec(4, 512);
  private static final Vec LEAST = new Vec(5, 512);
  private static final Vec CUBIC = new Vec(6, 512);
  private static final Vec FACTOR = new Vec(7, 512);

  /** Constants of series begin here. */
  private static final int SERIES = 8;

  private static final Vec MAGNITUDE = new Vec(29, 512);
  private static final Vec SIX = new Vec(30, 512);

  private final Operation operation;
  private final Assembler code = new Assembler();
  private final Power power = new Power(code, SERIES);

  Elementwise(Operation operation) {
    this.operation = operation;
  }

  @Override
  public byte[] emit() {
    code.mov(LEFT, RCX);
    constants();
    boolean two = operation != Operation.SCALE && operation != Operation.GELU;
    two &= operation != Operation.GELU_TANH;
    Gpr[] places = two ? new Gpr[] {A, B, OUT} : new Gpr[] {A, OUT};
    Snippets.vectors(code, LEFT, this::step, places);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void constants() {
    code.vpxor(ZERO, ZERO, ZERO);
    switch (operation) {
      case ADD -> {}
      case SCALE -> code.vpbroadcastd(FACTOR, B);
      case GELU -> {
        for (int i = 0; i < TAIL_SERIES.length; i++) {
          Snippets.constant(code, tail(i), TAIL_SERIES[i]);
        }
        for (int i = 0; i < TWO_SERIES.length; i++) {
          Snippets.constant(code, two(i), TWO_SERIES[i]);
        }
        Snippets.bits(code, MAGNITUDE, 0x7FFF_FFFF);
        Snippets.constant(code, SIX, 6);
      }
      case GELU_TANH, GEGLU -> {
        power.constants();
        Snippets.constant(code, CUBIC, 0.044715f);
        Snippets.constant(code, FACTOR, -TWICE);
        // Below, results are less than 10⁻³⁶ and powers leave their range.
        Snippets.constant(code, LEAST, -10);
      }
      case SWIGLU -> {
        power.constants();
        Snippets.constant(code, LEAST, -87);
      }
    }
  }

  private static Vec tail(int i) {
    return new Vec(SERIES + i, 512);
  }

  private static Vec two(int i) {
    return new Vec(SERIES + TAIL_SERIES.length + i, 512);
  }

  private void step(Mask mask) {
    code.vmovups(Snippets.zeroed(X, mask), Mem.at(A));
    switch (operation) {
      case ADD -> code.vaddps(Snippets.zeroed(X, mask), X, Mem.at(B));
      case SCALE -> code.vmulps(X, X, FACTOR);
      case GELU -> gelu();
      case GELU_TANH, GEGLU -> {
        // −2·√(2/π)·(x + 0.044715 x³)
        code.vmulps(Y, X, X);
        code.vfmadd213ps(Y, CUBIC, power.one());
        code.vmulps(Y, Y, X);
        code.vmulps(Y, Y, FACTOR);
        logistic();
      }
      case SWIGLU -> {
        code.vsubps(Y, ZERO, X);
        logistic();
      }
    }
    if (operation == Operation.GEGLU || operation == Operation.SWIGLU) {
      code.vmulps(Snippets.zeroed(X, mask), X, Mem.at(B));
    }
    code.vmovups(Mem.at(OUT), Snippets.merged(X, mask));
  }

  /** {@code x / (1 + exp(y))}, zero where x is too low. */
  private void logistic() {
    code.vcmpps(LOW, X, LEAST, Compare.LESS);
    power.exp(Z, Y, N);
    code.vaddps(Z, Z, power.one());
    code.vdivps(X, X, Z);
    code.vmovaps(X.merging(LOW), ZERO);
  }

  /** {@code max(x, 0) − a·Φ(−a)} with a = |x|; beyond 6 the second term is left out. */
  private void gelu() {
    code.vpand(Y, X, MAGNITUDE);
    code.vmovaps(Z, tail(0));
    for (int i = 1; i < TAIL_SERIES.length; i++) code.vfmadd213ps(Z, Y, tail(i));
    code.vroundps(N, Z);
    code.vsubps(Z, Z, N);
    Vec q = new Vec(6, 512);
    code.vmovaps(q, two(0));
    for (int i = 1; i < TWO_SERIES.length; i++) code.vfmadd213ps(q, Z, two(i));
    code.vscalefps(q, q, N);
    code.vmulps(q, q, Y);
    code.vcmpps(LOW, SIX, Y, Compare.LESS);
    code.vmovaps(q.merging(LOW), ZERO);
    code.vmaxps(X, ZERO, X);
    code.vsubps(X, X, q);
  }
}
