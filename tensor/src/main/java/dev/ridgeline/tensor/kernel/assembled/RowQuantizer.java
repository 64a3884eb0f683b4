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

import dev.ridgeline.tensor.kernel.assembled.IntegerProduct.Form;
import dev.ridgeline.tensor.kernel.assembled.IntegerProduct.Steps;

/**
 * Emits what turns rows of f32 into bytes for an {@link IntegerProduct}.
 *
 * <p>{@code void f(x, xStride, quants, stride, rows, blocks, rest, restStride)}, all of them longs.
 * A block of 32 has its largest magnitude over 127 as its scale, and the row has 1. Or else, {@link
 * Steps#BY_HALVES}, a row's scale is its largest magnitude over 127; a block whose own largest is
 * at most a half, a quarter … of that has its numbers doubled as often, and the power of two by
 * which sums with them are too large, as it is added to the bits of a number. Numbers that are
 * infinite or NaN make a scale that is no number either, and so are all sums with it.
 *
 * <p>What bytes cannot say is left at {@code rest}, where that is asked for.
 *
 * <p>What has to be folded across a vector, magnitudes and sums, waits in memory until there are 16
 * of it, which then are folded at once.
 */
final class RowQuantizer implements Emitter {
  private static final int BLOCK = IntegerProduct.BLOCK;

  /** Blocks that are worked on together. */
  private static final int GROUP = 16;

  /** A block of nothing but zeros, or nearly: no infinity comes of it. */
  private static final float TINY = 1e-30f;

  /** The highest power: a scale of weights divided by it is still a normal number. */
  private static final float HIGHEST = 0x1p60f;

  private static final Gpr[] SAVED = {RBX, R12, R13, R14, R15};

  // Sixteen vectors, and two more.
  private static final int LOCALS = 18 * 64;
  private static final Mem VECTORS = Mem.at(RSP, 0);
  private static final Mem INVERSES = Mem.at(RSP, 16 * 64);
  private static final Mem STEPS = Mem.at(RSP, 17 * 64);
  private static final int ARGUMENTS = LOCALS + 8 * SAVED.length + 8;
  private static final Mem REST = Mem.at(RSP, ARGUMENTS);
  private static final Mem REST_STRIDE = Mem.at(RSP, ARGUMENTS + 8);

  private static final Gpr X = RDI;
  private static final Gpr X_STRIDE = RSI;
  private static final Gpr QUANTS = RDX;
  private static final Gpr STRIDE = R12;
  private static final Gpr ROWS = R8;
  private static final Gpr BLOCK_COUNT = R9;
  private static final Gpr AT_SUMS = R10;
  private static final Gpr AT_STEPS = R11;
  private static final Gpr LEFT = RBX;

  /** Blocks of this group, and the vector of the one that is worked on. */
  private static final Gpr THERE = R13;

  private static final Gpr AT = R14;
  private static final Gpr AT_REST = R15;

  private static final Mask LANES = new Mask(1);

  private static final Vec ZERO = new Vec(0, 512);
  private static final Vec MAGNITUDE = new Vec(1, 512);
  private static final Vec LARGEST = new Vec(2, 512);
  private static final Vec LEAST = new Vec(3, 512);
  private static final Vec OVER_127 = new Vec(4, 512);
  private static final Vec A = new Vec(5, 512);
  private static final Vec B = new Vec(6, 512);
  private static final Vec INVERSE = new Vec(7, 512);
  private static final Vec EXPONENT = new Vec(8, 512);
  private static final Vec ONE = new Vec(9, 512);
  private static final Vec MOST_POWER = new Vec(10, 512);

  // Of the row.
  private static final Vec MOST = new Vec(11, 512);
  private static final Vec SCALE = new Vec(12, 512);
  private static final Vec ROW_INVERSE = new Vec(13, 512);
  private static final Vec STEP = new Vec(14, 512);

  private final Assembler code = new Assembler();
  private final int shift;
  private final Steps steps;
  private final boolean rest;

