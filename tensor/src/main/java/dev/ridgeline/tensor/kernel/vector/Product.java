package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import jdk.incubator.vector.FloatVector;

/**
 * Runs the micro-kernels over rows and panels: a block of rows is rearranged once, then each panel
 * of weights meets all of it while the panel is in the cache.
 */
final class Product {
  /** With fewer registers than AVX-512 has, eight rows would not fit. */
  private static final boolean EIGHT = Lanes.COUNT == 16;

  private static final int LINE = 4 * PANEL;

  private Product() {}

  static void multiply(
      Scratch scratch,
      Weights weights,
      long x,
      int xStride,
      int rowFrom,
      int rowTo,
      int panelFrom,
      int panelTo,
      long bias,
      long out,
      int outStride) {
    long xRow = 4L * xStride;
    long outRow = 4L * outStride;
    if (rowTo - rowFrom == 1 && weights instanceof Matrix matrix) {
      long from = x + rowFrom * xRow;
      long to = out + rowFrom * outRow;
      if (SingleRow.knows(matrix.type())) {
        SingleRow.multiply(scratch, matrix, from, panelFrom, panelTo, bias, to);
      } else row(scratch, matrix, from, panelFrom, panelTo, bias, to);
      return;
    }
    if (rowTo - rowFrom <= FewRows.MOST
        && weights instanceof Matrix matrix
        && FewRows.knows(matrix.type())) {
      FewRows.multiply(
          scratch,
          matrix,
          x + rowFrom * xRow,
          xRow,
          rowTo - rowFrom,
          panelFrom,
          panelTo,
          bias,
          out + rowFrom * outRow,
          outRow);
      return;
    }
    for (int row = rowFrom; row < rowTo; row += Scratch.ROWS) {
      int rows = Math.min(Scratch.ROWS, rowTo - row);
      block(
          scratch,
          weights,
          x + row * xRow,
          xRow,
          rows,
          panelFrom,
          panelTo,
          bias,
          out + row * outRow,
          outRow);
    }
  }

  private static void block(
      Scratch scratch,
      Weights weights,
      long x,
      long xRow,
      int rows,
      int panelFrom,
      int panelTo,
      long bias,
      long out,
      long outRow) {
    int inputs = weights.inputs();
    int from = 0;
    do {
      int depth = Math.min(depth(inputs), inputs - from);
      rearrange(x + 4L * from, xRow, rows, depth, scratch.x);
      for (int panel = panelFrom; panel < panelTo; panel++) {
        int columns = Math.min(PANEL, weights.outputs() - panel * PANEL);
        boolean whole = columns == PANEL;
        long target = out + (long) panel * LINE;
        long c = whole ? target : scratch.out;
        long cRow = whole ? outRow : LINE;
        long init = c;
        long initRow = cRow;
        if (from == 0) {
          init = bias(scratch, bias, panel, columns);
          initRow = 0;
        } else if (!whole) {
          copy(target, outRow, c, cRow, rows, columns);
        }
        long w = weights.panel(panel, from, depth, scratch.weights);
        tiles(
            scratch,
            w,
            weights.stride(panel),
            scratch.x,
            tileBytes(depth),
            rows,
            depth,
            init,
            initRow,
            c,
            cRow);
        if (!whole) copy(c, cRow, target, outRow, rows, columns);
      }
      from += depth;
    } while (from < inputs);
  }

  /** Inputs in even parts, each a whole number of the largest quantized blocks. */
  private static int depth(int inputs) {
    int parts = Math.max(1, (inputs + Scratch.DEPTH - 1) / Scratch.DEPTH);
    return ((inputs + parts - 1) / parts + 255) & -256;
  }

  /**
   * One panel and all rows.
   *
   * @param tileBytes from eight rows of x to the next eight
   */
  static void tiles(
      Scratch scratch,
      long w,
      long wStride,
      long x,
      long tileBytes,
      int rows,
      int depth,
      long init,
      long initRow,
      long c,
      long cRow) {
    for (int column = 0; column < PANEL; column += 2 * Lanes.COUNT) {
      long wc = w + 4L * column;
      long cc = c + 4L * column;
      long ic = init + 4L * column;
      int row = 0;
      while (row < rows) {
        long xTile = x + (long) (row >> 3) * tileBytes + (row & 7) * 64;
        int left = rows - row;
        int most = EIGHT && left > 4 ? 8 : 4;
        long from = ic + row * initRow;
        long to = cc + row * cRow;
        if (left >= most) {
          tile(most, wc, wStride, xTile, depth, from, initRow, to, cRow);
        } else {
          // What the rows past the last give is not stored.
          copy(from, initRow, scratch.tile, LINE, left, 2 * Lanes.COUNT);
          tile(most, wc, wStride, xTile, depth, scratch.tile, LINE, scratch.tile, LINE);
          copy(scratch.tile, LINE, to, cRow, left, 2 * Lanes.COUNT);
        }
        row += most;
      }
    }
  }

