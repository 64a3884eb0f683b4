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

/**
 * Emits the product of rows of bf16 with panels of {@link Bf16Panels}, by tiles of 16 rows by 16
 * outputs.
 *
 * <p>{@code void f(panels, rows, stride, c, cStride, count, panelCount, panelBytes, chunks, bias,
 * lastColumns)}, all of them longs: up to 32 rows, or a multiple of 32, of so many times 32 inputs.
 * Sums begin with the numbers at {@code bias}, or with zero where that is 0. Of the last panel only
 * {@code lastColumns} outputs are touched.
 *
 * <p>A tile adds the products of its even inputs in order, those of its odd ones, and then both to
 * the sum. Tiles always have 32 inputs, so that a row has the same bits among any number of rows;
 * fewer rows are tiles of fewer rows.
 */
final class Bf16TileProduct implements Emitter {
  /** Rows that meet a panel together. */
  static final int ROWS = 32;

  private static final int TILE_ROWS = 16;
  private static final int LINE = 4 * Kernels.PANEL;
  private static final int BYTES = 64;

  private static final Gpr[] SAVED = {RBX, R12, R13, R14, R15};

  // On the stack, from a cache line on.
  private static final Mem CALLER = Mem.at(RSP, 0);
  private static final Mem W = Mem.at(RSP, 8);
  private static final Mem X = Mem.at(RSP, 16);
  private static final Mem C = Mem.at(RSP, 24);
  private static final Mem COUNT = Mem.at(RSP, 32);
  private static final Mem PANELS = Mem.at(RSP, 40);
  private static final Mem PANEL_BYTES = Mem.at(RSP, 48);
  private static final Mem CHUNKS = Mem.at(RSP, 56);
  private static final Mem BIAS = Mem.at(RSP, 64);
  private static final Mem LAST_COLUMNS = Mem.at(RSP, 72);

  /** Rows of the first tile and of the second. */
  private static final Mem[] TILE_COUNTS = {Mem.at(RSP, 80), Mem.at(RSP, 88)};

  private static final Mem CONFIGURATION = Mem.at(RSP, 128);

  /** What sums of this panel begin with. */
  private static final int BEGIN = 192;

  /** A tile's rows of a panel of which some outputs are not touched. */
  private static final int RESULT = BEGIN + LINE;

  private static final int LOCALS = RESULT + TILE_ROWS * LINE;

  private static final Gpr STRIDE = RDX;
  private static final Gpr C_STRIDE = R8;
  private static final Gpr WEIGHT_LINE = R9;
  private static final Gpr ZERO = R10;
  private static final Gpr STRIDE_16 = R11;
  private static final Gpr AT_W = RBX;
  private static final Gpr[] AT_X = {RSI, R12};
  private static final Gpr AT_C = R13;
  private static final Gpr AT_ROWS = R14;
  private static final Gpr LEFT = R15;

  private static final Tile[][] SUMS = {{new Tile(0), new Tile(1)}, {new Tile(2), new Tile(3)}};
  private static final Tile[] NUMBERS = {new Tile(4), new Tile(5)};
  private static final Tile[] WEIGHTS = {new Tile(6), new Tile(7)};

  private static final Mask[] MASKS = {new Mask(1), new Mask(2)};

  private final Assembler code = new Assembler();

  @Override
  public byte[] emit() {
    Snippets.open(code, SAVED, LOCALS, CALLER, PANELS, PANEL_BYTES, CHUNKS, BIAS, LAST_COLUMNS);
    code.store(W, RDI);
    code.store(X, RSI);
    code.store(C, RCX);
    code.store(COUNT, R9);
    configure();
    code.mov32(WEIGHT_LINE, LINE);
    code.xor32(ZERO, ZERO);
    code.imul(STRIDE_16, STRIDE, TILE_ROWS);
    Label panel = code.here();
    Snippets.columns(code, PANELS, LAST_COLUMNS, MASKS[0], MASKS[1]);
    begin();
    rows();
    Snippets.add(code, W, PANEL_BYTES, RCX);
    Snippets.add(code, C, LINE);
    Snippets.again(code, PANELS, panel);
    code.tilerelease();
    Snippets.close(code, SAVED, CALLER);
    return code.code();
  }

  /** All tiles have 64 bytes in a row. Those of a second tile that nobody uses have one row. */
  private void configure() {
    Vec zero = new Vec(0, 512);
    code.vpxor(zero, zero, zero);
    code.vmovups(CONFIGURATION, zero);
    code.mov32(RAX, 1);
    code.store32(CONFIGURATION, RAX);
    code.mov32(RAX, BYTES | BYTES << 16);
    for (int at = 16; at < 32; at += 4) code.store32(CONFIGURATION.plus(at), RAX);
    code.load(RAX, COUNT);
    code.lea(RCX, Mem.at(RAX, -TILE_ROWS));
    atMost(RAX);
    atMost(RCX);
    Label some = new Label();
    code.cmp(RCX, 0);
    code.jg(some);
    code.mov32(RCX, 1);
    code.bind(some);
    code.store(TILE_COUNTS[0], RAX);
    code.store(TILE_COUNTS[1], RCX);
    // A byte for each tile: four of sums, two of numbers, two of weights.
    code.imul(R10, RAX, 0x0000_0101);
    code.imul(R11, RCX, 0x0101_0000);
    code.add(R10, R11);
    code.store32(CONFIGURATION.plus(48), R10);
    code.shl(RCX, 8);
    code.add(RAX, RCX);
    code.add(RAX, TILE_ROWS * 0x0101_0000);
    code.store32(CONFIGURATION.plus(52), RAX);
    code.ldtilecfg(CONFIGURATION);
  }

