package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.assembled.Gpr.R15;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R8;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.R9;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RAX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBP;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RBX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RCX;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RDI;
import static dev.ridgeline.tensor.kernel.assembled.Gpr.RSI;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.AHEAD;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.BASE;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.BASE_OF_TILE;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.BASE_PANEL;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.BASE_STRIDE;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.BLOCK_COUNT;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.C;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.GROUPS_LEFT;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.LAST_COLUMNS;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.PANELS;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.PANEL_BYTES;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.QUANTS;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.ROWS;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.SCALES;
import static dev.ridgeline.tensor.kernel.assembled.IntegerFrame.W;

import dev.ridgeline.tensor.kernel.Kernels;
import dev.ridgeline.tensor.kernel.assembled.CpuFeatures.Feature;
import dev.ridgeline.tensor.kernel.assembled.RowFormat.Steps;

/**
 * Emits the product of rows of bytes with panels of quantized weights.
 *
 * <p>{@code void f(w, quants, stride, c, cStride, rows, panels, panelBytes, blocks, base,
 * baseStride, basePanel, lastColumns, scales)}, all of them longs: {@code rows} rows of {@code c},
 * over so many {@linkplain PanelForm blocks} of inputs, for each panel of 32 outputs. What a sum is
 * added to lies at {@code base}, with so many bytes from row to row and from panel to panel. Of the
 * last panel only {@code lastColumns} outputs are touched. Where scales are in headers there is
 * room for those of a panel, and for minima, at {@code scales}.
 *
 * <p>Weights are levels without a sign; so a sum over a block begins with {@code −zero · Σ quants},
 * which the {@link RowQuantizer} has left after the bytes of the row. A block's exact integer
 * becomes f32 and is added with the scale of the block's outputs times that of the row's block, and
 * then the minimum times the sum of the row's block; the row's own scale comes last, once for all
 * blocks. Where scales of a row's blocks are {@linkplain Steps powers of two}, they are added to
 * the exponent of the other and not multiplied: that is an instruction for units that have nothing
 * else to do. This order is the same for every number of rows and panels, and in every tier.
 *
 * <p>With 32 registers a tile keeps its sums in them. With 16 it goes over parts of a panel, with
 * the sums on the stack; one row or two go over the whole panel at once, as memory has it.
 */
final class IntegerProduct implements Emitter {
  private static final int LINE = 4 * Kernels.PANEL;

  /** Rows of a tile at most where words take registers for themselves. */
  private static final int MOST_NARROW_WORDS = 5;

  /** Of a cache line. */
  private static final int CACHE_LINE = 64;

  /** Lines of the next panel that a tile has fetched with each block. */
  private static final int NEXT_LINES = 2;

  /** Bytes from what is read to what is fetched, where registers are narrow, or {@link #far}. */
  private static final int FETCHED = 4096;

  /** Rows that go over a whole panel where registers are narrow. */
  private static final int FEW = 2;

  // Registers of all loops.
  private static final Gpr C_STRIDE = R8;
  private static final Gpr LEFT = R9; // rows
  private static final Gpr AT_W = RBX;
  private static final Gpr AT_C = RCX;
  private static final Gpr C_3 = R15; // at the begin and the end of a tile
  private static final Gpr NEXT_PANEL = R15; // between
  private static final Gpr COUNT = RAX;
  private static final Gpr HEADER = RBP;
  private static final Gpr GROUP_SCALES = RDI;

  private static final Mask LOW = new Mask(1);
  private static final Mask HIGH = new Mask(2);

  private final PanelForm form;
  private final ByteProducts how;
  private final RowFormat format;
  private final boolean wide;

  /**
   * Whether memory is far from the next access: Zen 5 decodes 1.3 times as fast with it, Zen 4 got
   * up to 30 % slower. AVX-VNNI tells later processors from earlier ones.
   */
  private final boolean far;

  private final int bits;
  private final int lanes;
  private final int most;
  private final PanelReader reader;

  private final Assembler code = new Assembler();
  private final IntegerRows rowsOfTile;

