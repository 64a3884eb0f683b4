package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;

/** Pieces of code that several kernels on rows of f32 have in common. They use RAX and RCX. */
final class Snippets {
  static final int LANES = 16;
  static final int BYTES = 64;

  /** The lanes of a vector that is not whole. */
  static final Mask TAIL = new Mask(1);

  /** An instruction with a result and two operands. */
  interface Fold {
    void write(Assembler code, Vec to, Vec a, Operand b);
  }

  /** What is done with a vector of a row; with a mask where it is not whole. */
  interface Step {
    void write(Mask maskOrNull);
  }

  private Snippets() {}

  static void constant(Assembler code, Vec to, float value) {
    bits(code, to, Float.floatToRawIntBits(value));
  }

  static void bits(Assembler code, Vec to, int bits) {
    code.mov32(RAX, bits);
    code.vpbroadcastd(to, RAX);
  }

  /** Folds all lanes into the first, always in the same order. */
  static void across(Assembler code, Vec vec, Vec other, Fold fold) {
    code.vextractf64x4(other.as(256), vec);
    fold.write(code, vec.as(256), vec.as(256), other.as(256));
    code.vextractf128(other.as(128), vec.as(256));
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
    code.vpermilps(other.as(128), vec.as(128), 0x4E);
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
    code.vpermilps(other.as(128), vec.as(128), 0xB1);
    fold.write(code, vec.as(128), vec.as(128), other.as(128));
  }

  /** A mask of as many lanes as a register says, up to 63. */
  static void mask(Assembler code, Mask to, Gpr lanes) {
    code.mov(RCX, lanes);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.kmovw(to, RAX);
  }

  /** Whole vectors, then what is left; moves the places on by what was done. */
  static void vectors(Assembler code, Gpr left, Step step, Gpr... places) {
    Label rest = new Label();
    Label end = new Label();
    code.sub(left, LANES);
    code.jl(rest);
    Label turn = code.here();
    step.write(null);
    for (Gpr place : places) code.add(place, BYTES);
    code.sub(left, LANES);
    code.jge(turn);
    code.bind(rest);
    code.add(left, LANES);
    code.jz(end);
    mask(code, TAIL, left);
    step.write(TAIL);
    code.bind(end);
  }

  /** A result that keeps the lanes outside the mask. */
  static Vec merged(Vec vec, Mask maskOrNull) {
    return maskOrNull == null ? vec : vec.merging(maskOrNull);
  }

  /** A result that has zeros outside the mask. */
  static Vec zeroed(Vec vec, Mask maskOrNull) {
    return maskOrNull == null ? vec : vec.zeroing(maskOrNull);
  }
}
