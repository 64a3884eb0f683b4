package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import java.util.Arrays;

/** Pieces of code that several kernels have in common. They use RAX and RCX. */
final class Snippets {
  private static final int BYTES = 64;

  private Snippets() {}

  /**
   * Begins a kernel with vectors on the stack: keeps registers of the caller's, and makes room on
   * the stack from a cache line on. R10 is lost.
   *
   * @param caller a place there for what {@link #close} needs
   * @param others places there for the arguments that are not in registers
   */
  static void open(Assembler code, Gpr[] saved, int locals, Mem caller, Mem... others) {
    enter(code, saved);
    code.mov(RAX, RSP);
    code.sub(RSP, locals);
    code.and(RSP, -BYTES);
    code.store(caller, RAX);
    for (int i = 0; i < others.length; i++) {
      code.load(R10, Mem.at(RAX, 8 * (saved.length + 1 + i)));
      code.store(others[i], R10);
    }
  }

  /** Ends it. */
  static void close(Assembler code, Gpr[] saved, Mem caller) {
    code.load(RSP, caller);
    leave(code, saved);
  }

  /** Keeps registers of the caller's on the stack. */
  static void enter(Assembler code, Gpr... saved) {
    for (Gpr each : saved) code.push(each);
  }

  /** Gives them back and returns. */
  static void leave(Assembler code, Gpr... saved) {
    for (int i = saved.length - 1; i >= 0; i--) code.pop(saved[i]);
    code.vzeroupper();
    code.ret();
  }

  /**
   * A loop of so many numbers a turn, then what is left of them, if anything.
   *
   * @param left numbers; in the rest those that are left
   */
  static void turns(Assembler code, Gpr left, int numbers, Runnable turn, Runnable rest) {
    Label some = new Label();
    Label end = new Label();
    code.sub(left, numbers);
    code.jl(some);
    Label again = code.here();
    turn.run();
    code.sub(left, numbers);
    code.jge(again);
    code.bind(some);
    code.add(left, numbers);
    code.jz(end);
    rest.run();
    code.bind(end);
  }

  static void zero(Assembler code, Vec vec) {
    code.vpxor(vec, vec, vec);
  }

  static void bits(Assembler code, Vec to, int bits) {
    code.mov32(RAX, bits);
    broadcast(code, to, RAX);
  }

  /** A vector in memory with the same i32 in every lane. */
  static Mem every(Assembler code, int bits, int value) {
    int[] words = new int[bits / 32];
    Arrays.fill(words, value);
    return code.constant(words);
  }

  /** The lower half of a general register for every lane. */
  static void broadcast(Assembler code, Vec to, Gpr from) {
    if (to.bits() == 512) {
      code.vpbroadcastd(to, from);
      return;
    }
    code.vmovd(to.as(128), from);
    code.vpbroadcastd(to, to);
  }

  /** Folds all lanes into the first, always in the same order. */
  static void across(Assembler code, Vec vec, Vec other, Fold fold) {
    if (vec.bits() == 512) {
      code.vextractf64x4(other.as(256), vec);
      fold.write(code, vec.as(256), vec.as(256), other.as(256));
    }
    code.vextractf128(other.as(128), vec.as(256));
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
    code.vpermilps(other.as(128), vec.as(128), 0x4E);
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
    code.vpermilps(other.as(128), vec.as(128), 0xB1);
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
  }

  /** Folds the lanes of as many vectors in memory as each has lanes; see {@link #fold16}. */
  static Vec fold(Assembler code, int bits, Mem vectors, Fold fold) {
    return bits == 512 ? fold16(code, vectors, fold) : fold8(code, vectors, fold);
  }

  /** The same of 8 vectors of 256 bits; registers 8 to 13 are lost, the result is in 8. */
  private static Vec fold8(Assembler code, Mem vectors, Fold fold) {
    Vec a = new Vec(8, 256);
    Vec b = new Vec(9, 256);
    for (int four = 0; four < 2; four++) {
      for (int pair = 0; pair < 2; pair++) {
        Mem first = vectors.plus((4 * four + 2 * pair) * 32);
        code.vmovups(b, first);
        code.vunpcklps(a, b, first.plus(32));
        code.vunpckhps(b, b, first.plus(32));
        fold.write(code, new Vec(10 + pair, 256), a, b);
      }
      code.vunpcklpd(a, new Vec(10, 256), new Vec(11, 256));
      code.vunpckhpd(b, new Vec(10, 256), new Vec(11, 256));
      fold.write(code, new Vec(12 + four, 256), a, b);
    }
    Vec low = new Vec(12, 256);
    Vec high = new Vec(13, 256);
    code.vperm2f128(a, low, high, 0x20);
    code.vperm2f128(b, low, high, 0x31);
    fold.write(code, a, a, b);
    return a;
  }

