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

import dev.ridgeline.tensor.kernel.Kernels;

/**
 * Emits the product of one row of f32 with weights of Q6_K, as the vector kernels have packed them
 * and with their bits: a weight becomes f32 by one rounding, and a sum runs over the inputs in
 * their order.
 *
 * <p>{@code void f(w, x, c, panels, blocks, base, basePanel, lastColumns)}, all of them longs: so
 * many blocks of 256 inputs for each panel of 32 outputs. What a sum begins with lies at {@code
 * base}, with so many bytes from panel to panel. Of the last panel only {@code lastColumns} outputs
 * are touched.
 *
 * <p>Levels become bytes 64 at a time, those of two inputs, and go through memory on the stack: to
 * read a quarter of them widened takes one instruction there, and two from a register.
 */
final class SixBitRow implements Emitter {
  private static final int LINE = 4 * Kernels.PANEL;
  private static final int BYTES = 64;

  // Of a block; each has 16 inputs: sub-scales, high bits and pairs of lower ones.

  private static final int SUB_BLOCKS = 16;

  private static final int INPUTS = 16;

  private static final int HIGH_BITS = Kernels.PANEL;
  private static final int PAIRS = HIGH_BITS + 2 * BYTES;
  private static final int SUB_BYTES = PAIRS + 4 * BYTES;

  /** For {@code c ? a : b} of bits, where a is lost. */
  private static final int CHOOSE = 0xE4;

  // What lies on the stack: levels of a sub-block from the next multiple of a line on, numbers, the
  // caller's RBX; then arguments behind the sixth.
  private static final int LEVELS_BYTES = 9 * BYTES;
  private static final int LOCALS = LEVELS_BYTES + 8;
  private static final int ARGUMENTS = LOCALS + 8 + 8;
  private static final Mem PANELS = Mem.at(RSP, LEVELS_BYTES);
  private static final Mem BASE_PANEL = Mem.at(RSP, ARGUMENTS);
  private static final Mem LAST_COLUMNS = Mem.at(RSP, ARGUMENTS + 8);

  private static final Gpr AT_W = RBX;
  private static final Gpr X = RSI;
  private static final Gpr AT_X = R10;
  private static final Gpr C = RDX;
  private static final Gpr BLOCKS = R8;
  private static final Gpr BASE = R9;
  private static final Gpr LEVELS = R11;
  private static final Gpr BLOCKS_LEFT = RDI;
  private static final Gpr SUB_BLOCKS_LEFT = RAX;

  private static final Mask LOW = new Mask(1);
  private static final Mask HIGH = new Mask(2);

  private static final Vec NIBBLES = vec(31);
  private static final Vec SIX_BITS = vec(30);
  private static final Vec CENTER = vec(29);

  private final Assembler code = new Assembler();

  private static Vec vec(int number) {
    return new Vec(number, 512);
  }

  private static Vec sum(int half) {
    return vec(half);
  }

  /** That of 256 inputs. */
  private static Vec blockScale(int half) {
    return vec(2 + half);
  }

  private static Vec scale(int half) {
    return vec(4 + half);
  }

  private static Vec offset(int half) {
    return vec(6 + half);
  }

  /** Of the lower eight inputs of a sub-block, or of the upper ones. */
  private static Vec highBits(int eight) {
    return vec(8 + eight);
  }

  private static Mask columns(int half) {
    return half == 0 ? LOW : HIGH;
  }

  @Override
  public byte[] emit() {
    code.push(RBX);
    code.sub(RSP, LOCALS);
    code.store(PANELS, RCX);
    code.mov(AT_W, RDI);
    code.lea(LEVELS, Mem.at(RSP, BYTES - 1));
    code.and(LEVELS, -BYTES);
    Snippets.bits(code, NIBBLES, 0x0F0F_0F0F);
    Snippets.bits(code, SIX_BITS, 0x3F3F_3F3F);
    Snippets.constant(code, CENTER, -32);
    Label panel = code.here();
    Snippets.columns(code, PANELS, LAST_COLUMNS, LOW, HIGH);
    for (int half = 0; half < 2; half++) {
      code.vmovups(sum(half).zeroing(columns(half)), Mem.at(BASE, half * BYTES));
    }
    code.mov(AT_X, X);
    code.mov(BLOCKS_LEFT, BLOCKS);
    Label block = code.here();
    for (int half = 0; half < 2; half++) {
      code.vcvtph2ps(blockScale(half), Mem.at(AT_W, half * BYTES / 2));
    }
    code.add(AT_W, BYTES);
    code.mov32(SUB_BLOCKS_LEFT, SUB_BLOCKS);
    Label subBlock = code.here();
    subBlock();
    code.add(AT_W, SUB_BYTES);
    code.add(AT_X, 4 * INPUTS);
    code.dec(SUB_BLOCKS_LEFT);
    code.jnz(subBlock);
    code.dec(BLOCKS_LEFT);
    code.jnz(block);
    for (int half = 0; half < 2; half++) {
      code.vmovups(Mem.at(C, half * BYTES), sum(half).merging(columns(half)));
    }
    code.add(C, LINE);
    code.load(RAX, BASE_PANEL);
    code.add(BASE, RAX);
    code.load(RAX, PANELS);
    code.dec(RAX);
    code.store(PANELS, RAX);
    code.jnz(panel);
    code.add(RSP, LOCALS);
    code.pop(RBX);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void subBlock() {
    for (int half = 0; half < 2; half++) {
      code.vpmovsxbd(scale(half), Mem.at(AT_W, half * BYTES / 4));
      code.vcvtdq2ps(scale(half), scale(half));
      code.vmulps(scale(half), blockScale(half), scale(half));
      code.vmulps(offset(half), scale(half), CENTER);
    }
    for (int eight = 0; eight < 2; eight++) {
      code.vmovups(highBits(eight), Mem.at(AT_W, HIGH_BITS + eight * BYTES));
    }
    for (int two = 0; two < INPUTS / 2; two++) levels(two);
    for (int input = 0; input < INPUTS; input++) add(input);
  }

  /** Leaves the levels of two inputs on the stack, a byte each. */
  private void levels(int two) {
    Vec level = vec(10 + two % 4);
    Vec high = vec(14 + two % 4);
    code.vmovups(level, Mem.at(AT_W, PAIRS + two % 4 * BYTES));
    if (two >= 4) code.vpsrld(level, level, 4);
    // What comes from a neighbouring byte is not chosen, or cut off.
    switch (two % 4) {
      case 0 -> code.vpslld(high, highBits(two / 4), 4);
      case 1 -> code.vpslld(high, highBits(two / 4), 2);
      case 2 -> high = highBits(two / 4);
      default -> code.vpsrld(high, highBits(two / 4), 2);
    }
    code.vpternlogd(level, high, NIBBLES, CHOOSE);
    code.vpand(level, level, SIX_BITS);
    code.vmovups(Mem.at(LEVELS, two * BYTES), level);
  }

  private void add(int input) {
    for (int half = 0; half < 2; half++) {
      Vec weight = vec(18 + (2 * input + half) % 8);
      code.vpmovzxbd(weight, Mem.at(LEVELS, input * BYTES / 2 + half * BYTES / 4));
      code.vcvtdq2ps(weight, weight);
      code.vfmadd213ps(weight, scale(half), offset(half));
      code.vfmadd231ps(sum(half), weight, Mem.at(AT_X, 4 * input).each());
    }
  }
}
