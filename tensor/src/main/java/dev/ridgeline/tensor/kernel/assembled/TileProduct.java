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
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBP;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSP;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.RowFormat.Steps;

/**
 * Emits the product of rows of bytes with a panel that a {@link PanelWidener} has left, by tiles of
 * 16 rows by 16 outputs; the results have the bits of an {@link IntegerProduct}.
 *
 * <p>{@code void f(panel, quants, stride, c, cStride, tiles, blocks, base, baseStride, columns)},
 * all of them longs: so many times 16 rows, of which only so many outputs are touched. Of the panel
 * and of each row, {@link #AHEAD} blocks are read that there are not.
 *
 * <p>A tile has the exact sums of one block. They go through memory to the sums over all blocks,
 * which are in registers; the tiles of the next blocks are on their way meanwhile.
 */
final class TileProduct implements Emitter {
  /** Rows of a tile. */
  static final int ROWS = 16;

  /** Blocks whose tiles are begun before the first one's is read. */
  static final int AHEAD = 4;

  private static final int RING = 8;
  private static final int LINE = 4 * Kernels.PANEL;
  private static final int BYTES = 64;
  private static final int TILE_BYTES = ROWS * BYTES;

  private static final Gpr[] SAVED = {RBX, RBP, R12, R13, R14, R15};
  private static final int ARGUMENTS = 8 * SAVED.length + 8;

  // On the stack, from a cache line on.
  private static final Mem PANEL = Mem.at(RSP, 0);
  private static final Mem QUANTS = Mem.at(RSP, 8);
  private static final Mem C = Mem.at(RSP, 16);
  private static final Mem C_STRIDE = Mem.at(RSP, 24);
  private static final Mem TILES = Mem.at(RSP, 32);
  private static final Mem CALLER = Mem.at(RSP, 40);
  private static final Mem BLOCK_COUNT = Mem.at(RSP, 48);
  private static final Mem BASE = Mem.at(RSP, 56);
  private static final Mem BASE_STRIDE = Mem.at(RSP, 64);
  private static final Mem COLUMNS = Mem.at(RSP, 72);
  private static final Mem TILES_LEFT = Mem.at(RSP, 80);
  private static final Mem AT_C = Mem.at(RSP, 88);
  private static final Mem AT_BASE = Mem.at(RSP, 96);
  private static final Mem AT_ROWS = Mem.at(RSP, 104);
  private static final Mem CONFIGURATION = Mem.at(RSP, 128);
  private static final int TILES_AT = 192;
  private static final int LOCALS = TILES_AT + RING * TILE_BYTES;

  private static final Gpr STRIDE = RDX;
  private static final Gpr STRIDE_3 = R12;
  private static final Gpr STRIDE_5 = R13;
  private static final Gpr STRIDE_7 = R14;
  private static final Gpr STEPS_0 = R10;
  private static final Gpr STEPS_1 = R11;
  private static final Gpr SUMS_0 = R15;
  private static final Gpr SUMS_1 = RBP;
  private static final Gpr AHEAD_ROWS = RSI;
  private static final Gpr AHEAD_W = RBX;
  private static final Gpr AT_SCALES = RDI;
  private static final Gpr SIXTY_FOUR = R8;

  /** Where in the ring the next tile goes. */
  private static final Gpr TURN = R9;

  private static final Gpr AT = RCX;
  private static final Gpr COUNT = RAX;

  private static final Tile[] SUMS = {new Tile(0), new Tile(1)};
  private static final Tile[] NUMBERS = {new Tile(2), new Tile(3)};
  private static final Tile[] WEIGHTS = {new Tile(4), new Tile(5)};

  private static final Mask[] MASKS = {new Mask(1), new Mask(2)};

  private static final Vec SCALE = new Vec(30, 512);
  private static final Vec MINIMUM = new Vec(31, 512);

  private final PanelForm form;
  private final Steps steps;
  private final Assembler code = new Assembler();

  TileProduct(PanelForm form, Steps steps) {
    this.form = form;
    this.steps = steps;
  }

