package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.Layout;
import dev.ridgeline.tensor.Memory;
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

  // Constants, which is what makes a call cheap; assembled by whoever needs one first.

  static final class Q8 {
    static final Function PRODUCT = product(Form.Q8_0, Steps.BY_BLOCK, Tiling.here());
    static final Function ROWS = rows(Form.Q8_0, Steps.BY_BLOCK, false);
  }

  static final class Q4 {
    static final Function PRODUCT = product(Form.Q4_0, Steps.BY_BLOCK, Tiling.here());
    static final Function ROWS = rows(Form.Q4_0, Steps.BY_BLOCK, false);
  }

  static final class Q8Halves {
    static final Function PRODUCT = product(Form.Q8_0, Steps.BY_HALVES, Tiling.here());
    static final Function ROWS = rows(Form.Q8_0, Steps.BY_HALVES, false);
  }

  static final class Q4Halves {
    static final Function PRODUCT = product(Form.Q4_0, Steps.BY_HALVES, Tiling.here());
    static final Function ROWS = rows(Form.Q4_0, Steps.BY_HALVES, false);
  }

  static final class Q8Rest {
    static final Function ROWS = rows(Form.Q8_0, Steps.BY_HALVES, true);
  }

  static final class Q4Rest {
    static final Function ROWS = rows(Form.Q4_0, Steps.BY_HALVES, true);
  }

  /** What is added where there is no bias. */
  private static final long ZEROS = Arena.global().allocate(LINE, Memory.ALIGNMENT).address();

  private final Form form;
  private final Steps steps;
  private final boolean fine;
  private final IntegerMultiplier coarse;
  private final IntegerMultiplier finer;

  /** Rows of a tile. */
  private final int tile;

  /** What rows that are bytes take at a time. */
  private final int held;

  /** A product in tiles of another size, to be tried; null for those of this process. */
  private final Function tried;

  private IntegerMultiplier(
      Form form, Steps steps, boolean fine, boolean others, Tiling tiling, Function tried) {
    this.form = form;
    this.steps = steps;
    this.fine = fine;
    this.tile = tiling.get(Tunable.rows(form.type));
    this.held = tiling.get(Tunable.QUANTIZED_BYTES);
    this.tried = tried;
    coarse =
        others ? new IntegerMultiplier(form, Steps.BY_HALVES, false, false, tiling, null) : this;
    finer = others ? new IntegerMultiplier(form, Steps.BY_HALVES, true, false, tiling, null) : this;
  }

  static IntegerMultiplier of(Form form) {
    return new IntegerMultiplier(form, Steps.BY_BLOCK, false, true, Tiling.here(), null);
  }

  /** The same for matrices that lie as most do, in tiles that are to be tried. */
  static IntegerMultiplier trial(Form form, Tiling tiling) {
    Function tried = product(form, Steps.BY_BLOCK, tiling);
    return new IntegerMultiplier(form, Steps.BY_BLOCK, false, false, tiling, tried);
  }

  @Override
  public Multiplier as(Layout layout) {
    return switch (layout) {
      case COARSE_MATRIX -> coarse;
      case FINE_MATRIX -> finer;
      default -> this;
    };
  }

  private static Function product(Form form, Steps steps, Tiling tiling) {
    int tile = tiling.get(Tunable.rows(form.type));
    String id = form.type.word() + "-vnni" + word(steps) + "-" + tile + "x" + PANEL;
    return Code.of(id, IntegerProduct.code(form, steps, tile));
  }

  private static Function rows(Form form, Steps steps, boolean rest) {
    String id = "rows-for-" + form.type.word() + word(steps) + (rest ? "-rest" : "");
    return Code.of(id, RowQuantizer.code(form, steps, rest));
  }

  private static String word(Steps steps) {
    return steps == Steps.BY_HALVES ? "-halves" : "";
  }

  private long panelBytes(int inputs) {
    return (long) inputs / 32 * form.blockBytes();
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * panelBytes(inputs);
  }

  @Override
  public void pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    PackedWeights packing = form == Form.Q8_0 ? PackedWeights.Q8_0 : PackedWeights.Q4_0;
    packing.pack(rows, outputs, inputs, packed, panelBytes(inputs), panelFrom, panelTo);
  }

  @Override
  public void multiply(
      long packed,
      int outputs,
      int inputs,
      long x,
      int xStride,
      int rowFrom,
      int rowTo,
      int panelFrom,
      int panelTo,
      long bias,
      long out,
      int outStride) {
    long panelBytes = panelBytes(inputs);
    long blocks = inputs / 32;
    long biasPanel = bias == 0 ? 0 : LINE;
    long outBytes = 4L * outStride;
    QuantizedRows own = QuantizedRows.own().of(inputs, rowTo - rowFrom, tile, held, fine);
    for (int row = rowFrom; row < rowTo; row += own.rows) {
      int rows = Math.min(own.rows, rowTo - row);
      quantize(x + 4L * xStride * row, 4L * xStride, rows, blocks, own);
      int most = (int) Math.clamp(CALL / ((double) PANEL * inputs * rows), 1, panelTo - panelFrom);
      for (int panel = panelFrom; panel < panelTo; panel += most) {
        int panels = Math.min(most, panelTo - panel);
        int last = Math.min(PANEL, outputs - (panel + panels - 1) * PANEL);
        long w = packed + panel * panelBytes;
        long c = out + outBytes * row + LINE * panel;
        long base = bias == 0 ? ZEROS : bias + LINE * panel;
        call(
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
            biasPanel,
            last);
        if (!fine) continue;
        call(
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
    if (!fine) {
      bytes(x, xStride, to.first, to.stride, rows, blocks);
      return;
    }
    long rest = 4L * IntegerProduct.BLOCK * blocks;
    if (form == Form.Q8_0) {
      Q8Rest.ROWS.call(x, xStride, to.first, to.stride, rows, blocks, to.rest, rest);
    } else {
      Q4Rest.ROWS.call(x, xStride, to.first, to.stride, rows, blocks, to.rest, rest);
    }
    bytes(to.rest, rest, to.second, to.stride, rows, blocks);
  }

  private void bytes(long x, long xStride, long quants, long stride, long rows, long blocks) {
    boolean halves = steps == Steps.BY_HALVES;
    if (form == Form.Q8_0) {
      if (halves) Q8Halves.ROWS.call(x, xStride, quants, stride, rows, blocks);
      else Q8.ROWS.call(x, xStride, quants, stride, rows, blocks);
    } else {
      if (halves) Q4Halves.ROWS.call(x, xStride, quants, stride, rows, blocks);
      else Q4.ROWS.call(x, xStride, quants, stride, rows, blocks);
    }
  }

  private void call(
      long w,
      long quants,
      long stride,
      long c,
      long cStride,
      long rows,
      long panels,
      long panelBytes,
      long blocks,
      long base,
      long baseStride,
      long basePanel,
      long last) {
    boolean halves = steps == Steps.BY_HALVES;
    if (tried != null) {
      tried.call(
          w,
          quants,
          stride,
          c,
          cStride,
          rows,
          panels,
          panelBytes,
          blocks,
          base,
          baseStride,
          basePanel,
          last);
    } else if (form == Form.Q8_0 && halves) {
      Q8Halves.PRODUCT.call(
          w,
          quants,
          stride,
          c,
          cStride,
          rows,
          panels,
          panelBytes,
          blocks,
          base,
          baseStride,
          basePanel,
          last);
    } else if (form == Form.Q8_0) {
      Q8.PRODUCT.call(
          w,
          quants,
          stride,
          c,
          cStride,
          rows,
          panels,
          panelBytes,
          blocks,
          base,
          baseStride,
          basePanel,
          last);
    } else if (halves) {
      Q4Halves.PRODUCT.call(
          w,
          quants,
          stride,
          c,
          cStride,
          rows,
          panels,
          panelBytes,
          blocks,
          base,
          baseStride,
          basePanel,
          last);
    } else {
      Q4.PRODUCT.call(
          w,
          quants,
          stride,
          c,
          cStride,
          rows,
          panels,
          panelBytes,
          blocks,
          base,
          baseStride,
          basePanel,
          last);
    }
  }
}
