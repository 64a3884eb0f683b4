package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.assembled.RowFormat.Steps;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.lang.foreign.Arena;

/**
 * Makes bytes of rows, some of them at a time, and multiplies those with each panel. A fine product
 * makes bytes of what the first ones cannot say, too, and adds the product with those.
 */
final class IntegerMultiplier implements Multiplier {
  /** Products of two numbers in a call at most: a tenth of a millisecond, and safepoints wait. */
  private static final double CALL = 2e7;

  private static final long LINE = 4L * PANEL;

  /** What is added where there is no bias. */
  private static final long ZEROS = Arena.global().allocate(LINE, Memory.ALIGNMENT).address();

  private static final Tier TIER = AssembledKernels.tier();

  private final PanelForm form;
  private final RowFormat format;

  /** Rows of a tile. */
  private final int tile;

  /** What rows that are bytes take at a time. */
  private final int held;

  private final Function product;
  private final Function bytes;

  /** The same that also leaves what bytes cannot say; null where nobody wants it. */
  private final Function rest;

  private IntegerMultiplier coarse = this;
  private IntegerMultiplier finer = this;

  private IntegerMultiplier(PanelForm form, Steps steps, boolean fine, Tiling tiling) {
    this.form = form;
    this.format = RowFormat.of(form, ByteProducts.of(form, TIER), steps);
    Tunable rows = Tunable.rows(form.type);
    int wanted = rows == null ? Integer.MAX_VALUE : tiling.get(rows);
    this.tile = Math.min(wanted, IntegerProduct.mostRows(form, TIER));
    this.held = tiling.get(Tunable.QUANTIZED_BYTES);
    String type = form.type.word() + "-" + TIER.word();
    String word = steps == Steps.BY_HALVES ? "-halves" : "";
    product =
        Code.function(
            type + word + "-" + tile + "x" + PANEL, new IntegerProduct(form, steps, TIER, tile));
    // Words are for registers of 256 bits, whatever else a processor has.
    int bits = TIER.wide() && TIER.dots() ? 512 : 256;
    String id = "rows-" + format.word() + (bits == 512 ? "-avx512" : "-avx2");
    bytes = Code.function(id, new RowQuantizer(format, bits, false));
    rest = fine ? Code.function(id + "-rest", new RowQuantizer(format, bits, true)) : null;
  }

  static IntegerMultiplier of(PanelForm form) {
    IntegerMultiplier usual = new IntegerMultiplier(form, Steps.BY_BLOCK, false, Tiling.here());
    // Powers of two are added to exponents, and so need scales that are never zero.
    boolean halves = form == PanelForm.Q8_0 || form == PanelForm.Q4_0;
    Steps steps = halves ? Steps.BY_HALVES : Steps.BY_BLOCK;
    if (halves) usual.coarse = new IntegerMultiplier(form, steps, false, Tiling.here());
    usual.finer = new IntegerMultiplier(form, steps, true, Tiling.here());
    return usual;
  }

  /** The same for matrices that lie as most do, in tiles that are to be tried. */
  static IntegerMultiplier trial(PanelForm form, Tiling tiling) {
    return new IntegerMultiplier(form, Steps.BY_BLOCK, false, tiling);
  }

  @Override
  public Multiplier as(Layout layout) {
    return switch (layout) {
      case COARSE_MATRIX -> coarse;
      case FINE_MATRIX -> finer;
      default -> this;
    };
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * form.panelBytes(inputs);
  }

  @Override
  public boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    return PackedLevels.pack(form, rows, outputs, inputs, packed, panelFrom, panelTo);
  }

  @Override
  public void multiply(
      Multiplication of, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    long panelBytes = form.panelBytes(of.inputs);
    long blocks = of.inputs / form.block;
    long outBytes = 4L * of.outStride;
    boolean fine = rest != null;
    QuantizedRows own = QuantizedRows.own();
    own.room(format, of.inputs, rowTo - rowFrom, tile, held, fine);
    for (int row = rowFrom; row < rowTo; row += own.rows) {
      int rows = Math.min(own.rows, rowTo - row);
      long x = of.x + 4L * of.xStride * row;
      if (!own.has(epoch, x, rows, of.inputs, format, fine)) {
        quantize(x, 4L * of.xStride, rows, blocks, own);
      }
      int most =
          (int) Math.clamp(CALL / ((double) PANEL * of.inputs * rows), 1, panelTo - panelFrom);
      for (int panel = panelFrom; panel < panelTo; panel += most) {
        int panels = Math.min(most, panelTo - panel);
        int last = Math.min(PANEL, of.outputs - (panel + panels - 1) * PANEL);
        long w = of.packed + panel * panelBytes;
        long c = of.out + outBytes * row + LINE * panel;
        long base = of.bias == 0 ? ZEROS : of.bias + LINE * panel;
        long basePanel = of.bias == 0 ? 0 : LINE;
        product.call(
            w,
            own.first,
            own.stride,
            c,
            outBytes,
            rows,
            panels,
            panelBytes,
            blocks,
            base,
            0,
            basePanel,
            last);
        if (!fine) continue;
        product.call(
            w,
            own.second,
            own.stride,
            c,
            outBytes,
            rows,
            panels,
            panelBytes,
            blocks,
            c,
            outBytes,
            LINE,
            last);
      }
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