  /**
   * Folds the lanes of each of 16 vectors in memory into one lane of a vector, in their order.
   * Registers 16 to 31 are lost; the result is in 16.
   */
  static Vec fold16(Assembler code, Mem vectors, Fold fold) {
    Vec a = new Vec(28, 512);
    Vec b = new Vec(29, 512);
    // Two by two, then four by four: in each quarter of a vector a part of what four of them are.
    for (int four = 0; four < 4; four++) {
      for (int pair = 0; pair < 2; pair++) {
        Mem first = vectors.plus((4 * four + 2 * pair) * BYTES);
        code.vmovups(b, first);
        code.vunpcklps(a, b, first.plus(BYTES));
        code.vunpckhps(b, b, first.plus(BYTES));
        fold.write(code, new Vec(24 + pair, 512), a, b);
      }
      code.vunpcklpd(a, new Vec(24, 512), new Vec(25, 512));
      code.vunpckhpd(b, new Vec(24, 512), new Vec(25, 512));
      fold.write(code, new Vec(16 + four, 512), a, b);
    }
    quarters(code, 16, 17, 20, fold);
    quarters(code, 18, 19, 21, fold);
    quarters(code, 20, 21, 16, fold);
    return new Vec(16, 512);
  }

  /** Folds neighbouring quarters of two vectors, those of the first below those of the second. */
  private static void quarters(Assembler code, int one, int other, int to, Fold fold) {
    Vec a = new Vec(28, 512);
    Vec b = new Vec(29, 512);
    code.vshuff32x4(a, new Vec(one, 512), new Vec(other, 512), 0x88);
    code.vshuff32x4(b, new Vec(one, 512), new Vec(other, 512), 0xDD);
    fold.write(code, new Vec(to, 512), a, b);
  }

  /** A mask of as many lanes as a register says, up to 63. */
  static void mask(Assembler code, Mask to, Gpr lanes) {
    code.mov(RCX, lanes);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.kmovw(to, RAX);
  }

  // Numbers on the stack.

  static void add(Assembler code, Mem to, Gpr by) {
    code.load(RAX, to);
    code.add(RAX, by);
    code.store(to, RAX);
  }

  static void add(Assembler code, Mem to, int by) {
    code.load(RAX, to);
    code.add(RAX, by);
    code.store(to, RAX);
  }

  /** The temporary one is lost. */
  static void add(Assembler code, Mem to, Mem by, Gpr temporary) {
    code.load(RAX, to);
    code.load(temporary, by);
    code.add(RAX, temporary);
    code.store(to, RAX);
  }

  /** Jumps unless this was the last turn. */
  static void again(Assembler code, Mem turns, Label to) {
    code.load(RAX, turns);
    code.dec(RAX);
    code.store(turns, RAX);
    code.jnz(to);
  }

  /** Two masks of 16 lanes each: as many as RCX says, up to 31. */
  static void masks(Assembler code, Mask low, Mask high) {
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.kmovw(low, RAX);
    code.shr(RAX, 16);
    code.kmovw(high, RAX);
  }

  /**
   * Masks of the outputs of a panel that are written: all, but for the last panel. RDI is lost.
   *
   * @param panels how many are left, this one included
   * @param last outputs of the last one
   */
  static void columns(Assembler code, Mem panels, Mem last, Mask low, Mask high) {
    Label whole = new Label();
    code.mov32(RAX, -1);
    code.load(RDI, panels);
    code.cmp(RDI, 1);
    code.jnz(whole);
    code.load(RCX, last);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.bind(whole);
    code.kmovw(low, RAX);
    code.shr(RAX, 16);
    code.kmovw(high, RAX);
  }

  /**
   * Where a row that became bytes has what its sums begin with, and the scales of its blocks; see
   * {@link RowFormat}. RAX has the number of blocks, and then four times as many.
   *
   * @param shift the numbers of a block, as a power of two of bytes
   */
  static void behindBytes(Assembler code, Gpr sums, Gpr steps, Gpr bytes, int shift) {
    code.shl(RAX, shift);
    code.lea(sums, Mem.at(bytes, RAX, 1, 0));
    code.shr(RAX, shift - 2);
    code.lea(steps, Mem.at(sums, RAX, 1, 0));
  }
}
