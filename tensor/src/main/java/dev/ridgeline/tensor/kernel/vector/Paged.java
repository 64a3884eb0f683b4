package dev.ridgeline.tensor.kernel.vector;

import static dev.ridgeline.tensor.Device.PAGE;
import static dev.ridgeline.tensor.Memory.ALL;
import static dev.ridgeline.tensor.kernel.Kernels.PANEL;
import static dev.ridgeline.tensor.kernel.vector.Lanes.F;
import static dev.ridgeline.tensor.kernel.vector.Lanes.LE;

import dev.ridgeline.tensor.TensorType;
import jdk.incubator.vector.FloatVector;

/**
 * The pages that hold one key head of a text, and products with them: of queries with keys, which
 * lie in a page as a packed panel does, and of weights with values, one page after the other. All
 * rows of a block meet a page while the core has it in its cache.
 */
final class Paged {
  private static final int LINE = 4 * PANEL;

  private final Scratch scratch;
  private TensorType type;
  private long memory;
  private long pageBytes;
  private int[] pages;
  private int firstPage;
  private int tokens;
  private int width;

  Paged(Scratch scratch) {
    this.scratch = scratch;
  }

  Paged of(
      TensorType type,
      long memory,
      long pageBytes,
      int[] pages,
      int firstPage,
      int tokens,
      int width) {
    this.type = type;
    this.memory = memory;
    this.pageBytes = pageBytes;
    this.pages = pages;
    this.firstPage = firstPage;
    this.tokens = tokens;
    this.width = width;
    return this;
  }

  private long page(int index) {
    return memory + pageBytes * pages[firstPage + index];
  }

  // Scores.

  void scores(long q, long qRow, int queries, int heads, float scale, long out, long outRow) {
    int all = queries * heads;
    for (int row = 0; row < all; row += Scratch.ROWS) {
      int rows = Math.min(Scratch.ROWS, all - row);
      for (int from = 0; from < width; from += Scratch.DEPTH) {
        int depth = Math.min(Scratch.DEPTH, width - from);
        rearrange(q + 4L * from, qRow, heads, row, rows, scale, depth);
        scores(rows, from, depth, out + row * outRow, outRow);
      }
    }
  }

  /** Scaled rows in the order of {@link Tile}; the last is repeated to fill its tile. */
  private void rearrange(
      long q, long qRow, int heads, int rowFrom, int rows, float scale, int depth) {
    long tileBytes = Product.tileBytes(depth);
    int filled = (rows + 7) & -8;
    for (int i = 0; i < filled; i++) {
      int row = rowFrom + Math.min(i, rows - 1);
      long from = q + row / heads * qRow + 4L * width * (row % heads);
      scaled(from, scale, depth, scratch.x + (i >> 3) * tileBytes + (i & 7) * 64);
    }
  }

  private static void scaled(long from, float scale, int depth, long to) {
    int whole = depth & -16;
    for (int k = 0; k < whole; k += 16) {
      for (int i = 0; i < 64; i += Lanes.BYTES) {
        FloatVector.fromMemorySegment(F, ALL, from + 4L * k + i, LE)
            .mul(scale)
            .intoMemorySegment(ALL, to + 32L * k + i, LE);
      }
    }
    for (int k = whole; k < depth; k++) {
      Lanes.set(to + 32L * whole + 4L * (k - whole), scale * Lanes.get(from + 4L * k));
    }
  }

  private void scores(int rows, int from, int depth, long out, long outRow) {
    int count = (tokens + PAGE - 1) / PAGE;
    for (int i = 0; i < count; i++) {
      long page = page(i);
      long w = page + (long) LINE * from;
      if (type != TensorType.F32) {
        w = scratch.weights;
        Decoding.panel(type, page, from, depth, 0, w);
      }
      long c = out + (long) LINE * i;
      long init = from == 0 ? scratch.zeros : c;
      Product.tiles(
          scratch,
          w,
          LINE,
          scratch.x,
          Product.tileBytes(depth),
          rows,
          depth,
          init,
          from == 0 ? 0 : outRow,
          c,
          outRow);
    }
  }

  // Mix.

  void mix(long p, long pRow, int queries, int heads, long out, long outRow) {
    int all = queries * heads;
    for (int row = 0; row < all; row += Scratch.ROWS) {
      int rows = Math.min(Scratch.ROWS, all - row);
      for (int from = 0; from < tokens; from += Scratch.DEPTH) {
        int depth = Math.min(Scratch.DEPTH, tokens - from);
        Product.rearrange(p + row * pRow + 4L * from, pRow, rows, depth, scratch.x);
        for (int column = 0; column < width; column += PANEL) {
          int columns = Math.min(PANEL, width - column);
          long to = out + 4L * column;
          if (from > 0) move(to, outRow, heads, row, rows, columns, true);
          mix(rows, from, depth, column);
          move(to, outRow, heads, row, rows, columns, false);
        }
      }
    }
  }

  /** Sums of some columns over some tokens, page by page, in {@link Scratch#out}. */
  private void mix(int rows, int from, int depth, int column) {
    for (int token = 0; token < depth; token += PAGE) {
      long page = page((from + token) / PAGE);
      long w = page + 4L * column;
      long stride = 4L * width;
      int inputs = Math.min(PAGE, depth - token);
      // Columns past the last are anything: what they give is not stored.
      if (type != TensorType.F32) {
        w = scratch.weights;
        stride = LINE;
        Decoding.halves(page + 2L * column, 2L * width, inputs, w);
      }
      boolean first = from + token == 0;
      Product.tiles(
          scratch,
          w,
          stride,
          scratch.x + 32L * token,
          Product.tileBytes(depth),
          rows,
          inputs,
          first ? scratch.zeros : scratch.out,
          first ? 0 : LINE,
          scratch.out,
          LINE);
    }
  }

  /** Results between {@link Scratch#out} and the heads of queries. */
  private void move(
      long out, long outRow, int heads, int rowFrom, int rows, int columns, boolean in) {
    for (int i = 0; i < rows; i++) {
      int row = rowFrom + i;
      long head = out + row / heads * outRow + 4L * width * (row % heads);
      long own = scratch.out + (long) LINE * i;
      Lanes.copy(in ? head : own, in ? own : head, columns);
    }
  }
}
