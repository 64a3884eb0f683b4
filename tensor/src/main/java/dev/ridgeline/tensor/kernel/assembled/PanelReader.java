package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;

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
 * @param constants a place on the stack for three vectors
 */
record PanelReader(
    Assembler code, PanelForm form, int bits, Gpr block, Gpr header, Gpr scales, Mem constants) {
  private static final int LINE = 4 * Kernels.PANEL;

  /** Vectors of constants. */
  static final int CONSTANTS = 3;

  private Mem nibbles() {
    return constants;
  }

  private Mem upper() {
    return constants.plus(bits / 8);
  }

  private Mem table() {
    return constants.plus(2 * bits / 8);
  }

  /** Writes the constants. */
  void begin(Vec temporary) {
    if (form.bits < 8) constant(nibbles(), 0x0F0F_0F0F, temporary);
    if (form.bits == 5) constant(upper(), 0x1010_1010, temporary);
    if (form.bits == 6) constant(upper(), 0x3030_3030, temporary);
    byte[] values = form.table();
    for (int i = 0; values != null && i < bits / 8; i += 4) {
      int four = 0;
      for (int j = 0; j < 4; j++) four |= (values[(i + j) % values.length] & 0xFF) << 8 * j;
      code.mov32(RAX, four);
      code.store32(table().plus(i), RAX);
    }
  }

  private void constant(Mem to, int value, Vec temporary) {
    Snippets.bits(code, temporary, value);
    code.vmovups(to, temporary);
  }

  /** The levels of four inputs, a byte each, for outputs from a column on. */
  void levels(Vec to, int quad, int column, Vec temporary) {
    if (form.bits == 8) {
      code.vmovups(to, line(quad * LINE, column));
      return;
    }
    code.vmovups(to, line(quad / 2 * LINE, column));
    if (quad % 2 == 1) code.vpsrld(to, to, 4);
    code.vpand(to, to, nibbles());
    if (form.table() != null) {
      code.vmovups(temporary, table());
      code.vpshufb(to, temporary, to);
    }
    if (form.bits > 4) highBits(to, quad, column, temporary);
  }

  /** What comes from a neighbouring byte is cut off. */
  private void highBits(Vec to, int quad, int column, Vec high) {
    code.vmovups(high, line(form.highBits(), column));
    int left = 4 - (form.bits - 4) * quad;
    if (left > 0) code.vpslld(high, high, left);
    if (left < 0) code.vpsrld(high, high, -left);
    code.vpand(high, high, upper());
    code.vpor(to, to, high);
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