  @Override
  public byte[] emit() {
    for (Gpr each : SAVED) code.push(each);
    code.mov(RAX, RSP);
    code.sub(RSP, LOCALS);
    code.and(RSP, -BYTES);
    code.store(CALLER, RAX);
    code.store(PANEL, RDI);
    code.store(QUANTS, RSI);
    code.store(C, RCX);
    code.store(C_STRIDE, R8);
    code.store(TILES, R9);
    Mem[] others = {BLOCK_COUNT, BASE, BASE_STRIDE, COLUMNS};
    for (int i = 0; i < others.length; i++) {
      code.load(R10, Mem.at(RAX, ARGUMENTS + 8 * i));
      code.store(others[i], R10);
    }
    configure();
    masks();
    code.lea(STRIDE_3, Mem.at(STRIDE, STRIDE, 2, 0));
    code.lea(STRIDE_5, Mem.at(STRIDE, STRIDE, 4, 0));
    code.lea(STRIDE_7, Mem.at(STRIDE_3, STRIDE, 4, 0));
    code.mov32(SIXTY_FOUR, BYTES);
    for (int half = 0; half < 2; half++) half(half);
    code.tilerelease();
    code.load(RSP, CALLER);
    for (int i = SAVED.length - 1; i >= 0; i--) code.pop(SAVED[i]);
    code.vzeroupper();
    code.ret();
    return code.code();
  }

  /** Sums have 16 rows of 64 bytes, numbers 16 of a block, weights a row for each quad. */
  private void configure() {
    Vec zero = new Vec(0, 512);
    code.vpxor(zero, zero, zero);
    code.vmovups(CONFIGURATION, zero);
    configure(0, 1);
    configure(16, BYTES | BYTES << 16);
    configure(20, form.block | form.block << 16);
    configure(24, BYTES | BYTES << 16);
    configure(48, ROWS * 0x0101_0101);
    configure(52, form.quads() * 0x0101);
    code.ldtilecfg(CONFIGURATION);
  }

  private void configure(int at, int value) {
    code.mov32(RAX, value);
    code.store32(CONFIGURATION.plus(at), RAX);
  }

  private void masks() {
    code.load(RCX, COLUMNS);
    code.mov32(RAX, 1);
    code.shlByCl(RAX);
    code.dec(RAX);
    code.kmovw(MASKS[0], RAX);
    code.shr(RAX, 16);
    code.kmovw(MASKS[1], RAX);
  }

  /** All rows, for 16 outputs. */
  private void half(int half) {
    offset(AT_ROWS, QUANTS, 0);
    offset(AT_C, C, half * BYTES);
    offset(AT_BASE, BASE, half * BYTES);
    offset(TILES_LEFT, TILES, 0);
    Label tile = code.here();
    tile(half);
    code.load(RAX, AT_ROWS);
    code.imul(RCX, STRIDE, ROWS);
    code.add(RAX, RCX);
    code.store(AT_ROWS, RAX);
    code.load(RAX, TILES_LEFT);
    code.dec(RAX);
    code.store(TILES_LEFT, RAX);
    code.jnz(tile);
  }

  private void offset(Mem to, Mem from, int by) {
    code.load(RAX, from);
    if (by > 0) code.add(RAX, by);
    code.store(to, RAX);
  }

  private static Vec sum(int row) {
    return new Vec(row, 512);
  }

  private void tile(int half) {
    code.load(AHEAD_ROWS, AT_ROWS);
    code.load(AHEAD_W, PANEL);
    if (half > 0) code.add(AHEAD_W, half * BYTES);
    code.lea(AT_SCALES, Mem.at(AHEAD_W, form.quads() * LINE));
    code.load(RAX, BLOCK_COUNT);
    Snippets.behindBytes(
        code, SUMS_0, STEPS_0, AHEAD_ROWS, Integer.numberOfTrailingZeros(form.block));
    code.lea(STEPS_1, Mem.at(STEPS_0, STRIDE, 1, 0));
    code.lea(SUMS_1, Mem.at(SUMS_0, STRIDE, 1, 0));
    code.xor32(TURN, TURN);
    for (int row = 0; row < ROWS; row++) code.vpxor(sum(row), sum(row), sum(row));
    for (int i = 0; i < AHEAD; i++) ahead(i % 2);
    code.load(COUNT, BLOCK_COUNT);
    // Two blocks in a turn, so that tiles alternate; the second is left out at an odd end.
    Label end = new Label();
    Label turn = code.here();
    for (int i = 0; i < 2; i++) {
      ahead(i);
      add();
      code.dec(COUNT);
      if (i == 0) code.jz(end);
      else code.jnz(turn);
    }
    code.bind(end);
    write(half);
  }

