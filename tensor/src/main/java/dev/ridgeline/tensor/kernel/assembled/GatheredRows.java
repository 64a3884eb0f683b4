package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.Assembler.Compare;
import java.util.List;

/**
 * Emits what a {@link LevelPacker} moves: four bytes of as many rows as a register has lanes into
 * registers, fields of them, and those into the places of a panel. RAX and RCX are lost.
 */
final class GatheredRows {
  private static final Gpr ROWS = RDI;
  private static final Gpr OFFSETS = RSI;
  private static final Gpr PANEL = RDX;
  private static final Gpr COLUMNS = R8;
  private static final Gpr SEEN = R9;

  /** Which of the rows are there, a bit each, from the first of this part on. */
  private static final Gpr THERE = R10;

  /** Which rows are still to come. A gather clears it. */
  private static final Mask LEFT = new Mask(1);

  /** Which of them have a block of nothing here. */
  private static final Mask NOTHING = new Mask(2);

  private final Assembler code = new Assembler();
  private final int bits;
  private final boolean wide;
  private final int lanes;

  /** Numbers that lie on the stack, in every lane; the lanes of a part are before them. */
  private final List<Integer> constants;

  /** The rows that are gathered: so many, from this one on. */
  private int part;

  /**
   * @param constants those that the code needs, or that it was found to need
   */
  GatheredRows(int bits, List<Integer> constants) {
    this.bits = bits;
    this.wide = bits == 512;
    this.lanes = bits / 32;
    this.constants = constants;
  }

  Assembler code() {
    return code;
  }

  /** Parts of a panel. */
  int parts() {
    return Kernels.PANEL / lanes;
  }

  void begin() {
    code.sub(RSP, locals());
  }

  /** Fills the stack. */
  void fill() {
    for (int value : constants) {
      Snippets.bits(code, vec(0), value);
      code.vmovups(constant(value), vec(0));
    }
    Snippets.zero(code, vec(0));
    code.vmovups(seen(), vec(0));
    for (part = 0; part < parts() && !wide; part++) lanesThere();
  }

  /** Goes on with the rows of a part. */
  void part(int number) {
    part = number;
    if (wide) lanesThere();
    code.vmovups(offsets(), Mem.at(OFFSETS, part * vectorBytes()));
  }

  /** Reports what was seen. */
  void end() {
    code.vmovups(vec(0), seen());
    code.vpor(vec(0), vec(0), Mem.at(SEEN));
    code.vmovups(Mem.at(SEEN), vec(0));
    code.add(RSP, locals());
    code.vzeroupper();
    code.ret();
  }

  // Registers above those that layouts use.

  Vec vec(int number) {
    return new Vec(number, bits);
  }

  private int vectorBytes() {
    return bits / 8;
  }

  private Vec offsets() {
    return vec(15);
  }

  /** The mask of a gather, then anything. */
  Vec spare() {
    return vec(14);
  }

  /** Has a sign in lanes whose block is of nothing. */
  Vec nothing() {
    return vec(13);
  }

  private Mem seen() {
    return Mem.at(RSP, 0);
  }

  /** Narrow registers have their masks here, for each part. */
  private Mem there() {
    return Mem.at(RSP, (1 + part) * vectorBytes());
  }

  Mem constant(int bits) {
    if (!constants.contains(bits)) constants.add(bits);
    return Mem.at(RSP, (1 + parts() + constants.indexOf(bits)) * vectorBytes());
  }

  private int locals() {
    return (1 + parts() + constants.size()) * vectorBytes();
  }

  /** As many lanes as this part has rows. */
  private void lanesThere() {
    Label some = new Label();
    code.mov(RCX, COLUMNS);
    code.sub(RCX, part * lanes);
    code.jge(some);
    code.xor32(RCX, RCX);
    code.bind(some);
    if (wide) {
      // More lanes than a mask has are cut off.
      code.mov32(RAX, 1);
      code.shlByCl(RAX);
      code.dec(RAX);
      code.mov(THERE, RAX);
      return;
    }
    for (int lane = 0; lane < lanes; lane++) {
      Label absent = new Label();
      code.xor32(RAX, RAX);
      code.cmp(RCX, lane);
      code.jle(absent);
      code.dec(RAX);
      code.bind(absent);
      code.store32(there().plus(4 * lane), RAX);
    }
  }

