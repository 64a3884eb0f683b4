package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R10;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R11;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R12;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R13;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R14;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R15;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import dev.ridgeline.tensor.TensorType;
import dev.ridgeline.tensor.kernel.Kernels;

/**
 * Emits the product of quantized rows with a panel of quantized weights, by {@code vpdpbusd}.
 *
 * <p>{@code void f(w, quants, stride, c, cStride, rows, panels, panelBytes, blocks, base,
 * baseStride, basePanel, lastColumns)}, all of them longs: {@code rows} rows of {@code c}, over so
 * many blocks of 32 inputs, for each panel of 32 outputs. What a sum is added to lies at {@code
 * base}, with so many bytes from row to row and from panel to panel. Of the last panel only {@code
 * lastColumns} outputs are touched.
 *
 * <p>Weights are unsigned here, their {@link Form#zero} added; so a sum over a block begins with
 * {@code −zero · Σ quants}, which the {@link RowQuantizer} has left behind the bytes of the row. A
 * block's exact integer becomes f32 and is added with the scale of the block's outputs times that
 * of the row's block; the row's own scale comes last, once for all blocks. Where scales of a row's
 * blocks are {@linkplain Steps powers of two}, they are added to the exponent of the other and not
 * multiplied: that is an instruction for units that have nothing else to do. This order is the same
 * for every number of rows and panels.
 */
final class IntegerProduct implements Emitter {
  /** Inputs that share scales. */
  static final int BLOCK = 32;

  private static final int LINE = 4 * Kernels.PANEL;
  private static final int BYTES = 64;

  /** What the numbers of a row are multiples of once they are bytes. */
  enum Steps {
    /** In each block the largest magnitude over 127, as llama.cpp has it. */
    BY_BLOCK,
    /** For the row its largest magnitude over 127, halved in blocks that allow it. */
    BY_HALVES
  }

  /** How weights lie in a block of 32 inputs by 32 outputs. */
  enum Form {
    /** A byte each: {@code [8][32 outputs][4 inputs]}. */
    Q8_0(TensorType.Q8_0, 1024, 128),
    /**
     * Half a byte each: {@code [4][32 outputs][4 bytes]}, four inputs in the lower halves and the
     * next four in the upper ones.
     */
    Q4_0(TensorType.Q4_0, 512, 8);

    final TensorType type;

    /** Of the weights; 32 scales of f16 follow. */
    final int quantBytes;

    /** What was added to each weight. */
    final int zero;

    Form(TensorType type, int quantBytes, int zero) {
      this.type = type;
      this.quantBytes = quantBytes;
      this.zero = zero;
    }

    int blockBytes() {
      return quantBytes + 2 * Kernels.PANEL;
    }
  }

  // What lies on the stack: registers of the caller, then the arguments behind the sixth.
  private static final int SAVED = 5 * 8;
  private static final int LOCALS = 5 * 8;
  private static final int ARGUMENTS = LOCALS + SAVED + 8;

  private static final Mem W = Mem.at(RSP, 0);
  private static final Mem C = Mem.at(RSP, 8);
  private static final Mem ROWS = Mem.at(RSP, 16);
  private static final Mem QUANTS = Mem.at(RSP, 24);
  private static final Mem BASE_OF_TILE = Mem.at(RSP, 32);
  private static final Mem PANELS = Mem.at(RSP, ARGUMENTS);
  private static final Mem PANEL_BYTES = Mem.at(RSP, ARGUMENTS + 8);
  private static final Mem BLOCK_COUNT = Mem.at(RSP, ARGUMENTS + 16);
  private static final Mem BASE = Mem.at(RSP, ARGUMENTS + 24);
  private static final Mem BASE_STRIDE = Mem.at(RSP, ARGUMENTS + 32);
  private static final Mem BASE_PANEL = Mem.at(RSP, ARGUMENTS + 40);
  private static final Mem LAST_COLUMNS = Mem.at(RSP, ARGUMENTS + 48);

  // Registers of all loops.
  private static final Gpr STRIDE = RDX;
  private static final Gpr C_STRIDE = R8;
  private static final Gpr LEFT = R9; // rows
  private static final Gpr AT_W = RBX;
  private static final Gpr AT_QUANTS = RSI;
  private static final Gpr AT_SUMS = R10;
  private static final Gpr AT_STEPS = R11;
  private static final Gpr AT_C = RCX;
  private static final Gpr QUANTS_3 = R12; // those of the fourth row
  private static final Gpr SUMS_3 = R13;
  private static final Gpr STEPS_3 = R14;
  private static final Gpr C_3 = R15;
  private static final Gpr COUNT = RAX;