  /** Begins the tile of a block that is added later. */
  private void ahead(int which) {
    code.tilezero(SUMS[which]);
    code.tileloadd(NUMBERS[which], Mem.at(AHEAD_ROWS, STRIDE, 1, 0));
    code.tileloadd(WEIGHTS[which], Mem.at(AHEAD_W, SIXTY_FOUR, 2, 0));
    code.tdpbssd(SUMS[which], NUMBERS[which], WEIGHTS[which]);
    code.lea(AT, Mem.at(RSP, TURN, 1, TILES_AT));
    code.tilestored(Mem.at(AT, SIXTY_FOUR, 1, 0), SUMS[which]);
    code.add(AHEAD_ROWS, form.block);
    code.add(AHEAD_W, PanelWidener.blockBytes(form));
    code.add(TURN, TILE_BYTES);
    code.and(TURN, RING * TILE_BYTES - 1);
  }

  /** Adds the tile of a block. */
  private void add() {
    // As far behind as tiles are ahead, in a ring.
    code.lea(AT, Mem.at(TURN, (RING - AHEAD - 1) * TILE_BYTES));
    code.and(AT, RING * TILE_BYTES - 1);
    code.lea(AT, Mem.at(RSP, AT, 1, TILES_AT));
    code.vmovups(SCALE, Mem.at(AT_SCALES));
    if (form.minima) code.vmovups(MINIMUM, Mem.at(AT_SCALES, LINE));
    for (int row = 0; row < ROWS; row++) {
      Vec exact = new Vec(16 + row % 8, 512);
      Vec scaled = new Vec(24 + row % 6, 512);
      code.vcvtdq2ps(exact, Mem.at(AT, row * BYTES));
      Mem step = row(STEPS_0, STEPS_1, row).each();
      if (steps == Steps.BY_HALVES) code.vpaddd(scaled, SCALE, step);
      else code.vmulps(scaled, SCALE, step);
      code.vfmadd231ps(sum(row), exact, scaled);
      if (form.minima) {
        code.vfmadd231ps(sum(row), MINIMUM, row(SUMS_0, SUMS_1, row).each());
      }
    }
    code.add(AT_SCALES, PanelWidener.blockBytes(form));
    for (Gpr each : new Gpr[] {STEPS_0, STEPS_1, SUMS_0, SUMS_1}) code.add(each, 4);
  }

  /** A row's place, from that of the first row or of the second. */
  private static Mem row(Gpr first, Gpr second, int row) {
    return switch (row) {
      case 0 -> Mem.at(first);
      case 1, 2, 4, 8 -> Mem.at(first, STRIDE, row, 0);
      case 3, 6, 12 -> Mem.at(first, STRIDE_3, row / 3, 0);
      case 5, 10 -> Mem.at(first, STRIDE_5, row / 5, 0);
      case 7, 14 -> Mem.at(first, STRIDE_7, row / 7, 0);
      case 9 -> Mem.at(second, STRIDE, 8, 0);
      case 11 -> Mem.at(second, STRIDE_5, 2, 0);
      case 13 -> Mem.at(second, STRIDE_3, 4, 0);
      default -> Mem.at(second, STRIDE_7, 2, 0);
    };
  }

  /** Sums times the scales of their rows, and what they are added to. */
  private void write(int half) {
    Mask mask = MASKS[half];
    Vec begin = new Vec(16, 512);
    Vec scale = new Vec(17, 512);
    code.load(RAX, AT_BASE);
    code.load(RCX, AT_C);
    code.load(RSI, BASE_STRIDE);
    code.load(RBX, C_STRIDE);
    for (int row = 0; row < ROWS; row++) {
      code.vbroadcastss(scale, row(STEPS_0, STEPS_1, row));
      code.vmovups(begin.zeroing(mask), Mem.at(RAX));
      code.vfmadd213ps(sum(row), scale, begin);
      code.vmovups(Mem.at(RCX), sum(row).merging(mask));
      code.add(RAX, RSI);
      code.add(RCX, RBX);
    }
    code.store(AT_BASE, RAX);
    code.store(AT_C, RCX);
  }
}
