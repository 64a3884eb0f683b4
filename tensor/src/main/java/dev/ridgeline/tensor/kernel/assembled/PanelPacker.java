package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.Assembler.Compare;

/**
 * Emits what gathers 32 rows of weights, as a file has them, into a panel: millions of numbers at
 * each start, before Java would have compiled a loop.
 *
 * <p>{@code void f(rows, offsets, panel, steps, columns, seen)}, all of them longs: {@code offsets}
 * are 32 ints, from the first row to each; a step is a block; rows from {@code columns} on are not
 * read. Of the 16 ints at {@code seen} one or more are not zero once a scale of a block was
 * infinite or NaN.
 */
final class PanelPacker implements Emitter {
  private static final int LINE = 4 * Kernels.PANEL;
  private static final int HALF = LINE / 2;

  private static final Gpr ROWS = RDI;
  private static final Gpr OFFSETS = RSI;
  private static final Gpr PANEL = RDX;
  private static final Gpr STEPS = R11;
  private static final Gpr COLUMNS = R8;
  private static final Gpr SEEN = R9;

  /** Which of the lower and of the upper 16 rows are there. */
  private static final Gpr[] THERE = {RAX, R10};

  /** Which of them are still to come. A gather clears it. */
  private static final Mask LEFT = new Mask(1);

  /** Which of them have a block of nothing here. */
  private static final Mask NOTHING = new Mask(2);

  /** The constant of a type, in each lane. */
  private static final Vec CONSTANT = vec(31);

  /** The weights of a block of nothing. */
  private static final Vec NO_WEIGHTS = vec(30);

  /** The least scale, for blocks whose scale is zero: a product may add to its exponent. */
  private static final Vec LEAST = vec(29);

  private static final Vec ZERO = vec(28);

  /** The infinity of f16, where its bits are the upper half of a number. */
  private static final Vec INFINITE = vec(27);

  /** What is not zero in a lane that had a scale that is not finite. */
  private static final Vec STRANGE = vec(26);

  private static final Mask NOT_FINITE = new Mask(3);

  private final Assembler code = new Assembler();
  private final TensorType type;

  PanelPacker(TensorType type) {
    this.type = type;
  }

  private static Vec vec(int number) {
    return new Vec(number, 512);
  }

  @Override
  public byte[] emit() {
    code.mov(STEPS, RCX);
    boolean whole = type == TensorType.Q8_0;
    Snippets.bits(code, CONSTANT, whole ? 0x8080_8080 : 0x0F0F_0F0F);
    Snippets.bits(code, NO_WEIGHTS, whole ? 0 : 0x8888_8888);
    Snippets.bits(code, LEAST, 1);
    code.vpxor(ZERO, ZERO, ZERO);
    Snippets.bits(code, INFINITE, 0x7C00_0000);
    code.vmovups(STRANGE, Mem.at(SEEN));
    code.mov(RCX, COLUMNS);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.mov(R10, RAX);
    code.shr(R10, 16);
    for (int half = 0; half < 2; half++) code.vmovups(vec(half), Mem.at(OFFSETS, 64 * half));
    Label step = code.here();
    int bytes = 0;
    for (int half = 0; half < 2; half++) {
      bytes =
          switch (type) {
            case Q8_0 -> eightBits(half);
            case Q4_0 -> fourBits(half);
            default -> throw new IllegalArgumentException(type.word());
          };
    }
    code.add(ROWS, type.blockBytes());
    code.add(PANEL, bytes);
    code.dec(STEPS);
    code.jnz(step);
    code.vmovups(Mem.at(SEEN), STRANGE);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  /** Four bytes of each row, zero where there is none. */
  private Vec gather(int number, int half, int offset) {
    Vec to = vec(number);
    code.kmovw(LEFT, THERE[half]);
    code.vpxor(to, to, to);
    code.vpgatherdd(to.merging(LEFT), ROWS, vec(half), offset);
    return to;
  }

  /** The scales of a block, which its weights follow. Where one is zero, so are the weights. */
  private int scales(int half, int at) {
    Vec scale = gather(2, half, 0);
    Vec magnitude = vec(3);
    code.vpslld(magnitude, scale, 17);
    code.vpsrld(magnitude, magnitude, 1);
    code.vcmpps(NOTHING, magnitude, ZERO, Compare.EQUAL);
    code.vcmpps(NOT_FINITE, magnitude, INFINITE, Compare.NOT_LESS);
    code.vmovaps(STRANGE.merging(NOT_FINITE), INFINITE);
    code.vmovaps(scale.merging(NOTHING), LEAST);
    code.vpmovdw(Mem.at(PANEL, at + 2 * 16 * half), scale);
    return at + 2 * Kernels.PANEL;
  }

  private Vec weights(int number, int half, int offset) {
    Vec to = gather(number, half, offset);
    code.vmovaps(to.merging(NOTHING), NO_WEIGHTS);
    return to;
  }

  private void store(int line, int half, Vec from) {
    code.vmovups(Mem.at(PANEL, line * LINE + half * HALF), from);
  }

  /** 128 is added to each. */
  private int eightBits(int half) {
    int bytes = scales(half, 8 * LINE);
    for (int quad = 0; quad < 8; quad++) {
      Vec four = weights(3 + quad, half, 2 + 4 * quad);
      code.vpxor(four, four, CONSTANT);
      store(quad, half, four);
    }
    return bytes;
  }

  /** In a file, the upper halves of the 16 bytes have the second half of the block. */
  private int fourBits(int half) {
    int bytes = scales(half, 4 * LINE);
    for (int pair = 0; pair < 2; pair++) {
      Vec a = weights(3, half, 2 + 8 * pair);
      Vec b = weights(4, half, 6 + 8 * pair);
      Vec low = vec(5);
      Vec other = vec(6);
      code.vpand(low, a, CONSTANT);
      code.vpand(other, b, CONSTANT);
      code.vpslld(other, other, 4);
      code.vpor(low, low, other);
      store(pair, half, low);
      code.vpsrld(low, a, 4);
      code.vpand(low, low, CONSTANT);
      code.vpsrld(other, b, 4);
      code.vpand(other, other, CONSTANT);
      code.vpslld(other, other, 4);
      code.vpor(low, low, other);
      store(pair + 2, half, low);
    }
    return bytes;
  }
}
