package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.Precision;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.assembled.RowFormat.Steps;
import java.lang.foreign.Arena;

/**
 * Makes bytes of rows, some of them at a time, and multiplies those with each panel. A fine product
 * makes bytes of what the first ones cannot say, too, and adds the product with those.
 */
final class IntegerMultiplier implements Multiplier {
  /** Products of two numbers in a call at most: a tenth of a millisecond, and safepoints wait. */
  private static final double CALL = 2e7;

  /** Bytes of weights in a call at most, where memory is slower than arithmetic. */
  static final long CALL_BYTES = 2 << 20;

  private static final long LINE = 4L * PANEL;

  /** What is added where there is no bias. */
  private static final long ZEROS = Arena.global().allocate(LINE, Memory.ALIGNMENT).address();

  private final PanelForm form;
  private final PackedLevels packing;
  private final RowFormat format;

  /** Rows of a tile. */
  private final int tile;

  /** What rows that are bytes take at a time. */
  private final int held;

  private final Function product;
  private final Function bytes;

  /** The same that also leaves what bytes cannot say; null where nobody wants it. */
  private final Function rest;

  /** Products by tiles, of panels that were widened for them; null where there are no tiles. */
  private final Function tiles;

  private final Function widener;

  private IntegerMultiplier coarse = this;
  private IntegerMultiplier finer = this;

  private IntegerMultiplier(PanelForm form, Steps steps, boolean fine, Tier tier, TileSizes sizes) {
    this.form = form;
    this.packing = new PackedLevels(form, tier.bits());
    this.format = RowFormat.of(form, ByteProducts.of(form, tier), steps);
    this.tile = Math.min(sizes.rows(form.type), IntegerProduct.mostRows(form, tier));
    this.held = sizes.quantizedBytes();
    String type = form.type.word() + "-" + tier.word();
    String word = steps == Steps.BY_HALVES ? "-halves" : "";
    product =
        Code.function(
            type + word + "-" + tile + "x" + PANEL, new IntegerProduct(form, steps, tier, tile));
    boolean tiled = tier == Tier.AMX;
    tiles = tiled ? Code.function(type + word + "-tiles", new TileProduct(form, steps)) : null;
    widener = tiled ? Code.function("widen-" + type, new PanelWidener(form)) : null;
    // Words are for registers of 256 bits, whatever else a processor has.
    int bits = tier.wide() && tier.dots() ? 512 : 256;
    String id = "rows-" + format.word() + (bits == 512 ? "-avx512" : "-avx2");
    bytes = Code.function(id, new RowQuantizer(format, bits, false));
    rest = fine ? Code.function(id + "-rest", new RowQuantizer(format, bits, true)) : null;
  }

  static IntegerMultiplier of(PanelForm form, Tier tier, TileSizes sizes) {
    var usual = new IntegerMultiplier(form, Steps.BY_BLOCK, false, tier, sizes);
    // Powers of two are added to exponents, and so need scales that are never zero.
    boolean halves = form == PanelForm.Q8_0 || form == PanelForm.Q4_0;
    Steps steps = halves ? Steps.BY_HALVES : Steps.BY_BLOCK;
    if (halves) usual.coarse = new IntegerMultiplier(form, steps, false, tier, sizes);
    usual.finer = new IntegerMultiplier(form, steps, true, tier, sizes);
    return usual;
  }

  /** The same for matrices that lie as most do, in tiles that are to be tried. */
  static IntegerMultiplier trial(PanelForm form, Tier tier, TileSizes sizes) {
    return new IntegerMultiplier(form, Steps.BY_BLOCK, false, tier, sizes);
  }

  @Override
  public Multiplier as(Precision precision) {
    return switch (precision) {
      case COARSE -> coarse;
      case FINE -> finer;
      case USUAL -> this;
    };
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * form.panelBytes(inputs);
  }

