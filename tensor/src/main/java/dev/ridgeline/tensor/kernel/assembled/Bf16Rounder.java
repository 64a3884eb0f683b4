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

/**
 * Emits what rounds rows of f32 or f16 to bf16, as tiles read them.
 *
 * <p>{@code void f(rows, stride, to, toStride, count, inputs)}, all of them longs. Rows get zeros
 * up to a multiple of {@value #INPUTS} inputs. Numbers that are too small to be normal become zero.
 * Rows of f16 may become bf16 where they are.
 */
final class Bf16Rounder implements Emitter {
  /** Inputs of a row of a tile. */
  static final int INPUTS = 32;

  private static final int LANES = 16;

  private static final Gpr ROW = RDI;
  private static final Gpr STRIDE = RSI;
  private static final Gpr TO = RDX;
  private static final Gpr TO_STRIDE = R10;
  private static final Gpr ROWS = R8;
  private static final Gpr COUNT = R9;
  private static final Gpr AT = R11;
  private static final Gpr AT_TO = RCX;
  private static final Gpr LEFT = RAX;

  private static final Mask[] MASKS = {new Mask(1), new Mask(2)};

  private final FloatKind kind;
  private final Assembler code = new Assembler();

  Bf16Rounder(FloatKind kind) {
    if (kind == FloatKind.BF16) throw new IllegalArgumentException("bf16 needs no rounding");
    this.kind = kind;
  }

  /** Inputs with the zeros that follow them. */
  static int padded(int inputs) {
    return inputs + INPUTS - 1 & -INPUTS;
  }

  @Override
  public byte[] emit() {
    code.mov(TO_STRIDE, RCX);
    code.mov(RCX, COUNT);
    code.and(RCX, INPUTS - 1);
    Snippets.masks(code, MASKS[0], MASKS[1]);
    Label row = code.here();
    row();
    code.add(ROW, STRIDE);
    code.add(TO, TO_STRIDE);
    code.dec(ROWS);
    code.jnz(row);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  private void row() {
    code.mov(AT, ROW);
    code.mov(AT_TO, TO);
    code.mov(LEFT, COUNT);
    Snippets.turns(
        code,
        LEFT,
        INPUTS,
        () -> {
          inputs(false);
          code.add(AT, INPUTS * kind.bytes());
          code.add(AT_TO, INPUTS * FloatKind.BF16.bytes());
        },
        () -> inputs(true));
  }

  private void inputs(boolean masked) {
    for (int part = 0; part < 2; part++) {
      Vec wide = new Vec(part, 512);
      Vec there = masked ? wide.zeroing(MASKS[part]) : wide;
      Mem from = Mem.at(AT, part * LANES * kind.bytes());
      if (kind == FloatKind.F16) code.vcvtph2ps(there, from);
      else code.vmovups(there, from);
    }
    for (int part = 0; part < 2; part++) {
      Vec rounded = new Vec(part, 256);
      code.vcvtneps2bf16(rounded, new Vec(part, 512));
      code.vmovups(Mem.at(AT_TO, part * LANES * FloatKind.BF16.bytes()), rounded);
    }
  }
}
