package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.kernel.assembled.IntegerProduct.Form;

/** Makes bytes of rows, some of them at a time, and multiplies those with each panel. */
final class IntegerMultiplier implements Multiplier {
  /** Rows of a tile. */
  private static final int TILE = 6;

  /** Products of two numbers in a call at most: a tenth of a millisecond, and safepoints wait. */
  private static final double CALL = 2e7;

  // Constants, which is what makes a call cheap.
  private static final Function Q8_0 = product(Form.Q8_0);
  private static final Function Q4_0 = product(Form.Q4_0);
  private static final Function QUANTIZE_8 = quantizer(Form.Q8_0);
  private static final Function QUANTIZE_4 = quantizer(Form.Q4_0);

  private final Form form;

  IntegerMultiplier(Form form) {
    this.form = form;
  }

  private static Function product(Form form) {
    String id = form.type.word() + "-vnni-" + TILE + "x" + PANEL;
    return Code.of(id, IntegerProduct.code(form, TILE));
  }

  private static Function quantizer(Form form) {
    return Code.of("rows-for-" + form.type.word(), RowQuantizer.code(form));
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
    QuantizedRows own = QuantizedRows.own().of(inputs, rowTo - rowFrom, TILE);
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
    if (form == Form.Q8_0) {
      QUANTIZE_8.call(x, xStride, to.quants, to.stride, rows, blocks, to.sums, to.scales);
    } else {
      QUANTIZE_4.call(x, xStride, to.quants, to.stride, rows, blocks, to.sums, to.scales);
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
    if (form == Form.Q8_0) {
      Q8_0.call(
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
      Q4_0.call(
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
  }
}