  @Override
  public boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    return packing.pack(rows, outputs, inputs, packed, panelFrom, panelTo);
  }

  @Override
  public void multiply(
      Multiplication of, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    QuantizedRows own = QuantizedRows.own();
    if (of.shared != 0) {
      long stride = sharedBytes(of.inputs);
      own.take(of.shared + stride * rowFrom, stride);
      multiply(of, rowFrom, rowTo - rowFrom, panelFrom, panelTo, own);
      return;
    }
    long blocks = of.inputs / form.block;
    boolean fine = rest != null;
    // Whole tiles of either kind: 12 rows are two of 6.
    int whole = tiles == null ? tile : TileProduct.ROWS;
    own.room(format, of.inputs, rowTo - rowFrom, whole, held, fine);
    for (int row = rowFrom; row < rowTo; row += own.rows) {
      int rows = Math.min(own.rows, rowTo - row);
      long x = of.x + 4L * of.xStride * row;
      if (!own.has(epoch, x, rows, of.inputs, format, fine)) {
        quantize(x, 4L * of.xStride, rows, blocks, own);
      }
      multiply(of, row, rows, panelFrom, panelTo, own);
    }
  }

  @Override
  public long sharedBytes(int inputs) {
    return rest == null ? QuantizedRows.sharedStride(format, inputs) : 0;
  }

  @Override
  public void share(Multiplication of, int rowFrom, int rowTo) {
    long stride = sharedBytes(of.inputs);
    bytes.call(
        of.x + 4L * of.xStride * rowFrom,
        4L * of.xStride,
        of.shared + stride * rowFrom,
        stride,
        rowTo - rowFrom,
        of.inputs / form.block);
  }

  @Override
  public boolean widens() {
    return tiles != null;
  }

  /** Rows from one on, the first that is here as bytes. */
  private void multiply(
      Multiplication of, int row, int rows, int panelFrom, int panelTo, QuantizedRows own) {
    int left = tiles == null ? rows : rows % TileProduct.ROWS;
    // A tile over rows that others have had is sooner done than more than half a tile's rows alone.
    if (rest == null && rows > left && left > TileProduct.ROWS / 2) left = 0;
    int tiled = rows - left;
    if (tiled > 0) multiplyTiles(of, row, tiled, panelFrom, panelTo, own);
    if (left > 0) multiply(of, row, tiled, left, panelFrom, panelTo, own);
  }

  /** Rows from one on, which is so many after the first that is kept as bytes. */
  private void multiply(
      Multiplication of,
      int firstRow,
      int skipped,
      int rows,
      int panelFrom,
      int panelTo,
      QuantizedRows own) {
    long panelBytes = form.panelBytes(of.inputs);
    long blocks = of.inputs / form.block;
    long outBytes = 4L * of.outStride;
    long scales = form.grouped() ? own.panel(blocks * IntegerProduct.scaleBytes(form)) : 0;
    double fit = Math.min(CALL / ((double) PANEL * of.inputs * rows), CALL_BYTES / panelBytes);
    int most = (int) Math.clamp(fit, 1, panelTo - panelFrom);
    for (int panel = panelFrom; panel < panelTo; panel += most) {
      int panels = Math.min(most, panelTo - panel);
      int last = Math.min(PANEL, of.outputs - (panel + panels - 1) * PANEL);
      long w = of.packed + panel * panelBytes;
      long c = of.out + outBytes * (firstRow + skipped) + LINE * panel;
      long base = of.bias == 0 ? ZEROS : of.bias + LINE * panel;
      long basePanel = of.bias == 0 ? 0 : LINE;
      // What bytes cannot say is added to the first result.
      for (int pass = 0; pass < (rest == null ? 1 : 2); pass++) {
        boolean again = pass > 0;
        product.call(
            w,
            (again ? own.second : own.first) + own.stride * skipped,
            own.stride,
            c,
            outBytes,
            rows,
            panels,
            panelBytes,
            blocks,
            again ? c : base,
            again ? outBytes : 0,
            again ? LINE : basePanel,
            last,
            scales);
      }
    }
  }

  /** The last tile has the last rows, even if the one before has some of them. */
  private void multiplyTiles(
      Multiplication of, int row, int rows, int panelFrom, int panelTo, QuantizedRows own) {
    long panelBytes = form.panelBytes(of.inputs);
    long blocks = of.inputs / form.block;
    long cRow = 4L * of.outStride;
    int blockBytes = PanelWidener.blockBytes(form);
    long count = rows / TileProduct.ROWS;
    long last = rows % TileProduct.ROWS == 0 ? 0 : rows - TileProduct.ROWS;
    long wide = own.panel(blocks * blockBytes + count * TileProduct.SUM_BYTES);
    long sums = wide + blocks * blockBytes;
    for (int panel = panelFrom; panel < panelTo; panel++) {
      long columns = Math.min(PANEL, of.outputs - panel * PANEL);
      long c = of.out + cRow * row + LINE * panel;
      long base = of.bias == 0 ? ZEROS : of.bias + LINE * panel;
      widener.call(of.packed + panel * panelBytes, blocks, wide, 0);
      tiles.call(
          wide, own.first, own.stride, c, cRow, count, blocks, base, 0, columns, sums, 0, 0, 0);
      if (last > 0) {
        long from = own.first + own.stride * last;
        long to = c + cRow * last;
        tiles.call(wide, from, own.stride, to, cRow, 1, blocks, base, 0, columns, sums, 0, 0, 0);
      }
      if (rest == null) continue;
      tiles.call(
          wide, own.second, own.stride, c, cRow, count, blocks, c, cRow, columns, sums, 0, 0, 0);
    }
  }

  private void quantize(long x, long xStride, long rows, long blocks, QuantizedRows to) {
    if (rest == null) {
      bytes.call(x, xStride, to.first, to.stride, rows, blocks);
      return;
    }
    long left = 4L * form.block * blocks;
    rest.call(x, xStride, to.first, to.stride, rows, blocks, to.rest, left);
    bytes.call(to.rest, left, to.second, to.stride, rows, blocks);
  }
}
