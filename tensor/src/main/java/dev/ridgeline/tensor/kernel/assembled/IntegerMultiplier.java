package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
import dev.ridgeline.tensor.kernel.Multiplication;
import dev.ridgeline.tensor.kernel.assembled.IntegerProduct.Form;
import dev.ridgeline.tensor.kernel.assembled.IntegerProduct.Steps;
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

  private final Form form;
  private final Steps steps;

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

  private IntegerMultiplier(Form form, Steps steps, boolean fine, Tiling tiling) {
    this.form = form;
    this.steps = steps;
    this.tile = tiling.get(Tunable.rows(form.type));
    this.held = tiling.get(Tunable.QUANTIZED_BYTES);
    String word = steps == Steps.BY_HALVES ? "-halves" : "";
    String type = form.type.word();
    product =
        Code.function(
            type + "-vnni" + word + "-" + tile + "x" + PANEL,
            new IntegerProduct(form, steps, tile));
    String rows = "rows-for-" + type + word;
    bytes = Code.function(rows, new RowQuantizer(form, steps, false));
    rest = fine ? Code.function(rows + "-rest", new RowQuantizer(form, steps, true)) : null;
  }

  static IntegerMultiplier of(Form form) {
    IntegerMultiplier usual = new IntegerMultiplier(form, Steps.BY_BLOCK, false, Tiling.here());
    usual.coarse = new IntegerMultiplier(form, Steps.BY_HALVES, false, Tiling.here());
    usual.finer = new IntegerMultiplier(form, Steps.BY_HALVES, true, Tiling.here());
    return usual;
  }

  /** The same for matrices that lie as most do, in tiles that are to be tried. */
  static IntegerMultiplier trial(Form form, Tiling tiling) {
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

  private long panelBytes(int inputs) {
    return (long) inputs / 32 * form.blockBytes();
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * panelBytes(inputs);
  }

  @Override
  public boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    PackedWeights packing = form == Form.Q8_0 ? PackedWeights.Q8_0 : PackedWeights.Q4_0;
    return packing.pack(rows, outputs, inputs, packed, panelBytes(inputs), panelFrom, panelTo);
  }

  @Override
  public void multiply(
      Multiplication of, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    long panelBytes = panelBytes(of.inputs);
    long blocks = of.inputs / IntegerProduct.BLOCK;
    long outBytes = 4L * of.outStride;
    boolean fine = rest != null;
    QuantizedRows own = QuantizedRows.own();
    own.room(of.inputs, rowTo - rowFrom, tile, held, fine);
    for (int row = rowFrom; row < rowTo; row += own.rows) {
      int rows = Math.min(own.rows, rowTo - row);
      long x = of.x + 4L * of.xStride * row;
      if (!own.has(epoch, x, rows, of.inputs, form, steps, fine)) {
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
    long left = 4L * IntegerProduct.BLOCK * blocks;
    rest.call(x, xStride, to.first, to.stride, rows, blocks, to.rest, left);
    bytes.call(to.rest, left, to.second, to.stride, rows, blocks);
  }
}