  /** Code in tiles of so many rows at most. */
  IntegerProduct(PanelForm form, Steps steps, Tier tier, int most) {
    this.form = form;
    this.how = ByteProducts.of(form, tier);
    this.format = RowFormat.of(form, how, steps);
    this.wide = tier.wide();
    this.far = CpuFeatures.here().features().contains(Feature.AVX_VNNI);
    this.bits = tier.bits();
    this.lanes = bits / 32;
    this.most = Math.min(most, mostRows(form, tier));
    this.rowsOfTile = new IntegerRows(code, format);
    this.reader = new PanelReader(code, form, bits, AT_W, HEADER, GROUP_SCALES);
  }

  /** Rows of a tile at most. */
  static int mostRows(PanelForm form, Tier tier) {
    boolean words = ByteProducts.of(form, tier) == ByteProducts.WORDS;
    return words && !tier.wide() ? MOST_NARROW_WORDS : IntegerTile.MOST_ROWS;
  }

  /** What scales and minima of a block take as f32. */
  static int scaleBytes(PanelForm form) {
    return form.minima ? 2 * LINE : LINE;
  }

  @Override
  public byte[] emit() {
    IntegerFrame.open(code, wide);
    code.store(W, RDI);
    code.store(C, RCX);
    code.store(ROWS, R9);
    code.store(QUANTS, RSI);
    Label panel = code.here();
    columns();
    Label nextPanel = new Label();
    if (!wide || form.grouped() || form.splits()) {
      Label again = new Label();
      int most = wide ? this.most : FEW;
      code.load(RAX, ROWS);
      code.cmp(RAX, most);
      code.jg(again);
      pass(new IntegerTile(bits, 0, Kernels.PANEL / lanes, !wide, true), most, nextPanel);
      code.bind(again);
    }
    if (form.grouped()) widenScales();
    for (int at = 0; at < Kernels.PANEL; at += 2 * lanes) {
      Label next = new Label();
      pass(new IntegerTile(bits, at, 2, false, false), most, next);
      code.bind(next);
    }
    code.bind(nextPanel);
    Snippets.add(code, W, PANEL_BYTES, RDI);
    Snippets.add(code, C, LINE);
    Snippets.add(code, BASE, BASE_PANEL, RDI);
    Snippets.again(code, PANELS, panel);
    IntegerFrame.close(code);
    return code.code();
  }

  /** Makes f32 of the scales in headers. */
  private void widenScales() {
    Gpr to = AT_C;
    code.load(HEADER, W);
    code.load(to, SCALES);
    code.load(LEFT, BLOCK_COUNT);
    Label header = code.here();
    code.lea(GROUP_SCALES, Mem.at(HEADER, form.groupScales()));
    code.mov32(COUNT, form.group());
    Label block = code.here();
    for (int at = 0; at < Kernels.PANEL; at += lanes) {
      reader.scale(vec(0), at, vec(1));
      code.vmovups(Mem.at(to, 4 * at), vec(0));
      if (!form.minima) continue;
      reader.minimum(vec(2), at, vec(3));
      code.vmovups(Mem.at(to, LINE + 4 * at), vec(2));
    }
    code.add(to, scaleBytes(form));
    code.add(GROUP_SCALES, Kernels.PANEL);
    code.dec(COUNT);
    code.jnz(block);
    code.add(HEADER, form.headerBytes() + form.group() * form.blockBytes());
    code.sub(LEFT, form.group());
    code.jg(header);
  }

  /** Goes over outputs of a panel with all rows: whole tiles, then the one of those left. */
  private void pass(IntegerTile tile, int mostRows, Label end) {
    if (tile.column() == 0) {
      // Headers lie before blocks, so that a block's share of the next panel begins earlier.
      code.load(RAX, PANEL_BYTES);
      code.sub(RAX, form.headerBytes());
      code.store(AHEAD, RAX);
    }
    rowsOfTile.first(QUANTS, BLOCK_COUNT);
    code.load(LEFT, ROWS);
    code.load(AT_C, C);
    if (tile.column() > 0) code.add(AT_C, 4 * tile.column());
    code.load(RAX, BASE);
    if (tile.column() > 0) code.add(RAX, 4 * tile.column());
    code.store(BASE_OF_TILE, RAX);
    Label tiles = code.here();
    code.cmp(LEFT, mostRows);
    for (int rows = mostRows; rows >= 1; rows--) {
      Label smaller = new Label();
      if (rows < mostRows) code.cmp(LEFT, rows);
      code.jl(smaller);
      tile(tile, rows);
      if (rows == mostRows) {
        code.sub(LEFT, mostRows);
        code.jnz(tiles);
      }
      code.jmp(end);
      code.bind(smaller);
    }
  }

