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
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.Assembler.Compare;
import java.util.ArrayList;
import java.util.List;

/**
 * Emits what gathers 32 rows of quantized weights, as a file has them, into a panel of a {@link
 * PanelForm}: millions of numbers at each start, before Java would have compiled a loop.
 *
 * <p>{@code void f(rows, offsets, panel, steps, columns, seen)}, all of them longs: {@code offsets}
 * are 32 ints, from the first row to each; a step is a block of the file; rows from {@code columns}
 * on are not read. Of the 16 ints at {@code seen} one or more are not zero once a scale was
 * infinite or NaN.
 *
 * <p>Four bytes of as many rows as a register has lanes are read at a time. The layouts of files
 * are those of ggml; {@code tensor.quant} has them in plain loops.
 */
final class LevelPacker implements Emitter {
  private static final int LINE = 4 * Kernels.PANEL;

  private static final Gpr ROWS = RDI;
  private static final Gpr OFFSETS = RSI;
  private static final Gpr PANEL = RDX;
  private static final Gpr STEPS = R11;
  private static final Gpr COLUMNS = R8;
  private static final Gpr SEEN = R9;

  /** Which of the rows are there, a bit each, from the first of this part on. */
  private static final Gpr THERE = R10;

  /** Which rows are still to come. A gather clears it. */
  private static final Mask LEFT = new Mask(1);

  /** Which of them have a block of nothing here. */
  private static final Mask NOTHING = new Mask(2);

  private static final int NIBBLES = 0x0F0F_0F0F;

  private Assembler code;
  private final PanelForm form;
  private final int bits;
  private final boolean wide;
  private final int lanes;

  /** Numbers that lie on the stack, in every lane; the lanes of a part are before them. */
  private final List<Integer> constants = new ArrayList<>();

  /** The rows that are gathered: so many, from this one on. */
  private int part;

  LevelPacker(PanelForm form, int bits) {
    this.form = form;
    this.bits = bits;
    this.wide = bits == 512;
    this.lanes = bits / 32;
  }

  @Override
  public byte[] emit() {
    // Once for the constants, which the begin of the code has to know.
    code = new Assembler();
    body();
    code = new Assembler();
    body();
    return code.code();
  }

  private Vec vec(int number) {
    return new Vec(number, bits);
  }

  private int vectorBytes() {
    return bits / 8;
  }

  // Registers above those that layouts use.

  private Vec offsets() {
    return vec(15);
  }

  /** The mask of a gather, then anything. */
  private Vec spare() {
    return vec(14);
  }

  /** Has a sign in lanes whose block is of nothing. */
  private Vec nothing() {
    return vec(13);
  }

  private Mem seen() {
    return Mem.at(RSP, 0);
  }

  /** Narrow registers have their masks here, for each part. */
  private Mem there() {
    return Mem.at(RSP, (1 + part) * vectorBytes());
  }

  private int parts() {
    return Kernels.PANEL / lanes;
  }

  private Mem constant(int bits) {
    if (!constants.contains(bits)) constants.add(bits);
    return Mem.at(RSP, (1 + parts() + constants.indexOf(bits)) * vectorBytes());
  }

  private int locals() {
    return (1 + parts() + constants.size()) * vectorBytes();
  }