  private static void tile(
      int rows,
      long w,
      long wStride,
      long x,
      int depth,
      long init,
      long initRow,
      long c,
      long cRow) {
    if (rows == 8) Tile.eight(w, wStride, x, depth, init, initRow, c, cRow);
    else Tile.four(w, wStride, x, depth, init, initRow, c, cRow);
  }

  static long tileBytes(int depth) {
    return ((depth + 15) & -16) * 32L;
  }

  /**
   * Rows into tiles of 8 rows by 16 inputs; the last row is repeated to fill its tile. Written line
   * after line: row after row, the lines would fall into few sets of the cache.
   */
  static void rearrange(long x, long xRow, int rows, int depth, long to) {
    for (int row = 0; row < rows; row += 8) {
      rearrangeTile(x + row * xRow, xRow, Math.min(8, rows - row), depth, to);
      to += tileBytes(depth);
    }
  }

  private static void rearrangeTile(long x, long xRow, int rows, int depth, long to) {
    int whole = depth & -16;
    for (int k = 0; k < whole; k += 16) {
      for (int row = 0; row < 8; row++) {
        long from = x + Math.min(row, rows - 1) * xRow + 4L * k;
        for (int i = 0; i < 64; i += Lanes.BYTES) {
          FloatVector.fromMemorySegment(F, ALL, from + i, LE).intoMemorySegment(ALL, to + i, LE);
        }
        to += 64;
      }
    }
    for (int row = 0; row < 8; row++) {
      long from = x + Math.min(row, rows - 1) * xRow;
      for (int k = whole; k < depth; k++) {
        Lanes.set(to + 4L * (k - whole), Lanes.get(from + 4L * k));
      }
      to += 64;
    }
  }

  /** What the sums of a panel begin with. */
  private static long bias(Scratch scratch, long bias, int panel, int columns) {
    long at = bias + (long) panel * LINE;
    if (bias != 0 && columns == PANEL) return at;
    for (int i = 0; i < PANEL; i++) {
      Lanes.set(scratch.line + 4L * i, bias == 0 || i >= columns ? 0 : Lanes.get(at + 4L * i));
    }
    return scratch.line;
  }

  static void copy(long from, long fromRow, long to, long toRow, int rows, int columns) {
    for (int row = 0; row < rows; row++) {
      for (int column = 0; column < columns; column++) {
        Lanes.set(to + row * toRow + 4L * column, Lanes.get(from + row * fromRow + 4L * column));
      }
    }
  }

  /** A single row: several panels at a time, because one alone waits for its own sums. */
  private static void row(
      Scratch scratch, Weights weights, long x, int panelFrom, int panelTo, long bias, long out) {
    int inputs = weights.inputs();
    for (int panel = panelFrom; panel < panelTo; panel += Tile.ROW_PANELS) {
      int panels = Math.min(Tile.ROW_PANELS, panelTo - panel);
      int columns = Math.min(panels * PANEL, weights.outputs() - panel * PANEL);
      long c = scratch.out;
      for (int i = 0; i < columns; i++) {
        Lanes.set(c + 4L * i, bias == 0 ? 0 : Lanes.get(bias + (long) panel * LINE + 4L * i));
      }
      for (int from = 0; from < inputs; from += ROW_DEPTH) {
        int depth = Math.min(ROW_DEPTH, inputs - from);
        rowPart(scratch, weights, x + 4L * from, panel, panels, from, depth, c);
      }
      copy(c, 0, out + (long) panel * LINE, 0, 1, columns);
    }
  }

  /** So that the panels of a row fit where one otherwise is; a multiple of 256. */
  private static final int ROW_DEPTH = Scratch.DEPTH / 4;

  private static void rowPart(
      Scratch scratch,
      Weights weights,
      long x,
      int panel,
      int panels,
      int from,
      int depth,
      long c) {
    long step = (long) LINE * ROW_DEPTH;
    long first = weights.panel(panel, from, depth, scratch.weights);
    if (first == scratch.weights) {
      for (int i = 1; i < panels; i++) {
        weights.panel(panel + i, from, depth, scratch.weights + i * step);
      }
    } else {
      step = (long) LINE * weights.inputs();
    }
    Tile.row(first, step, panels, x, depth, c);
  }
}
