package dev.ridgeline.tensor.kernel.assembled;

import static dev.ridgeline.tensor.kernel.Kernels.PANEL;

import dev.ridgeline.tensor.kernel.Multiplication;

/**
 * Rounds rows to bf16, some of them at a time, and multiplies them with each panel by tiles. All
 * products with such weights are made so, those of a single row too: results would depend on how
 * many rows come together otherwise.
 */
final class Bf16Multiplier implements Multiplier {
  /** Products of two numbers in a call at most: a tenth of a millisecond, and safepoints wait. */
  private static final double CALL = 2e7;

  private static final long LINE = 4L * PANEL;

  private final Bf16Panels packing;

  /** What rows of bf16 take at a time. */
  private final int held;

  private final Function rounder = Bf16Panels.rounder(FloatKind.F32);
  private final Function tiles = Code.function("bf16-tiles", new Bf16TileProduct());

  /**
   * @param kind of weights, which become bf16 if they are not
   */
  Bf16Multiplier(FloatKind kind, TileSizes sizes) {
    packing = new Bf16Panels(kind);
    held = sizes.quantizedBytes();
  }

  @Override
  public long packedBytes(int outputs, int inputs) {
    return (outputs + PANEL - 1L) / PANEL * packing.bytes(inputs);
  }

  @Override
  public boolean pack(long rows, int outputs, int inputs, long packed, int panelFrom, int panelTo) {
    packing.pack(rows, outputs, inputs, packed, panelFrom, panelTo);
    return true;
  }

  @Override
  public void multiply(
      Multiplication of, int rowFrom, int rowTo, int panelFrom, int panelTo, long epoch) {
    Bf16Rows own = Bf16Rows.own();
    own.room(of.inputs, rowTo - rowFrom, held);
    for (int row = rowFrom; row < rowTo; row += own.rows) {
      int rows = Math.min(own.rows, rowTo - row);
      long x = of.x + 4L * of.xStride * row;
      if (!own.has(epoch, x, of.xStride, rows, of.inputs)) {
        rounder.call(x, 4L * of.xStride, own.first, own.stride, rows, of.inputs);
      }
      multiply(of, row, rows, panelFrom, panelTo, own);
    }
  }

  private void multiply(
      Multiplication of, int row, int rows, int panelFrom, int panelTo, Bf16Rows own) {
    // A few rows take about as long as those of a tile.
    double work = (double) PANEL * of.inputs * Math.max(rows, Bf16TileProduct.ROWS);
    int most = (int) Math.clamp(CALL / work, 1, panelTo - panelFrom);
    int whole = rows / Bf16TileProduct.ROWS * Bf16TileProduct.ROWS;
    for (int panel = panelFrom; panel < panelTo; panel += most) {
      int panels = Math.min(most, panelTo - panel);
      if (whole > 0) multiply(of, row, 0, whole, panel, panels, own);
      if (whole < rows) multiply(of, row, whole, rows - whole, panel, panels, own);
    }
  }

  private void multiply(
      Multiplication of, int row, int skipped, int rows, int panel, int panels, Bf16Rows own) {
    long panelBytes = packing.bytes(of.inputs);
    tiles.call(
        of.packed + panel * panelBytes,
        own.first + own.stride * skipped,
        own.stride,
        of.out + 4L * of.outStride * (row + skipped) + LINE * panel,
        4L * of.outStride,
        rows,
        panels,
        panelBytes,
        Bf16Rounder.padded(of.inputs) / Bf16Rounder.INPUTS,
        of.bias == 0 ? 0 : of.bias + LINE * panel,
        Math.min(PANEL, of.outputs - (panel + panels - 1) * PANEL),
        0,
        0,
        0);
  }
}
