package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R14;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R15;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBP;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

/**
 * What an {@link IntegerProduct} has on the stack, from a cache line on: numbers, a copy of the
 * arguments after the sixth among them, and with 16 registers vectors of 256 bits.
 */
final class IntegerFrame {
  private static final Gpr[] SAVED = {RBX, RBP, R12, R13, R14, R15};
  private static final int NUMBERS = 2 * 64;
  private static final int VECTOR = 32;

  /** Vectors of a panel. */
  private static final int PARTS = 4;

  private static final int MOST_SUMS = 12;

  static final Mem W = Mem.at(RSP, 0);
  static final Mem C = Mem.at(RSP, 8);
  static final Mem ROWS = Mem.at(RSP, 16);
  static final Mem QUANTS = Mem.at(RSP, 24);
  static final Mem BASE_OF_TILE = Mem.at(RSP, 32);
  static final Mem GROUPS_LEFT = Mem.at(RSP, 40);
  static final Mem CALLER = Mem.at(RSP, 48);
  static final Mem PANELS = Mem.at(RSP, 56);
  static final Mem PANEL_BYTES = Mem.at(RSP, 64);
  static final Mem BLOCK_COUNT = Mem.at(RSP, 72);
  static final Mem BASE = Mem.at(RSP, 80);
  static final Mem BASE_STRIDE = Mem.at(RSP, 88);
  static final Mem BASE_PANEL = Mem.at(RSP, 96);
  static final Mem LAST_COLUMNS = Mem.at(RSP, 104);

  /** From a block to what a tile has fetched of the next panel. */
  static final Mem AHEAD = Mem.at(RSP, 112);

  /** Those of headers as f32, once for all tiles of a panel. */
  static final Mem SCALES = Mem.at(RSP, 120);

  /** Those that do not arrive in registers. */
  private static final Mem[] ARGUMENTS = {
    PANELS, PANEL_BYTES, BLOCK_COUNT, BASE, BASE_STRIDE, BASE_PANEL, LAST_COLUMNS, SCALES
  };

  private IntegerFrame() {}

  static void open(Assembler code, boolean wide) {
    int bytes = wide ? NUMBERS : sum(MOST_SUMS).offset();
    Snippets.open(code, SAVED, bytes, CALLER, ARGUMENTS);
  }

  static void close(Assembler code) {
    Snippets.close(code, SAVED, CALLER);
  }

  private static Mem vector(int index) {
    return Mem.at(RSP, NUMBERS + index * VECTOR);
  }

  /** Minima of a part of a block's outputs. */
  static Mem minima(int part) {
    return vector(part);
  }

  /** Which outputs of a part of the last panel are written. */
  static Mem columns(int part) {
    return vector(PARTS + part);
  }

  /** A sum over all blocks. */
  static Mem sum(int index) {
    return vector(2 * PARTS + index);
  }
}
