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

import dev.ridgeline.tensor.kernel.Kernels;
import java.util.Arrays;

/**
 * Emits the product of rows of f32 with panels of weights in f32, f16 or bf16: 32 outputs side by
 * side for each input.
 *
 * <p>{@code void f(w, x, xStride, c, cStride, rows, panels, panelBytes, inputs, init, lastColumns,
 * line)}, all of them longs; {@code line} is the bytes from the weights of an input to those of the
 * next: sums begin with the numbers at {@code init}, one for each output, with zero where that is
 * 0, and with what is in {@code c} where it is −1. Inputs come in order, one fma each, whatever the
 * number of rows: the vector kernels have the same bits. Of the last panel only {@code lastColumns}
 * outputs are touched; its weights of 16 bits are all read where registers have 256 bits.
 *
 * <p>Across, the rows of the product are the columns of {@code x}: {@code xStride} is the bytes
 * from an input to the next, and rows lie side by side. Such products are gradients that nobody
 * reads soon: {@code past} the caches they are written without being read before and push nothing
 * out, and the next panel, which lies beside this one, is read ahead. They must be whole panels at
 * whole cache lines.
 */
final class FloatProduct implements Emitter {
  /** Sums begin with what is there. */
  static final long ADD = -1;

  private static final int LINE = 4 * Kernels.PANEL;

  /** Inputs of a turn of the loop. */
  private static final int UNROLL = 4;

  /** So many that registers of 256 bits hold the sums of whole panels. */
  private static final int FEW_ROWS = 2;

  private static final Gpr[] SAVED = {RBX, R12, R13, R14, R15};
  private static final int LOCALS = 5 * 8;
  private static final int ARGUMENTS = LOCALS + 8 * SAVED.length + 8;

  private static final Mem W = Mem.at(RSP, 0);
  private static final Mem X = Mem.at(RSP, 8);
  private static final Mem C = Mem.at(RSP, 16);
  private static final Mem ROWS = Mem.at(RSP, 24);

  /** Columns from the next register of the panel on. */
  private static final Mem COLUMNS = Mem.at(RSP, 32);

  private static final Mem PANELS = Mem.at(RSP, ARGUMENTS);
  private static final Mem PANEL_BYTES = Mem.at(RSP, ARGUMENTS + 8);
  private static final Mem INPUTS = Mem.at(RSP, ARGUMENTS + 16);
  private static final Mem INIT = Mem.at(RSP, ARGUMENTS + 24);
  private static final Mem LAST_COLUMNS = Mem.at(RSP, ARGUMENTS + 32);
  private static final Mem WEIGHT_LINE = Mem.at(RSP, ARGUMENTS + 40);

  private static final Gpr STRIDE = RDX;
  private static final Gpr C_STRIDE = R8;
  private static final Gpr LEFT = R9;
  private static final Gpr AT_C = RCX;
  private static final Gpr AT_W = RBX;
  private static final Gpr NEXT_W = R13;

  /** What comes into the second cache while it is not needed yet: the next panel. */
  private static final Gpr SOON = R14;

  /** Of every third row. */
  private static final Gpr[] AT_X = {RSI, R10, R11, R12};

  /** MatrixGradient, where a tile begins. */
  private static final Gpr FIRST_X = R10;

  /** Which lanes of both registers there are, with 512 bits. */
  private static final Mask LOW = new Mask(1);

  private static final Mask HIGH = new Mask(2);

  /** Where that is in memory, with 256. */
  private static final Gpr THERE = R15;

  private final FloatKind kind;
  private final boolean across;

  /** Whether results go past the caches. */
  private final boolean past;

  private final int bits;
  private final int most;

  /** Registers of a row of the tile that is being written. */
  private int parts = 2;

  private final Assembler code = new Assembler();

  /** Code in tiles of so many rows at most: up to 12 with 512 bits, up to 6 with 256. */
  FloatProduct(FloatKind kind, int bits, int most) {
    this(kind, false, false, bits, most);
  }

  /** The same for weights in f32 and columns of x. */
  static FloatProduct across(boolean past, int bits, int most) {
    return new FloatProduct(FloatKind.F32, true, past, bits, most);
  }

  private FloatProduct(FloatKind kind, boolean across, boolean past, int bits, int most) {
    this.kind = kind;
    this.across = across;
    this.past = past;
    this.bits = bits;
    this.most = most;
  }

  private boolean wide() {
    return bits == 512;
  }

  /** Outputs of a tile: a panel, or half of one. */
  private int columns() {
    return parts * bits / 32;
  }

  @Override
  public byte[] emit() {
    Snippets.enter(code, SAVED);
    code.sub(RSP, LOCALS);
    code.store(W, RDI);
    code.store(X, RSI);
    code.store(C, RCX);
    code.store(ROWS, R9);
    Label panel = code.here();
    if (wide()) {
      Snippets.columns(code, PANELS, LAST_COLUMNS, LOW, HIGH);
      rows(true);
      next(W, PANEL_BYTES, 0);
      nextColumns();
    } else {
      halves();
    }
    Snippets.again(code, PANELS, panel);
    code.add(RSP, LOCALS);
    for (int i = SAVED.length - 1; i >= 0; i--) code.pop(SAVED[i]);
    code.vzeroupper();
    if (past) code.sfence();
    code.ret();
    return code.code();
  }

