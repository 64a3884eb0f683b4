package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;

import dev.ridgeline.tensor.kernel.Kernels;
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
  private static final Gpr PANEL = RDX;
  private static final Gpr STEPS = R11;

  private static final int NIBBLES = 0x0F0F_0F0F;

  private final PanelForm form;
  private final int bits;
  private GatheredRows rows;
  private Assembler code;

  LevelPacker(PanelForm form, int bits) {
    this.form = form;
    this.bits = bits;
  }

  @Override
  public byte[] emit() {
    List<Integer> constants = new ArrayList<>();
    // Once for the constants, which the beginning of the code has to know.
    emit(constants);
    return emit(constants);
  }

  private byte[] emit(List<Integer> constants) {
    rows = new GatheredRows(bits, constants);
    code = rows.code();
    rows.begin();
    code.mov(STEPS, RCX);
    rows.fill();
    Label step = code.here();
    for (int part = 0; part < rows.parts(); part++) {
      rows.part(part);
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
    rows.end();
    return code.code();
  }

  // Blocks of 32 with scales of f16. Places in a panel are those of its first output.

  /** 128 is added to each. */
  private void eightBits() {
    rows.storeScales(form.levelBytes());
    for (int quad = 0; quad < form.quads(); quad++) {
      Vec four = rows.weights(3, 2 + 4 * quad, 0);
      code.vpxor(four, four, rows.constant(0x8080_8080));
      rows.store(quad * LINE, four);
    }
  }

  /** In a file, the upper halves of 16 bytes have the second half of the block. */
  private void smallBlock() {
    int from;
    if (form == PanelForm.Q4_0) {
      rows.storeScales(form.levelBytes());
      from = 2;
    } else if (form == PanelForm.MXFP4) {
      // Those of the two smallest powers are subnormal, and nothing here.
      Vec exponent = rows.field(2, rows.gather(2, 0), 0, 255);
      code.vpmaxud(exponent, exponent, rows.constant(1));
      code.vpsubd(exponent, exponent, rows.constant(1));
      rows.storeBytes(form.levelBytes(), exponent);
      from = 1;
    } else {
      rows.storeHalves(rows.gather(2, 0), form.levelBytes(), form.minima ? form.minimum() : -1);
      from = form.minima ? 4 : 2;
    }
    if (form.bits == 5) {
      fifthBits(rows.gather(2, from));
      from += 4;
    }
    nibblesOf32(0, from);
  }

  private void nibblesOf32(int to, int from) {
    for (int pair = 0; pair < 2; pair++) {
      Vec a = bytes(3, from + 8 * pair);
      Vec b = bytes(4, from + 8 * pair + 4);
      for (int upper = 0; upper < 2; upper++) {
        rows.storeNibbles(
            to + (pair + 2 * upper) * LINE,
            rows.field(5, a, 4 * upper, NIBBLES),
            rows.field(6, b, 4 * upper, NIBBLES));
      }
    }
  }

  private Vec bytes(int number, int offset) {
    return form == PanelForm.Q4_0
        ? rows.weights(number, offset, 0x8888_8888)
        : rows.gather(number, offset);
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
      Vec t = rows.vec(3);
      code.vpsrld(t, x, by);
      code.vpxor(t, t, x);
      rows.and(t, t, mask);
      code.vpxor(x, x, t);
      code.vpslld(t, t, by);
      code.vpxor(x, x, t);
    }
    rows.store(form.highBits(), x);
  }

  // Groups of 256, with a header.

  /** Where a block of a group begins. */
  private int block(int number) {
    return form.headerBytes() + number * form.blockBytes();
  }

  private void scaleByte(int block, Vec value) {
    rows.storeBytes(form.groupScales() + block * Kernels.PANEL, value);
  }

  private void minimumByte(int block, Vec value) {
    rows.storeBytes(form.groupScales() + form.groupMinima() + block * Kernels.PANEL, value);
  }

  /** Q4_K and Q5_K. */
  private void shiftedGroups() {
    rows.storeHalves(rows.gather(0, 0), 0, 2 * Kernels.PANEL);
    Vec scales = rows.gather(0, 4);
    Vec minima = rows.gather(1, 8);
    Vec both = rows.gather(2, 12);
    for (int g = 0; g < 4; g++) {
      scaleByte(g, rows.field(3, scales, 8 * g, 63));
      minimumByte(g, rows.field(3, minima, 8 * g, 63));
      scaleByte(g + 4, sixBits(both, 8 * g, scales, 8 * g + 6));
      minimumByte(g + 4, sixBits(both, 8 * g + 4, minima, 8 * g + 6));
    }
    int from = 16;
    if (form.bits == 5) {
      for (int quad = 0; quad < 8; quad++) rows.gather(quad, from + 4 * quad);
      for (int g = 0; g < 8; g++) {
        Vec high = rows.field(8, rows.vec(0), g, 0x0101_0101);
        for (int quad = 1; quad < 8; quad++) {
          Vec bit = rows.field(9, rows.vec(quad), g, 0x0101_0101);
          code.vpslld(bit, bit, quad);
          code.vpor(high, high, bit);
        }
        rows.store(block(g) + form.highBits(), high);
      }
      from += 32;
    }
    for (int pair = 0; pair < 4; pair++) {
      for (int line = 0; line < 4; line++) {
        Vec a = rows.gather(0, from + 32 * pair + 8 * line);
        Vec b = rows.gather(1, from + 32 * pair + 8 * line + 4);
        for (int upper = 0; upper < 2; upper++) {
          rows.storeNibbles(
              block(2 * pair + upper) + line * LINE,
              rows.field(2, a, 4 * upper, NIBBLES),
              rows.field(3, b, 4 * upper, NIBBLES));
        }
      }
    }
  }

  /** Four bits of one number and, above them, two of another. */
  private Vec sixBits(Vec low, int lowAt, Vec high, int highAt) {
    Vec result = rows.field(3, low, lowAt, 15);
    Vec upper = rows.field(4, high, highAt, 3);
    code.vpslld(upper, upper, 4);
    code.vpor(result, result, upper);
    return result;
  }

  /** Q6_K: halves of 128, in each of which four numbers 32 apart share bytes. */
  private void centeredGroups() {
    rows.storeHalves(rows.gather(0, 208), 0, -1);
    for (int four = 0; four < 4; four++) {
      Vec scales = rows.gather(0, 192 + 4 * four);
      for (int i = 0; i < 4; i++) scaleByte(4 * four + i, rows.field(1, scales, 8 * i, 255));
    }
    for (int half = 0; half < 2; half++) {
      for (int four = 0; four < 2; four++) {
        // Upper bits of 16 numbers, four times; then the lower ones.
        for (int quad = 0; quad < 4; quad++)
          rows.gather(quad, 128 + 32 * half + 16 * four + 4 * quad);
        for (int of = 0; of < 4; of++) {
          int at = block(8 * half + 2 * of + four);
          Vec high = rows.field(8, rows.vec(0), 2 * of, 0x0303_0303);
          for (int quad = 1; quad < 4; quad++) {
            Vec two = rows.field(9, rows.vec(quad), 2 * of, 0x0303_0303);
            code.vpslld(two, two, 2 * quad);
            code.vpor(high, high, two);
          }
          rows.store(at + form.highBits(), high);
        }
        for (int later = 0; later < 2; later++) {
          int from = 64 * half + 32 * later + 16 * four;
          for (int quad = 0; quad < 4; quad++) rows.gather(quad, from + 4 * quad);
          for (int upper = 0; upper < 2; upper++) {
            int at = block(8 * half + 2 * (2 * upper + later) + four);
            for (int line = 0; line < 2; line++) {
              rows.storeNibbles(
                  at + line * LINE,
                  rows.field(8, rows.vec(2 * line), 4 * upper, NIBBLES),
                  rows.field(9, rows.vec(2 * line + 1), 4 * upper, NIBBLES));
            }
          }
        }
      }
    }
  }

  /** Q2_K: halves of 128, in each of which four numbers 32 apart share a byte. */
  private void twoBits() {
    rows.storeHalves(rows.gather(0, 80), 0, 2 * Kernels.PANEL);
    for (int four = 0; four < 4; four++) {
      Vec both = rows.gather(0, 4 * four);
      for (int i = 0; i < 4; i++) {
        scaleByte(4 * four + i, rows.field(1, both, 8 * i, 15));
        minimumByte(4 * four + i, rows.field(1, both, 8 * i + 4, 15));
      }
    }
    for (int half = 0; half < 2; half++) {
      for (int four = 0; four < 2; four++) {
        for (int quad = 0; quad < 4; quad++)
          rows.gather(quad, 16 + 32 * half + 16 * four + 4 * quad);
        for (int of = 0; of < 4; of++) {
          int at = block(8 * half + 2 * of + four);
          for (int line = 0; line < 2; line++) {
            rows.storeNibbles(
                at + line * LINE,
                rows.field(8, rows.vec(2 * line), 2 * of, 0x0303_0303),
                rows.field(9, rows.vec(2 * line + 1), 2 * of, 0x0303_0303));
          }
        }
      }
    }
  }

  /** Q3_K: the same with a third bit for each, of which a byte has those of eight groups. */
  private void threeBits() {
    rows.storeHalves(rows.gather(0, 108), 0, -1);
    Vec[] low = {rows.gather(0, 96), rows.gather(1, 100)};
    Vec high = rows.gather(2, 104);
    for (int i = 0; i < 16; i++) {
      int at = 8 * (i % 4);
      Vec scale = sixBits(low[i / 4 % 2], at + i / 8 * 4, high, at + i / 4 * 2);
      code.vpsubd(scale, scale, rows.constant(32));
      rows.and(scale, scale, 255);
      scaleByte(i, scale);
    }
    for (int half = 0; half < 2; half++) {
      for (int four = 0; four < 2; four++) {
        for (int quad = 0; quad < 4; quad++) {
          rows.gather(quad, 32 + 32 * half + 16 * four + 4 * quad);
          rows.gather(4 + quad, 16 * four + 4 * quad);
        }
        for (int of = 0; of < 4; of++) {
          int at = block(8 * half + 2 * of + four);
          for (int line = 0; line < 2; line++) {
            rows.storeNibbles(
                at + line * LINE,
                threeBits(8, 2 * line, of, 4 * half + of),
                threeBits(9, 2 * line + 1, of, 4 * half + of));
          }
        }
      }
    }
  }

  private Vec threeBits(int to, int quad, int two, int third) {
    Vec level = rows.field(to, rows.vec(quad), 2 * two, 0x0303_0303);
    Vec high = rows.field(10, rows.vec(4 + quad), third, 0x0101_0101);
    code.vpslld(high, high, 2);
    code.vpor(level, level, high);
    return level;
  }

  /** IQ4_XS. */
  private void tabledGroups() {
    Vec first = rows.gather(0, 0);
    rows.storeHalves(first, 0, -1);
    code.vpsrld(first, first, 16);
    Vec low = rows.gather(1, 4);
    for (int i = 0; i < form.group(); i++) {
      Vec scale = sixBits(low, 4 * i, first, 2 * i);
      code.vpsubd(scale, scale, rows.constant(32));
      rows.and(scale, scale, 255);
      scaleByte(i, scale);
    }
    for (int i = 0; i < form.group(); i++) nibblesOf32(block(i), 8 + 16 * i);
  }
}
