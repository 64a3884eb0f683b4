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

  /** Rows of a tile at most: more would need more pointers. */
  private static final int MOST_ROWS = 6;

  /** The same where words take registers for themselves. */
  private static final int MOST_NARROW_WORDS = 5;

  /** Of a cache line. */
  private static final int CACHE_LINE = 64;

  /** Lines of the next panel that a tile has fetched with each block. */
  private static final int NEXT_LINES = 2;

  /** Bytes from what is read to what is fetched, where registers are narrow, or {@link #far}. */
  private static final int FETCHED = 4096;

  /** Rows that go over a whole panel where registers are narrow. */
  private static final int FEW = 2;

  // What lies on the stack, from a cache line on: numbers, a copy of the arguments after the sixth
  // among them, and vectors. Then, somewhere, registers of the caller.
  private static final Gpr[] SAVED = {RBX, RBP, R12, R13, R14, R15};
  private static final int NUMBERS = 2 * 64;
  private static final int MOST_SUMS = 12;

  private static final Mem W = Mem.at(RSP, 0);
  private static final Mem C = Mem.at(RSP, 8);
  private static final Mem ROWS = Mem.at(RSP, 16);
  private static final Mem QUANTS = Mem.at(RSP, 24);
  private static final Mem BASE_OF_TILE = Mem.at(RSP, 32);
  private static final Mem GROUPS_LEFT = Mem.at(RSP, 40);
  private static final Mem CALLER = Mem.at(RSP, 48);
  private static final Mem PANELS = Mem.at(RSP, 56);
  private static final Mem PANEL_BYTES = Mem.at(RSP, 64);
  private static final Mem BLOCK_COUNT = Mem.at(RSP, 72);
  private static final Mem BASE = Mem.at(RSP, 80);
  private static final Mem BASE_STRIDE = Mem.at(RSP, 88);
  private static final Mem BASE_PANEL = Mem.at(RSP, 96);
  private static final Mem LAST_COLUMNS = Mem.at(RSP, 104);

  /** From a block to what a tile has fetched of the next panel. */
  private static final Mem AHEAD = Mem.at(RSP, 112);

  /** Those of headers as f32, once for all tiles of a panel. */
  private static final Mem SCALES = Mem.at(RSP, 120);

  private static final Mem[] ARGUMENTS = {
    PANELS, PANEL_BYTES, BLOCK_COUNT, BASE, BASE_STRIDE, BASE_PANEL, LAST_COLUMNS, SCALES
  };

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
  private static final Gpr C_3 = R15; // at the begin and the end of a tile
  private static final Gpr NEXT_PANEL = R15; // between
  private static final Gpr COUNT = RAX;
  private static final Gpr HEADER = RBP;
  private static final Gpr GROUP_SCALES = RDI;

  private static final Mask LOW = new Mask(1);
  private static final Mask HIGH = new Mask(2);

  private final PanelForm form;
  private final Steps steps;
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

  // Of the tile that is written: its first output, and vectors of outputs.
  private int column;
  private int parts;
  private boolean few;

  /** Whether a single tile reads the panel, and waits for memory. */
  private boolean once;

  /** Reads its levels; where rows are few and registers many, with constants in those. */
  private PanelReader levels;

  /** Code in tiles of so many rows at most. */
  IntegerProduct(PanelForm form, Steps steps, Tier tier, int most) {
    this.form = form;
    this.steps = steps;
    this.how = ByteProducts.of(form, tier);
    this.format = RowFormat.of(form, how, steps);
    this.wide = tier.wide();
    this.far = CpuFeatures.here().features().contains(Feature.AVX_VNNI);
    this.bits = tier.bits();
    this.lanes = bits / 32;
    this.most = Math.min(most, mostRows(form, tier));
    this.reader = new PanelReader(code, form, bits, AT_W, HEADER, GROUP_SCALES);
  }

  /** Rows of a tile at most. */
  static int mostRows(PanelForm form, Tier tier) {
    boolean words = ByteProducts.of(form, tier) == ByteProducts.WORDS;
    return words && !tier.wide() ? MOST_NARROW_WORDS : MOST_ROWS;
  }

  /** What scales and minima of a block take as f32. */
  static int scaleBytes(PanelForm form) {
    return form.minima ? 2 * LINE : LINE;
  }

  // The stack.

  private int vectorBytes() {
    return bits / 8;
  }

  /** Vectors on the stack: minima, columns of the last panel, then sums. */
  private enum Local {
    MINIMA,
    COLUMNS,
    SUMS
  }

  private Mem local(Local which, int index) {
    int at = which.ordinal();
    // Minima and columns have a vector for each part of a panel.
    if (which.compareTo(Local.MINIMA) > 0) at += 3;
    if (which.compareTo(Local.COLUMNS) > 0) at += 3;
    return Mem.at(RSP, NUMBERS + (at + index) * vectorBytes());
  }

  private Mem local(Local which) {
    return local(which, 0);
  }

  private int locals() {
    int after = wide ? 0 : MOST_SUMS * vectorBytes();
    return local(wide ? Local.MINIMA : Local.SUMS).offset() + after;
  }

  @Override
  public byte[] emit() {
    for (Gpr each : SAVED) code.push(each);
    code.mov(RAX, RSP);
    code.sub(RSP, locals());
    code.and(RSP, -64);
    code.store(CALLER, RAX);
    for (int i = 0; i < ARGUMENTS.length; i++) {
      code.load(R10, Mem.at(RAX, 8 * SAVED.length + 8 + 8 * i));
      code.store(ARGUMENTS[i], R10);
    }
    code.store(W, RDI);
    code.store(C, RCX);
    code.store(ROWS, R9);
    code.store(QUANTS, RSI);
    Label panel = code.here();
    columns();
    Label nextPanel = new Label();
    if (!wide || form.grouped() || form.splits()) {
      Label again = new Label();
      int tile = wide ? most : FEW;
      code.load(RAX, ROWS);
      code.cmp(RAX, tile);
      code.jg(again);
      once = true;
      few = !wide;
      pass(0, Kernels.PANEL / lanes, tile, nextPanel);
      once = false;
      few = false;
      code.bind(again);
    }
    if (form.grouped()) widenScales();
    for (int at = 0; at < Kernels.PANEL; at += 2 * lanes) {
      Label next = new Label();
      pass(at, 2, most, next);
      code.bind(next);
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
    code.load(RSP, CALLER);
    for (int i = SAVED.length - 1; i >= 0; i--) code.pop(SAVED[i]);
    code.vzeroupper();
    code.ret();
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
  private void pass(int firstColumn, int partCount, int mostRows, Label end) {
    column = firstColumn;
    parts = partCount;
    if (column == 0) {
      // Headers lie before blocks, so that a block's share of the next panel begins earlier.
      code.load(RAX, PANEL_BYTES);
      code.sub(RAX, form.headerBytes());
      code.store(AHEAD, RAX);
    }
    code.load(AT_QUANTS, QUANTS);
    code.load(RAX, BLOCK_COUNT);
    Snippets.behindBytes(code, AT_SUMS, AT_STEPS, AT_QUANTS, format.blockShift());
    code.load(LEFT, ROWS);
    code.load(AT_C, C);
    if (column > 0) code.add(AT_C, 4 * column);
    code.load(RAX, BASE);
    if (column > 0) code.add(RAX, 4 * column);
    code.store(BASE_OF_TILE, RAX);
    Label tiles = code.here();
    code.cmp(LEFT, mostRows);
    for (int rows = mostRows; rows >= 1; rows--) {
      Label smaller = new Label();
      if (rows < mostRows) code.cmp(LEFT, rows);
      code.jl(smaller);
      tile(rows);
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
    Vec ones = temporary();
    code.vpcmpeqd(ones, ones, ones);
    for (int part = 0; part < Kernels.PANEL / lanes; part++) {
      code.vmovups(local(Local.COLUMNS, part), ones);
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
    Mem first = local(Local.COLUMNS);
    code.store32(Mem.at(RSP, RAX, 4, first.offset()), RDI);
    code.add(RAX, 1);
    code.jmp(next);
    code.bind(whole);
  }

  // One tile. Registers: for each row the exact sums of a block for parts of the outputs; the sums
  // over all blocks, if there are 32 of them; weights, which are also scales; numbers of the row.

  private Vec vec(int number) {
    return new Vec(number, bits);
  }

  private Vec exact(int row, int part) {
    return vec(parts * row + part);
  }

  private Vec sum(int row, int part) {
    return vec(2 * MOST_ROWS + 2 * row + part);
  }

  /** Weights of a part; in a tile of few rows one register serves all parts. */
  private Vec weights(int part) {
    return wide ? vec(28 + part) : few ? vec(12) : vec(12 + part);
  }

  /** Of weights that become words, the even ones. */
  private Vec even(int part) {
    return wide ? vec(24 + part) : few ? vec(13) : vec(10 + part);
  }

  /** Scales of a part, once the products of a block are done. */
  private Vec scales(int part) {
    return few ? vec(8 + part) : weights(part);
  }

  /** Minima of a part, where there are registers for them. */
  private Vec minima(int part) {
    return vec(24 + part);
  }

  /** Numbers of a row, in every lane; few rows keep theirs. */
  private Vec each(int row, int half) {
    return few ? vec(8 + 2 * row + half) : vec(wide ? 27 : 14);
  }

  private Vec temporary() {
    return vec(wide ? 26 : 15);
  }

  /** A step of a row's block, or what comes of it. */
  private Vec step() {
    return vec(wide ? 31 : 14);
  }

  private void tile(int rows) {
    boolean spare = wide && rows <= FEW;
    levels = spare ? reader.inRegisters(sum(FEW, 0), sum(FEW, 1)) : reader;
    code.load(AT_W, W);
    if (rows > 3) {
      third(QUANTS_3, AT_QUANTS, STRIDE);
      third(SUMS_3, AT_SUMS, STRIDE);
      third(STEPS_3, AT_STEPS, STRIDE);
      third(C_3, AT_C, C_STRIDE);
    }
    if (rows > FEW) fetchResults(rows);
    if (rows > FEW && !once) {
      code.load(NEXT_PANEL, AHEAD);
      code.lea(RAX, Mem.at(NEXT_PANEL, NEXT_LINES * CACHE_LINE));
      code.store(AHEAD, RAX);
    }
    clearSums(rows);
    code.load(COUNT, BLOCK_COUNT);
    Label header = new Label();
    if (form.grouped()) {
      code.shr(COUNT, Integer.numberOfTrailingZeros(form.group()));
      code.store(GROUPS_LEFT, COUNT);
      if (!once) code.load(GROUP_SCALES, SCALES);
      code.bind(header);
      if (once) {
        code.mov(HEADER, AT_W);
        fetch(form.headerBytes(), wide);
        code.lea(GROUP_SCALES, Mem.at(AT_W, form.groupScales()));
      }
      code.add(AT_W, form.headerBytes());
      code.mov32(COUNT, form.group());
    }
    Label block = code.here();
    block(rows);
    code.add(AT_W, form.blockBytes());
    if (form.grouped()) {
      code.add(GROUP_SCALES, once ? Kernels.PANEL : scaleBytes(form));
    }
    advance(rows, AT_QUANTS, QUANTS_3, form.block * format.numberBytes());
    advance(rows, AT_SUMS, SUMS_3, 4);
    advance(rows, AT_STEPS, STEPS_3, 4);
    code.dec(COUNT);
    code.jnz(block);
    if (form.grouped()) {
      code.load(COUNT, GROUPS_LEFT);
      code.dec(COUNT);
      code.store(GROUPS_LEFT, COUNT);
      code.jnz(header);
    }
    end(rows);
    // Back to the first block, and on to the next rows.
    code.load(RAX, BLOCK_COUNT);
    back(AT_QUANTS, form.block * format.numberBytes());
    back(AT_SUMS, 4);
    back(AT_STEPS, 4);
    code.imul(RAX, STRIDE, rows);
    code.add(AT_QUANTS, RAX);
    code.add(AT_SUMS, RAX);
    code.add(AT_STEPS, RAX);
    code.imul(RAX, C_STRIDE, rows);
    code.add(AT_C, RAX);
  }

  /** Has the lines of results fetched, which nobody has read: writing them would wait for it. */
  private void fetchResults(int rows) {
    for (int row = 0; row < rows; row++) {
      for (int at = 0; at < parts * vectorBytes(); at += CACHE_LINE) {
        code.prefetcht0(row(AT_C, C_3, C_STRIDE, row).plus(at));
      }
    }
  }

  private void clearSums(int rows) {
    if (!wide) clear(temporary());
    for (int row = 0; row < rows; row++) {
      for (int part = 0; part < parts; part++) {
        if (wide) clear(sum(row, part));
        else code.vmovups(local(Local.SUMS, parts * row + part), temporary());
      }
    }
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

  private static Mem quants(int row) {
    return row(AT_QUANTS, QUANTS_3, STRIDE, row);
  }

  private static Mem sums(int row) {
    return row(AT_SUMS, SUMS_3, STRIDE, row);
  }

  private static Mem steps(int row) {
    return row(AT_STEPS, STEPS_3, STRIDE, row);
  }

  private void block(int rows) {
    begin(rows);
    if (once && (wide ? form.splits() || far : form.grouped())) {
      fetch(form.blockBytes(), wide && form.splits());
    }
    if (rows > FEW && !once) fetchNext();
    for (int quad = 0; quad < form.quads(); quad++) {
      if (few) quadOfFew(rows, quad);
      else quad(rows, quad);
    }
    if (how == ByteProducts.NIBBLES) widen(rows);
    boolean widened = form.grouped() && !once;
    if (widened) loadScales();
    else scale();
    for (int row = 0; row < rows; row++) add(row, widened);
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

  /** What the exact sums begin with; those of nibbles get it at their end. */
  private void begin(int rows) {
    if (how == ByteProducts.NIBBLES) return;
    for (int row = 0; row < rows; row++) {
      if (form.zero > 0) code.vpbroadcastd(exact(row, 0), sums(row));
      else clear(exact(row, 0));
      for (int part = 1; part < parts; part++) code.vmovaps(exact(row, part), exact(row, 0));
    }
  }

  /** Four inputs: the weights of all parts, then each row. */
  private void quad(int rows, int quad) {
    for (int part = 0; part < parts; part++) levels(quad, part);
    switch (how) {
      case DOT -> {
        for (int row = 0; row < rows; row++) {
          Operand four = quants(row).plus(4 * quad);
          if (wide) four = ((Mem) four).each();
          else code.vpbroadcastd(each(row, 0), four);
          for (int part = 0; part < parts; part++) {
            code.vpdpbusd(exact(row, part), weights(part), wide ? four : each(row, 0));
          }
        }
      }
      case NIBBLES -> {
        for (int row = 0; row < rows; row++) {
          code.vpbroadcastd(each(row, 0), quants(row).plus(4 * quad));
          products(row, quad == 0, Assembler::vpmaddubsw, Assembler::vpaddw);
        }
      }
      case WORDS -> {
        for (int part = 0; part < parts; part++) evenWords(part);
        for (int row = 0; row < rows; row++) {
          code.vpbroadcastd(each(row, 0), quants(row).plus(8 * quad));
          products(row, false, this::even, Assembler::vpaddd);
        }
        for (int part = 0; part < parts; part++) oddWords(part);
        for (int row = 0; row < rows; row++) {
          code.vpbroadcastd(each(row, 0), quants(row).plus(8 * quad + 4));
          products(row, false, Assembler::vpmaddwd, Assembler::vpaddd);
        }
      }
    }
  }

  /**
   * Products of a row with the weights of two parts, then their sums: a processor does them faster
   * in this order than in turns. The numbers of the row are lost.
   */
  private void products(int row, boolean first, Snippets.Fold product, Snippets.Fold sum) {
    Vec numbers = each(row, 0);
    Vec[] results = {temporary(), numbers};
    for (int part = 0; part < 2; part++) {
      Vec to = first ? exact(row, part) : results[part];
      product.write(code, to, weights(part), numbers);
    }
    for (int part = 0; part < 2 && !first; part++) {
      sum.write(code, exact(row, part), exact(row, part), results[part]);
    }
  }

  /** The product with even words, whose registers stand beside those of all weights. */
  private void even(Assembler to, Vec result, Vec weights, Operand numbers) {
    to.vpmaddwd(result, even(weights.number() - weights(0).number()), numbers);
  }

  /** The same with the numbers of rows first, then the weights part by part. */
  private void quadOfFew(int rows, int quad) {
    boolean words = how == ByteProducts.WORDS;
    for (int row = 0; row < rows; row++) {
      for (int half = 0; half < format.numberBytes(); half++) {
        code.vpbroadcastd(
            each(row, half), quants(row).plus(4 * format.numberBytes() * quad + 4 * half));
      }
    }
    for (int part = 0; part < parts; part++) {
      levels(quad, part);
      if (words) evenWords(part);
      for (int row = 0; row < rows; row++) {
        switch (how) {
          case DOT -> code.vpdpbusd(exact(row, part), weights(part), each(row, 0));
          case NIBBLES -> nibbles(row, part, quad);
          case WORDS -> words(row, part, even(part), 0);
        }
      }
      if (words) oddWords(part);
      for (int row = 0; words && row < rows; row++) words(row, part, weights(part), 1);
    }
  }

  private void nibbles(int row, int part, int quad) {
    if (quad == 0) {
      code.vpmaddubsw(exact(row, part), weights(part), each(row, 0));
    } else {
      code.vpmaddubsw(temporary(), weights(part), each(row, 0));
      code.vpaddw(exact(row, part), exact(row, part), temporary());
    }
  }

  private void words(int row, int part, Vec weights, int half) {
    code.vpmaddwd(temporary(), weights, each(row, half));
    code.vpaddd(exact(row, part), exact(row, part), temporary());
  }

  private void evenWords(int part) {
    code.vpand(even(part), weights(part), Snippets.every(code, bits, 0x00FF_00FF));
  }

  private void oddWords(int part) {
    code.vpsrlw(weights(part), weights(part), 8);
  }

  /** The levels of four inputs, a byte each. */
  private void levels(int quad, int part) {
    levels.levels(weights(part), quad, column + part * lanes, temporary());
  }

  /** Sums of i16 become the exact ones. */
  private void widen(int rows) {
    for (int row = 0; row < rows; row++) {
      if (form.zero > 0) code.vpbroadcastd(step(), sums(row));
      for (int part = 0; part < parts; part++) {
        code.vpmaddwd(exact(row, part), exact(row, part), Snippets.every(code, bits, 0x0001_0001));
        if (form.zero > 0) code.vpaddd(exact(row, part), exact(row, part), step());
      }
    }
  }

  /** Scales and minima of a block's outputs. */
  private void scale() {
    for (int part = 0; part < parts; part++) {
      int at = column + part * lanes;
      reader.scale(scales(part), at, temporary());
      if (!form.minima) continue;
      Vec minimum = wide ? minima(part) : temporary();
      reader.minimum(minimum, at, step());
      if (!wide) code.vmovups(local(Local.MINIMA, part), minimum);
    }
  }

  /** The same, where they are f32 already. */
  private void loadScales() {
    for (int part = 0; part < parts; part++) {
      code.vmovups(scales(part), widened(part, 0));
      if (form.minima && wide) code.vmovups(minima(part), widened(part, LINE));
    }
  }

  private Mem widened(int part, int offset) {
    return Mem.at(GROUP_SCALES, offset + 4 * (column + part * lanes));
  }

  /** Adds the exact sums of a block to those over all blocks. */
  private void add(int row, boolean widened) {
    if (!wide) code.vpbroadcastd(step(), steps(row));
    for (int part = 0; part < parts; part++) {
      Vec exact = exact(row, part);
      Operand each = wide ? steps(row).each() : step();
      Vec scaled = wide ? step() : temporary();
      code.vcvtdq2ps(exact, exact);
      if (steps == Steps.BY_HALVES) code.vpaddd(scaled, scales(part), each);
      else code.vmulps(scaled, scales(part), each);
      if (wide) code.vfmadd231ps(sum(row, part), exact, scaled);
      else code.vfmadd213ps(exact, scaled, local(Local.SUMS, parts * row + part));
    }
    if (form.minima && !wide) code.vpbroadcastd(step(), sums(row));
    for (int part = 0; part < parts; part++) {
      if (form.minima) {
        Vec to = wide ? sum(row, part) : exact(row, part);
        Vec factor = wide ? minima(part) : step();
        Mem minima = widened ? widened(part, LINE) : local(Local.MINIMA, part);
        Operand other = wide ? sums(row).each() : minima;
        // Those of groups are subtracted.
        if (form.grouped()) code.vfnmadd231ps(to, factor, other);
        else code.vfmadd231ps(to, factor, other);
      }
      if (!wide) code.vmovups(local(Local.SUMS, parts * row + part), exact(row, part));
    }
  }

  /**
   * Sums times the scales of their rows, which lie after those of blocks, and what they are added
   * to.
   */
  private void end(int rows) {
    if (rows > 3) third(C_3, AT_C, C_STRIDE);
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
      write(rows, false);
      Label end = new Label();
      code.jmp(end);
      code.bind(some);
      write(rows, true);
      code.bind(end);
    } else {
      write(rows, true);
    }
    code.store(BASE_OF_TILE, RDI);
  }

  private void write(int rows, boolean masked) {
    for (int row = 0; row < rows; row++) {
      code.vbroadcastss(step(), steps(row));
      for (int part = 0; part < parts; part++) {
        Mem from = Mem.at(RDI, part * vectorBytes());
        Mem to = row(AT_C, C_3, C_STRIDE, row).plus(part * vectorBytes());
        if (wide) {
          Mask mask = part == 0 ? LOW : HIGH;
          code.vmovups(weights(part).zeroing(mask), from);
          code.vfmadd213ps(sum(row, part), step(), weights(part));
          code.vmovups(to, sum(row, part).merging(mask));
          continue;
        }
        Vec sum = temporary();
        Vec mask = weights(0);
        code.vmovups(sum, local(Local.SUMS, parts * row + part));
        if (masked) {
          Vec begin = even(0);
          code.vmovups(mask, local(Local.COLUMNS, column / lanes + part));
          code.vmaskmovps(begin, mask, from);
          code.vfmadd213ps(sum, step(), begin);
          code.vmaskmovps(to, mask, sum);
        } else {
          code.vfmadd213ps(sum, step(), from);
          code.vmovups(to, sum);
        }
      }
      code.add(RDI, RAX);
    }
  }
}