  private void body() {
    code.sub(RSP, locals());
    code.mov(STEPS, RCX);
    for (int value : constants) {
      Snippets.bits(code, vec(0), value);
      code.vmovups(constant(value), vec(0));
    }
    code.vpxor(vec(0), vec(0), vec(0));
    code.vmovups(seen(), vec(0));
    for (part = 0; part < parts() && !wide; part++) lanesThere();
    Label step = code.here();
    for (part = 0; part < parts(); part++) {
      if (wide) lanesThere();
      code.vmovups(offsets(), Mem.at(OFFSETS, part * vectorBytes()));
      switch (form) {
        case Q8_0 -> eightBits();
        case Q4_0, Q4_1, Q5_0, Q5_1, IQ4_NL, MXFP4 -> smallBlock();
        case Q4_K, Q5_K -> shiftedGroups();
        case Q6_K -> centeredGroups();
        case Q2_K -> twoBits();
        case Q3_K -> threeBits();
        case IQ4_XS -> tabledGroups();
      }
    }
    code.add(ROWS, form.type.blockBytes());
    code.add(PANEL, (int) form.panelBytes(form.type.blockSize()));
    code.dec(STEPS);
    code.jnz(step);
    code.vmovups(vec(0), seen());
    code.vpor(vec(0), vec(0), Mem.at(SEEN));
    code.vmovups(Mem.at(SEEN), vec(0));
    code.add(RSP, locals());
    code.vzeroupper();
    code.ret();
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
  private Vec gather(int number, int offset) {
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

  private void and(Vec to, Vec from, int mask) {
    code.vpand(to, from, constant(mask));
  }

  /** The bits of a number from one on, as many as the mask says. */
  private Vec field(int to, Vec from, int at, int mask) {
    Vec result = vec(to);
    if (at > 0) code.vpsrld(result, from, at);
    and(result, at > 0 ? result : from, mask);
    return result;
  }

  // What is stored. Places in a panel are those of its first output.

  /** Four bytes of each output. */
  private void store(int at, Vec from) {
    code.vmovups(Mem.at(PANEL, at + part * vectorBytes()), from);
  }

  /** The lower 16 bits of each; what is above them must be zero. */
  private void storeWords(int at, Vec from) {
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
  private void storeBytes(int at, Vec from) {
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
  private void storeNibbles(int at, Vec low, Vec high) {
    code.vpslld(high, high, 4);
    code.vpor(low, low, high);
    store(at, low);
  }

  /** Leaves a mark where an f16 in the lower half is infinite or NaN; the spare one is lost. */
  private void look(Vec half) {
    and(spare(), half, 0x7C00);
    code.vpaddd(spare(), spare(), constant(0x0400));
    and(spare(), spare(), 0x8000);
    code.vpor(spare(), spare(), seen());
    code.vmovups(seen(), spare());
  }

  /** The f16 in the lower half of a number, and the one in the upper. */
  private void storeHalves(Vec both, int low, int high) {
    Vec one = field(12, both, 0, 0xFFFF);
    look(one);
    storeWords(low, one);
    if (high < 0) return;
    code.vpsrld(one, both, 16);
    look(one);
    storeWords(high, one);
  }

  // Blocks of 32 with scales of f16.

  /** The scales of blocks that products may add to the exponents of: none is zero. */
  private void scales() {
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
    storeWords(form.levelBytes(), scale);
    if (!wide) code.vmovaps(nothing(), vec(1));
  }

  /** Where a scale is nothing, so are its weights. */
  private Vec weights(int number, int offset, int none) {
    Vec to = gather(number, offset);
    if (wide) code.vmovups(to.merging(NOTHING), constant(none));
    else code.vblendvps(to, to, constant(none), nothing());
    return to;
  }

  /** 128 is added to each. */
  private void eightBits() {
    scales();
    for (int quad = 0; quad < form.quads(); quad++) {
      Vec four = weights(3, 2 + 4 * quad, 0);
      code.vpxor(four, four, constant(0x8080_8080));
      store(quad * LINE, four);
    }
  }

  /** In a file, the upper halves of 16 bytes have the second half of the block. */
  private void smallBlock() {
    int from;
    if (form == PanelForm.Q4_0) {
      scales();
      from = 2;
    } else if (form == PanelForm.MXFP4) {
      // Those of the two smallest powers are subnormal, and nothing here.
      Vec exponent = field(2, gather(2, 0), 0, 255);
      code.vpmaxud(exponent, exponent, constant(1));
      code.vpsubd(exponent, exponent, constant(1));
      storeBytes(form.levelBytes(), exponent);
      from = 1;
    } else {
      storeHalves(gather(2, 0), form.levelBytes(), form.minima ? form.minimum() : -1);
      from = form.minima ? 4 : 2;
    }
    if (form.bits == 5) {
      fifthBits(gather(2, from));
      from += 4;
    }
    nibblesOf32(0, from);
  }

  private void nibblesOf32(int to, int from) {
    for (int pair = 0; pair < 2; pair++) {
      Vec a = bytes(3, from + 8 * pair);
      Vec b = bytes(4, from + 8 * pair + 4);
      for (int upper = 0; upper < 2; upper++) {
        storeNibbles(
            to + (pair + 2 * upper) * LINE,
            field(5, a, 4 * upper, NIBBLES),
            field(6, b, 4 * upper, NIBBLES));
      }
    }
  }

  private Vec bytes(int number, int offset) {
    return form == PanelForm.Q4_0 ? weights(number, offset, 0x8888_8888) : gather(number, offset);
  }

  /**
   * Bit {@code 4q + b} of a block goes to bit {@code q} of byte {@code b}: the five bits of its
   * number are exchanged, two at a time.
   */
  private void fifthBits(Vec x) {
    for (int[] pair : new int[][] {{0, 2}, {1, 3}, {2, 4}, {3, 4}}) {
      int by = (1 << pair[1]) - (1 << pair[0]);
      int mask = 0;
      for (int i = 0; i < 32; i++) {
        if ((i >> pair[0] & 1) == 1 && (i >> pair[1] & 1) == 0) mask |= 1 << i;
      }
      Vec t = vec(3);
      code.vpsrld(t, x, by);
      code.vpxor(t, t, x);
      and(t, t, mask);
      code.vpxor(x, x, t);
      code.vpslld(t, t, by);
      code.vpxor(x, x, t);
    }
    store(form.highBits(), x);
  }

  // Groups of 256, with a header.

  /** Where a block of a group begins. */
  private int block(int number) {
    return form.headerBytes() + number * form.blockBytes();
  }

  private void scaleByte(int block, Vec value) {
    storeBytes(form.groupScales() + block * Kernels.PANEL, value);
  }

  private void minimumByte(int block, Vec value) {
    storeBytes(form.groupScales() + form.groupMinima() + block * Kernels.PANEL, value);
  }

  /** Q4_K and Q5_K. */
  private void shiftedGroups() {
    storeHalves(gather(0, 0), 0, 2 * Kernels.PANEL);
    Vec scales = gather(0, 4);
    Vec minima = gather(1, 8);
    Vec both = gather(2, 12);
    for (int g = 0; g < 4; g++) {
      scaleByte(g, field(3, scales, 8 * g, 63));
      minimumByte(g, field(3, minima, 8 * g, 63));
      scaleByte(g + 4, sixBits(both, 8 * g, scales, 8 * g + 6));
      minimumByte(g + 4, sixBits(both, 8 * g + 4, minima, 8 * g + 6));
    }
    int from = 16;
    if (form.bits == 5) {
      for (int quad = 0; quad < 8; quad++) gather(quad, from + 4 * quad);
      for (int g = 0; g < 8; g++) {
        Vec high = field(8, vec(0), g, 0x0101_0101);
        for (int quad = 1; quad < 8; quad++) {
          Vec bit = field(9, vec(quad), g, 0x0101_0101);
          code.vpslld(bit, bit, quad);
          code.vpor(high, high, bit);
        }
        store(block(g) + form.highBits(), high);
      }
      from += 32;
    }
    for (int pair = 0; pair < 4; pair++) {
      for (int line = 0; line < 4; line++) {
        Vec a = gather(0, from + 32 * pair + 8 * line);
        Vec b = gather(1, from + 32 * pair + 8 * line + 4);
        for (int upper = 0; upper < 2; upper++) {
          storeNibbles(
              block(2 * pair + upper) + line * LINE,
              field(2, a, 4 * upper, NIBBLES),
              field(3, b, 4 * upper, NIBBLES));
        }
      }
    }
  }

  /** Four bits of one number and, above them, two of another. */
  private Vec sixBits(Vec low, int lowAt, Vec high, int highAt) {
    Vec result = field(3, low, lowAt, 15);
    Vec upper = field(4, high, highAt, 3);
    code.vpslld(upper, upper, 4);
    code.vpor(result, result, upper);
    return result;
  }

  /** Q6_K: halves of 128, in each of which four numbers 32 apart share bytes. */
  private void centeredGroups() {
    storeHalves(gather(0, 208), 0, -1);
    for (int four = 0; four < 4; four++) {
      Vec scales = gather(0, 192 + 4 * four);
      for (int i = 0; i < 4; i++) scaleByte(4 * four + i, field(1, scales, 8 * i, 255));
    }
    for (int half = 0; half < 2; half++) {
      for (int four = 0; four < 2; four++) {
        // Upper bits of 16 numbers, four times; then the lower ones.
        for (int quad = 0; quad < 4; quad++) gather(quad, 128 + 32 * half + 16 * four + 4 * quad);
        for (int of = 0; of < 4; of++) {
          int at = block(8 * half + 2 * of + four);
          Vec high = field(8, vec(0), 2 * of, 0x0303_0303);
          for (int quad = 1; quad < 4; quad++) {
            Vec two = field(9, vec(quad), 2 * of, 0x0303_0303);
            code.vpslld(two, two, 2 * quad);
            code.vpor(high, high, two);
          }
          store(at + form.highBits(), high);
        }
        for (int later = 0; later < 2; later++) {
          int from = 64 * half + 32 * later + 16 * four;
          for (int quad = 0; quad < 4; quad++) gather(quad, from + 4 * quad);
          for (int upper = 0; upper < 2; upper++) {
            int at = block(8 * half + 2 * (2 * upper + later) + four);
            for (int line = 0; line < 2; line++) {
              storeNibbles(
                  at + line * LINE,
                  field(8, vec(2 * line), 4 * upper, NIBBLES),
                  field(9, vec(2 * line + 1), 4 * upper, NIBBLES));
            }
          }
        }
      }
    }
  }

  /** Q2_K: halves of 128, in each of which four numbers 32 apart share a byte. */
  private void twoBits() {
    storeHalves(gather(0, 80), 0, 2 * Kernels.PANEL);
    for (int four = 0; four < 4; four++) {
      Vec both = gather(0, 4 * four);
      for (int i = 0; i < 4; i++) {
        scaleByte(4 * four + i, field(1, both, 8 * i, 15));
        minimumByte(4 * four + i, field(1, both, 8 * i + 4, 15));
      }
    }
    for (int half = 0; half < 2; half++) {
      for (int four = 0; four < 2; four++) {
        for (int quad = 0; quad < 4; quad++) gather(quad, 16 + 32 * half + 16 * four + 4 * quad);
        for (int of = 0; of < 4; of++) {
          int at = block(8 * half + 2 * of + four);
          for (int line = 0; line < 2; line++) {
            storeNibbles(
                at + line * LINE,
                field(8, vec(2 * line), 2 * of, 0x0303_0303),
                field(9, vec(2 * line + 1), 2 * of, 0x0303_0303));
          }
        }
      }
    }
  }

  /** Q3_K: the same with a third bit for each, of which a byte has those of eight groups. */
  private void threeBits() {
    storeHalves(gather(0, 108), 0, -1);
    Vec[] low = {gather(0, 96), gather(1, 100)};
    Vec high = gather(2, 104);
    for (int i = 0; i < 16; i++) {
      int at = 8 * (i % 4);
      Vec scale = sixBits(low[i / 4 % 2], at + i / 8 * 4, high, at + i / 4 * 2);
      code.vpsubd(scale, scale, constant(32));
      and(scale, scale, 255);
      scaleByte(i, scale);
    }
    for (int half = 0; half < 2; half++) {
      for (int four = 0; four < 2; four++) {
        for (int quad = 0; quad < 4; quad++) {
          gather(quad, 32 + 32 * half + 16 * four + 4 * quad);
          gather(4 + quad, 16 * four + 4 * quad);
        }
        for (int of = 0; of < 4; of++) {
          int at = block(8 * half + 2 * of + four);
          for (int line = 0; line < 2; line++) {
            storeNibbles(
                at + line * LINE,
                threeBits(8, 2 * line, of, 4 * half + of),
                threeBits(9, 2 * line + 1, of, 4 * half + of));
          }
        }
      }
    }
  }

  private Vec threeBits(int to, int quad, int two, int third) {
    Vec level = field(to, vec(quad), 2 * two, 0x0303_0303);
    Vec high = field(10, vec(4 + quad), third, 0x0101_0101);
    code.vpslld(high, high, 2);
    code.vpor(level, level, high);
    return level;
  }

  /** IQ4_XS. */
  private void tabledGroups() {
    Vec first = gather(0, 0);
    storeHalves(first, 0, -1);
    code.vpsrld(first, first, 16);
    Vec low = gather(1, 4);
    for (int i = 0; i < form.group(); i++) {
      Vec scale = sixBits(low, 4 * i, first, 2 * i);
      code.vpsubd(scale, scale, constant(32));
      and(scale, scale, 255);
      scaleByte(i, scale);
    }
    for (int i = 0; i < form.group(); i++) nibblesOf32(block(i), 8 + 16 * i);
  }
}