  /** Which outputs of a panel are written: all, but for the last panel. */
  private void columns() {
    if (wide) {
      Snippets.columns(code, PANELS, LAST_COLUMNS, LOW, HIGH);
      return;
    }
    Vec ones = vec(15);
    code.vpcmpeqd(ones, ones, ones);
    for (int part = 0; part < Kernels.PANEL / lanes; part++) {
      code.vmovups(IntegerFrame.columns(part), ones);
    }
    Label whole = new Label();
    code.load(RAX, PANELS);
    code.cmp(RAX, 1);
    code.jnz(whole);
    code.xor32(RDI, RDI);
    code.load(RAX, LAST_COLUMNS);
    Label next = code.here();
    code.cmp(RAX, Kernels.PANEL);
    code.jge(whole);
    Mem first = IntegerFrame.columns(0);
    code.store32(Mem.at(first.base(), RAX, 4, first.offset()), RDI);
    code.add(RAX, 1);
    code.jmp(next);
    code.bind(whole);
  }

  private Vec vec(int number) {
    return new Vec(number, bits);
  }

  private void tile(IntegerTile tile, int rows) {
    boolean spare = wide && rows <= FEW;
    PanelReader levels = spare ? reader.inRegisters(tile.sum(FEW, 0), tile.sum(FEW, 1)) : reader;
    var block = new IntegerBlock(levels, how, format, tile, rows);
    code.load(AT_W, W);
    if (rows > 3) {
      rowsOfTile.fourth();
      IntegerRows.third(code, C_3, AT_C, C_STRIDE);
    }
    if (rows > FEW) fetchResults(tile, rows);
    if (rows > FEW && !tile.once()) {
      code.load(NEXT_PANEL, AHEAD);
      code.lea(RAX, Mem.at(NEXT_PANEL, NEXT_LINES * CACHE_LINE));
      code.store(AHEAD, RAX);
    }
    clearSums(tile, rows);
    code.load(COUNT, BLOCK_COUNT);
    Label header = new Label();
    if (form.grouped()) {
      code.shr(COUNT, Integer.numberOfTrailingZeros(form.group()));
      code.store(GROUPS_LEFT, COUNT);
      if (!tile.once()) code.load(GROUP_SCALES, SCALES);
      code.bind(header);
      if (tile.once()) {
        code.mov(HEADER, AT_W);
        fetch(form.headerBytes(), wide);
        code.lea(GROUP_SCALES, Mem.at(AT_W, form.groupScales()));
      }
      code.add(AT_W, form.headerBytes());
      code.mov32(COUNT, form.group());
    }
    Label next = code.here();
    block.begin();
    if (tile.once() && (wide ? form.splits() || far : form.grouped())) {
      fetch(form.blockBytes(), wide && form.splits());
    }
    if (rows > FEW && !tile.once()) fetchNext();
    block.multiply();
    code.add(AT_W, form.blockBytes());
    if (form.grouped()) {
      code.add(GROUP_SCALES, tile.once() ? Kernels.PANEL : scaleBytes(form));
    }
    rowsOfTile.nextBlock(rows);
    code.dec(COUNT);
    code.jnz(next);
    if (form.grouped()) {
      Snippets.again(code, GROUPS_LEFT, header);
    }
    end(tile, rows);
    rowsOfTile.next(rows, BLOCK_COUNT);
    code.imul(RAX, C_STRIDE, rows);
    code.add(AT_C, RAX);
  }

