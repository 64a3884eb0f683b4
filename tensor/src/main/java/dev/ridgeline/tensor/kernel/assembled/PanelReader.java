package dev.ridgeline.tensor.kernel.assembled;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.PanelForm.Scales;

/**
 * Emits what reads a panel of a {@link PanelForm}: levels as bytes, scales and minima as f32.
 *
 * @param code where to
 * @param bits of a register
 * @param block a register with the place of the block
 * @param header a register with the place of the group's header, where there is one
 * @param scales a register with the place of the block's scale in the header
 * @param low for levels of less than 8 bits: the lower four of each byte
 * @param other for levels of 5 or 6 bits: those above, or the table to look levels up in
 */
record PanelReader(
    Assembler code,
    PanelForm form,
    int bits,
    Gpr block,
    Gpr header,
    Gpr scales,
    Operand low,
    Operand other) {
  private static final int LINE = 4 * Kernels.PANEL;

  /** Each bit of the first that the third has, and those of the second. */
  private static final int FIRST_WHERE_THIRD_OR_SECOND = 0xEC;

  /** With constants in memory. */
  PanelReader(Assembler code, PanelForm form, int bits, Gpr block, Gpr header, Gpr scales) {
    this(
        code,
        form,
        bits,
        block,
        header,
        scales,
        form.bits < 8 ? Snippets.every(code, bits, 0x0F0F_0F0F) : null,
        other(code, form, bits));
  }

  private static Mem other(Assembler code, PanelForm form, int bits) {
    if (form.bits == 5) return Snippets.every(code, bits, 0x1010_1010);
    if (form.bits == 6) return Snippets.every(code, bits, 0x3030_3030);
    byte[] values = form.table();
    if (values == null) return null;
    int[] words = new int[bits / 32];
    for (int i = 0; i < bits / 8; i++) {
      words[i / 4] |= (values[i % values.length] & 0xFF) << 8 * (i % 4);
    }
    return code.constant(words);
  }

  /** The same with constants in registers, which are filled here. */
  PanelReader inRegisters(Vec first, Vec second) {
    return new PanelReader(
        code, form, bits, block, header, scales, filled(first, low), filled(second, other));
  }

  private Vec filled(Vec vec, Operand constant) {
    if (constant == null) return null;
    code.vmovups(vec, (Mem) constant);
    return vec;
  }

  /** The levels of four inputs, a byte each, for outputs from a column on. */
  void levels(Vec to, int quad, int column, Vec temporary) {
    if (form.bits == 8) {
      code.vmovups(to, line(quad * LINE, column));
      return;
    }
    code.vmovups(to, line(quad / 2 * LINE, column));
    if (quad % 2 == 1) code.vpsrld(to, to, 4);
    boolean high = form.bits > 4;
    if (!high || !joins()) code.vpand(to, to, low);
    if (form.table() != null) {
      Vec table = other instanceof Vec vec ? vec : temporary;
      if (other instanceof Mem memory) code.vmovups(table, memory);
      code.vpshufb(to, table, to);
    }
    if (high) highBits(to, quad, column, temporary);
  }

  /** What comes from a neighbouring byte is cut off. */
  private void highBits(Vec to, int quad, int column, Vec high) {
    code.vmovups(high, line(form.highBits(), column));
    int left = 4 - (form.bits - 4) * quad;
    if (left > 0) code.vpslld(high, high, left);
    if (left < 0) code.vpsrld(high, high, -left);
    code.vpand(high, high, other);
    if (joins()) code.vpternlogd(to, high, low, FIRST_WHERE_THIRD_OR_SECOND);
    else code.vpor(to, to, high);
  }

  /** Whether one instruction cuts off and joins. */
  private boolean joins() {
    return bits == 512 && low instanceof Vec;
  }

  private Mem line(int at, int column) {
    return Mem.at(block, at + 4 * column);
  }

  /** The scales of outputs from a column on. */
  void scale(Vec to, int column, Vec temporary) {
    switch (form.scales) {
      case HALF -> code.vcvtph2ps(to, Mem.at(block, form.levelBytes() + 2 * column));
      case UNSIGNED, SIGNED -> {
        Mem bytes = Mem.at(scales, column);
        if (form.scales == Scales.SIGNED) code.vpmovsxbd(to, bytes);
        else code.vpmovzxbd(to, bytes);
        code.vcvtdq2ps(to, to);
        code.vcvtph2ps(temporary, Mem.at(header, 2 * column));
        code.vmulps(to, to, temporary);
      }
      case EXPONENT -> {
        code.vpmovzxbd(to, Mem.at(block, form.levelBytes() + column));
        code.vpslld(to, to, 23);
      }
    }
  }

  /** The minima of outputs from a column on; those of groups are to be subtracted. */
  void minimum(Vec to, int column, Vec temporary) {
    if (form.grouped()) {
      code.vpmovzxbd(to, Mem.at(scales, form.groupMinima() + column));
      code.vcvtdq2ps(to, to);
      code.vcvtph2ps(temporary, Mem.at(header, 2 * Kernels.PANEL + 2 * column));
      code.vmulps(to, to, temporary);
    } else {
      code.vcvtph2ps(to, Mem.at(block, form.minimum() + 2 * column));
    }
  }
}
