package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.kernel.assembled.IntegerProduct.Form;
import dev.ridgeline.tensor.tune.Tiling;
import dev.ridgeline.tensor.tune.Tunable;
import java.lang.invoke.MethodHandle;

/** Makes bytes of rows, some of them at a time, and multiplies those with each panel. */
final class IntegerMultiplier implements Multiplier {
  /** Products of two numbers in a call at most: a tenth of a millisecond, and safepoints wait. */
  private static final double CALL = 2e7;

  // Constants, which is what makes a call cheap; assembled by whoever needs one first.

  static final class Q8_0 {
    static final MethodHandle PRODUCT = product(Form.Q8_0, Tiling.here());
    static final MethodHandle QUANTIZE = quantizer(Form.Q8_0);
  }

  static final class Q4_0 {
    static final MethodHandle PRODUCT = product(Form.Q4_0, Tiling.here());
    static final MethodHandle QUANTIZE = quantizer(Form.Q4_0);
  }

  private final Form form;

  /** Rows of a tile. */
  private final int tile;

  /** What rows that are bytes take at a time. */
  private final int held;

  /** A product in tiles of another size, to be tried; null for that of this process. */
  private final MethodHandle tried;

  IntegerMultiplier(Form form) {
    this(form, Tiling.here(), null);
  }

  /** The same in tiles that are to be tried. */
  static IntegerMultiplier trial(Form form, Tiling tiling) {
    return new IntegerMultiplier(form, tiling, product(form, tiling));
  }

  private IntegerMultiplier(Form form, Tiling tiling, MethodHandle tried) {
    this.form = form;
    this.tile = tiling.get(Tunable.rows(form.type));
    this.held = tiling.get(Tunable.QUANTIZED_BYTES);
    this.tried = tried;
  }

  private static MethodHandle product(Form form, Tiling tiling) {
    int tile = tiling.get(Tunable.rows(form.type));
    String id = form.type.word() + "-vnni-%dx%d".formatted(tile, PANEL);
    return Code.of(id, IntegerProduct.code(form, tile), 13);
  }

  private static MethodHandle quantizer(Form form) {
    return Code.of("rows-for-" + form.type.word(), RowQuantizer.code(form), 8);
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * PackedWeights.panelBytes(form, inputs);
  }

  @Override
  public void pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    PackedWeights.pack(form, rows, outputs, inputs, packed, panelFrom, panelTo);
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
    long panelBytes = PackedWeights.panelBytes(form, inputs);
    long blocks = inputs / 32;
    QuantizedRows own = QuantizedRows.own().of(inputs, rowTo - rowFrom, tile, held);
    for (int row = rowFrom; row < rowTo; row += own.rows) {
      int rows = Math.min(own.rows, rowTo - row);
      quantize(x + 4L * xStride * row, 4L * xStride, rows, blocks, own);
      int most = (int) Math.clamp(CALL / ((double) PANEL * inputs * rows), 1, panelTo - panelFrom);
      for (int panel = panelFrom; panel < panelTo; panel += most) {
        int panels = Math.min(most, panelTo - panel);
        int last = Math.min(PANEL, outputs - (panel + panels - 1) * PANEL);
        call(
            packed + panel * panelBytes,
            own,
            out + 4L * outStride * row + 4L * PANEL * panel,
            4L * outStride,
            rows,
            panels,
            panelBytes,
            blocks,
            bias == 0 ? 0 : bias + 4L * PANEL * panel,
            last);
      }
    }
  }

  private void quantize(long x, long xStride, long rows, long blocks, QuantizedRows to) {
    try {
      if (form == Form.Q8_0) {
        Q8_0.QUANTIZE.invokeExact(
            x, xStride, to.quants, to.stride, rows, blocks, to.sums, to.scales);
      } else {
        Q4_0.QUANTIZE.invokeExact(
            x, xStride, to.quants, to.stride, rows, blocks, to.sums, to.scales);
      }
    } catch (Throwable e) {
      throw Code.passed(e);
    }
  }

  private void call(
      long w,
      QuantizedRows x,
      long c,
      long cStride,
      long rows,
      long panels,
      long panelBytes,
      long blocks,
      long bias,
      long last) {
    try {
      if (tried != null) {
        tried.invokeExact(
            w,
            x.quants,
            x.stride,
            c,
            cStride,
            rows,
            panels,
            panelBytes,
            blocks,
            bias,
            x.sums,
            x.scales,
            last);
      } else if (form == Form.Q8_0) {
        Q8_0.PRODUCT.invokeExact(
            w,
            x.quants,
            x.stride,
            c,
            cStride,
            rows,
            panels,
            panelBytes,
            blocks,
            bias,
            x.sums,
            x.scales,
            last);
      } else {
        Q4_0.PRODUCT.invokeExact(
            w,
            x.quants,
            x.stride,
            c,
            cStride,
            rows,
            panels,
            panelBytes,
            blocks,
            bias,
            x.sums,
            x.scales,
            last);
      }
    } catch (Throwable e) {
      throw Code.passed(e);
    }
  }
}
