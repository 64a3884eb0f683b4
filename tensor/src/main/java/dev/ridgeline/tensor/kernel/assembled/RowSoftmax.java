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
final class RowSoftmax {
  private static final int LANES = 16;
  private static final int BYTES = 64;

  private static final Gpr X = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr ROWS = RDX;
  private static final Gpr KEYS = RBX;
  private static final Gpr FROM = R8;
  private static final Gpr TO = R9;
  private static final Gpr AT = R10;
  private static final Gpr LEFT = R11;

  private static final Mask TAIL = new Mask(1);

  private static final Vec LOG2_E = new Vec(16, 512);
  private static final Vec LN2_HIGH = new Vec(17, 512);
  private static final Vec LN2_LOW = new Vec(18, 512);
  private static final Vec LEAST = new Vec(19, 512);
  private static final Vec LOWEST = new Vec(21, 512);
  private static final Vec ZERO = new Vec(23, 512);

  // Instructions of 128 bits reach the lower registers alone.
  private static final Vec TINY = new Vec(6, 512);
  private static final Vec ONE = new Vec(7, 512);

  /** Coefficients of the powers of r in e^r from the seventh down. */
  private static final float[] SERIES = {1 / 5040f, 1 / 720f, 1 / 120f, 1 / 24f, 1 / 6f, 0.5f};

  private static final Vec MOST = new Vec(0, 512);
  private static final Vec SUM = new Vec(1, 512);
  private static final Vec A = new Vec(2, 512);
  private static final Vec N = new Vec(3, 512);
  private static final Vec P = new Vec(4, 512);

  private final Assembler code = new Assembler();

  private RowSoftmax() {}

  static byte[] code() {
    return new RowSoftmax().emit();
  }

  private static Vec series(int i) {
    return new Vec(24 + i, 512);
  }

  private byte[] emit() {
    code.push(RBX);
    code.mov(KEYS, RCX);
    constant(LOG2_E, (float) (1 / Math.log(2)));
    // ln 2 in two parts; the first has zeros at its end, so that its products are exact.
    constant(LN2_HIGH, 0x1.62ep-1f);
    constant(LN2_LOW, (float) (Math.log(2) - 0x1.62ep-1));
    constant(LEAST, -110);
    constant(ONE, 1);
    constant(LOWEST, -Float.MAX_VALUE);
    constant(TINY, 1e-30f);
    code.vpxor(ZERO, ZERO, ZERO);
    for (int i = 0; i < SERIES.length; i++) constant(series(i), SERIES[i]);
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

  private void constant(Vec to, float value) {
    code.mov32(RAX, Float.floatToRawIntBits(value));
    code.vpbroadcastd(to, RAX);
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

  private interface Step {
    void write(Mask maskOrNull);
  }

  /** Whole vectors, then what is left. */
  private void vectors(Step step) {
    Label rest = new Label();
    Label end = new Label();
    code.sub(LEFT, LANES);
    code.jl(rest);
    Label turn = code.here();
    step.write(null);
    code.add(AT, BYTES);
    code.sub(LEFT, LANES);
    code.jge(turn);
    code.bind(rest);
    code.add(LEFT, LANES);
    code.jz(end);
    code.mov(RCX, LEFT);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.kmovw(TAIL, RAX);
    step.write(TAIL);
    code.bind(end);
  }

  private static Vec masked(Vec vec, Mask maskOrNull) {
    return maskOrNull == null ? vec : vec.merging(maskOrNull);
  }

  private void zeros() {
    vectors(mask -> code.vmovups(Mem.at(AT), masked(ZERO, mask)));
  }

  private void most() {
    code.vmovaps(MOST, LOWEST);
    vectors(mask -> code.vmaxps(masked(MOST, mask), MOST, Mem.at(AT)));
    across(MOST, Assembler::vmaxps);
    code.vbroadcastss(MOST, MOST);
  }

  private void powers() {
    code.vpxor(SUM, SUM, SUM);
    vectors(
        mask -> {
          code.vmovups(mask == null ? A : A.zeroing(mask), Mem.at(AT));
          code.vsubps(A, A, MOST);
          // What is not a number stays that: the second of the two is taken.
          code.vmaxps(A, LEAST, A);
          code.vmulps(N, A, LOG2_E);
          code.vroundps(N, N);
          code.vfnmadd231ps(A, N, LN2_HIGH);
          code.vfnmadd231ps(A, N, LN2_LOW);
          code.vmovaps(P, series(0));
          for (int i = 1; i < SERIES.length; i++) code.vfmadd213ps(P, A, series(i));
          code.vfmadd213ps(P, A, ONE);
          code.vfmadd213ps(P, A, ONE);
          code.vscalefps(P, P, N);
          code.vmovups(Mem.at(AT), masked(P, mask));
          code.vaddps(masked(SUM, mask), SUM, P);
        });
    across(SUM, Assembler::vaddps);
    code.vmaxps(SUM.as(128), TINY.as(128), SUM.as(128));
    code.vdivps(SUM.as(128), ONE.as(128), SUM.as(128));
    code.vbroadcastss(SUM, SUM);
  }

  private void scale() {
    vectors(
        mask -> {
          code.vmulps(mask == null ? A : A.zeroing(mask), SUM, Mem.at(AT));
          code.vmovups(Mem.at(AT), masked(A, mask));
        });
  }

  private interface Fold {
    void write(Assembler code, Vec to, Vec a, Operand b);
  }

  /** Folds all lanes into the first. */
  private void across(Vec vec, Fold fold) {
    Vec other = new Vec(5, 512);
    code.vextractf64x4(other.as(256), vec);
    fold.write(code, vec.as(256), vec.as(256), other.as(256));
    code.vextractf128(other.as(128), vec.as(256));
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
    code.vpermilps(other.as(128), vec.as(128), 0x4E);
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
    code.vpermilps(other.as(128), vec.as(128), 0xB1);
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
  }
}