  private static final Mask LOW = new Mask(1);
  private static final Mask HIGH = new Mask(2);

  private final Form form;
  private final Steps steps;
  private final int most;
  private final Assembler code = new Assembler();

  /** Code for a form of weights, in tiles of so many rows at most; up to 6. */
  IntegerProduct(Form form, Steps steps, int most) {
    this.form = form;
    this.steps = steps;
    this.most = most;
  }

  @Override
  public byte[] emit() {
    for (Gpr each : new Gpr[] {RBX, R12, R13, R14, R15}) code.push(each);
    code.sub(RSP, LOCALS);
    code.store(W, RDI);
    code.store(C, RCX);
    code.store(ROWS, R9);
    code.store(QUANTS, RSI);
    if (form == Form.Q4_0) {
      code.mov32(RAX, 0x0F0F_0F0F);
      code.vpbroadcastd(nibbles(), RAX);
    }
    Label panel = code.here();
    Snippets.columns(code, PANELS, LAST_COLUMNS, LOW, HIGH);
    code.load(AT_QUANTS, QUANTS);
    code.load(RAX, BLOCK_COUNT);
    Snippets.behindBytes(code, AT_SUMS, AT_STEPS, AT_QUANTS);
    code.load(LEFT, ROWS);
    code.load(AT_C, C);
    code.load(RAX, BASE);
    code.store(BASE_OF_TILE, RAX);
    Label nextPanel = new Label();
    // Whole tiles, then the one of the rows that are left.
    Label tiles = code.here();
    code.cmp(LEFT, most);
    for (int rows = most; rows >= 1; rows--) {
      Label smaller = new Label();
      if (rows < most) code.cmp(LEFT, rows);
      code.jl(smaller);
      tile(rows);
      if (rows == most) {
        code.sub(LEFT, most);
        code.jnz(tiles);
      }
      code.jmp(nextPanel);
      code.bind(smaller);
    }
    code.bind(nextPanel);
    code.load(RAX, W);
    code.load(RDI, PANEL_BYTES);
    code.add(RAX, RDI);
    code.store(W, RAX);
    code.load(RAX, C);
    code.add(RAX, LINE);
    code.store(C, RAX);
    code.load(RAX, BASE);
    code.load(RDI, BASE_PANEL);
    code.add(RAX, RDI);
    code.store(BASE, RAX);
    code.load(RAX, PANELS);
    code.dec(RAX);
    code.store(PANELS, RAX);
    code.jnz(panel);
    code.add(RSP, LOCALS);
    for (Gpr each : new Gpr[] {R15, R14, R13, R12, RBX}) code.pop(each);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  // One tile. Registers: for each row the exact sums of a block for two times 16 outputs, and the
  // sums over all blocks; two vectors of weights, which are also those of scales.

  private Vec exact(int row, int half) {
    return new Vec(2 * row + half, 512);
  }

  private Vec sum(int row, int half) {
    return new Vec(2 * most + 2 * row + half, 512);
  }

  private static Vec weights(int half) {
    return new Vec(28 + half, 512);
  }

  private static Vec more(int half) {
    return new Vec(24 + half, 512);
  }

  private static Vec nibbles() {
    return new Vec(30, 512);
  }

  private static Vec scale() {
    return new Vec(31, 512);
  }

  private void tile(int rows) {
    code.load(AT_W, W);
    code.load(COUNT, BLOCK_COUNT);
    if (rows > 3) {
      third(QUANTS_3, AT_QUANTS, STRIDE);
      third(SUMS_3, AT_SUMS, STRIDE);
      third(STEPS_3, AT_STEPS, STRIDE);
      third(C_3, AT_C, C_STRIDE);
    }
    for (int row = 0; row < rows; row++) {
      for (int half = 0; half < 2; half++) clear(sum(row, half));
    }
    Label block = code.here();
    block(rows);
    code.add(AT_W, form.blockBytes());
    advance(rows, AT_QUANTS, QUANTS_3, BLOCK);
    advance(rows, AT_SUMS, SUMS_3, 4);
    advance(rows, AT_STEPS, STEPS_3, 4);
    code.dec(COUNT);
    code.jnz(block);
    end(rows);
    // Back to the first block, and on to the next rows.
    code.load(RAX, BLOCK_COUNT);
    back(AT_QUANTS, BLOCK);
    back(AT_SUMS, 4);
    back(AT_STEPS, 4);
    code.imul(RAX, STRIDE, rows);
    code.add(AT_QUANTS, RAX);
    code.add(AT_SUMS, RAX);
    code.add(AT_STEPS, RAX);
    code.imul(RAX, C_STRIDE, rows);
    code.add(AT_C, RAX);
  }

  private void clear(Vec vec) {
    code.vpxor(vec, vec, vec);
  }

  /** {@code to = from + 3 · stride}. */
  private void third(Gpr to, Gpr from, Gpr stride) {
    code.lea(to, Mem.at(from, stride, 2, 0));
    code.add(to, stride);
  }

  /** {@code at -= bytes · RAX}. */
  private void back(Gpr at, int bytes) {
    code.imul(RDI, RAX, bytes);
    code.sub(at, RDI);
  }

  private void advance(int rows, Gpr first, Gpr fourth, int bytes) {
    code.add(first, bytes);
    if (rows > 3) code.add(fourth, bytes);
  }

  private static Mem row(Gpr first, Gpr fourth, Gpr stride, int row) {
    Gpr base = row < 3 ? first : fourth;
    return switch (row % 3) {
      case 0 -> Mem.at(base);
      case 1 -> Mem.at(base, stride, 1, 0);
      default -> Mem.at(base, stride, 2, 0);
    };
  }

  /**
   * Sums times the scales of their rows, which lie behind those of blocks, and what they are added
   * to.
   */
  private void end(int rows) {
    code.load(RDI, BASE_OF_TILE);
    code.load(RAX, BASE_STRIDE);
    for (int row = 0; row < rows; row++) {
      code.vbroadcastss(scale(), row(AT_STEPS, STEPS_3, STRIDE, row));
      for (int half = 0; half < 2; half++) {
        Mask mask = half == 0 ? LOW : HIGH;
        code.vmovups(weights(half).zeroing(mask), Mem.at(RDI, half * BYTES));
        code.vfmadd213ps(sum(row, half), scale(), weights(half));
        Mem at = row(AT_C, C_3, C_STRIDE, row).plus(half * BYTES);
        code.vmovups(at, sum(row, half).merging(mask));
      }
      code.add(RDI, RAX);
    }
    code.store(BASE_OF_TILE, RDI);
  }

  private void block(int rows) {
    for (int row = 0; row < rows; row++) {
      code.vpbroadcastd(exact(row, 0), row(AT_SUMS, SUMS_3, STRIDE, row));
      code.vmovaps(exact(row, 1), exact(row, 0));
    }
    for (int quad = 0; quad < BLOCK / 4; quad++) {
      Vec[] w = quad(quad);
      for (int row = 0; row < rows; row++) {
        Mem quants = row(AT_QUANTS, QUANTS_3, STRIDE, row).plus(4 * quad).each();
        for (int half = 0; half < 2; half++) code.vpdpbusd(exact(row, half), w[half], quants);
      }
    }
    for (int half = 0; half < 2; half++) {
      code.vcvtph2ps(weights(half), Mem.at(AT_W, form.quantBytes + half * BYTES / 2));
    }
    for (int row = 0; row < rows; row++) {
      Mem step = row(AT_STEPS, STEPS_3, STRIDE, row).each();
      for (int half = 0; half < 2; half++) {
        code.vcvtdq2ps(exact(row, half), exact(row, half));
        if (steps == Steps.BY_HALVES) code.vpaddd(scale(), weights(half), step);
        else code.vmulps(scale(), weights(half), step);
        code.vfmadd231ps(sum(row, half), exact(row, half), scale());
      }
    }
  }

  /** Weights of four inputs, for the outputs of each half. */
  private Vec[] quad(int quad) {
    Vec[] w = {weights(0), weights(1)};
    if (form == Form.Q8_0) {
      for (int half = 0; half < 2; half++) {
        code.vmovups(w[half], Mem.at(AT_W, quad * LINE + half * BYTES));
      }
      return w;
    }
    for (int half = 0; half < 2; half++) {
      Vec both = more(half);
      if (quad % 2 == 0) {
        code.vmovups(both, Mem.at(AT_W, quad / 2 * LINE + half * BYTES));
        code.vpand(w[half], both, nibbles());
      } else {
        code.vpsrld(both, both, 4);
        code.vpand(w[half], both, nibbles());
      }
    }
    return w;
  }
}
