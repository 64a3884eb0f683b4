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
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

/**
 * Emits what turns rows of f32 into bytes for an {@link IntegerProduct}.
 *
 * <p>{@code void f(x, xStride, quants, stride, rows, blocks, sums, scales)}, all of them longs:
 * after each part of a row its scale, the largest magnitude over 127; for each block of 32 what a
 * sum with weights begins with. A part with infinities or NaN has the scale NaN, and so have all
 * sums with it.
 */
final class RowQuantizer {
  private static final int BLOCK = 32;
  private static final int BLOCKS = IntegerProduct.PART / BLOCK;

  /** A part of nothing but zeros, or nearly: no infinity comes of it. */
  private static final float TINY = 1e-30f;

  private static final Gpr X = RDI;
  private static final Gpr X_STRIDE = RSI;
  private static final Gpr QUANTS = RDX;
  private static final Gpr STRIDE = RCX;
  private static final Gpr ROWS = R8;
  private static final Gpr COUNT = RAX;
  private static final Gpr LEFT = RBX;
  private static final Gpr AT_SUMS = R10;
  private static final Gpr AT_SCALES = R11;
  private static final Gpr BLOCK_COUNT = R9;
  private static final Mem SUMS = Mem.at(RSP, 16);
  private static final Mem SCALES = Mem.at(RSP, 24);

  private static final Vec ZERO = new Vec(0, 512);
  private static final Vec MOST = new Vec(1, 512);
  private static final Vec DOUBT = new Vec(2, 512);
  private static final Vec MAGNITUDE = new Vec(3, 512);
  private static final Vec INVERSE = new Vec(4, 512);
  private static final Vec A = new Vec(5, 512);
  private static final Vec B = new Vec(6, 512);
  private static final Vec C = new Vec(7, 512);
  private static final Vec LARGEST = new Vec(8, 512);
  private static final Vec LEAST = new Vec(9, 512);
  private static final Vec OVER_127 = new Vec(10, 512);

  private final Assembler code = new Assembler();
  private final int shift;

  private RowQuantizer(int zero) {
    shift = Integer.numberOfTrailingZeros(zero);
  }

  static byte[] code(IntegerProduct.Form form) {
    return new RowQuantizer(form.zero).emit();
  }

  private byte[] emit() {
    code.push(RBX);
    code.vpxor(ZERO, ZERO, ZERO);
    Snippets.bits(code, MAGNITUDE, 0x7FFF_FFFF);
    Snippets.constant(code, LARGEST, 127);
    Snippets.constant(code, LEAST, TINY);
    Snippets.constant(code, OVER_127, 1f / 127);
    code.load(AT_SUMS, SUMS);
    code.load(AT_SCALES, SCALES);
    Label row = code.here();
    code.mov(LEFT, BLOCK_COUNT);
    Label part = code.here();
    scale();
    quantize();
    code.add(AT_SCALES, 4);
    code.sub(LEFT, BLOCKS);
    code.jg(part);
    // On to the next row.
    code.imul(RAX, BLOCK_COUNT, 4 * BLOCK);
    code.sub(X, RAX);
    code.add(X, X_STRIDE);
    code.shr(RAX, 2);
    code.sub(QUANTS, RAX);
    code.add(QUANTS, STRIDE);
    code.shr(RAX, 3);
    code.sub(AT_SUMS, RAX);
    code.add(AT_SUMS, STRIDE);
    code.mov(RAX, BLOCK_COUNT);
    code.add(RAX, BLOCKS - 1);
    code.shr(RAX, 2);
    code.shl(RAX, 2);
    code.sub(AT_SCALES, RAX);
    code.add(AT_SCALES, STRIDE);
    code.dec(ROWS);
    code.jnz(row);
    code.pop(RBX);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  /** COUNT = blocks of this part. */
  private void count() {
    code.mov32(COUNT, BLOCKS);
    code.cmp(LEFT, BLOCKS);
    Label enough = new Label();
    code.jge(enough);
    code.mov(COUNT, LEFT);
    code.bind(enough);
  }

  /** The scale of a part, stored, and its inverse. */
  private void scale() {
    code.vmovaps(MOST, ZERO);
    code.vmovaps(DOUBT, ZERO);
    count();
    Label block = code.here();
    for (int half = 0; half < 2; half++) {
      code.vmovups(A, Mem.at(X, 64 * half));
      code.vfmadd231ps(DOUBT, A, ZERO);
      code.vpand(A, A, MAGNITUDE);
      code.vmaxps(MOST, MOST, A);
    }
    code.add(X, 4 * BLOCK);
    code.dec(COUNT);
    code.jnz(block);
    Snippets.across(code, MOST, C, Assembler::vmaxps);
    Snippets.across(code, DOUBT, C, Assembler::vaddps);
    Vec most = MOST.as(128);
    code.vmaxps(INVERSE.as(128), most, LEAST.as(128));
    code.vdivps(INVERSE.as(128), LARGEST.as(128), INVERSE.as(128));
    code.vbroadcastss(INVERSE, INVERSE);
    code.vmulps(most, most, OVER_127.as(128));
    code.vaddps(most, most, DOUBT.as(128));
    code.vmovss(Mem.at(AT_SCALES), MOST);
    // Back to the beginning of the part.
    count();
    code.shl(COUNT, 7);
    code.sub(X, COUNT);
  }

  private void quantize() {
    count();
    Label block = code.here();
    code.vmulps(A, INVERSE, Mem.at(X));
    code.vmulps(B, INVERSE, Mem.at(X, 64));
    code.vcvtps2dq(A, A);
    code.vcvtps2dq(B, B);
    code.vpmovsdb(Mem.at(QUANTS), A);
    code.vpmovsdb(Mem.at(QUANTS, 16), B);
    code.vpaddd(A, A, B);
    Snippets.across(code, A, C, Assembler::vpaddd);
    Vec sum = A.as(128);
    code.vpslld(sum, sum, shift);
    code.vpsubd(sum, ZERO.as(128), sum);
    code.vmovss(Mem.at(AT_SUMS), A);
    code.add(X, 4 * BLOCK);
    code.add(QUANTS, BLOCK);
    code.add(AT_SUMS, 4);
    code.dec(COUNT);
    code.jnz(block);
  }
}