  /** Registers of 256 bits go over a panel twice. */
  private void halves() {
    Label all = new Label();
    code.mov32(RAX, Kernels.PANEL);
    code.load(RDI, PANELS);
    code.cmp(RDI, 1);
    code.jnz(all);
    code.load(RAX, LAST_COLUMNS);
    code.bind(all);
    code.store(COLUMNS, RAX);
    Label next = new Label();
    fewRows(next);
    Label half = code.here();
    Label some = new Label();
    Label done = new Label();
    code.load(RAX, COLUMNS);
    code.cmp(RAX, columns());
    code.jl(some);
    rows(false);
    code.jmp(done);
    code.bind(some);
    // What goes past the caches is always whole.
    if (!past) {
      there();
      rows(true);
    }
    code.bind(done);
    next(W, null, kind.bytes() * columns());
    nextColumns();
    code.load(RAX, COLUMNS);
    code.sub(RAX, columns());
    code.store(COLUMNS, RAX);
    code.jg(half);
    next(W, PANEL_BYTES, -kind.bytes() * Kernels.PANEL);
    code.bind(next);
  }

  /**
   * All columns of a panel at once where it is whole and there are not many rows: half as many sums
   * would wait for each other, and weights are read in the order in which they lie.
   */
  private void fewRows(Label next) {
    Label many = new Label();
    code.cmp(RAX, Kernels.PANEL);
    code.jl(many);
    code.load(RAX, ROWS);
    code.cmp(RAX, FEW_ROWS);
    code.jg(many);
    parts = 4;
    rows(FEW_ROWS, false);
    next(W, PANEL_BYTES, 0);
    nextColumns();
    parts = 2;
    code.jmp(next);
    code.bind(many);
  }

  /** As many lanes as RAX says. */
  private void there() {
    int[] lanes = new int[2 * columns()];
    Arrays.fill(lanes, 0, columns(), -1);
    code.lea(THERE, code.constant(lanes));
    code.shl(RAX, 2);
    code.sub(THERE, RAX);
    code.add(THERE, 4 * columns());
  }

  private void nextColumns() {
    next(C, null, 4 * columns());
    Label none = new Label();
    code.load(RAX, INIT);
    code.cmp(RAX, 0);
    code.jle(none);
    code.add(RAX, 4 * columns());
    code.store(INIT, RAX);
    code.bind(none);
  }

  private void next(Mem local, Mem byOrNull, int by) {
    code.load(RAX, local);
    if (by != 0) code.add(RAX, by);
    if (byOrNull != null) {
      code.load(RDI, byOrNull);
      code.add(RAX, RDI);
    }
    code.store(local, RAX);
  }

  /** All rows: whole tiles, then the one of the rows that are left. */
  private void rows(boolean masked) {
    rows(most, masked);
  }

  private void rows(int most, boolean masked) {
    code.load(AT_X[0], X);
    code.load(LEFT, ROWS);
    code.load(AT_C, C);
    if (!across) {
      code.load(SOON, W);
      code.load(RAX, PANEL_BYTES);
      code.add(SOON, RAX);
    }
    Label end = new Label();
    Label tiles = code.here();
    code.cmp(LEFT, most);
    for (int rows = most; rows >= 1; rows--) {
      Label smaller = new Label();
      if (rows < most) code.cmp(LEFT, rows);
      code.jl(smaller);
      tile(rows, masked);
      if (rows == most) {
        code.sub(LEFT, most);
        code.jnz(tiles);
      }
      code.jmp(end);
      code.bind(smaller);
    }
    code.bind(end);
  }

  private Vec sum(int row, int part) {
    return new Vec(parts * row + part, bits);
  }

  private Vec weights(int part) {
    return new Vec((wide() ? 32 : 16) - parts + part, bits);
  }

  /**
   * A number of x in every lane. It is read once for both registers of weights: processors that
   * begin two fma in a cycle read no more than two numbers in it.
   */
  private Vec each(int row) {
    return wide() ? new Vec(24 + row % 6, bits) : new Vec(14 - parts + row % 2, bits);
  }

  private static Mask mask(int part) {
    return part == 0 ? LOW : HIGH;
  }

  /** Where registers have no masks, those of weights are them meanwhile. */
  private void masks(boolean masked) {
    if (wide() || !masked) return;
    for (int part = 0; part < parts; part++) code.vmovups(weights(part), Mem.at(THERE, 32 * part));
  }

  private void load(Vec to, Mem from, int part, boolean masked) {
    if (!masked) code.vmovups(to, from);
    else if (wide()) code.vmovups(to.zeroing(mask(part)), from);
    else code.vmaskmovps(to, weights(part), from);
  }

