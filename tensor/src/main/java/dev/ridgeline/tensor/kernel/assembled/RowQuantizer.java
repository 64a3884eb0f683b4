package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R14;
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
 * Emits what turns rows of f32 into bytes for an {@link IntegerProduct}.
 *
 * <p>{@code void f(x, xStride, quants, stride, rows, blocks, sums, scales)}, all of them longs: for
 * each block of 32 its scale, the largest magnitude over 127, and what a sum with weights begins
 * with. The scale of a block with infinities or NaN is none of numbers either, and so are all sums
 * with it.
 *
 * <p>What has to be folded across a vector, magnitudes and sums, waits in memory until there are 16
 * of it, which then are folded at once.
 */
final class RowQuantizer {
  private static final int BLOCK = IntegerProduct.BLOCK;

  /** Blocks that are worked on together. */
  private static final int GROUP = 16;

  /** A block of nothing but zeros, or nearly: no infinity comes of it. */
  private static final float TINY = 1e-30f;

  private static final int SAVED = 4 * 8;

  // Sixteen vectors, and one more.
  private static final int LOCALS = 17 * 64;
  private static final Mem VECTORS = Mem.at(RSP, 0);
  private static final Mem INVERSES = Mem.at(RSP, 16 * 64);
  private static final Mem SUMS = Mem.at(RSP, LOCALS + SAVED + 8);
  private static final Mem SCALES = Mem.at(RSP, LOCALS + SAVED + 16);

  private static final Gpr X = RDI;
  private static final Gpr X_STRIDE = RSI;
  private static final Gpr QUANTS = RDX;
  private static final Gpr STRIDE = R12;
  private static final Gpr ROWS = R8;
  private static final Gpr BLOCK_COUNT = R9;
  private static final Gpr AT_SUMS = R10;
  private static final Gpr AT_SCALES = R11;
  private static final Gpr LEFT = RBX;

  /** Blocks of this group, and which of them is worked on. */
  private static final Gpr THERE = R13;

  private static final Gpr AT = R14;

  private static final Mask LANES = new Mask(1);

  private static final Vec ZERO = new Vec(0, 512);
  private static final Vec MAGNITUDE = new Vec(1, 512);
  private static final Vec LARGEST = new Vec(2, 512);
  private static final Vec LEAST = new Vec(3, 512);
  private static final Vec OVER_127 = new Vec(4, 512);
  private static final Vec A = new Vec(5, 512);
  private static final Vec B = new Vec(6, 512);
  private static final Vec INVERSE = new Vec(7, 512);

  private final Assembler code = new Assembler();
  private final int shift;

  private RowQuantizer(int zero) {
    shift = Integer.numberOfTrailingZeros(zero);
  }

  static byte[] code(IntegerProduct.Form form) {
    return new RowQuantizer(form.zero).emit();
  }

  private byte[] emit() {
    for (Gpr each : new Gpr[] {RBX, R12, R13, R14}) code.push(each);
    code.sub(RSP, LOCALS);
    code.mov(STRIDE, RCX);
    code.vpxor(ZERO, ZERO, ZERO);
    Snippets.bits(code, MAGNITUDE, 0x7FFF_FFFF);
    Snippets.constant(code, LARGEST, 127);
    Snippets.constant(code, LEAST, TINY);
    Snippets.constant(code, OVER_127, 1f / 127);
    code.load(AT_SUMS, SUMS);
    code.load(AT_SCALES, SCALES);
    Label row = code.here();
    code.mov(LEFT, BLOCK_COUNT);
    Label group = code.here();
    there();
    scales();
    quantize();
    code.add(AT_SCALES, 4 * GROUP);
    code.add(AT_SUMS, 4 * GROUP);
    code.sub(LEFT, GROUP);
    code.jg(group);
    nextRow();
    code.dec(ROWS);
    code.jnz(row);
    code.add(RSP, LOCALS);
    for (Gpr each : new Gpr[] {R14, R13, R12, RBX}) code.pop(each);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void nextRow() {
    code.imul(RAX, BLOCK_COUNT, 4 * BLOCK);
    code.sub(X, RAX);
    code.add(X, X_STRIDE);
    code.shr(RAX, 2);
    code.sub(QUANTS, RAX);
    code.add(QUANTS, STRIDE);
    code.mov(RAX, BLOCK_COUNT);
    code.add(RAX, GROUP - 1);
    code.shr(RAX, 4);
    code.shl(RAX, 6);
    code.sub(AT_SUMS, RAX);
    code.add(AT_SUMS, STRIDE);
    code.sub(AT_SCALES, RAX);
    code.add(AT_SCALES, STRIDE);
  }

  /** How many blocks this group has; vectors of those that it has not become zero. */
  private void there() {
    Label whole = new Label();
    code.mov32(THERE, GROUP);
    code.cmp(LEFT, GROUP);
    code.jge(whole);
    code.mov(THERE, LEFT);
    for (int i = 0; i < GROUP; i++) code.vmovups(VECTORS.plus(64 * i), ZERO);
    code.bind(whole);
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

  /** The scales of a group, stored, and their inverses. */
  private void scales() {
    blocks(
        () -> {
          code.vpand(A, MAGNITUDE, Mem.at(X));
          code.vpand(B, MAGNITUDE, Mem.at(X, 64));
          // Of bits: an infinity is larger than every number, and NaN larger than that.
          code.vpmaxud(A, A, B);
          code.vmovups(Mem.at(AT), A);
        });
    Vec most = Snippets.fold16(code, VECTORS, Assembler::vpmaxud);
    code.vmulps(A, most, OVER_127);
    code.vmovups(Mem.at(AT_SCALES), A.merging(LANES));
    code.vmaxps(most, most, LEAST);
    code.vdivps(most, LARGEST, most);
    code.vmovups(INVERSES, most);
    code.imul(RAX, THERE, 4 * BLOCK);
    code.sub(X, RAX);
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
}