  /** Four bytes of each row, zero where there is none. */
  Vec gather(int number, int offset) {
    Vec to = vec(number);
    code.vpxor(to, to, to);
    if (wide) {
      code.kmovw(LEFT, THERE);
      code.vpgatherdd(to.merging(LEFT), ROWS, offsets(), offset);
    } else {
      code.vmovups(spare(), there());
      code.vpgatherdd(to, ROWS, offsets(), offset, spare());
    }
    return to;
  }

  void and(Vec to, Vec from, int mask) {
    code.vpand(to, from, constant(mask));
  }

  /** The bits of a number from one on, as many as the mask says. */
  Vec field(int to, Vec from, int at, int mask) {
    Vec result = vec(to);
    if (at > 0) code.vpsrld(result, from, at);
    and(result, at > 0 ? result : from, mask);
    return result;
  }

  // What is stored. Places in a panel are those of its first output.

  /** Four bytes of each output. */
  void store(int at, Vec from) {
    code.vmovups(Mem.at(PANEL, at + part * vectorBytes()), from);
  }

  /** The lower 16 bits of each; what is above them must be zero. */
  void storeWords(int at, Vec from) {
    Mem to = Mem.at(PANEL, at + 2 * part * lanes);
    if (wide) {
      code.vpmovdw(to, from);
    } else {
      code.vpackusdw(spare(), from, from);
      code.vpermq(spare(), spare(), 0x08);
      code.vmovups(to, spare().as(128));
    }
  }

  /** The lower 8 bits of each; what is above them must be zero. */
  void storeBytes(int at, Vec from) {
    Mem to = Mem.at(PANEL, at + part * lanes);
    if (wide) {
      code.vpmovdb(to, from);
    } else {
      code.vpackusdw(spare(), from, from);
      code.vpackuswb(spare(), spare(), spare());
      code.vextractf128(nothing().as(128), spare());
      code.vunpcklps(spare().as(128), spare().as(128), nothing().as(128));
      code.vmovlps(to, spare().as(128));
    }
  }

  /** Two quads of levels below 16, each in the lower halves of bytes, become a line. */
  void storeNibbles(int at, Vec low, Vec high) {
    code.vpslld(high, high, 4);
    code.vpor(low, low, high);
    store(at, low);
  }

  /** Leaves a mark where an f16 in the lower half is infinite or NaN; the spare one is lost. */
  void look(Vec half) {
    and(spare(), half, 0x7C00);
    code.vpaddd(spare(), spare(), constant(0x0400));
    and(spare(), spare(), 0x8000);
    code.vpor(spare(), spare(), seen());
    code.vmovups(seen(), spare());
  }

  /** The f16 in the lower half of a number, and the one in the upper. */
  void storeHalves(Vec both, int low, int high) {
    Vec one = field(12, both, 0, 0xFFFF);
    look(one);
    storeWords(low, one);
    if (high < 0) return;
    code.vpsrld(one, both, 16);
    look(one);
    storeWords(high, one);
  }

  // Blocks that may be of nothing: products add powers to the exponents of their scales.

  /** Scales of f16 at the beginning of blocks go to a place, never zero. */
  void storeScales(int at) {
    Vec scale = field(2, gather(2, 0), 0, 0xFFFF);
    look(scale);
    code.vpslld(nothing(), scale, 17);
    if (wide) {
      code.vpxor(spare(), spare(), spare());
      code.vcmpps(NOTHING, nothing(), spare(), Compare.EQUAL);
      code.vmovups(scale.merging(NOTHING), constant(1));
    } else {
      code.vpxor(spare(), spare(), spare());
      code.vpcmpeqd(nothing(), nothing(), spare());
      code.vblendvps(scale, scale, constant(1), nothing());
      code.vmovaps(vec(1), nothing());
    }
    storeWords(at, scale);
    if (!wide) code.vmovaps(nothing(), vec(1));
  }

  /** Four bytes of each row; where its scale is nothing, so are its weights. */
  Vec weights(int number, int offset, int none) {
    Vec to = gather(number, offset);
    if (wide) code.vmovups(to.merging(NOTHING), constant(none));
    else code.vblendvps(to, to, constant(none), nothing());
    return to;
  }
}
