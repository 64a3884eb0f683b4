package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;

import dev.ridgeline.tensor.kernel.Kernels;

/**
 * Emits what turns a panel of any {@link PanelForm} into what a {@link TileProduct} reads: for each
 * block its weights as bytes with signs, {@code [quads][32 outputs][4 inputs]}, then 32 scales and
 * 32 minima of f32.
 *
 * <p>{@code void f(panel, blocks, to)}, all of them longs.
 */
final class PanelWidener implements Emitter {
  private static final int LINE = 4 * Kernels.PANEL;
  private static final int LANES = 16;

  private static final Gpr PANEL = RDI;
  private static final Gpr BLOCKS = RSI;
  private static final Gpr TO = RDX;
  private static final Gpr HEADER = R8;
  private static final Gpr SCALES = R9;
  private static final Gpr COUNT = RCX;

  private static final Vec LEVELS = new Vec(0, 512);
  private static final Vec TEMPORARY = new Vec(1, 512);
  private static final Vec OTHER = new Vec(2, 512);
  private static final Vec ZERO = new Vec(3, 512);

  private final PanelForm form;
  private final Assembler code = new Assembler();

  PanelWidener(PanelForm form) {
    this.form = form;
  }

  /** What a block becomes. */
  static int blockBytes(PanelForm form) {
    return form.quads() * LINE + 2 * LINE;
  }

  @Override
  public byte[] emit() {
    var memory = new PanelReader(code, form, 512, PANEL, HEADER, SCALES);
    PanelReader reader = memory.inRegisters(new Vec(4, 512), new Vec(5, 512));
    Snippets.bits(code, ZERO, 0x0101_0101 * (-form.zero & 0xFF));
    if (form.minima) Snippets.bits(code, OTHER, 0x8000_0000);
    Label header = code.here();
    code.mov(COUNT, BLOCKS);
    if (form.grouped()) {
      code.mov(HEADER, PANEL);
      code.lea(SCALES, Mem.at(PANEL, form.groupScales()));
      code.add(PANEL, form.headerBytes());
      code.mov32(COUNT, form.group());
    }
    Label block = code.here();
    for (int column = 0; column < Kernels.PANEL; column += LANES) block(reader, column);
    code.add(PANEL, form.blockBytes());
    code.add(TO, blockBytes(form));
    if (form.grouped()) code.add(SCALES, Kernels.PANEL);
    code.dec(COUNT);
    code.jnz(block);
    if (form.grouped()) {
      code.sub(BLOCKS, form.group());
      code.jg(header);
    }
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void block(PanelReader reader, int column) {
    for (int quad = 0; quad < form.quads(); quad++) {
      reader.levels(LEVELS, quad, column, TEMPORARY);
      if (form.zero > 0) code.vpaddb(LEVELS, LEVELS, ZERO);
      code.vmovups(Mem.at(TO, quad * LINE + 4 * column), LEVELS);
    }
    int scales = form.quads() * LINE + 4 * column;
    reader.scale(LEVELS, column, TEMPORARY);
    code.vmovups(Mem.at(TO, scales), LEVELS);
    if (!form.minima) return;
    reader.minimum(LEVELS, column, TEMPORARY);
    // So that all are added.
    if (form.grouped()) code.vpxor(LEVELS, LEVELS, OTHER);
    code.vmovups(Mem.at(TO, scales + LINE), LEVELS);
  }
}