  private void store(Mem to, Vec from, int part, boolean masked) {
    if (past) code.vmovntps(to, from);
    else if (!masked) code.vmovups(to, from);
    else if (wide()) code.vmovups(to, from.merging(mask(part)));
    else code.vmaskmovps(to, weights(part), from);
  }

  private void tile(int rows, boolean masked) {
    begin(rows, masked);
    code.load(AT_W, W);
    code.load(NEXT_W, WEIGHT_LINE);
    if (across) code.mov(FIRST_X, AT_X[0]);
    for (int third = 1; 3 * third < rows && !across; third++) {
      code.lea(AT_X[third], Mem.at(AT_X[third - 1], STRIDE, 2, 0));
      code.add(AT_X[third], STRIDE);
    }
    code.load(RAX, INPUTS);
    Snippets.turns(
        code,
        RAX,
        UNROLL,
        () -> {
          for (int i = 0; i < UNROLL; i++) input(rows, i, masked);
          if (!across && rows == most) {
            code.prefetcht1(Mem.at(SOON, 0));
            code.add(SOON, 64);
          }
          advance(rows, UNROLL);
        },
        () -> {
          Label last = code.here();
          input(rows, 0, masked);
          advance(rows, 1);
          code.dec(RAX);
          code.jnz(last);
        });
    masks(masked);
    code.mov(RDI, AT_C);
    for (int row = 0; row < rows; row++) {
      for (int part = 0; part < parts; part++) {
        store(Mem.at(RDI, part * bits / 8), sum(row, part), part, masked);
      }
      code.add(RDI, C_STRIDE);
    }
    code.mov(AT_C, RDI);
    // Back to the first input, and on to the next rows.
    if (across) {
      code.mov(AT_X[0], FIRST_X);
      code.add(AT_X[0], 4 * rows);
      return;
    }
    code.load(RAX, INPUTS);
    code.shl(RAX, 2);
    code.sub(AT_X[0], RAX);
    code.imul(RAX, STRIDE, rows);
    code.add(AT_X[0], RAX);
  }

  private void advance(int rows, int inputs) {
    if (across) return;
    for (int third = 0; 3 * third < rows; third++) code.add(AT_X[third], 4 * inputs);
  }

  private void input(int rows, int input, boolean masked) {
    if (!kind.half()) masks(masked);
    for (int part = 0; part < parts; part++) {
      weights(part, Mem.at(AT_W, part * kind.bytes() * bits / 32), masked);
    }
    for (int line = 0; past && line < parts * bits; line += 512) {
      code.prefetcht1(Mem.at(AT_W, LINE + line / 8));
    }
    code.add(AT_W, NEXT_W);
    for (int row = 0; row < rows; row++) {
      code.vbroadcastss(each(row), x(row, input));
      for (int part = 0; part < parts; part++) {
        code.vfmadd231ps(sum(row, part), weights(part), each(row));
      }
    }
    if (across) code.add(AT_X[0], STRIDE);
  }

  private void weights(int part, Mem from, boolean masked) {
    Vec to = weights(part);
    Vec there = wide() ? to.zeroing(mask(part)) : to;
    switch (kind) {
      case F32 -> load(to, from, part, masked);
      case F16 -> code.vcvtph2ps(there, from);
      case BF16 -> {
        // The upper half of an f32.
        code.vpmovzxwd(there, from);
        code.vpslld(to, to, 16);
      }
    }
  }

  private Mem x(int row, int input) {
    if (across) return Mem.at(AT_X[0], 4 * row);
    Gpr base = AT_X[row / 3];
    return switch (row % 3) {
      case 0 -> Mem.at(base, 4 * input);
      case 1 -> Mem.at(base, STRIDE, 1, 4 * input);
      default -> Mem.at(base, STRIDE, 2, 4 * input);
    };
  }

  /** What sums begin with. */
  private void begin(int rows, boolean masked) {
    Label there = new Label();
    Label given = new Label();
    Label begun = new Label();
    code.load(RAX, INIT);
    code.cmp(RAX, 0);
    code.jl(there);
    code.jg(given);
    for (int row = 0; row < rows; row++) {
      for (int part = 0; part < parts; part++) {
        code.vpxor(sum(row, part), sum(row, part), sum(row, part));
      }
    }
    code.jmp(begun);
    code.bind(given);
    masks(masked);
    for (int part = 0; part < parts; part++) {
      load(sum(0, part), Mem.at(RAX, part * bits / 8), part, masked);
      for (int row = 1; row < rows; row++) code.vmovaps(sum(row, part), sum(0, part));
    }
    code.jmp(begun);
    code.bind(there);
    masks(masked);
    code.mov(RDI, AT_C);
    for (int row = 0; row < rows; row++) {
      for (int part = 0; part < parts; part++) {
        load(sum(row, part), Mem.at(RDI, part * bits / 8), part, masked);
      }
      if (row < rows - 1) code.add(RDI, C_STRIDE);
    }
    code.bind(begun);
  }
}
