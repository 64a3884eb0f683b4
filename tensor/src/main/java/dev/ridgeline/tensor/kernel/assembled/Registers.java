package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;

import dev.ridgeline.tensor.kernel.assembled.Assembler.Compare;
import java.util.Arrays;

/**
 * Vector registers of one width: the words of kernels on rows of f32 that differ between 256 bits,
 * which have no masks, and 512.
 *
 * <p>Rows are read in groups of 16 numbers, one register of 512 bits or two of 256. A sum that has
 * a register for each part of a group has the same order in both, and so the same bits. RAX and RCX
 * are lost.
 */
final class Registers {
  /** Numbers of a group. */
  static final int GROUP = 16;

  static final int GROUP_BYTES = 4 * GROUP;

  /** Groups of a turn that are summed apart, so that they need not wait for each other. */
  static final int GROUPS = 4;

  /**
   * Some lanes of a register.
   *
   * @param mask says which, with 512 bits
   * @param lanes the same with 256, by the sign of each lane
   */
  record Some(Mask mask, Vec lanes) {}

  /** What is done with one of the registers of a turn, whose numbers follow each other. */
  interface Step {
    /**
     * @param some the lanes that are there; null for all
     */
    void write(int vector, Some some);
  }

  /** The same for several of them, which need not wait for each other. */
  interface Turn {
    void write(int first, int count, Some some);
  }

  /** The last numbers of a row; kernels keep off its register. */
  private static final Some TAIL = some(1, 15);

  private final Assembler code;
  private final int bits;

  Registers(Assembler code, int bits) {
    this.code = code;
    this.bits = bits;
  }

  /** As names of kernels say it. */
  static String word(int bits) {
    return bits == 512 ? "avx512" : "avx2";
  }

  static Some some(int mask, int register) {
    return new Some(new Mask(mask), new Vec(register, 256));
  }

  boolean wide() {
    return bits == 512;
  }

  int lanes() {
    return bits / 32;
  }

  int bytes() {
    return bits / 8;
  }

  /** Registers of a group. */
  int parts() {
    return GROUP / lanes();
  }

  Vec vec(int number) {
    return new Vec(number, bits);
  }

  // Numbers in every lane.

  void zero(Vec vec) {
    Snippets.zero(code, vec);
  }

  /** The lower half of a general register. */
  void broadcast(Vec to, Gpr from) {
    Snippets.broadcast(code, to, from);
  }

  void constant(Vec to, float value) {
    code.vbroadcastss(to, words(Float.floatToRawIntBits(value)));
  }

  /** The same number in every lane, as an operand in memory. */
  Mem constant(int number) {
    return wide() ? words(number).each() : words(number);
  }

  private Mem words(int number) {
    int[] words = new int[wide() ? 1 : lanes()];
    Arrays.fill(words, number);
    return code.constant(words);
  }

  void move(Vec to, Operand from) {
    switch (from) {
      case Vec vec -> code.vmovaps(to, vec);
      case Mem mem when mem.broadcast() -> code.vbroadcastss(to, Mem.constant(mem.constant()));
      case Mem mem -> code.vmovups(to, mem);
    }
  }

  // Some lanes.

  /** As many lanes as a register says, up to all. */
  void first(Some to, Gpr count) {
    if (wide()) {
      Snippets.mask(code, to.mask, count);
      return;
    }
    code.mov(RCX, count);
    int[] words = new int[2 * lanes()];
    Arrays.fill(words, 0, lanes(), -1);
    code.lea(RAX, code.constant(words));
    code.shl(RCX, 2);
    code.sub(RAX, RCX);
    code.vmovups(to.lanes, Mem.at(RAX, bytes()));
  }

  /** Those where a is less than b; not where one is NaN. */
  void less(Some to, Vec a, Operand b) {
    if (wide()) code.vcmpps(to.mask, a, b, Compare.LESS);
    else code.vcmpps(to.lanes, a, b, Compare.LESS);
  }

  /** Zero elsewhere; what is not there is not read. */
  void load(Vec to, Mem from, Some some) {
    if (some == null) code.vmovups(to, from);
    else if (wide()) code.vmovups(to.zeroing(some.mask), from);
    else code.vmaskmovps(to, some.lanes, from);
  }