  /** Has the lines of results fetched, which nobody has read: writing them would wait for it. */
  private void fetchResults(IntegerTile tile, int rows) {
    for (int row = 0; row < rows; row++) {
      for (int at = 0; at < tile.parts() * bits / 8; at += CACHE_LINE) {
        code.prefetcht0(result(row).plus(at));
      }
    }
  }

  private static Mem result(int row) {
    return IntegerRows.row(AT_C, C_3, C_STRIDE, row);
  }

  private void clearSums(IntegerTile tile, int rows) {
    if (!wide) Snippets.zero(code, tile.temporary());
    for (int row = 0; row < rows; row++) {
      for (int part = 0; part < tile.parts(); part++) {
        if (wide) Snippets.zero(code, tile.sum(row, part));
        else code.vmovups(tile.storedSum(row, part), tile.temporary());
      }
    }
  }

  /**
   * Has lines fetched, where memory is all that few rows wait for. They are read in another order
   * than they lie in, and so a processor does not see what comes next. It does if they are touched
   * in their order before; where registers are narrow that is too late, and fetching far ahead
   * makes up for it. So it does on later processors, whatever the order.
   *
   * @param touched whether lines are touched in their order before
   */
  private void fetch(int bytes, boolean touched) {
    for (int at = 0; at < bytes; at += CACHE_LINE) {
      if (touched) code.prefetcht0(Mem.at(AT_W, at));
      if (!wide || far) code.prefetcht0(Mem.at(AT_W, FETCHED + at));
    }
  }

  /**
   * Has a part of the next panel fetched into the second cache: some lines for each block, others
   * in each tile, so that all are there after a dozen tiles.
   */
  private void fetchNext() {
    for (int i = 0; i < NEXT_LINES; i++) {
      code.prefetcht1(Mem.at(AT_W, NEXT_PANEL, 1, i * CACHE_LINE));
    }
  }

  /**
   * Sums times the scales of their rows, which lie after those of blocks, and what they are added
   * to.
   */
  private void end(IntegerTile tile, int rows) {
    if (rows > 3) IntegerRows.third(code, C_3, AT_C, C_STRIDE);
    code.load(RDI, BASE_OF_TILE);
    code.load(RAX, BASE_STRIDE);
    Label some = new Label();
    Label done = new Label();
    if (!wide) {
      // Masked stores take ten times as long: for panels that are not whole alone.
      code.load(HEADER, PANELS);
      code.cmp(HEADER, 1);
      code.jg(done);
      code.load(HEADER, LAST_COLUMNS);
      code.cmp(HEADER, Kernels.PANEL);
      code.jl(some);
      code.bind(done);
      write(tile, rows, false);
      Label end = new Label();
      code.jmp(end);
      code.bind(some);
      write(tile, rows, true);
      code.bind(end);
    } else {
      write(tile, rows, true);
    }
    code.store(BASE_OF_TILE, RDI);
  }

  private void write(IntegerTile tile, int rows, boolean masked) {
    for (int row = 0; row < rows; row++) {
      code.vbroadcastss(tile.step(), IntegerRows.steps(row));
      for (int part = 0; part < tile.parts(); part++) {
        Mem from = Mem.at(RDI, part * bits / 8);
        Mem to = result(row).plus(part * bits / 8);
        if (wide) {
          Mask mask = part == 0 ? LOW : HIGH;
          code.vmovups(tile.weights(part).zeroing(mask), from);
          code.vfmadd213ps(tile.sum(row, part), tile.step(), tile.weights(part));
          code.vmovups(to, tile.sum(row, part).merging(mask));
          continue;
        }
        Vec sum = tile.temporary();
        Vec mask = tile.weights(0);
        code.vmovups(sum, tile.storedSum(row, part));
        if (masked) {
          Vec begin = tile.even(0);
          code.vmovups(mask, IntegerFrame.columns(tile.output(part) / lanes));
          code.vmaskmovps(begin, mask, from);
          code.vfmadd213ps(sum, tile.step(), begin);
          code.vmaskmovps(to, mask, sum);
        } else {
          code.vfmadd213ps(sum, tile.step(), from);
          code.vmovups(to, sum);
        }
      }
      code.add(RDI, RAX);
    }
  }
}