  private void atMost(Gpr rows) {
    Label few = new Label();
    code.cmp(rows, TILE_ROWS);
    code.jle(few);
    code.mov32(rows, TILE_ROWS);
    code.bind(few);
  }

  private void begin() {
    Vec[] begin = {new Vec(0, 512), new Vec(1, 512)};
    Label none = new Label();
    for (Vec each : begin) code.vpxor(each, each, each);
    code.load(RAX, BIAS);
    code.cmp(RAX, 0);
    code.jz(none);
    for (int half = 0; half < 2; half++) {
      code.vmovups(begin[half].zeroing(MASKS[half]), Mem.at(RAX, half * BYTES));
    }
    code.add(RAX, LINE);
    code.store(BIAS, RAX);
    code.bind(none);
    for (int half = 0; half < 2; half++) {
      code.vmovups(Mem.at(RSP, BEGIN + half * BYTES), begin[half]);
    }
  }

  private void rows() {
    Label one = new Label();
    Label end = new Label();
    code.load(AT_ROWS, X);
    code.load(AT_C, C);
    code.load(LEFT, COUNT);
    Label next = code.here();
    code.cmp(LEFT, TILE_ROWS);
    code.jle(one);
    tiles(2);
    code.lea(AT_ROWS, Mem.at(AT_ROWS, STRIDE_16, 2, 0));
    code.sub(LEFT, ROWS);
    code.jg(next);
    code.jmp(end);
    code.bind(one);
    tiles(1);
    code.bind(end);
  }

  /** One tile of rows or two, over all inputs. */
  private void tiles(int count) {
    code.load(AT_W, W);
    code.mov(AT_X[0], AT_ROWS);
    if (count > 1) code.lea(AT_X[1], Mem.at(AT_ROWS, STRIDE_16, 1, 0));
    for (int tile = 0; tile < count; tile++) {
      for (int half = 0; half < 2; half++) {
        // The same numbers for every row.
        code.tileloadd(SUMS[tile][half], Mem.at(RSP, ZERO, 1, BEGIN + half * BYTES));
      }
    }
    code.load(RAX, CHUNKS);
    Label turn = code.here();
    for (int half = 0; half < 2; half++) {
      code.tileloadd(WEIGHTS[half], Mem.at(AT_W, WEIGHT_LINE, 1, half * BYTES));
    }
    for (int tile = 0; tile < count; tile++) {
      code.tileloadd(NUMBERS[tile], Mem.at(AT_X[tile], STRIDE, 1, 0));
      for (int half = 0; half < 2; half++) {
        code.tdpbf16ps(SUMS[tile][half], NUMBERS[tile], WEIGHTS[half]);
      }
      code.add(AT_X[tile], BYTES);
    }
    code.add(AT_W, TILE_ROWS * LINE);
    code.dec(RAX);
    code.jnz(turn);
    write(count);
  }

  private void write(int count) {
    Label whole = new Label();
    Label end = new Label();
    code.load(RAX, PANELS);
    code.cmp(RAX, 1);
    code.jnz(whole);
    code.load(RAX, LAST_COLUMNS);
    code.cmp(RAX, Kernels.PANEL);
    code.jz(whole);
    for (int tile = 0; tile < count; tile++) some(tile);
    code.jmp(end);
    code.bind(whole);
    code.imul(RCX, C_STRIDE, TILE_ROWS);
    for (int tile = 0; tile < count; tile++) {
      for (int half = 0; half < 2; half++) {
        code.tilestored(Mem.at(AT_C, C_STRIDE, 1, half * BYTES), SUMS[tile][half]);
      }
      code.add(AT_C, RCX);
    }
    code.bind(end);
  }

  /** Tiles are stored without masks, so they go another way where outputs are missing. */
  private void some(int tile) {
    for (int half = 0; half < 2; half++) {
      code.tilestored(Mem.at(RSP, WEIGHT_LINE, 1, RESULT + half * BYTES), SUMS[tile][half]);
    }
    code.load(RAX, TILE_COUNTS[tile]);
    code.lea(RCX, Mem.at(RSP, RESULT));
    Label row = code.here();
    for (int half = 0; half < 2; half++) {
      Vec results = new Vec(half, 512);
      code.vmovups(results, Mem.at(RCX, half * BYTES));
      code.vmovups(Mem.at(AT_C, half * BYTES), results.merging(MASKS[half]));
    }
    code.add(RCX, LINE);
    code.add(AT_C, C_STRIDE);
    code.dec(RAX);
    code.jnz(row);
  }
}