  /**
   * @param rest whether what bytes cannot say is left; by halves only
   */
  RowQuantizer(Form form, Steps steps, boolean rest) {
    this.shift = Integer.numberOfTrailingZeros(form.zero);
    this.steps = steps;
    this.rest = rest;
  }

  @Override
  public byte[] emit() {
    for (Gpr each : SAVED) code.push(each);
    code.sub(RSP, LOCALS);
    code.mov(STRIDE, RCX);
    code.vpxor(ZERO, ZERO, ZERO);
    Snippets.bits(code, MAGNITUDE, 0x7FFF_FFFF);
    Snippets.bits(code, EXPONENT, 0x7F80_0000);
    Snippets.constant(code, LARGEST, 127);
    Snippets.constant(code, LEAST, TINY);
    Snippets.constant(code, OVER_127, 1f / 127);
    Snippets.constant(code, ONE, 1);
    Snippets.constant(code, MOST_POWER, HIGHEST);
    if (rest) code.load(AT_REST, REST);
    clear();
    Label row = code.here();
    if (steps == Steps.BY_HALVES) byHalves();
    else byBlock();
    nextRow();
    code.dec(ROWS);
    code.jnz(row);
    code.add(RSP, LOCALS);
    for (int i = SAVED.length - 1; i >= 0; i--) code.pop(SAVED[i]);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void nextRow() {
    back(X, 4 * BLOCK);
    code.add(X, X_STRIDE);
    back(QUANTS, BLOCK);
    code.add(QUANTS, STRIDE);
    if (!rest) return;
    back(AT_REST, 4 * BLOCK);
    code.load(RAX, REST_STRIDE);
    code.add(AT_REST, RAX);
  }

  /** From the end of a row to its begin. */
  private void back(Gpr at, int bytesOfBlock) {
    code.imul(RAX, BLOCK_COUNT, bytesOfBlock);
    code.sub(at, RAX);
  }

  /** A row in groups of blocks. */
  private void groups(Runnable each) {
    code.mov(RAX, BLOCK_COUNT);
    Snippets.behindBytes(code, AT_SUMS, AT_STEPS, QUANTS);
    code.mov(LEFT, BLOCK_COUNT);
    Label group = code.here();
    there();
    each.run();
    code.add(AT_STEPS, 4 * GROUP);
    code.add(AT_SUMS, 4 * GROUP);
    code.sub(LEFT, GROUP);
    code.jg(group);
  }

  private void clear() {
    for (int i = 0; i < GROUP; i++) code.vmovups(VECTORS.plus(64 * i), ZERO);
  }

  /** How many blocks this group has; vectors of those that it has not are zero. */
  private void there() {
    Label done = new Label();
    code.mov32(THERE, GROUP);
    code.cmp(LEFT, GROUP);
    code.jge(done);
    code.mov(THERE, LEFT);
    // In rows of less than a group nobody ever wrote them.
    code.cmp(BLOCK_COUNT, GROUP);
    code.jl(done);
    clear();
    code.bind(done);
    Snippets.mask(code, LANES, THERE);
  }

  /** Blocks of a group, one after the other, each with a vector in memory. */
  private void blocks(Runnable each) {
    code.lea(AT, VECTORS);
    code.mov(RAX, THERE);
    Label block = code.here();
    each.run();
    code.add(X, 4 * BLOCK);
    code.add(AT, 64);
    code.dec(RAX);
    code.jnz(block);
  }

  /** The largest magnitudes of a group's blocks. */
  private Vec largest() {
    blocks(
        () -> {
          code.vpand(A, MAGNITUDE, Mem.at(X));
          code.vpand(B, MAGNITUDE, Mem.at(X, 64));
          // Of bits: an infinity is larger than every number, and NaN larger than that.
          code.vpmaxud(A, A, B);
          code.vmovups(Mem.at(AT), A);
        });
    return Snippets.fold16(code, VECTORS, Assembler::vpmaxud);
  }

  private void byBlock() {
    groups(
        () -> {
          Vec most = largest();
          code.imul(RAX, THERE, 4 * BLOCK);
          code.sub(X, RAX);
          code.vmulps(A, most, OVER_127);
          code.vmovups(Mem.at(AT_STEPS), A.merging(LANES));
          code.vmaxps(most, most, LEAST);
          code.vdivps(most, LARGEST, most);
          code.vmovups(INVERSES, most);
          quantize();
        });
    code.mov(RAX, BLOCK_COUNT);
    // QUANTS is at the end of the bytes by now, where the sums begin.
    code.vmovss(Mem.at(QUANTS, RAX, 8, 0), ONE.as(128));
  }

  private void byHalves() {
    measure();
    scale();
    groups(
        () -> {
          powers();
          quantize();
        });
  }

  /** The largest magnitudes: of blocks, left where their scales will be, and of the row. */
  private void measure() {
    code.vpxor(MOST, MOST, MOST);
    groups(
        () -> {
          Vec most = largest();
          code.vmovups(Mem.at(AT_STEPS), most.merging(LANES));
          code.vpmaxud(MOST, MOST, most);
        });
    back(X, 4 * BLOCK);
    Snippets.across(code, MOST, A, Assembler::vpmaxud);
    code.vbroadcastss(MOST, MOST.as(128));
  }

  /** The row's scale, stored behind those of its blocks. */
  private void scale() {
    code.mov(RAX, BLOCK_COUNT);
    Snippets.behindBytes(code, AT_SUMS, AT_STEPS, QUANTS);
    code.vmulps(SCALE, MOST, OVER_127);
    code.vmovss(Mem.at(AT_STEPS, RAX, 1, 0), SCALE.as(128));
    code.vmaxps(MOST, MOST, LEAST);
    code.vdivps(ROW_INVERSE, LARGEST, MOST);
  }

  /** How often each block's numbers are doubled, and what that makes of the row's scale. */
  private void powers() {
    code.vmovups(A.zeroing(LANES), Mem.at(AT_STEPS));
    code.vmaxps(A, A, LEAST);
    code.vdivps(A, MOST, A);
    code.vminps(A, A, MOST_POWER);
    code.vpand(A, A, EXPONENT);
    // As they are added to the bits of a number that is to be divided.
    code.vpsubd(B, ONE, A);
    code.vmovups(Mem.at(AT_STEPS), B.merging(LANES));
    code.vmulps(A, A, ROW_INVERSE);
    code.vmovups(INVERSES, A);
    if (!rest) return;
    code.vpaddd(B, B, ONE);
    code.vmulps(B, B, SCALE);
    code.vmovups(STEPS, B);
  }

  private void quantize() {
    code.lea(RCX, INVERSES);
    blocks(
        () -> {
          code.vbroadcastss(INVERSE, Mem.at(RCX));
          code.vmulps(A, INVERSE, Mem.at(X));
          code.vmulps(B, INVERSE, Mem.at(X, 64));
          code.vcvtps2dq(A, A);
          code.vcvtps2dq(B, B);
          code.vpmovsdb(Mem.at(QUANTS), A);
          code.vpmovsdb(Mem.at(QUANTS, 16), B);
          if (rest) rest();
          code.vpaddd(A, A, B);
          code.vmovups(Mem.at(AT), A);
          code.add(QUANTS, BLOCK);
          code.add(RCX, 4);
        });
    Vec sums = Snippets.fold16(code, VECTORS, Assembler::vpaddd);
    code.vpslld(sums, sums, shift);
    code.vpsubd(sums, ZERO, sums);
    code.vmovups(Mem.at(AT_SUMS), sums.merging(LANES));
  }

  /** {@code x − bytes · step}. */
  private void rest() {
    code.vbroadcastss(STEP, Mem.at(RCX, 64));
    for (int half = 0; half < 2; half++) {
      Vec number = new Vec(15, 512);
      Vec left = INVERSE;
      code.vcvtdq2ps(number, half == 0 ? A : B);
      code.vmovups(left, Mem.at(X, 64 * half));
      code.vfnmadd231ps(left, number, STEP);
      code.vmovups(Mem.at(AT_REST, 64 * half), left);
    }
    code.add(AT_REST, 4 * BLOCK);
  }
}