  /** Another register's numbers elsewhere. */
  void load(Vec to, Mem from, Vec elsewhere, Some some) {
    if (wide()) {
      code.vmovaps(to, elsewhere);
      code.vmovups(to.merging(some.mask), from);
    } else {
      code.vmaskmovps(to, some.lanes, from);
      code.vblendvps(to, elsewhere, to, some.lanes);
    }
  }

  /** What is in memory as an operand: of some lanes by way of a register. */
  Operand there(Mem from, Vec room, Some some) {
    if (some == null) return from;
    load(room, from, some);
    return room;
  }

  void store(Mem to, Vec from, Some some) {
    if (some == null) code.vmovups(to, from);
    else if (wide()) code.vmovups(to, from.merging(some.mask));
    else code.vmaskmovps(to, some.lanes, from);
  }

  /** Makes all others zero. */
  void keep(Vec vec, Some some) {
    if (some == null) return;
    if (wide()) code.vmovaps(vec.zeroing(some.mask), vec);
    else code.vpand(vec, vec, some.lanes);
  }

  /** Makes them zero. */
  void clear(Vec vec, Some some) {
    if (wide()) code.vpxor(vec.merging(some.mask), vec, vec);
    else code.vpandn(vec, some.lanes, vec);
  }

  // Arithmetic.

  /**
   * {@code to *= 2^n} for whole n, which is lost; neither what is scaled nor the result may be so
   * small that it is not normal.
   */
  void scale(Vec to, Vec n) {
    if (wide()) {
      code.vscalefps(to, to, n);
    } else {
      code.vcvtps2dq(n, n);
      code.vpslld(n, n, 23);
      code.vpaddd(to, to, n);
    }
  }

  /** Folds the lanes of a group, whose registers follow each other, into the first lane. */
  void across(Vec group, Vec other, Fold fold) {
    if (!wide()) fold.write(code, group, group, vec(group.number() + 1));
    Snippets.across(code, group, other, fold);
  }

  // Loops.

  /** Whole groups, then what is left; moves the places on by whole groups. */
  void groups(Gpr left, Step step, Gpr... places) {
    turns(1, left, each(step), places);
    rest(left, each(step));
  }

  /**
   * The same, {@value #GROUPS} groups in a turn where there are so many; those that are left are
   * each the first of their turn.
   */
  void fours(Gpr left, Step step, Gpr... places) {
    turns(GROUPS, left, each(step), places);
    groups(left, step, places);
  }

  /** Two registers at a time where there are so many numbers, then one. */
  void pairs(Gpr left, Turn turn, Gpr... places) {
    turns(2 / parts(), left, turn, places);
    if (wide()) turns(1, left, turn, places);
    rest(left, turn);
  }

  private static Turn each(Step step) {
    return (first, count, some) -> {
      for (int vector = first; vector < first + count; vector++) step.write(vector, some);
    };
  }

  /** Fewer numbers than a group has. */
  private void rest(Gpr left, Turn turn) {
    Label end = new Label();
    code.cmp(left, 0);
    code.jz(end);
    if (!wide()) half(left, turn, end);
    first(TAIL, left);
    turn.write(0, 1, TAIL);
    code.bind(end);
  }

  /** The lower half of a group, and more. */
  private void half(Gpr left, Turn turn, Label end) {
    Label less = new Label();
    code.cmp(left, lanes());
    code.jl(less);
    turn.write(0, 1, null);
    code.sub(left, lanes());
    code.jz(end);
    first(TAIL, left);
    turn.write(1, 1, TAIL);
    code.jmp(end);
    code.bind(less);
  }

  private void turns(int groups, Gpr left, Turn turn, Gpr... places) {
    Label rest = new Label();
    code.sub(left, groups * GROUP);
    code.jl(rest);
    Label again = code.here();
    turn.write(0, groups * parts(), null);
    for (Gpr place : places) code.add(place, groups * GROUP_BYTES);
    code.sub(left, groups * GROUP);
    code.jge(again);
    code.bind(rest);
    code.add(left, groups * GROUP);
  }
}
