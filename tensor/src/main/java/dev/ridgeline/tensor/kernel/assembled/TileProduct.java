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
 * 12 rows by 16 outputs; the results have the bits of an {@link IntegerProduct}.
 *
 * <p>{@code void f(panel, quants, stride, c, cStride, tiles, blocks, base, baseStride, columns,
 * sums)}, all of them longs: so many times 12 rows, of which only so many outputs are touched;
 * {@code sums} has room for {@link #SUM_BYTES} a tile.
 *
 * <p>A tile has the exact sums of one block. They go through memory to the sums over all blocks,
 * which are in registers; the tile of the next block is multiplied meanwhile. All rows go over some
 * blocks of the panel before the next ones do, so that these stay in the first cache; the sums wait
 * in memory.
 *
 * <p>What bounds it is neither the tiles' unit nor memory: on a Xeon of the fifth generation the
 * times of reading, multiplying, storing and scaling a tile add up, in whatever order they are.
 * docs/write-a-kernel.md says what was tried.
 */
final class TileProduct implements Emitter {
  /** Rows of a tile: as many as leave registers for what is not sums. */
  static final int ROWS = 12;

  /** What the sums of a tile's rows take. */
  static final int SUM_BYTES = ROWS * 2 * 64;

  /** Blocks that all rows go over before the next ones: half the first cache. */
  private static final int CHUNK = 16;

  private static final int LINE = 4 * Kernels.PANEL;
  private static final int BYTES = 64;

  private static final int TILE_BYTES = ROWS * BYTES;

  private static final Gpr[] SAVED = {RBX, RBP, R12, R13, R14, R15};

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
  private static final Mem KEPT = Mem.at(RSP, 80);
  private static final Mem TILES_LEFT = Mem.at(RSP, 88);
  private static final Mem AT_C = Mem.at(RSP, 96);
  private static final Mem AT_BASE = Mem.at(RSP, 104);
  private static final Mem AT_ROWS = Mem.at(RSP, 112);
  private static final Mem AT_KEPT = Mem.at(RSP, 120);

  /** Blocks before this chunk, in it, and from it on. */
  private static final Mem BLOCKS_DONE = Mem.at(RSP, 128);

  private static final Mem BLOCKS_HERE = Mem.at(RSP, 136);
  private static final Mem BLOCKS_LEFT = Mem.at(RSP, 144);
  private static final Mem CONFIGURATION = Mem.at(RSP, 192);
  private static final int TILES_AT = 256;
  private static final int LOCALS = TILES_AT + 2 * TILE_BYTES;

  private static final Gpr STRIDE = RDX;
  private static final Gpr STRIDE_3 = R12;
  private static final Gpr STRIDE_5 = R13;
  private static final Gpr STRIDE_7 = R14;
  private static final Gpr STEPS_0 = R10;
  private static final Gpr STEPS_1 = R11;
  private static final Gpr SUMS_0 = R15;
  private static final Gpr SUMS_1 = RBP;
  private static final Gpr AT_NUMBERS = RSI;
  private static final Gpr AT_WEIGHTS = RBX;
  private static final Gpr AT_SCALES = RDI;
  private static final Gpr SIXTY_FOUR = R8;

  private static final Gpr COUNT = RAX;

  private static final Tile[] SUMS = {new Tile(0), new Tile(1)};
  private static final Tile NUMBERS = new Tile(4);
  private static final Tile[] WEIGHTS = {new Tile(6), new Tile(7)};

  private static final Mask[] MASKS = {new Mask(1), new Mask(2)};

  private final PanelForm form;
  private final Steps steps;
  private final Assembler code = new Assembler();

  TileProduct(PanelForm form, Steps steps) {
    this.form = form;
    this.steps = steps;
  }

  @Override
  public byte[] emit() {
    Snippets.open(code, SAVED, LOCALS, CALLER, BLOCK_COUNT, BASE, BASE_STRIDE, COLUMNS, KEPT);
    code.store(PANEL, RDI);
    code.store(QUANTS, RSI);
    code.store(C, RCX);
    code.store(C_STRIDE, R8);
    code.store(TILES, R9);
    configure();
    code.load(RCX, COLUMNS);
    Snippets.masks(code, MASKS[0], MASKS[1]);
    code.lea(STRIDE_3, Mem.at(STRIDE, STRIDE, 2, 0));
    code.lea(STRIDE_5, Mem.at(STRIDE, STRIDE, 4, 0));
    code.lea(STRIDE_7, Mem.at(STRIDE_3, STRIDE, 4, 0));
    code.mov32(SIXTY_FOUR, BYTES);
    chunks();
    code.tilerelease();
    Snippets.close(code, SAVED, CALLER);
    return code.code();
  }

  /** Sums have 12 rows of 64 bytes, numbers 12 of a block, weights a row for each quad. */
  private void configure() {
    Vec zero = new Vec(0, 512);
    code.vpxor(zero, zero, zero);
    code.vmovups(CONFIGURATION, zero);
    configure(0, 1);
    configure(16, BYTES | BYTES << 16);
    configure(20, BYTES | BYTES << 16);
    configure(24, form.block | form.block << 16);
    configure(28, BYTES | BYTES << 16);
    configure(48, ROWS * 0x0101_0101);
    configure(52, ROWS * 0x0101 | form.quads() * 0x0101 << 16);
    code.ldtilecfg(CONFIGURATION);
  }

  private void configure(int at, int value) {
    code.mov32(RAX, value);
    code.store32(CONFIGURATION.plus(at), RAX);
  }

  /** Some blocks of the panel after the others, each with all rows. */
  private void chunks() {
    copy(BLOCKS_LEFT, BLOCK_COUNT);
    code.xor32(RAX, RAX);
    code.store(BLOCKS_DONE, RAX);
    Label chunk = code.here();
    Label less = new Label();
    code.load(RAX, BLOCKS_LEFT);
    code.cmp(RAX, CHUNK);
    code.jle(less);
    code.mov32(RAX, CHUNK);
    code.bind(less);
    code.store(BLOCKS_HERE, RAX);
    copy(AT_ROWS, QUANTS);
    copy(AT_C, C);
    copy(AT_BASE, BASE);
    copy(AT_KEPT, KEPT);
    copy(TILES_LEFT, TILES);
    Label tile = code.here();
    tile();
    code.imul(RCX, STRIDE, ROWS);
    Snippets.add(code, AT_ROWS, RCX);
    code.mov32(RCX, SUM_BYTES);
    Snippets.add(code, AT_KEPT, RCX);
    Snippets.again(code, TILES_LEFT, tile);
    // On to the next blocks.
    code.load(RCX, BLOCKS_HERE);
    Snippets.add(code, BLOCKS_DONE, RCX);
    code.imul(RDI, RCX, PanelWidener.blockBytes(form));
    Snippets.add(code, PANEL, RDI);
    code.load(RAX, BLOCKS_LEFT);
    code.sub(RAX, RCX);
    code.store(BLOCKS_LEFT, RAX);
    code.jg(chunk);
  }

  private void copy(Mem to, Mem from) {
    code.load(RAX, from);
    code.store(to, RAX);
  }

  private static Vec sum(int row, int half) {
    return new Vec(2 * row + half, 512);
  }

  private static Vec scale(int half) {
    return new Vec(24 + half, 512);
  }

  private static Vec minimum(int half) {
    return new Vec(26 + half, 512);
  }

  private void tile() {
    places();
    begin();
    Label more = new Label();
    Label last = new Label();
    multiply();
    code.load(COUNT, BLOCKS_HERE);
    code.dec(COUNT);
    code.jz(last);
    code.bind(more);
    // What is multiplied next is on its way while this is added.
    spill();
    multiply();
    add();
    code.dec(COUNT);
    code.jnz(more);
    code.bind(last);
    spill();
    add();
    end();
  }

  /** Where a tile's numbers, sums and steps are, from this chunk's first block on. */
  private void places() {
    int shift = Integer.numberOfTrailingZeros(form.block);
    code.load(AT_NUMBERS, AT_ROWS);
    code.load(AT_WEIGHTS, PANEL);
    code.lea(AT_SCALES, Mem.at(AT_WEIGHTS, form.quads() * LINE));
    code.load(RAX, BLOCK_COUNT);
    Snippets.behindBytes(code, SUMS_0, STEPS_0, AT_NUMBERS, shift);
    code.load(RAX, BLOCKS_DONE);
    code.lea(STEPS_0, Mem.at(STEPS_0, RAX, 4, 0));
    code.lea(SUMS_0, Mem.at(SUMS_0, RAX, 4, 0));
    code.shl(RAX, shift);
    code.add(AT_NUMBERS, RAX);
    code.lea(STEPS_1, Mem.at(STEPS_0, STRIDE, 1, 0));
    code.lea(SUMS_1, Mem.at(SUMS_0, STRIDE, 1, 0));
  }

  /** Sums are zero, or what the chunk before has left. */
  private void begin() {
    Label again = new Label();
    Label begun = new Label();
    code.load(RAX, BLOCKS_DONE);
    code.cmp(RAX, 0);
    code.jg(again);
    each((row, half) -> code.vpxor(sum(row, half), sum(row, half), sum(row, half)));
    code.jmp(begun);
    code.bind(again);
    code.load(RAX, AT_KEPT);
    each((row, half) -> code.vmovups(sum(row, half), kept(row, half)));
    code.bind(begun);
  }

  private static Mem kept(int row, int half) {
    return Mem.at(RAX, (2 * row + half) * BYTES);
  }

  private interface Each {
    void write(int row, int half);
  }

  private static void each(Each each) {
    for (int row = 0; row < ROWS; row++) {
      for (int half = 0; half < 2; half++) each.write(row, half);
    }
  }

  /** Multiplies what is next of the numbers and weights. */
  private void multiply() {
    code.tileloadd(NUMBERS, Mem.at(AT_NUMBERS, STRIDE, 1, 0));
    for (int half = 0; half < 2; half++) {
      code.tilezero(SUMS[half]);
      code.tileloadd(WEIGHTS[half], Mem.at(AT_WEIGHTS, SIXTY_FOUR, 2, half * BYTES));
      code.tdpbssd(SUMS[half], NUMBERS, WEIGHTS[half]);
    }
    code.add(AT_NUMBERS, form.block);
    code.add(AT_WEIGHTS, PanelWidener.blockBytes(form));
  }

  private void spill() {
    for (int half = 0; half < 2; half++) {
      code.tilestored(Mem.at(RSP, SIXTY_FOUR, 1, TILES_AT + half * TILE_BYTES), SUMS[half]);
    }
  }

  /** Adds the tiles in memory, times their scales. */
  private void add() {
    for (int half = 0; half < 2; half++) {
      code.vmovups(scale(half), Mem.at(AT_SCALES, half * BYTES));
      if (form.minima) code.vmovups(minimum(half), Mem.at(AT_SCALES, LINE + half * BYTES));
    }
    Vec step = new Vec(28, 512);
    Vec exact = new Vec(29, 512);
    Vec scaled = new Vec(30, 512);
    for (int row = 0; row < ROWS; row++) {
      code.vbroadcastss(step, row(STEPS_0, STEPS_1, row));
      for (int half = 0; half < 2; half++) {
        code.vcvtdq2ps(exact, Mem.at(RSP, TILES_AT + half * TILE_BYTES + row * BYTES));
        if (steps == Steps.BY_HALVES) code.vpaddd(scaled, scale(half), step);
        else code.vmulps(scaled, scale(half), step);
        code.vfmadd231ps(sum(row, half), exact, scaled);
        if (form.minima) {
          code.vfmadd231ps(sum(row, half), minimum(half), row(SUMS_0, SUMS_1, row).each());
        }
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
      case 3, 6 -> Mem.at(first, STRIDE_3, row / 3, 0);
      case 5, 10 -> Mem.at(first, STRIDE_5, row / 5, 0);
      case 7 -> Mem.at(first, STRIDE_7, 1, 0);
      case 9 -> Mem.at(second, STRIDE, 8, 0);
      default -> Mem.at(second, STRIDE_5, 2, 0);
    };
  }

  /** Sums are left for the next chunk, or else are what is asked for. */
  private void end() {
    Label last = new Label();
    Label done = new Label();
    code.load(RAX, BLOCKS_LEFT);
    code.cmp(RAX, CHUNK);
    code.jle(last);
    code.load(RAX, AT_KEPT);
    each((row, half) -> code.vmovups(kept(row, half), sum(row, half)));
    code.jmp(done);
    code.bind(last);
    write();
    code.bind(done);
  }

  /** Sums times the scales of their rows, and what they are added to. */
  private void write() {
    Vec begin = new Vec(29, 512);
    Vec scale = new Vec(28, 512);
    code.load(RAX, AT_BASE);
    code.load(RCX, AT_C);
    code.load(RSI, BASE_STRIDE);
    code.load(RBX, C_STRIDE);
    for (int row = 0; row < ROWS; row++) {
      code.vbroadcastss(scale, row(STEPS_0, STEPS_1, row));
      for (int half = 0; half < 2; half++) {
        code.vmovups(begin.zeroing(MASKS[half]), Mem.at(RAX, half * BYTES));
        code.vfmadd213ps(sum(row, half), scale, begin);
        code.vmovups(Mem.at(RCX, half * BYTES), sum(row, half).merging(MASKS[half]));
      }
      code.add(RAX, RSI);
      code.add(RCX, RBX);
    }
    code.store(AT_BASE, RAX);
    code.store(AT_C, RCX);
  }
}
